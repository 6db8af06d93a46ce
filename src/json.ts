/**
 * Reading JSON that nobody has checked. The readers are total: a field of the wrong type reads as absent, so a malformed
 * field costs itself and never the answer (design rule 4.1; nulls where the schema says "required" are common,
 * `agent-api.md` §5.2).
 */

/** A JSON object of the wire whose fields nobody has checked yet. */
export type WireObject = { readonly [key: string]: unknown };

/** A string with something in it. */
export const asText = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** A string, and the empty one for anything else. */
export const textOrEmpty = (value: unknown): string => (typeof value === 'string' ? value : '');

/** A count or an amount: finite and not negative. */
export const asAmount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;

export const asArray = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

export const asObject = (value: unknown): WireObject | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as WireObject) : undefined;

/** The objects of a list; anything else in it is passed over. */
export function asObjects(value: unknown): WireObject[] {
  const objects: WireObject[] = [];
  for (const entry of asArray(value)) {
    const object = asObject(entry);
    if (object !== undefined) objects.push(object);
  }
  return objects;
}

/** The non-empty strings of a list. */
export const asTexts = (value: unknown): string[] =>
  asArray(value).filter((entry): entry is string => typeof entry === 'string' && entry !== '');

/**
 * A JSON object can carry `__proto__` or `constructor.prototype` as its own keys, which poison whoever merges it
 * later (metadata, raw parts and tool results are handed to the app). Such keys are dropped; all else stays. The
 * text is only walked when it holds one of the keys, plainly or with \u escapes.
 */
const SUSPICIOUS = /__proto__|"constructor"\s*:|\\u00[567]/;

/** No answer nests as deep; what does overflows the stack of whoever walks it, `JSON.stringify` of the app included. */
const DEEPEST = 500;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Whether JSON nests too deep. Texts inside are jumped over, so that a long answer costs next to nothing. */
function isTooDeep(json: string): boolean {
  // Each level takes two characters.
  if (json.length <= 2 * DEEPEST) return false;
  let depth = 0;
  for (let index = 0; index < json.length; index++) {
    const code = json.charCodeAt(index);
    // The opening bracket and brace, the closing ones, and the quotation mark.
    if (code === 0x5b || code === 0x7b) {
      if (++depth > DEEPEST) return true;
    } else if (code === 0x5d || code === 0x7d) depth--;
    else if (code === QUOTE) index = endOfText(json, index);
  }
  return false;
}

/** Index of the quotation mark that closes the text which opens at `start`. */
function endOfText(json: string, start: number): number {
  for (let end = json.indexOf('"', start + 1); end !== -1; end = json.indexOf('"', end + 1)) {
    let first = end;
    while (json.charCodeAt(first - 1) === BACKSLASH) first--;
    if ((end - first) % 2 === 0) return end;
  }
  return json.length;
}

const isPoison = (key: string, value: unknown) =>
  key === '__proto__' ||
  (key === 'constructor' && typeof value === 'object' && value !== null && Object.hasOwn(value, 'prototype'));

/** Takes out what poisons, and puts null for what nests too deep. Not recursive, since that is what it is against. */
function clean(value: unknown): void {
  let level = [value];
  for (let depth = 1; level.length > 0; depth++) {
    const next: unknown[] = [];
    for (const node of level) {
      if (typeof node !== 'object' || node === null) continue;
      const fields = node as Record<string, unknown>;
      for (const key of Object.keys(fields)) {
        const child = fields[key];
        if (typeof child !== 'object' && key !== '__proto__') continue;
        if (isPoison(key, child)) delete fields[key];
        else if (depth >= DEEPEST) fields[key] = null;
        else next.push(child);
      }
    }
    level = next;
  }
}

/**
 * Parses JSON from the wire; undefined where it is no JSON (`agent-api.md` §5.1: such lines are skipped). `isKept` tells
 * whether more than single texts and numbers will be read out of a value; of one that is not kept no key reaches anyone.
 */
export function parseJson(text: string, isKept?: (value: unknown) => boolean): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (isKept?.(value) === false) return value;
  if (SUSPICIOUS.test(text) || isTooDeep(text)) clean(value);
  return value;
}

/** A time in Unix seconds; 0 stands for none, and what no Date can be is none either. */
export function dateOf(seconds: unknown): Date | undefined {
  const date = new Date((asAmount(seconds) ?? 0) * 1000);
  return Number.isNaN(date.getTime()) || date.getTime() === 0 ? undefined : date;
}

/** The fields that have a value. */
export function defined<T extends object>(fields: { [K in keyof T]: T[K] | undefined }): T {
  const kept: Partial<T> = {};
  for (const key in fields) if (fields[key] !== undefined) kept[key] = fields[key];
  return kept as T;
}
