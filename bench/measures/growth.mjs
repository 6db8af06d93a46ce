/** Whether a delta costs more, or keeps anything, in a stream that is very long. */
import { FEW_PROVIDERS, PEERS, PROVIDERS } from '../lib/adapters.mjs';
import { megabytes, timed } from '../lib/clock.mjs';
import { fetchOf } from '../lib/fake-fetch.mjs';
import { expecting, forEachPart } from '../lib/reading.mjs';
import { againstBest, medianOf, rowOf } from '../lib/rows.mjs';
import { samplesOf } from '../lib/samples.mjs';
import { callOptions, load } from '../lib/subject.mjs';
import { textOf } from '../lib/wires/text.mjs';
import { chunksOf, wireOf } from '../lib/wires/index.mjs';

export const plans = {
  full: { rounds: 3, lengths: [10_000, 100_000, 500_000], heapLength: 500_000, peers: PEERS },
  short: { rounds: 1, lengths: [10_000, 100_000], heapLength: 100_000, peers: FEW_PROVIDERS },
};

const CHUNKING = 16_384;
const WARM_UP = { deltas: 10_000, streams: 8 };
/** Short streams are repeated until so many deltas have passed, so that there is something to measure. */
const DELTAS_OF_SAMPLE = 100_000;

export async function measure({ take, plan, rounds }) {
  const costs = new Map();
  for (const deltas of plan.lengths) {
    const ids = ['source', 'ours', ...plan.peers];
    costs.set(
      deltas,
      await take(
        ids.map((id) => ({ id, deltas })),
        rounds,
      ),
    );
  }
  const heapTask = (id) => ({ id, deltas: plan.heapLength, isHeapWatched: true });
  const heap = {
    ours: await take([heapTask('ours')], rounds),
    peers: await take(
      plan.peers.map((id) => heapTask(id)),
      1,
    ),
  };
  return {
    rows: rowsOf(costs, heap, plan, rounds),
    raw: { cost: rawOf(costs), heap: { ...heap.ours.raw, ...heap.peers.raw } },
  };
}

const rawOf = (costs) => Object.fromEntries([...costs].map(([deltas, { raw }]) => [deltas, raw]));

const told = (deltas) => deltas.toLocaleString('en');

function rowsOf(costs, heap, { lengths, heapLength, peers }, rounds) {
  const least = lengths[0];
  const most = lengths.at(-1);
  const net = new Map([...costs].map(([deltas, samples]) => [deltas, withoutSource(samples)]));
  const costAt = (deltas) => (id) => net.get(deltas).middle(id, 'cpu');
  const growth = (id) => costAt(most)(id) / costAt(least)(id);
  const note = `16 KiB chunks from a source that makes them as they are asked for, whose own cost is subtracted round by round; ${medianOf(rounds)}. Short streams are repeated up to ${told(DELTAS_OF_SAMPLE)} deltas.`;
  return [
    ...lengths.map((deltas) =>
      rowOf(
        { measure: `CPU per delta in a stream of ${told(deltas)}`, unit: 'µs', ours: costAt(deltas)('ours'), note },
        peers,
        costAt(deltas),
      ),
    ),
    rowOf(
      { measure: `the same, ${told(most)} against ${told(least)} deltas`, unit: '×', ours: growth('ours'), note },
      peers,
      growth,
    ),
    rowOf({
      measure: `CPU per delta at ${told(most)}, against the best AI SDK provider`,
      unit: '×',
      ours: againstBest(
        peers.filter((id) => PROVIDERS.includes(id)),
        (id) => net.get(most).ratio('ours', id, 'cpu'),
      ),
      goal: { atMost: 0.3 },
      note,
    }),
    rowOf(
      {
        measure: `Growth of the heap in the middle of ${told(heapLength)} discarded deltas`,
        unit: 'MB',
        ours: heap.ours.middle('ours', 'heap'),
        goal: { atMost: 0.5 },
        note: `Heap in use after a full collection, against before the stream; ours: ${medianOf(rounds)}, peers: one sample each.`,
      },
      peers,
      (id) => heap.peers.middle(id, 'heap'),
    ),
  ];
}

/** The same samples without what the source costs in the same round. */
function withoutSource({ raw: { source, ...others } }) {
  const net = ([id, rounds]) => [id, rounds.map((figures, round) => ({ cpu: figures.cpu - source[round]?.cpu }))];
  return samplesOf(new Map(Object.entries(others).map(net)));
}

/** @returns {Promise<{ cpu?: number, heap?: number }>} Microseconds a delta, or megabytes. */
export async function sample({ id, deltas, isHeapWatched = false }) {
  const subject = await load(id);
  for (let run = 0; run < WARM_UP.streams; run += 1) await stream(subject, id, WARM_UP.deltas);
  if (isHeapWatched) return { heap: await heapGrowth(subject, id, deltas) };

  const streams = Math.max(1, Math.round(DELTAS_OF_SAMPLE / deltas));
  globalThis.gc();
  const { cpu } = await timed(async () => {
    for (let run = 0; run < streams; run += 1) await stream(subject, id, deltas);
  });
  return { cpu: (cpu * 1000) / (streams * deltas) };
}

async function heapGrowth(subject, id, deltas) {
  let before;
  let growth;
  let seen = 0;
  await stream(subject, id, deltas, {
    onStart() {
      globalThis.gc();
      before = process.memoryUsage().heapUsed;
    },
    onDelta() {
      seen += 1;
      if (seen !== deltas / 2) return;
      globalThis.gc();
      growth = megabytes(process.memoryUsage().heapUsed - before);
    },
  });
  return growth;
}

async function stream({ wire: name, textOf: textOfPart, modelOf }, id, deltas, { onStart, onDelta } = {}) {
  const wire = wireOf(name);
  const text = expecting(id === 'source' ? '' : textOf(deltas));
  onStart?.();
  const { stream } = await modelOf(fetchOf(() => chunksOf(wire, deltas, CHUNKING))).doStream(callOptions());
  await forEachPart(stream, (part) => {
    const delta = textOfPart(part);
    if (delta === undefined || delta === '') return;
    text.take(delta);
    onDelta?.();
  });
  text.end();
}
