/** A JSON object of unknown content, as it comes off the wire. */
export type JsonObject = { [key: string]: unknown };

/** True for a JSON object: neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value when it is an array, else an empty one. */
export function asArray(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

/** The objects of an array; everything else in it is left out. */
export function objectsIn(value: unknown): JsonObject[] {
  return asArray(value).filter((entry) => isObject(entry));
}

/** The value when it is a string, else undefined. */
export function asString(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined;
}

/** A deep copy with the keys of every object in alphabetical order: the live API writes all its JSON so (agent-api.md §4.1). */
export function sortKeys<T>(value: T): T {
  return sorted(value) as T;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isObject(value)) return value;
  const keys = Object.keys(value);
  keys.sort();
  const copy: JsonObject = {};
  for (const key of keys) copy[key] = sorted(value[key]);
  return copy;
}
