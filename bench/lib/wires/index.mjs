/** Streams of bytes: which events, and how they are cut. */
import { agentWire } from './agent-wire.mjs';
import { chatWire } from './chat-wire.mjs';

const WIRES = { agent: agentWire, chat: chatWire };

/**
 * @typedef {object} Wire Each string is a block of the stream, the blank line behind it included.
 * @property {string[]} opening What comes before the text.
 * @property {(index: number) => string} delta The text's token of that number.
 * @property {(deltas: number) => string[]} closing What comes after so many of them.
 */

/**
 * @param {'agent' | 'chat'} name
 * @param {{ results?: number, snippetLength?: number }} [options]
 * @returns {Wire}
 */
export const wireOf = (name, options) => WIRES[name](options);

/**
 * The chunks of a stream, made one by one: `'event'` puts each event into one of its own, a number cuts every so many bytes,
 * in the middle of whatever stands there.
 *
 * @param {Wire} wire
 * @param {number} deltas
 * @param {'event' | number} chunking
 * @returns {Generator<Uint8Array>}
 */
export function* chunksOf(wire, deltas, chunking) {
  const blocks = blocksOf(wire, deltas);
  if (chunking === 'event') yield* encoded(blocks);
  else yield* cut(encoded(blocks), chunking);
}

function* blocksOf(wire, deltas) {
  yield* wire.opening;
  for (let index = 0; index < deltas; index += 1) yield wire.delta(index);
  yield* wire.closing(deltas);
}

function* encoded(blocks) {
  const encoder = new TextEncoder();
  for (const text of blocks) yield encoder.encode(text);
}

function* cut(pieces, size) {
  let chunk = new Uint8Array(size);
  let filled = 0;
  for (const piece of pieces) {
    for (let taken = 0; taken < piece.length;) {
      const part = piece.subarray(taken, taken + size - filled);
      chunk.set(part, filled);
      filled += part.length;
      taken += part.length;
      if (filled < size) continue;
      yield chunk;
      chunk = new Uint8Array(size);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk.subarray(0, filled);
}
