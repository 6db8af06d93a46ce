/** What a text delta costs from the bytes to the part, in one long stream. */
import { FEW_PROVIDERS, PEERS, PROVIDERS } from '../lib/adapters.mjs';
import { timed } from '../lib/clock.mjs';
import { fetchOf } from '../lib/fake-fetch.mjs';
import { readText } from '../lib/reading.mjs';
import { againstBest, rowOf } from '../lib/rows.mjs';
import { median } from '../lib/statistics.mjs';
import { callOptions, load } from '../lib/subject.mjs';
import { textOf } from '../lib/wires/text.mjs';
import { chunksOf, wireOf } from '../lib/wires/index.mjs';

/**
 * As many warm-ups as the compiler needs: only after some 150,000 deltas does a stream cost what all later ones do. No
 * collection is forced in between: after one the next streams cost up to a quarter more.
 */
export const plans = {
  full: { rounds: 5, deltas: 20_000, warmUps: 10, repetitions: 15, peers: PEERS },
  short: { rounds: 2, deltas: 20_000, warmUps: 8, repetitions: 6, peers: FEW_PROVIDERS },
};

const FACES = ['ours-v3', 'ours-v4'];
const CASES = [
  { chunking: 'event', title: 'one event a chunk', goal: 1.25 },
  { chunking: 16_384, title: '16 KiB chunks', goal: 1.35 },
];

export async function measure({ take, plan, rounds }) {
  const rows = [];
  const raw = {};
  for (const { chunking, title, goal } of CASES) {
    const isCoalesced = chunking !== 'event';
    const ids = ['floor', 'ours', ...(isCoalesced ? ['ours-coalescing'] : []), ...FACES, ...plan.peers];
    const samples = await take(
      ids.map((id) => ({ id, chunking, ...plan })),
      rounds,
    );
    raw[title] = samples.raw;
    rows.push(...rowsOf({ samples, title, goal, isCoalesced, plan, rounds }));
  }
  return { rows, raw };
}

function rowsOf({ samples, title, goal, isCoalesced, plan, rounds }) {
  const toFloor = (id) => samples.ratio(id, 'floor', 'cpu');
  const measure = `CPU per text delta, ${title}`;
  const how = `${plan.deltas.toLocaleString('en')} deltas from a fetch within the process; median of ${plan.repetitions} streams after ${plan.warmUps} to warm up, and of the ratios of ${rounds === 1 ? 'one round' : `${rounds} rounds`}.`;
  const note = `${how} Floor A took ${samples.middle('floor', 'cpu').toFixed(2)} µs a delta (${title}).`;
  return [
    rowOf(
      { measure: `${measure}, against floor A`, unit: '×', ours: toFloor('ours'), goal: { atMost: goal }, note },
      plan.peers,
      toFloor,
    ),
    ...FACES.map((id) =>
      rowOf({
        measure: `the same of \`${id.replace('ours-', './')}\``,
        unit: '×',
        ours: toFloor(id),
        goal: { atMost: goal },
        note,
      }),
    ),
    rowOf({
      measure: `${measure}, against the best AI SDK provider`,
      unit: '×',
      ours: againstBest(
        plan.peers.filter((id) => PROVIDERS.includes(id)),
        (id) => samples.ratio('ours', id, 'cpu'),
      ),
      goal: { atMost: 0.25 },
      note,
    }),
    ...(isCoalesced
      ? [
          rowOf({
            measure: `${title} with \`coalesceDeltas\`, against floor A`,
            unit: '×',
            ours: toFloor('ours-coalescing'),
            note,
          }),
          rowOf({
            measure: `${title} with \`coalesceDeltas\`, against without`,
            unit: '×',
            ours: samples.ratio('ours-coalescing', 'ours', 'cpu'),
            note,
          }),
        ]
      : []),
  ];
}

/** @returns {Promise<{ cpu: number, wall: number }>} Microseconds a delta. */
export async function sample({ id, chunking, deltas, warmUps, repetitions }) {
  const { wire, textOf: textOfPart, modelOf } = await load(id);
  const chunks = [...chunksOf(wireOf(wire), deltas, chunking)];
  const model = modelOf(fetchOf(() => chunks));
  const text = textOf(deltas);
  const stream = async () => readText((await model.doStream(callOptions())).stream, textOfPart, text);

  for (let run = 0; run < warmUps; run += 1) await stream();
  const runs = [];
  for (let run = 0; run < repetitions; run += 1) runs.push(await timed(stream));
  const perDelta = (figure) => (median(runs.map((run) => run[figure])) * 1000) / deltas;
  return { cpu: perDelta('cpu'), wall: perDelta('wall') };
}
