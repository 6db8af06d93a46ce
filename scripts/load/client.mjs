/**
 * The load itself: many calls at once, in a process of its own, so that its memory, sockets and timers are those of the
 * provider's user. Needs `--expose-gc`.
 */
import { subscribe } from 'node:diagnostics_channel';
import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createBigReader } from './big-reader.mjs';
import { listenersOf, makeCall } from './call.mjs';
import { answerParent, report } from './messages.mjs';

/** Node's fetch keeps an idle socket for four seconds. */
const QUIET_MS = 12_000;

const problems = [];
for (const event of ['unhandledRejection', 'uncaughtException']) {
  process.on(event, (error) => problems.push(`${event}: ${error?.stack ?? error}`));
}
process.on('warning', (warning) => problems.push(`warning: ${warning.stack}`));

const sockets = new Set();
let mostSockets = 0;
subscribe('net.client.socket', ({ socket }) => {
  sockets.add(socket);
  mostSockets = Math.max(mostSockets, sockets.size);
  socket.once('close', () => sockets.delete(socket));
});

/** An app's own signal, for when it shuts down: handed to every call that does not give up, and never fired. */
const shared = new AbortController().signal;
setMaxListeners(0, shared);

let openCalls = 0;

/** Makes the calls of a round, so many at a time; reports each outcome as it comes. */
async function runRound({ calls, concurrency, ...place }) {
  const left = calls.values();
  let mostCalls = 0;
  async function work() {
    for (const call of left) {
      openCalls += 1;
      mostCalls = Math.max(mostCalls, openCalls);
      const outcome = await makeCall(call, { ...place, shared });
      openCalls -= 1;
      report(outcome);
    }
  }
  const began = performance.now();
  const cpu = process.cpuUsage();
  await Promise.all(Array.from({ length: concurrency }, work));
  const { user, system } = process.cpuUsage(cpu);
  return { mostCalls, seconds: (performance.now() - began) / 1000, cpuSeconds: (user + system) / 1e6 };
}

/** Twice, with a turn in between: what finalizers let go of is garbage only then. */
async function collect() {
  for (let times = 0; times < 2; times += 1) {
    globalThis.gc();
    await pause(20);
  }
  globalThis.gc();
}

async function memory() {
  await collect();
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  return {
    rss,
    heapUsed,
    external,
    arrayBuffers,
    mostRss: process.resourceUsage().maxRSS * 1024,
    sockets: sockets.size,
    handles: process.getActiveResourcesInfo().length - atRest.length,
    openCalls,
  };
}

/** What keeps the process alive that did not before. */
function remaining() {
  const before = [...atRest];
  return process.getActiveResourcesInfo().filter((resource) => {
    // The channel to the parent, which may be busy.
    if (resource === 'PipeWrap') return false;
    const index = before.indexOf(resource);
    if (index !== -1) before.splice(index, 1);
    return index === -1;
  });
}

const look = () => ({ resources: remaining(), sockets: sockets.size, listeners: listenersOf(shared), openCalls });

const isQuiet = ({ resources, ...counts }) =>
  resources.length === 0 && Object.values(counts).every((count) => count === 0);

/** Waits for quiet, and tells what does not become quiet. */
async function leftovers() {
  const until = performance.now() + QUIET_MS;
  do {
    await collect();
    // The timers of this wait are not those that are looked for.
    if (isQuiet(look())) break;
    await pause(200);
  } while (performance.now() < until);
  return { ...look(), mostSockets };
}

const bigReader = createBigReader();

answerParent({ run: runRound, memory, leftovers, problems: () => problems, ...bigReader });

/** What keeps the process alive besides the calls: the channel to the parent. */
const atRest = process.getActiveResourcesInfo();
