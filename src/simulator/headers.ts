/** Response headers (agent-api.md §1, "Response headers seen"). */

/** Requests per window of the recorded account. */
const LIMIT = 50;

/** How the rate limit stands. */
export interface RateLimitState {
  /** Requests used in this window, default 1. */
  used?: number;
  /** Seconds until the window ends, default 1. */
  resetIn?: number;
}

/**
 * The headers that every answer has. `x-ratelimit-reset` goes by the wall clock even with a seed, since clients compare it
 * with theirs. There is no `retry-after`: none was ever recorded.
 */
export function rateLimitHeaders({ used = 1, resetIn = 1 }: RateLimitState = {}): Record<string, string> {
  return {
    'x-ratelimit-limit': String(LIMIT),
    'x-ratelimit-remaining': String(LIMIT - used),
    'x-ratelimit-used': String(used),
    'x-ratelimit-reset': String(Math.floor(Date.now() / 1000) + resetIn),
  };
}

/** The state of an exhausted limit. */
export function exhausted(resetIn: number | undefined): RateLimitState {
  return { used: LIMIT, ...(resetIn !== undefined && { resetIn }) };
}

/** `x-request-id`: the response id without `resp_`. */
export function requestId(responseId: string): string {
  return responseId.replace(/^resp_/u, '');
}
