/**
 * Repeats what costs nothing to repeat: GETs only, since a repeated create is a new bill (design decision 14). As often
 * and as slowly as the vendor's SDK does (`agent-api.md` §1).
 */
import { APICallError } from '@ai-sdk/provider';

const MOST_RETRIES = 2;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8_000;
/** Who is told to wait for longer decides for himself: the error says how long. */
const LONGEST_ASKED = 60_000;

/** Tries up to three times; only a retryable APICallError is tried again. Rejects with the reason of an abort at once. */
export async function withRetries<T>(attempt: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  for (let failures = 0; ; failures++) {
    try {
      return await attempt();
    } catch (error) {
      const wait = failures < MOST_RETRIES ? waitAfter(error, failures) : undefined;
      if (wait === undefined) throw error;
      await pause(wait, signal);
    }
  }
}

/** Milliseconds to wait before the next try; undefined where there should be none. */
function waitAfter(error: unknown, failures: number): number | undefined {
  if (!APICallError.isInstance(error) || !error.isRetryable) return undefined;
  const asked = askedWait(error.responseHeaders ?? {});
  if (asked !== undefined) return asked > LONGEST_ASKED ? undefined : asked;
  return backoff(failures);
}

/** Milliseconds to wait after so many failures before. */
export const backoff = (failures: number): number => jittered(Math.min(FIRST_WAIT * 2 ** failures, LONGEST_WAIT));

/** Up to a quarter less, so that many clients do not come back at once. */
export const jittered = (milliseconds: number): number => milliseconds * (1 - Math.random() / 4);

/**
 * What the service asks for, in milliseconds. `x-ratelimit-reset` has become `retry-after` in the headers of an error by
 * now.
 */
export function askedWait(headers: Record<string, string>): number | undefined {
  const milliseconds = asWait(headers['retry-after-ms']);
  if (milliseconds !== undefined) return milliseconds;
  const after = headers['retry-after'];
  const seconds = asWait(after);
  if (seconds !== undefined) return seconds * 1000;
  const until = Date.parse(after ?? '');
  return Number.isNaN(until) ? undefined : Math.max(until - Date.now(), 0);
}

const asWait = (text: string | undefined) =>
  text !== undefined && /^\d+(\.\d+)?$/.test(text) ? Number(text) : undefined;

/** Waits; rejects with the reason of an abort at once. */
export function pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, milliseconds);
    if (signal?.aborted === true) onAbort();
    else signal?.addEventListener('abort', onAbort, { once: true });
  });
}
