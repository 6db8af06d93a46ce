/** Timers that are gone as soon as nobody waits. */

/**
 * What a piece of work comes to; `onTime` is called, and the promise resolves, where it takes longer. The timer lives no
 * longer than the wait.
 */
export function withTimer(work: Promise<void>, milliseconds: number, onTime: () => void): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const giveUp = () => {
      onTime();
      resolve();
    };
    // A process that was busy for so long may have the bytes already: it gets one more turn to take them in.
    const lastTurn = () => (timer = setTimeout(giveUp, 0));
    let timer: ReturnType<typeof setTimeout> = setTimeout(lastTurn, Math.max(0, milliseconds));
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * What an answer comes to, asked with a signal of its own. That fires with `signal`, and with `onTime` where the answer takes
 * longer; then it rejects with that.
 */
export async function untilLate<T>(
  ask: (signal: AbortSignal) => Promise<T>,
  signal: AbortSignal | undefined,
  milliseconds: number,
  onTime: Error,
): Promise<T> {
  const asking = new AbortController();
  const stop = () => asking.abort(signal?.reason);
  if (signal?.aborted === true) stop();
  const timer = setTimeout(() => asking.abort(onTime), milliseconds);
  signal?.addEventListener('abort', stop, { once: true });
  try {
    return await ask(asking.signal);
  } finally {
    clearTimeout(timer);
    // Who reads the body of the answer can cancel that.
    signal?.removeEventListener('abort', stop);
  }
}
