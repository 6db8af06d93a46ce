/** Names of documents: a base name with an extension, of at most 255 bytes (`agent-api.md` §2.2). */

import { decoded } from './file-data.js';

const MAX_BYTES = 255;

/** Where the subtype itself is no usual extension. */
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ['text/plain', 'txt'],
  ['text/markdown', 'md'],
  ['text/javascript', 'js'],
  ['text/tab-separated-values', 'tsv'],
  ['application/msword', 'doc'],
  ['application/vnd.ms-excel', 'xls'],
  ['application/vnd.ms-powerpoint', 'ppt'],
  ['application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'xlsx'],
  ['application/vnd.openxmlformats-officedocument.presentationml.presentation', 'pptx'],
  ['application/vnd.oasis.opendocument.text', 'odt'],
  ['application/vnd.oasis.opendocument.spreadsheet', 'ods'],
  ['application/vnd.oasis.opendocument.presentation', 'odp'],
  ['application/epub+zip', 'epub'],
  ['application/javascript', 'js'],
  ['application/octet-stream', 'bin'],
]);

/** The given name made fit, or one made of the URL or of the media type. */
export function documentName(name: unknown, mediaType: string, url?: string): string {
  const given = typeof name === 'string' ? baseName(name) : '';
  const base = given || (url === undefined ? '' : nameInUrl(url)) || 'document';
  const dot = /\.[A-Za-z0-9]{1,16}$/.exec(base)?.index ?? -1;
  return dot > 0
    ? fit(base.slice(0, dot), base.slice(dot))
    : fit(base.replace(/\.+$/, ''), `.${extensionOf(mediaType)}`);
}

const baseName = (path: string) => (path.split(/[\\/]/).pop() ?? '').trim();

function nameInUrl(url: string): string {
  const path = url.replace(/[?#].*$/s, '').replace(/^https?:\/\/[^/]*/i, '');
  return baseName(decoded(path));
}

function extensionOf(mediaType: string): string {
  const type = mediaType.split(';')[0]?.trim() ?? '';
  const known = EXTENSIONS.get(type);
  if (known !== undefined) return known;
  const subtype = type.split('/')[1]?.replace(/^x-|\+.*$/g, '') ?? '';
  if (/^[a-z0-9]{1,8}$/.test(subtype)) return subtype;
  return type.startsWith('text/') || type === 'text' ? 'txt' : 'bin';
}

function fit(stem: string, extension: string): string {
  const encoder = new TextEncoder();
  const size = (text: string) => encoder.encode(text).length;
  // A whole character is dropped at a time, never half of one.
  const characters = Array.from(stem || 'document').slice(0, MAX_BYTES);
  while (size(characters.join('') + extension) > MAX_BYTES) characters.pop();
  return characters.join('') + extension;
}
