/** Keeps secrets out of everything an app may log (design decision 20). */
import { asArray, asObject, type WireObject } from './json.js';

const REDACTED = '[redacted]';

/** Replaces every secret inside a value; a value without one comes back as it is. */
export type Redactor = <T>(value: T) => T;

// Shorter ones are no secrets, and replacing them would garble ordinary words.
const SHORTEST_SECRET = 8;

/** A redactor for the given secrets. Strings are searched at any depth of plain objects, arrays and errors. */
export function createRedactor(secrets: Iterable<string | undefined>): Redactor {
  const known = [...new Set(secrets)]
    .filter((secret): secret is string => secret !== undefined && secret.length >= SHORTEST_SECRET)
    // The longest first: one secret may be part of another ("Bearer x" and "x").
    .sort((a, b) => b.length - a.length);
  if (known.length === 0) return (value) => value;

  const redactText = (text: string) => known.reduce((result, secret) => result.replaceAll(secret, REDACTED), text);
  const redact = (value: unknown, depth: number): unknown => {
    if (typeof value === 'string') return redactText(value);
    if (typeof value !== 'object' || value === null || depth > 20) return value;
    if (value instanceof Error) return redactError(value, depth);
    if (Array.isArray(value)) return value.map((entry) => redact(entry, depth + 1));
    if (Object.getPrototypeOf(value) !== Object.prototype) return value;
    return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, redact(entry, depth + 1)]));
  };
  const redactError = (error: Error, depth: number): Error => {
    const cause = error.cause === undefined ? undefined : redact(error.cause, depth + 1);
    const message = redactText(error.message);
    const stack = error.stack === undefined ? undefined : redactText(error.stack);
    if (message === error.message && stack === error.stack && cause === error.cause) return error;
    const copy = new Error(message, cause === undefined ? undefined : { cause });
    copy.name = error.name;
    if (stack !== undefined) copy.stack = stack;
    return copy;
  };
  return (value) => redact(value, 0) as typeof value;
}

const redactFields = (fields: WireObject) => Object.fromEntries(Object.keys(fields).map((key) => [key, REDACTED]));

const holdsSecrets = (tool: unknown) => {
  const fields = asObject(tool);
  return fields !== undefined && ('authorization' in fields || 'headers' in fields);
};

/** The request body as it may be shown: `authorization` and `headers` of MCP tools are blanked out. */
export function presentableBody(body: WireObject): WireObject {
  const tools = asArray(body['tools']);
  if (!tools.some(holdsSecrets)) return body;
  return {
    ...body,
    tools: tools.map((tool) => {
      const fields = asObject(tool);
      if (fields === undefined || !holdsSecrets(tool)) return tool;
      const { authorization, headers, ...rest } = fields;
      return {
        ...rest,
        ...(authorization !== undefined && { authorization: REDACTED }),
        ...(headers !== undefined && { headers: redactFields(asObject(headers) ?? {}) }),
      };
    }),
  };
}
