/** What must not surface of the servers that a request names (design decision 20). */
import { asObject, asObjects, asText } from '../json.js';
import { holdsSecrets } from '../redact.js';
import { decoded } from './file-data.js';

/**
 * Secrets of MCP servers, which may also come through `extraBody`: `authorization`, header values, and what an address
 * may hold of a key; with and without the scheme before a token.
 */
export function secretsIn(tools: unknown): string[] {
  const holders = asObjects(tools).filter(holdsSecrets);
  if (holders.length === 0) return [];
  return holders.flatMap((tool) => {
    const values = [tool['authorization'], ...Object.values(asObject(tool['headers']) ?? {})];
    const texts = values.filter((value): value is string => typeof value === 'string' && value !== '');
    const bare = texts.map((value) => value.replace(/^\S+\s+/, ''));
    return [...new Set([...texts, ...bare, ...secretsOfAddress(tool['server_url'])])];
  });
}

/** Each as it stands in the address and as it reads. */
function secretsOfAddress(address: unknown): string[] {
  const text = asText(address);
  if (text === undefined) return [];
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return [];
  }
  const query = url.search.slice(1);
  const fields = query.split('&').flatMap((field) => {
    const [name = '', ...rest] = field.split('=');
    const value = rest.join('=');
    // A name without a value may be the key itself.
    if (value === '') return looksSecret(readable(name)) ? [name] : [];
    return isSecretName(readable(name)) || looksSecret(readable(value)) ? [value] : [];
  });
  // Services that put a key into the path hand out long ones, and other names there are words.
  const segments = url.pathname.split('/').filter((part) => part.length >= SHORTEST_KEY && looksSecret(readable(part)));
  const found = [
    url.password,
    ...(url.password === '' || looksSecret(readable(url.username)) ? [url.username] : []),
    ...(fields.length > 0 ? [query, ...fields] : []),
    ...segments,
  ];
  return found.flatMap((text) => [text, readable(text)]).filter((text) => text !== '');
}

const SHORTEST_KEY = 16;

/** Words of a name that say that its value is one. */
const SECRET_WORD =
  /(?:key|token|secret|passwords?|passwd|passphrase|credentials?|signature)$|^(?:keys|secrets|o?auth|authorization|pass|pwd|sig|creds?|session|sessionid|sid|jwt|bearer|otp|pin)$/;

/** `api_key`, `accessToken` and `code`, but not `keyword`, `author`, `design` and `language_code`. */
function isSecretName(name: string): boolean {
  const words = name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  return name.toLowerCase() === 'code' || words.some((word) => SECRET_WORD.test(word));
}

/**
 * Words, numbers, versions and dates as people write them: blanked out wherever they stand, they would garble the answer. A
 * row of letters that is long, or capital in odd places, is none.
 */
const WORD = /^(?:[a-z]{1,16}|[A-Z]{1,16}|[A-Z]?[a-z]{2,16}(?:[A-Z][a-z]{2,16}){0,3})$/;
const NUMBER = /^(?:v?-?\d{1,4}(?:\.\d{1,4}){0,3}|\d{4}-\d{2}(?:-\d{2})?)$/;

const isPlain = (value: string) =>
  NUMBER.test(value) || value.split(/[-_.,+ /:]/).every((word) => word === '' || WORD.test(word));

const looksSecret = (value: string) => !isPlain(value);

/** Without percent signs, as the server reads it. */
const readable = (text: string) => decoded(text.replaceAll('+', ' '));
