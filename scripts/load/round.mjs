/** One round: its calls are made, and each is held against its expectation and against the ledger of the server. */
import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import { areExpected, countEnds, differencesOf } from './check.mjs';
import { planRound } from './plan.mjs';
import { startChild } from './messages.mjs';

/** A cancellation that nobody waits for is on its way for a moment. */
const SETTLING_MS = 10_000;

/** The two processes of the load. */
export async function startProcesses() {
  const listeners = [];
  const server = startChild('server');
  const client = startChild('client', { execArgv: ['--expose-gc'], onReport: (outcome) => listeners.at(-1)(outcome) });
  const origin = await server.ask('origin');
  return {
    server,
    client,
    origin,
    /** What becomes of outcomes from now on. */
    listen: (listener) => void listeners.splice(0, 1, listener),
  };
}

/** Runs a round; tells its figures and what differed. */
export async function runRound({ server, client, origin, listen }, { key, seed, streams, concurrency, pace }) {
  const cases = planRound({ key, seed, streams, pace });
  const outcomes = new Map();
  listen((outcome) => outcomes.set(outcome.id, outcome));
  const calls = cases.map(({ id, mode, words, lane, act }) => ({ id, mode, words, lane, act }));
  const figures = await client.ask('run', { calls, concurrency, origin, round: key });
  const ledger = await settledLedger(server, key, cases);
  const responses = await server.ask('responses', { round: key });
  await server.ask('forget', { round: key });

  const differences = [];
  for (const entry of cases) {
    const seen = ledger.calls.get(entry.id);
    const response = responses.get(seen?.runs[0]?.id);
    for (const difference of differencesOf(entry, outcomes.get(entry.id), seen, response)) {
      differences.push(`${entry.id} (${entry.mode}, ${entry.fault}, ${entry.words} words): ${difference}`);
    }
  }
  const wanted = expectedStatuses(cases);
  if (!isDeepStrictEqual(ledger.statuses, wanted)) {
    const [got, expected] = [ledger.statuses, wanted].map((counts) => JSON.stringify(counts));
    differences.push(`runs by status in the server's ledger: got ${got}, expected ${expected}`);
  }
  const ends = countEnds(outcomes.values());
  return { ...figures, calls: cases.length, ends, statuses: ledger.statuses, differences, kinds: countKinds(cases) };
}

/** The ledger, as soon as it is complete, or what it is after a while. */
async function settledLedger(server, round, cases) {
  const until = performance.now() + SETTLING_MS;
  for (;;) {
    const ledger = await server.ask('ledger', { round });
    const isComplete = cases.every(({ id, expect }) => areExpected(ledger.calls.get(id)?.requests, expect));
    if (isComplete || performance.now() > until) return ledger;
    await pause(250);
  }
}

/** The keys stand in the order of the ledger's, which does not matter to a comparison. */
function expectedStatuses(cases) {
  const counts = {};
  for (const { expect } of cases) {
    if (expect.run !== undefined) counts[expect.run.status] = (counts[expect.run.status] ?? 0) + 1;
  }
  return counts;
}

function countKinds(cases) {
  const counts = {};
  for (const { fault } of cases) counts[fault] = (counts[fault] ?? 0) + 1;
  return counts;
}
