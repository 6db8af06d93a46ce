/** Many streams at once, over real sockets, from a server in another process. */
import { FEW_PROVIDERS, PROVIDERS } from '../lib/adapters.mjs';
import { megabytes, settle, timed } from '../lib/clock.mjs';
import { startServer } from '../lib/processes.mjs';
import { readText, WrongText } from '../lib/reading.mjs';
import { medianOf, rowOf } from '../lib/rows.mjs';
import { callOptions, load } from '../lib/subject.mjs';
import { textOf } from '../lib/wires/text.mjs';

export const plans = {
  full: { rounds: 3, streams: 1000, deltas: 200, peers: PROVIDERS },
  short: { rounds: 1, streams: 1000, deltas: 200, peers: FEW_PROVIDERS },
};

const WARM_UP = { times: 3, streams: 100 };

export async function measure({ take, plan: { streams, deltas, peers }, rounds, onFailure }) {
  const server = await startServer();
  const tasks = ['floor', 'ours', ...peers].map((id) => ({ id, streams, deltas, origin: server.origin }));
  const samples = await take(tasks, rounds).finally(() => server.stop());

  for (const [id, taken] of Object.entries(samples.raw)) {
    for (const { problem } of taken) if (problem !== undefined) onFailure(id, problem);
  }
  const worst = (id) => samples.most(id, 'failed');
  const toFloor = (id) => samples.ratio(id, 'floor', 'cpu');
  const peak = (id) => samples.middle(id, 'peak');
  const name = `${streams.toLocaleString('en')} concurrent streams of ${deltas} deltas`;
  const note = `Over loopback from a server in another process, which writes one event of each stream in turn; ${medianOf(rounds)}. CPU of the reading process alone. Floor A: ${peak('floor').toFixed(0)} MB.`;
  const rows = [
    { measure: `${name}: errors and wrong texts`, unit: 'count', of: worst, goal: { atMost: 0 } },
    { measure: `${name}: CPU against floor A`, unit: '×', of: toFloor, goal: { atMost: 1.2 } },
    { measure: `${name}: peak memory (RSS)`, unit: 'MB', of: peak, goal: { belowProviders: true } },
  ].map(({ of, ...facts }) => rowOf({ ...facts, ours: of('ours'), note }, peers, of));
  return { rows, raw: samples.raw };
}

/** @returns {Promise<{ cpu: number, wall: number, peak: number, failed: number, wrongTexts: number, problem?: string }>} */
export async function sample({ id, origin, streams, deltas }) {
  const { wire, textOf: textOfPart, modelOf } = await load(id);
  const model = modelOf(undefined, `${origin}/${wire}/${deltas}`);
  const text = textOf(deltas);
  const stream = async () => readText((await model.doStream(callOptions())).stream, textOfPart, text);
  const together = (count) => Promise.allSettled(Array.from({ length: count }, stream));

  for (let run = 0; run < WARM_UP.times; run += 1) await together(WARM_UP.streams);
  globalThis.gc();
  await settle();
  let outcomes;
  const { cpu, wall } = await timed(async () => {
    outcomes = await together(streams);
  });
  const problems = outcomes.flatMap(({ reason }) => (reason === undefined ? [] : [reason]));
  return {
    cpu,
    wall,
    peak: megabytes(process.resourceUsage().maxRSS * 1024),
    failed: problems.length,
    wrongTexts: problems.filter((problem) => problem instanceof WrongText).length,
    problem: problems.length === 0 ? undefined : String(problems[0]?.cause ?? problems[0]),
  };
}
