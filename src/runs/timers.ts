/** Timers that are gone as soon as nobody waits. */

/**
 * What a piece of work comes to; `onTime` is called, and the promise resolves, where it takes longer. The timer lives no
 * longer than the wait.
 */
export function withTimer(work: Promise<void>, milliseconds: number, onTime: () => void): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(
      () => {
        onTime();
        resolve();
      },
      Math.max(0, milliseconds),
    );
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
