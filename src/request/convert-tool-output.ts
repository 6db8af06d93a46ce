/**
 * The output of a client's tool, of all majors (`sdk-matrix.md` §1.2, §2.4) → the output of a `function_call_output`:
 * a text, or texts and images (`agent-api.md` §2.2). Documents have no place there, so they are named in a text.
 */
import { convertBase64ToUint8Array } from '@ai-sdk/provider-utils';

import { asArray, asObject, asText, textOrEmpty, type WireObject } from '../json.js';
import type { InputFunctionCallOutput, OutputPart } from '../wire/request-types.js';
import { convertImage, isHttps, MOST_URL_CHARACTERS } from './convert-file.js';
import { type FileData, isImage, mediaTypeOf, readFileData, refuseAudioAndVideo } from './file-data.js';
import type { Warnings } from './warnings.js';

type Output = InputFunctionCallOutput['output'];

export const DENIED = 'The user denied the execution of this tool.';

export function convertToolOutput(output: unknown, warnings: Warnings): Output {
  const { type, value, reason } = asObject(output) ?? {};
  switch (type) {
    case 'text':
    case 'error-text':
      return typeof value === 'string' ? value : json(value);
    case 'json':
    case 'error-json':
      return json(value);
    case 'execution-denied':
      return asText(reason) ?? DENIED;
    case 'content':
      return convertContent(asArray(value), warnings);
    default:
      warnings.other(`A tool output of the unknown type '${String(type)}' is sent as JSON.`);
      return json(value ?? output);
  }
}

/** `JSON.stringify` gives undefined for undefined, which is no output. */
const json = (value: unknown) => JSON.stringify(value) ?? 'null';

const text = (value: string): OutputPart => ({ type: 'input_text', text: value });

function convertContent(items: readonly unknown[], warnings: Warnings): Output {
  const parts = items.map((item) => convertItem(asObject(item) ?? {}, warnings));
  if (parts.some((part) => part.type === 'input_image')) return parts;
  return parts.map((part) => (part.type === 'input_text' ? part.text : '')).join('\n');
}

function convertItem(item: WireObject, warnings: Warnings): OutputPart {
  switch (item['type']) {
    case 'text':
      return text(textOrEmpty(item['text']));
    case 'media':
    case 'file-data':
    case 'file':
      return convertFile(item, readFileData(item['data']), item['mediaType'], warnings);
    case 'image-data':
      return convertFile(item, readFileData(item['data']), item['mediaType'] ?? 'image/*', warnings);
    case 'image-url':
      return convertFile(item, readFileData(item['url']), 'image/*', warnings);
    case 'file-url':
      return convertFile(item, readFileData(item['url']), item['mediaType'], warnings);
    case 'file-id':
    case 'image-file-id':
      warnings.other('A tool result holds a file by its id, which the Agent API cannot resolve; only a note is sent.');
      return text('[a file, left out: it was given by an id]');
    default: {
      const type = String(item['type']);
      warnings.other(
        `A tool result holds a part of type '${type}', which the Agent API cannot take; only a note is sent.`,
      );
      return text(`[a part of type ${type}, left out]`);
    }
  }
}

function convertFile(item: WireObject, data: FileData, declared: unknown, warnings: Warnings): OutputPart {
  if (data.kind === 'base64' && data.text !== undefined) return text(data.text);
  const exact = mediaTypeOf(declared, data);
  // On its way through ai 7 a file URL loses its media type (`sdk-matrix.md` §2.4); then its ending has to do.
  const mediaType = exact === '' && data.kind === 'url' ? typeByEnding(data.url) : exact;
  refuseAudioAndVideo(mediaType);
  if (data.kind === 'url') {
    const isShort = data.url.length <= MOST_URL_CHARACTERS;
    if (isImage(mediaType) && isHttps(data.url) && isShort) return convertImage(data, mediaType);
    warnings.other(
      'A tool result holds a file by its URL, which the Agent API takes for https images only; the URL is sent as text.',
    );
    return text(data.url);
  }
  if (data.kind === 'base64') {
    if (isImage(mediaType)) return convertImage(data, mediaType);
    const decoded = mediaType.startsWith('text/') ? decodeText(data.base64) : undefined;
    if (decoded !== undefined) return text(decoded);
  }
  const name = typeof item['filename'] === 'string' ? `'${item['filename']}' ` : '';
  const what = `file ${name}of media type ${mediaType || 'unknown'}`;
  warnings.other(`A tool result holds a ${what}, which the Agent API cannot take; only a note is sent.`);
  return text(`[a ${what}, left out]`);
}

function decodeText(base64: string): string | undefined {
  try {
    return new TextDecoder().decode(convertBase64ToUint8Array(base64));
  } catch {
    return undefined;
  }
}

function typeByEnding(url: string): string {
  const ending = /\.(png|jpe?g|gif|webp|bmp|avif|heic)$/i.exec(url.replace(/[?#].*$/s, ''));
  return ending ? 'image/*' : '';
}
