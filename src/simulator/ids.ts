/** Makes the ids and the clock of one simulator. */
export interface IdMaker {
  /** `resp_<uuid>` (agent-api.md §1, Ids). */
  response(): string;
  /** `msg_<uuid>`. */
  message(): string;
  /** `fc_<uuid>`, the item id of a function call. */
  functionCall(): string;
  /** `call_<uuid>`, the id that a call and its output share. */
  call(): string;
  /** Unix seconds: the wall clock, or a counter from 1790000000 with a seed. */
  now(): number;
}

const SEEDED_EPOCH = 1_790_000_000;

/**
 * An id maker. With a seed, ids and times repeat from run to run; without one they differ. The ids need not be
 * unguessable, so no crypto is used (Node 18 has no global one).
 */
export function createIdMaker(seed?: string | number): IdMaker {
  const random = mulberry32(hash(seed === undefined ? `${Date.now()}:${Math.random()}` : String(seed)));
  let ticks = 0;
  return {
    response: () => `resp_${uuid(random)}`,
    message: () => `msg_${uuid(random)}`,
    functionCall: () => `fc_${uuid(random)}`,
    call: () => `call_${uuid(random)}`,
    now: () => (seed === undefined ? Math.floor(Date.now() / 1000) : SEEDED_EPOCH + ticks++),
  };
}

function uuid(random: () => number): string {
  let digits = '';
  while (digits.length < 32) digits += Math.floor(random() * 16).toString(16);
  const variant = '89ab'.charAt(Math.floor(random() * 4));
  return [
    digits.slice(0, 8),
    digits.slice(8, 12),
    `4${digits.slice(13, 16)}`,
    `${variant}${digits.slice(17, 20)}`,
    digits.slice(20),
  ].join('-');
}

/** FNV-1a, so that a word can be a seed. */
function hash(text: string): number {
  let state = 0x811c9dc5;
  for (const character of text) {
    state = Math.imul(state ^ (character.codePointAt(0) ?? 0), 0x01000193);
  }
  return state >>> 0;
}

/** A small seeded generator of numbers in [0, 1). */
function mulberry32(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
