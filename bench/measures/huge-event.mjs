/** One event that is far larger than a chunk: who looks at all that has come whenever more comes takes quadratic time. */
import { adapterOf, PEERS } from '../lib/adapters.mjs';
import { megabytes, timed } from '../lib/clock.mjs';
import { fetchOf } from '../lib/fake-fetch.mjs';
import { readText } from '../lib/reading.mjs';
import { medianOf, rowOf } from '../lib/rows.mjs';
import { callOptions, load } from '../lib/subject.mjs';
import { textOf } from '../lib/wires/text.mjs';
import { chunksOf, wireOf } from '../lib/wires/index.mjs';

export const plans = {
  full: { rounds: 2, peers: PEERS.filter((id) => adapterOf(id).wire === 'agent') },
  short: { rounds: 2, peers: [] },
};

const RESULTS = 16_000;
const SNIPPET_LENGTH = 1780;
const CHUNKING = 1024;
const DELTAS = 20;
const LIMIT_SECONDS = 30;

export async function measure({ take, plan, rounds }) {
  const samples = await take(
    ['ours', ...plan.peers].map((id) => ({ id })),
    rounds,
  );
  const [whole, growth, size] = ['whole', 'growth', 'size'].map((figure) => (id) => samples.middle(id, figure));
  const note = `${RESULTS.toLocaleString('en')} search results in one event, in chunks of 1 KiB; CPU time, ${medianOf(rounds)}. Who is not done after ${LIMIT_SECONDS} s is stopped. Linear growth is 4 ×.`;
  const rows = [
    rowOf(
      {
        measure: `One event of ${size('ours').toFixed(0)} MB`,
        unit: 'ms',
        ours: whole('ours'),
        goal: { atMost: 2000 },
        note,
      },
      plan.peers,
      whole,
    ),
    rowOf(
      {
        measure: 'the same, against a quarter of the size',
        unit: '×',
        ours: growth('ours'),
        // A fifth above linear: time that the garbage collector takes does not grow in step.
        goal: { aim: 4, atMost: 4.8 },
        note,
      },
      plan.peers,
      growth,
    ),
  ];
  return { rows, raw: samples.raw };
}

/** @returns {Promise<{ whole: number, quarter: number, growth: number, size: number }>} Milliseconds; megabytes. */
export async function sample({ id }) {
  const subject = await load(id);
  for (const results of [100, 100, 1000]) await cost(subject, results);
  const quarter = await cost(subject, RESULTS / 4);
  const whole = await cost(subject, RESULTS);
  const growth = whole.cpu === Infinity ? Infinity : whole.cpu / quarter.cpu;
  return { whole: whole.cpu, quarter: quarter.cpu, growth, size: whole.size };
}

/** Infinite where it took too long. */
async function cost({ wire, textOf: textOfPart, modelOf }, results) {
  const chunks = [...chunksOf(wireOf(wire, { results, snippetLength: SNIPPET_LENGTH }), DELTAS, CHUNKING)];
  const size = megabytes(chunks.length * CHUNKING);
  const deadline = performance.now() + LIMIT_SECONDS * 1000;
  let isLate = false;
  // Here and not in a timer: a stream that never waits for anything leaves timers no turn.
  function* untilDeadline() {
    for (const chunk of chunks) {
      isLate = performance.now() > deadline;
      if (isLate) throw new Error('Too slow');
      yield chunk;
    }
  }
  globalThis.gc();
  try {
    const { cpu } = await timed(async () => {
      const { stream } = await modelOf(fetchOf(untilDeadline)).doStream(callOptions());
      await readText(stream, textOfPart, textOf(DELTAS));
    });
    return { cpu, size };
  } catch (error) {
    if (!isLate) throw error;
    return { cpu: Infinity, size };
  }
}
