import { complaint, invalid, reading } from '../refusals.js';

/** Throws the reason of a signal that has fired; what is no signal is refused. */
export function throwIfAborted(signal: AbortSignal | undefined): void {
  if (signal === undefined) return;
  reading('abortSignal', () => {
    const isSignal = typeof signal?.addEventListener === 'function' && typeof signal.aborted === 'boolean';
    if (!isSignal) throw invalid('abortSignal', complaint('an AbortSignal', signal));
  });
  if (signal.aborted) throw signal.reason;
}

/**
 * A promise that gives up with the abort reason as soon as the signal fires, whatever the work behind it does. What the
 * work brings after that goes to `discard`.
 */
export function untilAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  discard: (late: T) => void,
): Promise<T> {
  if (signal === undefined) return work;
  return new Promise<T>((resolve, reject) => {
    const onAbort = () => {
      reject(signal.reason);
      work.then(discard, () => undefined);
    };
    if (signal.aborted) return onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}
