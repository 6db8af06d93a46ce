/**
 * First half of strictness: what a strict JSON decoder refuses (unknown fields, wrong types, unknown discriminators).
 * Values are judged later, by the rules beside each shape; a decoder gives up before any rule runs.
 */
import { invalidRequest } from '../errors.js';
import { isObject } from '../json.js';

/** Checks the shape of a value; throws a Refusal. `path` is where the value stands, for the message. */
export type Shape = (value: unknown, path: string) => void;

/** How a JSON value is called in a message. */
export function kindOf(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}

function mismatch(value: unknown, path: string, expected: string): Error {
  // Sources are silent on the wording (and on nulls, agent-api.md §14 #18); null is refused like any wrong type.
  return invalidRequest(
    `invalid request body: json: cannot unmarshal ${kindOf(value)} into field "${path}" of type ${expected}`,
    path,
  );
}

function primitive(expected: string, accepts: (value: unknown) => boolean): Shape {
  return (value, path) => {
    if (!accepts(value)) throw mismatch(value, path, expected);
  };
}

/** A string. */
export const string = primitive('string', (value) => typeof value === 'string');
/** A number. */
export const number = primitive('number', (value) => typeof value === 'number');
/** A whole number. */
export const integer = primitive('integer', (value) => Number.isInteger(value));
/** A boolean. */
export const boolean = primitive('boolean', (value) => typeof value === 'boolean');
/** Any JSON object, whatever is in it (a JSON Schema, say). */
export const anyObject = primitive('object', isObject);

/** An array of one shape. */
export function array(of: Shape): Shape {
  return (value, path) => {
    if (!Array.isArray(value)) throw mismatch(value, path, 'array');
    for (const [index, entry] of value.entries()) of(entry, `${path}[${index}]`);
  };
}

/** An object that maps any key to one shape. */
export function map(of: Shape): Shape {
  return (value, path) => {
    if (!isObject(value)) throw mismatch(value, path, 'object');
    for (const [key, entry] of Object.entries(value)) of(entry, join(path, key));
  };
}

/** An object with these fields and no other. `required` ones must be there. */
export function object(fields: Record<string, Shape>, required: readonly string[] = []): Shape {
  const known = new Map(Object.entries(fields));
  return (value, path) => {
    if (!isObject(value)) throw mismatch(value, path, 'object');
    for (const [key, entry] of Object.entries(value)) {
      const shape = known.get(key);
      if (shape === undefined) {
        // agent-api.md §2.1 (Strictness) and §12: the message names the bare key, and so does `param`.
        throw invalidRequest(`invalid request body: json: unknown field "${key}"`, key);
      }
      shape(entry, join(path, key));
    }
    for (const key of required) {
      if (!(key in value)) throw invalidRequest(`validation failed: ${join(path, key)} is required`);
    }
  };
}

/** An object whose `type` says which of these shapes it has. */
export function union(variants: Record<string, Shape>, unknownType: (type: string) => Error): Shape {
  const known = new Map(Object.entries(variants));
  return (value, path) => {
    if (!isObject(value)) throw mismatch(value, path, 'object');
    const type = value.type;
    const shape = typeof type === 'string' ? known.get(type) : undefined;
    if (shape === undefined) throw unknownType(typeof type === 'string' ? type : '');
    shape(value, path);
  };
}

/** A string, or else the other shape. */
export function stringOr(other: Shape): Shape {
  return (value, path) => {
    if (typeof value !== 'string') other(value, path);
  };
}

/** The error of a `type` that the API does not know (agent-api.md §2.1, Strictness). */
export function unknownDiscriminator(type: string): Error {
  return invalidRequest(`unknown discriminator value: ${type}`);
}

function join(path: string, key: string): string {
  return path === '' ? key : `${path}.${key}`;
}
