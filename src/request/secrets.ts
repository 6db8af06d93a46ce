/** What must not surface of the servers that a request names (design decision 20). */
import { asObject, asObjects, asText } from '../json.js';

/**
 * Secrets of MCP servers, which may also come through `extraBody`: `authorization`, header values, and what an address
 * may hold of a key; with and without the scheme before a token.
 */
export function secretsIn(tools: unknown): string[] {
  return asObjects(tools).flatMap((tool) => {
    const values = [tool['authorization'], ...Object.values(asObject(tool['headers']) ?? {})];
    const texts = values.filter((value): value is string => typeof value === 'string' && value !== '');
    const bare = texts.map((value) => value.replace(/^\S+\s+/, ''));
    return [...new Set([...texts, ...bare, ...secretsOfAddress(tool['server_url'])])];
  });
}

function secretsOfAddress(address: unknown): string[] {
  try {
    const { password, search, searchParams } = new URL(asText(address) ?? '');
    const values = [...searchParams].filter(([name, value]) => isSecret(name, value)).map(([, value]) => value);
    return [password, ...(values.length > 0 ? [search.slice(1), ...values] : [])].filter((value) => value !== '');
  } catch {
    return [];
  }
}

const SECRET_NAME = /key|token|secret|auth|pass|sig|cred|code|session/i;
/** Words and versions as people write them: blanked out wherever they stand, they would garble the answer. */
const PLAIN_VALUE = /^(?:[a-z]{1,20}(?:[-_.,+ /][a-z]{1,20})*|v?\d{1,4}(?:[.-]\d{1,4})*)$/i;

const isSecret = (name: string, value: string) => SECRET_NAME.test(name) || !PLAIN_VALUE.test(value);
