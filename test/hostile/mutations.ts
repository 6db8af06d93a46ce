/** What happens to a valid run on its way: to its events, to their fields, and to the bytes. */
import fc from 'fast-check';
import { strangeFields, strangeValues, toJsonText } from './json-text.js';

type Json = Record<string, unknown>;

/** Values of a wrong type or of an odd content, for any field. */
const VALUES: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1.5,
  9007199254740991,
  '',
  'x',
  '\ud800',
  '\u0000\u202e\ufeff',
  '__proto__',
  'constructor',
  'toString',
  [],
  [null],
  [[]],
  {},
  { a: null },
  ['x', 1, null, {}],
  'javascript:alert(1)',
  ...strangeValues,
];

const KEYS: readonly string[] = ['constructor', 'prototype', 'toString', 'hasOwnProperty', 'then', 'length'];

export type Mutation =
  | { kind: 'drop' | 'repeat' | 'truncate' | 'insert'; at: number; value: number }
  | { kind: 'ids'; keys: string[]; value: number }
  | { kind: 'swap' | 'move'; at: number; to: number }
  | { kind: 'set' | 'delete' | 'field' | 'key' | 'double'; at: number; path: number[]; value: number }
  | { kind: 'copy'; at: number; path: number[]; from: number; fromPath: number[] };

/** What things are told apart by, and what all of them get instead. */
const IDS = ['id', 'item_id', 'call_id', 'output_index', 'content_index', 'sequence_number'];
const SAME: readonly unknown[] = ['same', null, 0, 1];

const at = fc.nat(60);
const path = fc.array(fc.nat(12), { minLength: 1, maxLength: 5 });
const value = fc.nat(200);

const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  fc.record({ kind: fc.constantFrom('drop', 'repeat', 'truncate', 'insert'), at, value }),
  fc.record({ kind: fc.constantFrom('swap', 'move'), at, to: at }),
  fc.record({ kind: fc.constant('ids'), keys: fc.subarray(IDS, { minLength: 1 }), value: fc.nat(3) }),
  {
    arbitrary: fc.record({ kind: fc.constantFrom('set', 'delete', 'field', 'key', 'double'), at, path, value }),
    weight: 3,
  },
  // Above all ids and places that several things share.
  { arbitrary: fc.record({ kind: fc.constant('copy'), at, path, from: at, fromPath: path }), weight: 2 },
);

export const mutations = fc.array(mutation, { maxLength: 6 });

/** Events that no client knows, or that no event is. */
const STRANGERS: readonly unknown[] = [
  { type: 'response.unknown' },
  { type: 'response.content_part.added', part: {} },
  { type: 'response.output_item.done', output_index: 3, item: { type: 'brand_new', id: 7 } },
  { type: 'response.output_text.delta', delta: null },
  { type: 7 },
  {},
  [],
  null,
  'text',
  7,
  { error: null },
  { type: '__proto__' },
  { type: 'toString' },
  { type: 'constructor', response: { status: 'constructor' } },
  { type: 'response.in_progress', response: { id: 'resp_other', status: 'toString', model: 1 } },
];

const copyOf = <T>(json: T): T => structuredClone(json);
const pick = <T>(list: readonly T[], index: number): T | undefined => list[index % list.length];
const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null;

/** The events after the mutations; the given ones stay as they are. */
export function mutated(events: readonly unknown[], list: readonly Mutation[]): unknown[] {
  const result: unknown[] = copyOf([...events]);
  for (const given of list) if (result.length > 0) apply(result, given);
  return result;
}

function apply(events: unknown[], given: Mutation): void {
  if (given.kind === 'ids') {
    for (const event of events) giveAll(event, given.keys, SAME[given.value]);
    return;
  }
  const index = given.at % events.length;
  switch (given.kind) {
    case 'drop':
      events.splice(index, 1);
      return;
    case 'repeat':
      events.splice(index, 0, copyOf(events[index]));
      return;
    case 'truncate':
      events.splice(index + 1);
      return;
    case 'insert':
      events.splice(index, 0, copyOf(pick(STRANGERS, given.value)));
      return;
    case 'swap': {
      const to = given.to % events.length;
      [events[index], events[to]] = [events[to], events[index]];
      return;
    }
    case 'move':
      events.splice(given.to % events.length, 0, ...events.splice(index, 1));
      return;
    default: {
      const owner = { event: events[index] };
      const place = placeOf(owner, 'event', given.path);
      if (given.kind === 'copy') {
        const from = placeOf({ event: events[given.from % events.length] }, 'event', given.fromPath);
        place.owner[place.key] = copyOf(from.owner[from.key]);
      } else change(place.owner, place.key, given);
      events[index] = owner.event;
    }
  }
}

/** Gives all fields of these names the same value. */
function giveAll(value: unknown, keys: readonly string[], same: unknown): void {
  if (!isObject(value)) return;
  for (const [key, entry] of Object.entries(value)) {
    if (keys.includes(key)) value[key] = same;
    else giveAll(entry, keys, same);
  }
}

/** Goes down the path as far as it leads. */
function placeOf(owner: Json, key: string, [next, ...rest]: readonly number[]): { owner: Json; key: string } {
  const here = owner[key];
  const keys = isObject(here) ? Object.keys(here) : [];
  if (!isObject(here) || next === undefined || keys.length === 0) return { owner, key };
  return placeOf(here, keys[next % keys.length] ?? '', rest);
}

/** Changes what is there. */
function change(owner: Json, key: string, { kind, value }: { kind: string; value: number }): void {
  const here = owner[key];
  if (kind === 'delete') delete owner[key];
  else if (kind === 'field') owner[pick(strangeFields, value) ?? ''] = null;
  else if (kind === 'key' && !Array.isArray(owner)) owner[pick(KEYS, value) ?? ''] = copyOf(pick(VALUES, value));
  else if (kind === 'double') owner[key] = Array.isArray(here) ? [...here, ...copyOf(here)] : [here];
  else owner[key] = copyOf(pick(VALUES, value));
}

/** Ways to put an event on the wire that all mean the same. */
const FRAMES: ReadonlyArray<(json: string) => string> = [
  (json) => `data: ${json}\n\n`,
  (json) => `data: ${json}\n\n`,
  (json) => `data:${json}\n\n`,
  (json) => `data: ${json}\r\n\r\n`,
  (json) => `data: ${json}\r\r`,
  (json) => `: keep-alive\n\n\n: \u0000\ndata: ${json}\n\n`,
  (json) => `id: 7\nretry: 1\nunknown field\ndata: ${json}\n\n`,
  (json) => `data: {broken\n\ndata: ${json}\n\n`,
  (json) => `data: ${json.replace(/^\{/, '{\ndata: ')}\n\n`,
  (json) => `data: [DONE]\n\ndata: ${json}\n\n`,
];

/** How events become bytes, and how those end. */
export type Way = {
  frames: number[];
  hasMark: boolean;
  /** Places of the cuts, in thousandths of the bytes. */
  cuts: number[];
  isDripped: boolean;
  /** Where the body breaks off, in thousandths; undefined for one that is whole. */
  breaksAt: number | undefined;
  end: 'close' | 'error';
  contentType: string | undefined;
};

const CONTENT_TYPES = [
  'text/event-stream',
  'text/event-stream',
  'text/event-stream; charset=utf-8',
  'TEXT/EVENT-STREAM',
  'application/octet-stream',
  'text/plain',
  'application/json',
  'text/html',
  undefined,
];

export const way: fc.Arbitrary<Way> = fc.record({
  frames: fc.array(fc.nat(FRAMES.length - 1), { maxLength: 30 }),
  hasMark: fc.boolean(),
  cuts: fc.array(fc.nat(1000), { maxLength: 30 }),
  isDripped: fc.integer({ min: 0, max: 9 }).map((number) => number === 0),
  breaksAt: fc.option(fc.nat(1000), { nil: undefined, freq: 3 }),
  end: fc.constantFrom('close', 'close', 'error'),
  contentType: fc.constantFrom(...CONTENT_TYPES),
});

/** Longest body that is given byte by byte. */
const MOST_DRIPPED = 30_000;

/** The chunks of a body, and the JSON of the events that are whole in it. */
export function onTheWire(events: readonly unknown[], given: Way): { chunks: Uint8Array[]; whole: string[] } {
  const encoder = new TextEncoder();
  const jsons = events.map(toJsonText);
  const frames = jsons.map((json, index) => FRAMES[given.frames[index] ?? 0]?.(json) ?? '');
  const bytes = encoder.encode(`${given.hasMark ? '\ufeff' : ''}${frames.join('')}`);
  const end = given.breaksAt === undefined ? bytes.length : Math.floor((bytes.length * given.breaksAt) / 1000);
  let length = given.hasMark ? 3 : 0;
  const whole = jsons.filter((_, index) => {
    length += encoder.encode(frames[index]).length;
    return length <= end;
  });
  const cuts = given.cuts.map((cut) => Math.floor((end * cut) / 1000));
  const isDripped = given.isDripped && end <= MOST_DRIPPED;
  const points = isDripped
    ? Array.from({ length: end + 1 }, (_, point) => point)
    : [0, ...new Set(cuts), end].sort((a, b) => a - b);
  const chunks = points.slice(1).map((point, index) => bytes.slice(points[index], point));
  return { chunks: chunks.filter(({ length: size }) => size > 0), whole };
}
