/** How calls of the load can end, in the terms of `check.mjs`. */

/** As many words as the server's own response has. */
export const ALL_OF_IT = 'whole';

/** What the server's ledger says of a request whose caller went away before its end. */
export const SILENT = 'aborted';

/** A foreground stream begins with `created`, `in_progress` and `output_item.added`; then come the words. */
const EVENTS_BEFORE_WORDS = 3;
/** And it ends with `output_text.done`, `output_item.done` and `completed`; the last one is what a cut stream lacks. */
const EVENTS_AFTER_WORDS = 2;

/** Before this many events a run has shown no more than that it exists: until then its failure is thrown. */
const EVENTS_UNTIL_BEGUN = 3;

/**
 * Where a stream breaks off, and how many words were heard by then: after so many words, or anywhere, and then in the middle of
 * an event half of the time.
 */
export function placeIn({ random, words }, heard) {
  const last = EVENTS_BEFORE_WORDS + words + EVENTS_AFTER_WORDS;
  const anywhere = random.chance(0.2) ? random.between(0, EVENTS_BEFORE_WORDS) : random.between(0, last);
  const afterEvents = heard === undefined ? anywhere : EVENTS_BEFORE_WORDS + heard;
  const halfEvent = heard === undefined && random.chance(0.5);
  return {
    place: { afterEvents, halfEvent },
    heard: Math.min(Math.max(afterEvents - EVENTS_BEFORE_WORDS, 0), words),
    hasBegun: afterEvents >= EVENTS_UNTIL_BEGUN,
  };
}

/** So many words that the run is not over when its caller leaves it, however late he comes to that. */
export const lastsLong = ({ pace }) => Math.ceil(60_000 / pace.eventDelay);

/** How a run stands in the ledger of the server. */
export const runOf = (status, more = {}) => ({
  status,
  background: false,
  cancelRequests: 0,
  streams: 0,
  polls: 0,
  ...more,
});

export const finished = (more) => ({ end: 'finished', finishReason: 'stop', hasUsage: true, ...more });

const REFUSALS = { 429: 'rate limit exceeded', 500: 'internal server error' };

/** Refused before a run began. */
export const refused = (status) => ({
  end: 'thrown',
  text: 0,
  error: { message: REFUSALS[status], statusCode: status, isRetryable: true },
  requests: [`create ${status}`],
  run: undefined,
});

// What undici says of a socket that was closed under it; which of the two words comes is a matter of timing.
const TERMINATED = String.raw`terminated(?: \((?:other side closed|read ECONNRESET)\))?`;

/** A foreground stream that broke off. */
export function brokenStream(end, idleTimeout) {
  const failure = { finishReason: 'error', hasUsage: false, error: { statusCode: 200 } };
  if (end === 'stall') {
    const silence = `Nothing came from the Agent API for ${idleTimeout} ms (providerOptions.perplexity.idleTimeout).`;
    return {
      ...failure,
      error: { ...failure.error, message: `The stream broke off before the run ended: ${silence}` },
      requests: [`create 200 ${SILENT}`, 'cancel 200'],
      run: runOf('cancelled', { streams: 1, cancelRequests: 1 }),
    };
  }
  const message =
    end === 'reset'
      ? new RegExp(`^The stream broke off before the run ended: ${TERMINATED}$`, 'u')
      : 'The stream ended before the run did: no terminal event came, so the answer may be incomplete.';
  return {
    ...failure,
    error: { ...failure.error, message },
    requests: ['create 200'],
    run: runOf('in_progress', { streams: 1 }),
  };
}

const INCOMPLETE_JSON = 'The reply broke off: its JSON is incomplete.';

/** A JSON reply that broke off; its run was over. */
export function brokenJson(end, afterBytes) {
  const ended = afterBytes === 0 ? /^The Agent API sent an empty body with status 200 instead of / : INCOMPLETE_JSON;
  const message = end === 'reset' ? new RegExp(`^The reply broke off: ${TERMINATED}$`, 'u') : ended;
  return {
    end: 'thrown',
    text: 0,
    error: { message, statusCode: 200, isRetryable: false },
    requests: ['create 200'],
    run: runOf('completed'),
  };
}
