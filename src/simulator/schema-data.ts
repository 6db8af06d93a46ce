/** Smallest sensible data for a JSON Schema: what a model would have to answer at least. Patterns are not honoured. */
import { asArray, asString, isObject, type JsonObject } from './json.js';

/** Below this depth only required properties are made, so that recursive schemas end. */
const FULL_DEPTH = 4;
const MAX_DEPTH = 24;

const FORMATS: Record<string, string> = {
  date: '2026-10-09',
  'date-time': '2026-10-09T12:00:00Z',
  time: '12:00:00Z',
  duration: 'P1D',
  email: 'reader@example.com',
  hostname: 'www.example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://www.example.com/',
  url: 'https://www.example.com/',
  uuid: '3f1a9c52-7b64-4d0e-9a18-5c2e7d90b6f1',
};

/** Data that is valid for the schema, as far as patterns and conditions are not used. The same schema gives the same data. */
export function dataFor(schema: unknown): unknown {
  return make(schema, { root: schema, name: 'value', depth: 0 });
}

interface Place {
  root: unknown;
  /** Name of the property that is being made; plain strings take it as their text. */
  name: string;
  depth: number;
}

function make(schema: unknown, place: Place): unknown {
  if (!isObject(schema) || place.depth > MAX_DEPTH) return null;
  const deeper = { ...place, depth: place.depth + 1 };
  if (typeof schema.$ref === 'string') return make(resolve(schema.$ref, place.root), deeper);
  if ('const' in schema) return schema.const;
  if (Array.isArray(schema.enum) && schema.enum.length > 0) return schema.enum[0];
  if (Array.isArray(schema.allOf)) return make(merged(schema, place.root), deeper);
  const choices = asArray(schema.anyOf ?? schema.oneOf);
  if (choices.length > 0) return make(pick(choices, place.depth), deeper);
  return makeByType(typeOf(schema), schema, place);
}

/** The first choice; deep inside a recursive schema, null where that is one of them. */
function pick(choices: unknown[], depth: number): unknown {
  const nullChoice = choices.find((choice) => isObject(choice) && choice.type === 'null');
  return depth > FULL_DEPTH && nullChoice !== undefined ? nullChoice : choices[0];
}

function typeOf(schema: JsonObject): string {
  const types = asArray(schema.type).map(asString);
  const type = asString(schema.type) ?? types.find((entry) => entry !== 'null') ?? types[0];
  if (type !== undefined) return type;
  return 'properties' in schema ? 'object' : 'items' in schema ? 'array' : 'string';
}

function makeByType(type: string, schema: JsonObject, place: Place): unknown {
  switch (type) {
    case 'object':
      return makeObject(schema, place);
    case 'array':
      return makeArray(schema, place);
    case 'integer':
    case 'number':
      return makeNumber(schema, type === 'integer');
    case 'boolean':
      return true;
    case 'string':
      return makeString(schema, place.name);
    default:
      return null;
  }
}

function makeObject(schema: JsonObject, place: Place): JsonObject {
  const required = asArray(schema.required);
  const made: JsonObject = {};
  for (const [name, property] of Object.entries(isObject(schema.properties) ? schema.properties : {})) {
    if (place.depth >= FULL_DEPTH && !required.includes(name)) continue;
    made[name] = make(property, { ...place, name, depth: place.depth + 1 });
  }
  return made;
}

function makeArray(schema: JsonObject, place: Place): unknown[] {
  const least = numberOr(schema.minItems, place.depth < FULL_DEPTH ? 1 : 0);
  const length = Math.min(least, numberOr(schema.maxItems, least));
  const prefix = asArray(schema.prefixItems);
  const item = (index: number) => prefix[index] ?? schema.items ?? { type: 'string' };
  return Array.from({ length: Math.max(length, prefix.length) }, (_, index) =>
    make(item(index), { ...place, depth: place.depth + 1 }),
  );
}

/** 1 where it is allowed, else the first likely number that is. */
function makeNumber(schema: JsonObject, whole: boolean): number {
  const low = numberOr(schema.minimum, numberOr(schema.exclusiveMinimum, -Infinity));
  const high = numberOr(schema.maximum, numberOr(schema.exclusiveMaximum, Infinity));
  const step = numberOr(schema.multipleOf, 1);
  const fits = (value: number) =>
    value >= low &&
    value <= high &&
    value !== schema.exclusiveMinimum &&
    value !== schema.exclusiveMaximum &&
    (!whole || Number.isInteger(value)) &&
    (schema.multipleOf === undefined || Number.isInteger(value / step));
  const firstStep = Math.ceil(low / step) * step;
  const likely = [1, low, firstStep, firstStep + step, high, high - step, (low + high) / 2];
  return likely.find((value) => Number.isFinite(value) && fits(value)) ?? step;
}

function makeString(schema: JsonObject, name: string): string {
  const formatted = FORMATS[asString(schema.format) ?? ''];
  if (formatted !== undefined) return formatted;
  const text = name.padEnd(numberOr(schema.minLength, 0), '.');
  return text.slice(0, numberOr(schema.maxLength, text.length));
}

/** A schema and its `allOf` in one. Properties and required names add up; other keywords of later parts win. */
function merged(schema: JsonObject, root: unknown): JsonObject {
  const { allOf, ...own } = schema;
  let result: JsonObject = own;
  for (const entry of asArray(allOf)) {
    const part = isObject(entry) && typeof entry.$ref === 'string' ? resolve(entry.$ref, root) : entry;
    if (!isObject(part)) continue;
    result = {
      ...result,
      ...part,
      properties: { ...objectOr(result.properties), ...objectOr(part.properties) },
      required: [...asArray(result.required), ...asArray(part.required)],
    };
  }
  return result;
}

/** The schema that a local `$ref` points to; undefined for any other. */
function resolve(ref: string, root: unknown): unknown {
  if (!ref.startsWith('#')) return undefined;
  let found: unknown = root;
  for (const step of ref.split('/').slice(1)) {
    const key = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~');
    found = isObject(found) ? found[key] : Array.isArray(found) ? found[Number(key)] : undefined;
  }
  return found;
}

function objectOr(value: unknown): JsonObject {
  return isObject(value) ? value : {};
}

function numberOr(value: unknown, fallback: number): number {
  return typeof value === 'number' ? value : fallback;
}
