/** What a stretch of work costs the process. */

/** CPU (all threads of the process, so the garbage collector's too) and wall time, in milliseconds. */
export async function timed(work) {
  const cpuBefore = process.cpuUsage();
  const before = performance.now();
  await work();
  const wall = performance.now() - before;
  const { user, system } = process.cpuUsage(cpuBefore);
  return { wall, cpu: (user + system) / 1000 };
}

/** Lets all that is due happen: the queue of microtasks and one turn of the event loop. */
export const settle = () => new Promise((resolve) => setImmediate(resolve));

export const megabytes = (bytes) => bytes / 1024 ** 2;
