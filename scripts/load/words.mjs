/**
 * The answers of the load: each call has one of its own, which follows from its prompt. So whoever gets a word of another
 * call's answer is found out, and nobody needs to keep the answers.
 */
import { createRandom, hashOf } from './random.mjs';

// Letters of one to four bytes: chunks are cut inside some of them.
const LETTERS = Array.from('abcdefghijklmnopqrstuvwxyzäöüßéñжщλω漢字語𝒜𝒷');
const LONGEST_WORD = 9;

/** The prompt whose answer has so many words. */
export const promptOf = (key, words) => `load ${key} ${words}`;

/**
 * The answer to a prompt in the pieces in which the simulator streams it: a word each, with the space before it.
 * (`tokens` of its `events.ts` cuts there, and after nine letters.)
 */
export function piecesOf(key, words) {
  const random = createRandom(hashOf(`${key} ${words}`));
  return Array.from({ length: words }, (_, index) => {
    const letters = Array.from({ length: random.between(1, LONGEST_WORD) }, () => random.pick(LETTERS));
    return `${index === 0 ? '' : ' '}${letters.join('')}`;
  });
}

/** The pieces that answer the body of a request. */
export function piecesForBody(body) {
  const found = /load (?<key>\S+) (?<words>\d+)/u.exec(JSON.stringify(body.input));
  if (found === null) throw new Error('The request has no prompt of the load.');
  return piecesOf(found.groups.key, Number(found.groups.words));
}

/** One delta of the big stream: 64 KiB that nobody keeps, and that say which one they are. */
export const BIG_DELTA = 64 * 1024;
export const bigDelta = (index) => `${index}:`.padEnd(BIG_DELTA, 'lighthouse ');
