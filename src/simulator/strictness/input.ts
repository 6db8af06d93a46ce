/** Input items and message parts (agent-api.md §2.2). */
import { invalidRequest, validationFailed } from '../errors.js';
import { objectsIn, type JsonObject } from '../json.js';
import { array, object, string, stringOr, union, unknownDiscriminator, type Shape } from './decode.js';
import { checkBytes, checkHttps, checkOneOf } from './rules.js';

const MAX_PLAIN_URL = 2048;
const MAX_FILES = 30;

const inputText = object({ type: string, text: string }, ['text']);
// `detail` may be null by the document, and is ignored.
const detail: Shape = (value, path) => {
  if (value === null) return;
  string(value, path);
  checkOneOf(value, path, ['low', 'high', 'auto']);
};
const inputImage = object({ type: string, image_url: string, detail }, ['image_url']);
const inputFile = object({ type: string, filename: string, file_data: string, file_url: string }, ['filename']);

function unknownPart(type: string): Error {
  // These two are refused by name [live-P]; other unknown types fall to the discriminator.
  if (type === 'input_audio' || type === 'input_video') return invalidRequest(`invalid type "${type}"`);
  return unknownDiscriminator(type);
}

const messagePart = union({ input_text: inputText, input_image: inputImage, input_file: inputFile }, unknownPart);
const outputPart = union({ input_text: inputText, input_image: inputImage }, unknownPart);

const inputItem = union(
  {
    message: object({ type: string, role: string, content: stringOr(array(messagePart)) }, ['role', 'content']),
    function_call: object(
      { type: string, call_id: string, name: string, arguments: string, thought_signature: string },
      ['call_id', 'name', 'arguments'],
    ),
    function_call_output: object(
      {
        type: string,
        call_id: string,
        output: stringOr(array(outputPart)),
        name: string,
        thought_signature: string,
        id: string,
        status: string,
      },
      ['call_id', 'output'],
    ),
  },
  unknownDiscriminator,
);

/** Shape of `input`. Anything but a string or an array is reported as an empty array, as live (agent-api.md §2.1). */
export const inputShape: Shape = (value, path) => {
  if (typeof value === 'string') return;
  if (!Array.isArray(value) || value.length === 0) throw emptyInputArray();
  array(inputItem)(value, path);
};

/** The refusal of a missing, wrongly typed or empty `input`. The document only says what it is about. */
function emptyInputArray(): Error {
  return validationFailed('input array cannot be empty');
}

/** Rules on the values inside `input`. */
export function checkInput(input: unknown): void {
  if (input === undefined) throw emptyInputArray();
  if (input === '') throw validationFailed('input cannot be empty');
  let files = 0;
  for (const [index, item] of objectsIn(input).entries()) {
    const label = `input[${index}]`;
    if (item.type === 'message') {
      checkOneOf(item.role, `${label}: role`, ['user', 'assistant', 'system', 'developer']);
      files += checkParts(item.content, label);
    }
    if (item.type === 'function_call_output') {
      checkOneOf(item.status, `${label}: status`, ['in_progress', 'completed', 'incomplete']);
      checkParts(item.output, label);
    }
    if (item.type === 'function_call') checkArguments(item.arguments, label);
  }
  if (files > MAX_FILES) throw validationFailed(`input must have at most ${MAX_FILES} documents`);
}

function checkParts(content: unknown, label: string): number {
  let files = 0;
  for (const part of objectsIn(content)) {
    if (part.type === 'input_image') checkImage(part, label);
    if (part.type === 'input_file') {
      checkFile(part, label);
      files += 1;
    }
  }
  return files;
}

function checkImage(part: JsonObject, label: string): void {
  const url = String(part.image_url);
  if (url.startsWith('data:')) return;
  checkHttps(url, `${label}: image_url`);
  // The schema caps every image_url, but base64 images cannot fit; the cap presumably binds plain URLs [inference].
  if (url.length > MAX_PLAIN_URL)
    throw validationFailed(`${label}: image_url must have at most ${MAX_PLAIN_URL} characters`);
}

function checkFile(part: JsonObject, label: string): void {
  if ('file_data' in part === 'file_url' in part) {
    throw validationFailed(`${label}: input_file needs exactly one of file_data and file_url`);
  }
  checkBytes(part.filename, `${label}: filename`, 255);
  if (!/^[^/\\]+\.[^/\\.]+$/u.test(String(part.filename))) {
    throw validationFailed(`${label}: filename must be a base name with an extension`);
  }
  checkHttps(part.file_url, `${label}: file_url`);
}

/** `arguments` is a JSON string (agent-api.md §2.2); empty ones must be replayed as `{}` (§8.1). */
function checkArguments(text: unknown, label: string): void {
  try {
    JSON.parse(String(text));
  } catch {
    throw validationFailed(`${label}: arguments must be a JSON string`);
  }
}
