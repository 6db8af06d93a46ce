/**
 * Checks of what users write. A mistake becomes an `InvalidArgumentError` whose `argument` is the full path of the option
 * and whose message says what is wrong and what to do.
 */
import { asObject, type WireObject } from '../json.js';
import { complaint, invalid, reading } from '../refusals.js';

/** Gives back what a user wrote at `path`, in the form that the package works with, or throws InvalidArgumentError. */
export type Check<T> = {
  (value: unknown, path: string): T;
  /** Of an object: the checks of its keys. */
  readonly fields?: Fields | undefined;
};

type Fields = Readonly<Record<string, Check<unknown>>>;

/** A value for which `holds`, or else "must be <must>". */
export const rule =
  <T>(must: string, holds: (value: unknown) => boolean): Check<T> =>
  (value, path) => {
    if (holds(value)) return value as T;
    throw invalid(path, complaint(must, value));
  };

export const integer = (min: number, max: number) =>
  rule<number>(
    max === Infinity ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
  );

export const numberBetween = (min: number, max: number) =>
  rule<number>(`a number from ${min} to ${max}`, (value) => typeof value === 'number' && value >= min && value <= max);

export const boolean = rule<boolean>('true or false', (value) => typeof value === 'boolean');

export const textSuchAs = (must: string, holds: (value: string) => boolean = () => true) =>
  rule<string>(must, (value) => typeof value === 'string' && value !== '' && holds(value));

export const text = textSuchAs('a text that is not empty');

/** A text that no complaint shows, since it may hold a secret. */
export const secretText =
  (must: string, holds: (value: string) => boolean): Check<string> =>
  (value, path) => {
    if (typeof value === 'string' && holds(value)) return value;
    throw invalid(path, `must be ${must}`);
  };

/** A domain as filters take it: at most 253 characters, no scheme, no blank; a leading `-` excludes it. */
export const isDomain = (value: string) => value.length <= 253 && !/:\/\/|\s/.test(value) && value !== '-';

export const oneOf = <const T extends string>(values: readonly T[]) =>
  rule<T>(`one of ${values.map((value) => `'${value}'`).join(', ')}`, (value) =>
    (values as readonly unknown[]).includes(value),
  );

export const listOf =
  <T>(item: Check<T>, max: number, what: string): Check<T[]> =>
  (value, path) => {
    if (!Array.isArray(value)) throw invalid(path, complaint(`a list of ${what}`, value));
    if (value.length > max) throw invalid(path, `must have at most ${max} entries`);
    // Holes are entries too: `map` would pass over them.
    return Array.from(value, (entry, index) => item(entry, `${path}[${index}]`));
  };

/**
 * An object with these keys and no other, of which only the required ones must be there; keys that are undefined count as
 * absent. A key that it does not know is answered with the nearest that it knows.
 */
export function strict<T extends object>(
  checks: { [K in keyof T]-?: Check<NonNullable<T[K]>> },
  required: readonly (keyof T & string)[] = [],
): Check<T> {
  const known = Object.keys(checks) as (keyof T & string)[];
  const check = (value: unknown, path: string) => {
    const given = knownKeysOnly(value, known, path, checks);
    const checked: Partial<T> = {};
    for (const key of known) {
      const place = `${path}.${key}`;
      const entry = reading(place, () => given[key]);
      if (entry === undefined && !required.includes(key)) continue;
      checked[key] = reading(place, () => checks[key](entry, place));
    }
    return checked as T;
  };
  return Object.assign(check, { fields: checks });
}

/** Of a tool without settings. */
export const checkNoArgs = strict<Record<string, never>>({});

/** The same with a further condition, on what has passed so far. */
export function further<T>(check: Check<T>, refuse: (value: T, path: string) => void): Check<T> {
  const both = (value: unknown, path: string) => {
    const checked = check(value, path);
    refuse(checked, path);
    return checked;
  };
  return Object.assign(both, { fields: check.fields });
}

/** What an object holds; keys that are undefined count as absent. */
export const entriesOf = (value: object): [string, unknown][] =>
  Object.entries(value).filter(([, entry]) => entry !== undefined);

/** Refuses what is no object, and a key that is not known, by the one that is most likely meant. */
export function knownKeysOnly(value: unknown, known: readonly string[], path: string, fields: Fields = {}): WireObject {
  const given = reading(path, () => asObject(value));
  if (given === undefined) {
    // A text may be the key of somebody who gave that in place of the settings.
    throw invalid(path, typeof value === 'string' ? 'must be an object' : complaint('an object', value));
  }
  const keys = reading(path, () => Object.keys(given));
  const isGiven = (key: string) => reading(`${path}.${key}`, () => given[key]) !== undefined;
  const unknown = keys.find((key) => !known.includes(key) && isGiven(key));
  if (unknown !== undefined) throw invalid(`${path}.${unknown}`, unknownKey(unknown, known, fields));
  return given;
}

const plain = (name: string) => name.replace(/[_\-\s]/g, '').toLowerCase();

/** The known key that a misspelt one most likely stands for: another spelling style, else up to three edits away. */
function nearestKey(key: string, known: readonly string[]): string | undefined {
  const wanted = plain(key);
  let nearest: string | undefined;
  let least = Math.min(3, Math.floor(wanted.length / 2)) + 1;
  for (const candidate of known) {
    const distance = editDistance(wanted, plain(candidate));
    if (distance < least) [nearest, least] = [candidate, distance];
  }
  return nearest;
}

/** Where a key has its place further down, in whatever style it is written. */
function placeWithin(key: string, fields: Fields): string | undefined {
  for (const [name, { fields: inner = {} }] of Object.entries(fields)) {
    const place = Object.keys(inner).find((candidate) => plain(candidate) === plain(key)) ?? placeWithin(key, inner);
    if (place !== undefined) return `${name}.${place}`;
  }
  return undefined;
}

function unknownKey(key: string, known: readonly string[], fields: Fields): string {
  if (known.length === 0) return 'is not a known option; remove it, there are none';
  const isMisspelt = known.some((candidate) => plain(candidate) === plain(key));
  const place = isMisspelt ? undefined : placeWithin(key, fields);
  if (place !== undefined) return `is not a known option; use ${place}`;
  const nearest = nearestKey(key, known);
  return nearest === undefined
    ? `is not a known option; remove it, the known ones are ${known.join(', ')}`
    : `is not a known option; use '${nearest}', the nearest known one`;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
