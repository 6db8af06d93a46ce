/** What a round of the load consists of: so many calls of each kind, in an order that the seed decides. */
import { behaviours } from './behaviours.mjs';
import { createRandom } from './random.mjs';

/** Of each of these so large a share; what is left of a round goes well. */
const FAULT_SHARE = 0.05;
const FAULTS = ['reset', 'stall', '429', '500', 'cut', 'slow', 'abort'];
/** Runs that end without success of themselves, which is no fault of the connection. */
const ENDINGS = ['failed', 'incomplete'];

/**
 * How a call reads its run: as a stream, as a stream in the background, as one JSON reply, as a stream that is folded, since
 * it asks an effort level, or by polls. As often as it stands here.
 */
const MODES = [
  'stream',
  'background',
  'stream',
  'level',
  'stream',
  'generate',
  'background',
  'stream',
  'polled',
  'stream',
];

/** How fast the runs are, and how patient their callers. */
export const PACES = {
  /**
   * All at once: 2,000 runs last for so long that they are open together. Callers who leave wait until all are connected: before
   * that a cancellation may not get through, and it is tried once.
   */
  load: {
    eventDelay: 300,
    idleTimeout: 20_000,
    readEvery: 60,
    fewestWords: 20,
    mostWords: 45,
    fewestHeard: 15,
    leavesAfter: 5000,
  },
  /** Few at a time, for long. */
  soak: {
    eventDelay: 60,
    idleTimeout: 2000,
    readEvery: 20,
    fewestWords: 20,
    mostWords: 80,
    fewestHeard: 1,
    leavesAfter: 200,
  },
};

/** The calls of a round. `key` tells them from those of other rounds. */
export function planRound({ key, seed, streams, pace }) {
  const random = createRandom(seed);
  const ofEach = Math.round(streams * FAULT_SHARE);
  const bad = [...FAULTS, ...ENDINGS].flatMap((fault) => Array.from({ length: ofEach }, () => fault));
  const good = Array.from({ length: Math.max(0, streams - bad.length) }, () => 'none');
  const kinds = [...bad, ...good].map((fault, index) => {
    const modes = MODES.filter((mode) => behaviours[fault][mode] !== undefined);
    return { fault, mode: modes[index % modes.length] };
  });
  return random.shuffled(kinds).map(({ fault, mode }, index) => {
    const words = random.between(pace.fewestWords, pace.mostWords);
    const id = `${key}-${index}`;
    const call = { id, fault, mode, words, random, pace };
    const { lane, act, expect, words: otherWords = words } = behaviours[fault][mode](call);
    return {
      id,
      fault,
      mode,
      words: otherWords,
      lane: { scenario: 'plain', eventDelay: pace.eventDelay, faults: [], ...lane },
      act: { ...act },
      expect: { text: otherWords, ...expect },
    };
  });
}
