/**
 * Strict schemas for what users write, and the one way in which a mistake becomes an error: an `InvalidArgumentError`
 * whose `argument` is the full path of the option and whose message says what is wrong and what to do.
 */
import { InvalidArgumentError } from '@ai-sdk/provider';
import * as z from 'zod/v4';

/** Builds at the first use, so that importing the package builds no schema. */
export function lazy<T>(build: () => T): () => T {
  let built: { value: T } | undefined;
  return () => (built ??= { value: build() }).value;
}

/** A value that passes `check`, or else "must be <must>". */
export function rule<T>(must: string, check: (value: unknown) => boolean) {
  return z.custom<T>(check, { error: (issue) => complaint(must, issue.input) });
}

export const integer = (min: number, max: number) =>
  rule<number>(
    max === Infinity ? `an integer of at least ${min}` : `an integer from ${min} to ${max}`,
    (value) => Number.isInteger(value) && (value as number) >= min && (value as number) <= max,
  );

export const numberBetween = (min: number, max: number) =>
  rule<number>(`a number from ${min} to ${max}`, (value) => typeof value === 'number' && value >= min && value <= max);

export const boolean = () => rule<boolean>('true or false', (value) => typeof value === 'boolean');

export const text = (must = 'a text that is not empty', check: (value: string) => boolean = () => true) =>
  rule<string>(must, (value) => typeof value === 'string' && value !== '' && check(value));

/** A text that no complaint shows, since it may hold a secret. */
export const secretText = (must: string, check: (value: string) => boolean = () => true) =>
  z.custom<string>((value) => typeof value === 'string' && check(value), { error: () => `must be ${must}` });

/** A domain as filters take it: at most 253 characters, no scheme, no blank; a leading `-` excludes it. */
export const isDomain = (value: string) => value.length <= 253 && !/:\/\/|\s/.test(value) && value !== '-';

export const oneOf = <const T extends string>(values: readonly T[]) =>
  rule<T>(`one of ${values.map((value) => `'${value}'`).join(', ')}`, (value) =>
    (values as readonly unknown[]).includes(value),
  );

export const listOf = <T extends z.ZodType>(item: T, max: number, what: string) =>
  z
    .array(item, { error: (issue) => complaint(`a list of ${what}`, issue.input) })
    .max(max, { error: `must have at most ${max} entries` });

/** An object with these keys and no other; a key that it does not know is answered with the nearest that it knows. */
export function strict<S extends z.ZodRawShape>(shape: S) {
  const known = Object.keys(shape);
  return z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys' ? unknownKey(issue.keys[0] ?? '', known) : complaint('an object', issue.input),
  });
}

/** A type whose optional keys may be undefined, as zod sees them. */
type WithUndefined<T> = T extends readonly (infer E)[]
  ? WithUndefined<E>[]
  : T extends object
    ? {
        [K in keyof T]: Partial<Pick<T, K>> extends Pick<T, K> ? WithUndefined<T[K]> | undefined : WithUndefined<T[K]>;
      }
    : T;

/**
 * A schema for a type whose optional keys are absent rather than undefined: {@link parseStrict} takes the undefined ones
 * out beforehand. Without `| undefined` a value of the type can be passed where the AI SDK wants JSON.
 */
export const schemaOf = <T>(schema: z.ZodType<WithUndefined<T>>) => schema as unknown as z.ZodType<T>;

/** Refuses keys that are not known, by the nearest known one; for plain objects that have no schema. */
export function refuseUnknownKeys(given: object, known: readonly string[], path: string): void {
  if (typeof given !== 'object' || given === null) throw invalid(path, complaint('an object of options', given));
  const key = Object.keys(given).find((candidate) => !known.includes(candidate));
  if (key !== undefined) throw invalid(`${path}.${key}`, unknownKey(key, known));
}

/** Parses what a user wrote at `path`. Keys that are undefined count as absent. */
export function parseStrict<T>(schema: z.ZodType<T>, value: unknown, path: string): T {
  const result = schema.safeParse(withoutUndefined(value));
  if (result.success) return result.data;
  const issue = innermost(result.error.issues[0] as Issue);
  const keys = issue.code === 'unrecognized_keys' ? [...issue.path, issue.keys?.[0] ?? ''] : issue.path;
  throw invalid(keys.reduce<string>(joinPath, path), issue.message);
}

export function invalid(argument: string, complaint: string): InvalidArgumentError {
  return new InvalidArgumentError({ argument, message: `${argument} ${complaint}.` });
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

type Issue = {
  code?: string | undefined;
  message: string;
  path: readonly PropertyKey[];
  keys?: readonly string[];
  errors?: readonly (readonly Issue[])[];
};

/** In a union the branch that got furthest says what is wrong: its first issue is not about the value as a whole. */
function innermost(issue: Issue): Issue {
  if (issue.code !== 'invalid_union') return issue;
  for (const [inner] of issue.errors ?? []) {
    if (inner !== undefined && (inner.path.length > 0 || inner.code === 'unrecognized_keys')) {
      return innermost({ ...inner, path: [...issue.path, ...inner.path] });
    }
  }
  return issue;
}

function unknownKey(key: string, known: readonly string[]): string {
  if (known.length === 0) return 'is not a known option; remove it, there are none';
  const nearest = nearestKey(key, known);
  return nearest === undefined
    ? `is not a known option; remove it, the known ones are ${known.join(', ')}`
    : `is not a known option; use '${nearest}', the nearest known one`;
}

export function complaint(must: string, value: unknown): string {
  if (value === undefined) return `is missing, it must be ${must}`;
  if (value === null) return `must not be null; leave it out instead, or give ${must}`;
  const shown =
    typeof value === 'string'
      ? `'${value}'`
      : typeof value === 'number'
        ? `${value}`
        : (JSON.stringify(value) ?? typeof value);
  // A long value says little, and an object may hold what is nobody's business.
  return typeof value === 'object' || shown.length > 60 ? `must be ${must}` : `must be ${must}, but is ${shown}`;
}

function joinPath(path: string, key: PropertyKey): string {
  return typeof key === 'number' ? `${path}[${key}]` : `${path}.${String(key)}`;
}

/** Plain objects only: a Date, bytes and the like pass as they are. */
function withoutUndefined(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutUndefined);
  if (typeof value !== 'object' || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return value;
  const present = Object.entries(value).filter(([, inner]) => inner !== undefined);
  return Object.fromEntries(present.map(([key, inner]) => [key, withoutUndefined(inner)]));
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
