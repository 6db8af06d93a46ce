/** Takes up a run that exists: its stream, or where it stands where there is no stream to be had. */
import { APICallError } from '@ai-sdk/provider';
import { pause, withRetries } from '../wire/retry.js';
import type { Reply, RunCall, Transport } from '../wire/transport.js';

export type TakenUp = {
  reply: Reply;
  /** Whether its events can be had, or only what it comes to. */
  mode: 'stream' | 'poll';
  /** Number after which the events begin; undefined where they begin with the first one. */
  startingAfter: number | undefined;
};

/** How long a run may take to be known everywhere after it was created. */
const SETTLING_MS = 500;

/**
 * All events are asked for, also of a caller who has had some: only they tell what is new after them. Where the first ones are
 * gone, the later ones may still be had. Throws APICallError where there is no such run, and the reason of an abort. Tries
 * again where that may help.
 */
export async function takeUp(
  transport: Pick<Transport, 'attach' | 'retrieve'>,
  call: RunCall & { startingAfter: number | undefined },
  mode: 'stream' | 'poll',
): Promise<TakenUp> {
  const { abortSignal } = call;
  const retrieve = () => settled(() => transport.retrieve(call), abortSignal);
  const attach = (startingAfter: number | undefined) =>
    settled(() => transport.attach({ ...call, startingAfter }), abortSignal);
  // That a stream can be asked for without a number is not documented: after 0, nothing but the first snapshot is left out.
  const places = [undefined, call.startingAfter ?? 0];
  for (const startingAfter of mode === 'stream' ? places : []) {
    try {
      return { reply: await attach(startingAfter), mode: 'stream', startingAfter };
    } catch (error) {
      // The time in which events are replayed has passed, or they never were, as for foreground runs (`agent-api.md` §10.4).
      if (!isRefused(error)) throw error;
    }
  }
  return { reply: await retrieve(), mode: 'poll', startingAfter: undefined };
}

const statusOf = (error: unknown) => (APICallError.isInstance(error) ? error.statusCode : undefined);

/** A refusal that is about the stream and not about the run or the key. */
function isRefused(error: unknown): boolean {
  const status = statusOf(error) ?? 0;
  const isAboutRun = status === 401 || status === 403 || status === 404;
  return status >= 400 && status < 500 && !isAboutRun && APICallError.isInstance(error) && !error.isRetryable;
}

/** A run that was just created may be unknown for a moment: once, briefly (`agent-api.md` §6.2). */
async function settled<T>(ask: () => Promise<T>, abortSignal: AbortSignal | undefined): Promise<T> {
  const patiently = () => withRetries(ask, abortSignal);
  try {
    return await patiently();
  } catch (error) {
    if (statusOf(error) !== 404) throw error;
    await pause(SETTLING_MS, abortSignal);
    return patiently();
  }
}
