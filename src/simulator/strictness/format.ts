/** `response_format` (agent-api.md §2.5). */
import { bareInvalidRequest, invalidParameter, validationFailed } from '../errors.js';
import { asArray, isObject, type JsonObject } from '../json.js';
import { anyObject, boolean, object, string } from './decode.js';

/** Shape of `response_format`. */
export const responseFormatShape = object(
  { type: string, json_schema: object({ name: string, description: string, schema: anyObject, strict: boolean }) },
  ['type'],
);

const TYPES = new Set(['object', 'array', 'string', 'number', 'integer', 'boolean', 'null']);
const MAX_DEPTH = 64;

/** Rules on `response_format`. */
export function checkResponseFormat(format: unknown): void {
  if (!isObject(format)) return;
  if (format.type !== 'json_schema') throw validationFailed('response_format.type must be "json_schema"');
  const jsonSchema = format.json_schema;
  if (!isObject(jsonSchema)) {
    throw validationFailed('response_format.json_schema is required when type is "json_schema"');
  }
  if (!('name' in jsonSchema)) throw validationFailed('response_format.json_schema.name is required');
  if (!/^[a-zA-Z0-9_-]{1,64}$/u.test(String(jsonSchema.name))) {
    throw validationFailed('response_format.json_schema.name must match ^[a-zA-Z0-9_-]{1,64}$');
  }
  const schema = jsonSchema.schema;
  if (!isObject(schema)) throw validationFailed('response_format.json_schema.schema is required');
  if (schema.type !== 'object') throw badRoot(schema.type);
  if (!isSchema(schema, 0)) throw bareInvalidRequest();
}

function badRoot(type: unknown): Error {
  const got = typeof type === 'string' ? type : JSON.stringify(type ?? '').replaceAll('"', '');
  return invalidParameter(
    `json_schema.schema must have a root type of 'object' (got type="${got}"). Wrap your data in an object property (e.g. {'type': 'object', 'properties': {'items': {'type': 'array', 'items': ...}}}).`,
  );
}

/** Whether a schema is sound as far as a simulator can tell: known types, and schemas where schemas belong. */
function isSchema(schema: unknown, depth: number): boolean {
  if (typeof schema === 'boolean') return true;
  if (!isObject(schema) || depth > MAX_DEPTH) return false;
  return (
    hasKnownTypes(schema) && hasRequiredList(schema) && subSchemas(schema).every((inner) => isSchema(inner, depth + 1))
  );
}

function hasKnownTypes(schema: JsonObject): boolean {
  if (schema.type === undefined) return true;
  const types = Array.isArray(schema.type) ? schema.type : [schema.type];
  return types.every((type) => typeof type === 'string' && TYPES.has(type));
}

function hasRequiredList(schema: JsonObject): boolean {
  if (schema.required === undefined) return true;
  return Array.isArray(schema.required) && schema.required.every((name) => typeof name === 'string');
}

function subSchemas(schema: JsonObject): unknown[] {
  const inner: unknown[] = [];
  for (const key of ['properties', '$defs', 'definitions']) {
    // A value that should be a map of schemas and is not counts as a broken schema.
    if (schema[key] !== undefined) inner.push(...(isObject(schema[key]) ? Object.values(schema[key]) : [undefined]));
  }
  for (const key of ['anyOf', 'oneOf', 'allOf']) {
    if (schema[key] !== undefined) inner.push(...(Array.isArray(schema[key]) ? asArray(schema[key]) : [undefined]));
  }
  for (const key of ['items', 'additionalProperties']) {
    if (schema[key] !== undefined) inner.push(...(Array.isArray(schema[key]) ? asArray(schema[key]) : [schema[key]]));
  }
  return inner;
}
