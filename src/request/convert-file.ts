import type { CorePromptPart } from '../spec.js';
import type { InputImage, InputPart } from '../wire/request-types.js';
import { type FileData, isExact, isImage, mediaTypeOf, readFileData, refuseAudioAndVideo } from './file-data.js';
import { documentName } from './file-name.js';
import { unsupported } from './unsupported.js';

/**
 * A file of a user message: an image, or a document (`agent-api.md` §2.2, design decision 6). What the API thinks of a
 * type other than audio and video it says itself.
 */
export function convertFile(part: CorePromptPart): InputPart {
  // V2 has no image parts, but a prompt written by hand for an older version may.
  const isImagePart = part.type === 'image';
  const data = readFileData(isImagePart ? (part['image'] ?? part['data']) : part['data']);
  const mediaType = mediaTypeOf(part['mediaType'] ?? (isImagePart ? 'image/*' : undefined), data);
  refuseAudioAndVideo(mediaType);
  if (data.kind === 'reference') {
    throw unsupported(
      'file reference',
      'The Agent API stores no files, so a file cannot be sent as a reference. Send its bytes or an https URL.',
    );
  }
  if (data.kind === 'unknown') {
    throw unsupported(
      'file data',
      'A file has data of a form that is not known. Send bytes, base64, a data URI or an https URL.',
    );
  }
  if (data.kind === 'url' && !isHttps(data.url)) {
    throw unsupported(
      'file URL without https',
      `The Agent API reads files from https URLs only, not from '${data.url.replace(/\?.*$/s, '')}'. Send the bytes instead.`,
    );
  }
  if (isImage(mediaType) && data.kind === 'url' && data.url.length > MOST_URL_CHARACTERS) {
    throw unsupported(
      'image URL',
      `The Agent API takes an image by a URL of at most ${MOST_URL_CHARACTERS} characters, and this one has ${data.url.length}. Send the bytes instead.`,
    );
  }
  if (isImage(mediaType)) return convertImage(data, mediaType);
  const name = part['filename'];
  return data.kind === 'url'
    ? { type: 'input_file', filename: documentName(name, mediaType, data.url), file_url: data.url }
    : { type: 'input_file', filename: documentName(name, mediaType), file_data: fileData(data.base64, mediaType) };
}

/** An address needs a host; without one there is nothing to read. */
export const isHttps = (url: string) => /^https:\/\/[^\s/]/i.test(url);

/** `agent-api.md` §2.2: of a plain address; data URIs of images are longer. */
export const MOST_URL_CHARACTERS = 2048;

export function convertImage(data: Extract<FileData, { kind: 'url' | 'base64' }>, mediaType: string): InputImage {
  if (data.kind === 'url') return { type: 'input_image', image_url: data.url };
  // Bytes that tell nothing still need some type in the URI; the API looks at the content.
  const type = isExact(mediaType) ? mediaType : 'image/png';
  return { type: 'input_image', image_url: `data:${type};base64,${data.base64}` };
}

/** A data URI where the type is known, else bare base64; the API takes both. */
function fileData(base64: string, mediaType: string): string {
  return isExact(mediaType) ? `data:${mediaType};base64,${base64}` : base64;
}
