/** Keeps secrets out of everything an app may log (design decision 20). */
import { asArray, asObject, asText, type WireObject } from './json.js';

/** Stands where a secret was. */
export const REDACTED = '[redacted]';

/** Replaces every secret inside a value; a value without one comes back as it is. */
export type Redactor = <T>(value: T) => T;

// Shorter ones are no secrets, and replacing them would garble ordinary words.
const SHORTEST_SECRET = 6;

/**
 * A redactor for the given secrets. It searches whatever hangs on a value, also in errors and other objects. What holds
 * no secret comes back itself; what does is copied, an error down to what describes it.
 */
export function createRedactor(secrets: Iterable<string | undefined>): Redactor {
  const known = [...new Set(secrets)]
    .filter((secret): secret is string => secret !== undefined && secret.length >= SHORTEST_SECRET)
    // The longest first: one secret may be part of another ("Bearer x" and "x").
    .sort((a, b) => b.length - a.length);
  if (known.length === 0) return (value) => value;

  const isSecret = (text: string) => known.some((secret) => text.includes(secret));
  const redactText = (text: string) => known.reduce((result, secret) => result.replaceAll(secret, REDACTED), text);

  const copy = (value: unknown): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (typeof value !== 'object' || value === null || !holds(value, isSecret)) return value;
    if (value instanceof Error) return copyError(value);
    if (Array.isArray(value)) return value.map(copy);
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [redactText(key), copy(entry)]));
  };

  function copyError(error: Error): Error {
    const result = new Error(redactText(error.message), error.cause === undefined ? {} : { cause: copy(error.cause) });
    result.name = error.name;
    if (error.stack !== undefined) result.stack = redactText(error.stack);
    const { code, errors } = error as { code?: unknown; errors?: unknown };
    return Object.assign(
      result,
      code !== undefined && { code: copy(code) },
      errors !== undefined && { errors: copy(errors) },
    );
  }

  return (value) => copy(value) as typeof value;
}

// What hangs together from more objects than this is not searched but copied.
const MOST_OBJECTS = 100_000;

function isSearchable(value: object): boolean {
  if (Array.isArray(value) || value instanceof Error || value instanceof Date) return true;
  const prototype: unknown = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

/** Whether a text for which `isSecret` holds hangs on a value at any depth, keys included. */
function holds(value: unknown, isSecret: (text: string) => boolean, seen = new Set<object>()): boolean {
  if (typeof value === 'string') return isSecret(value);
  if (typeof value !== 'object' || value === null || seen.has(value) || ArrayBuffer.isView(value)) return false;
  seen.add(value);
  if (seen.size > MOST_OBJECTS) return true;
  // A Request, Headers or Map shows what is in it only when it is printed: what holds one is copied without it.
  if (!isSearchable(value)) return true;
  // Own properties that are not enumerable too: an error's message, stack and cause are such.
  return Reflect.ownKeys(value).some(
    (key) => isSecret(String(key)) || holds(Object.getOwnPropertyDescriptor(value, key)?.value, isSecret, seen),
  );
}

/** The same keys, without what they held. */
export const redactFields = (fields: object): Record<string, string> =>
  Object.fromEntries(Object.keys(fields).map((key) => [key, REDACTED]));

/** Whether a tool of a request has fields that hold what nobody may see. */
export const holdsSecrets = (tool: unknown): boolean => {
  const fields = asObject(tool);
  return fields !== undefined && ('authorization' in fields || 'headers' in fields || 'server_url' in fields);
};

/** An address without what may be a key in it: user name, password and query. */
export const presentableAddress = (url: string): string =>
  url.replace(/^([a-z]+:\/\/)[^/?#]*@/i, `$1${REDACTED}@`).replace(/\?.*$/s, `?${REDACTED}`);

/** A body as it may be shown: `authorization`, `headers` and the query of `server_url` of MCP tools are blanked out. */
export function presentableBody(body: WireObject): WireObject {
  const tools = asArray(body['tools']);
  if (!tools.some(holdsSecrets)) return body;
  return {
    ...body,
    tools: tools.map((tool) => {
      const fields = asObject(tool);
      if (fields === undefined || !holdsSecrets(tool)) return tool;
      const { authorization, headers } = fields;
      const url = asText(fields['server_url']);
      return {
        ...fields,
        ...(authorization !== undefined && { authorization: REDACTED }),
        ...(headers !== undefined && { headers: redactFields(asObject(headers) ?? {}) }),
        ...(url !== undefined && { server_url: presentableAddress(url) }),
      };
    }),
  };
}
