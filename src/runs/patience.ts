/** How long and how often a run is asked for. */
import { backoff, askedWait, jittered } from '../wire/retry.js';

export type Patience = {
  /** Most tries in a row that bring nothing new. */
  maxReconnects: number;
  /** Milliseconds to the first poll; the waits after it grow. */
  pollInterval: number;
  /** Milliseconds for all of it. */
  timeout: number;
};

// What a run is followed with where the caller does not say.
const MAX_RECONNECTS = 5;
const POLL_INTERVAL = 1000;
const TIMEOUT = 60 * 60 * 1000;

const LONGEST_POLL_WAIT = 10_000;
const POLL_GROWTH = 1.5;

/** How long and how often a run is asked for, by the options of the caller. */
export function patienceOf(given: {
  background?: boolean | { pollInterval?: number; timeout?: number };
  maxReconnects?: number;
}): Patience {
  const { pollInterval = POLL_INTERVAL, timeout = TIMEOUT } =
    typeof given.background === 'object' ? given.background : {};
  return { maxReconnects: given.maxReconnects ?? MAX_RECONNECTS, pollInterval, timeout };
}

/** Gives the milliseconds to the next poll, and more with every call. */
export function createPollWaits(pollInterval: number): () => number {
  let next = pollInterval;
  return () => {
    const current = next;
    next = Math.min(next * POLL_GROWTH, Math.max(LONGEST_POLL_WAIT, pollInterval));
    return jittered(current);
  };
}

/**
 * Milliseconds to wait after a 429, the so many-th in a row: as long as the service asks, but who has waited as long as that
 * and is refused again waits for longer.
 */
export const waitWhenLimited = (headers: Record<string, string>, times: number): number =>
  Math.max(askedWait(headers) ?? 0, backoff(times - 1));
