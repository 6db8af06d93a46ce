/**
 * The data and media type of a file part, in whichever form ai 5, 6 or 7 hands them over (`sdk-matrix.md` §1.2, §2.4):
 * bytes, base64, a data URI, a URL as text or object, or V4's tagged data.
 */
import { convertUint8ArrayToBase64 } from '@ai-sdk/provider-utils';
import { textOrEmpty } from '../json.js';
import { unsupported } from './unsupported.js';

export type FileData =
  | { kind: 'url'; url: string }
  /** `text`: the content, where it was given as text. */
  | { kind: 'base64'; base64: string; mediaType?: string; text?: string }
  /** A file of the provider's own store, which the Agent API does not have. */
  | { kind: 'reference' }
  | { kind: 'unknown' };

export function readFileData(data: unknown): FileData {
  if (typeof data === 'string') return readText(data);
  if (typeof data !== 'object' || data === null) return { kind: 'unknown' };
  // Not by `instanceof`: bytes and URLs may come from another realm (test runners, edge sandboxes).
  if (ArrayBuffer.isView(data)) return { kind: 'base64', base64: convertUint8ArrayToBase64(bytesOf(data)) };
  if ('href' in data && typeof data.href === 'string') return readText(data.href);
  if (!('type' in data)) return { kind: 'unknown' };
  const tagged = data as { type: unknown; data?: unknown; url?: unknown; text?: unknown };
  switch (tagged.type) {
    case 'data':
      return readFileData(tagged.data);
    case 'url':
      return readFileData(tagged.url);
    case 'text': {
      const text = textOrEmpty(tagged.text);
      return { kind: 'base64', base64: base64Of(text), mediaType: 'text/plain', text };
    }
    case 'reference':
      return { kind: 'reference' };
    default:
      return { kind: 'unknown' };
  }
}

const base64Of = (text: string) => convertUint8ArrayToBase64(new TextEncoder().encode(text));

const bytesOf = (view: ArrayBufferView) => new Uint8Array(view.buffer, view.byteOffset, view.byteLength);

function readText(text: string): FileData {
  if (!/^data:/i.test(text)) {
    // Base64 has no colon, so a scheme makes a URL of whatever kind; which ones can be sent is decided later.
    return /^[a-z][a-z0-9+.-]*:/i.test(text) ? { kind: 'url', url: text } : { kind: 'base64', base64: text };
  }
  const comma = text.indexOf(',');
  const head = text.slice(5, comma === -1 ? 5 : comma).split(';');
  const body = text.slice(comma + 1);
  const isBase64 = head.some((part) => part.trim().toLowerCase() === 'base64');
  const base64 = isBase64 ? body : base64Of(decoded(body));
  const mediaType = head[0]?.trim();
  return mediaType ? { kind: 'base64', base64, mediaType } : { kind: 'base64', base64 };
}

/** Percent-encoding undone; a text that only looks like it stays as it is. */
export function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** The declared type, unless it is missing or a range (`image`, `image/*`) that the data itself can make exact. */
export function mediaTypeOf(declared: unknown, data: FileData): string {
  const given = typeof declared === 'string' ? withoutParameters(declared) : '';
  if (isExact(given) || data.kind !== 'base64') return given;
  if (data.mediaType !== undefined && sameKind(given, data.mediaType)) return withoutParameters(data.mediaType);
  if (given !== '' && given !== '*/*' && !given.startsWith('image')) return given;
  return sniffImage(data.base64) ?? given;
}

const withoutParameters = (mediaType: string) => mediaType.replace(/;.*$/s, '').trim().toLowerCase();

export const isExact = (mediaType: string) => /^[^/*]+\/[^/*]+$/.test(mediaType);

const topLevel = (mediaType: string) => mediaType.split('/')[0] ?? '';

function sameKind(range: string, exact: string): boolean {
  const top = topLevel(range);
  return top === '' || top === '*' || top === topLevel(exact.toLowerCase());
}

export const isImage = (mediaType: string) => topLevel(mediaType) === 'image';

/** The API refuses audio and video by name (`agent-api.md` §2.2); saying so beforehand costs no request. */
export function refuseAudioAndVideo(mediaType: string): void {
  const top = topLevel(mediaType);
  if (top !== 'audio' && top !== 'video') return;
  throw unsupported(
    `file of media type ${mediaType}`,
    `The Agent API takes no ${top}: a file of media type '${mediaType}' cannot be sent. Send a transcript instead.`,
  );
}

/** First bytes of the image types, as the binary text that `atob` gives; `?` stands for any byte. */
const SIGNATURES: readonly (readonly [mediaType: string, start: string])[] = [
  ['image/png', '\x89PNG'],
  ['image/jpeg', '\xff\xd8\xff'],
  ['image/gif', 'GIF8'],
  ['image/webp', 'RIFF????WEBP'],
  ['image/bmp', 'BM'],
  ['image/tiff', 'II*\0'],
  ['image/tiff', 'MM\0*'],
  ['image/avif', '????ftypavi'],
  ['image/heic', '????ftyphei'],
  ['image/heic', '????ftypmif1'],
  ['image/svg+xml', '<svg'],
];

function sniffImage(base64: string): string | undefined {
  let start: string;
  try {
    start = atob(base64.slice(0, 24));
  } catch {
    return undefined;
  }
  const fits = (signature: string) => signature.split('').every((byte, at) => byte === '?' || byte === start[at]);
  return SIGNATURES.find(([, signature]) => fits(signature))?.[0];
}
