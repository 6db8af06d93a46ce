/** What part of the CPU of `streamText` is the provider's, and what coalescing saves there. */
import { pathToFileURL } from 'node:url';
import { adapterOf, FEW_PROVIDERS, madeFor, PROVIDERS } from '../lib/adapters.mjs';
import { timed } from '../lib/clock.mjs';
import { fetchOf } from '../lib/fake-fetch.mjs';
import { at } from '../lib/places.mjs';
import { expecting, forEachPart, readText } from '../lib/reading.mjs';
import { medianOf, rowOf } from '../lib/rows.mjs';
import { median } from '../lib/statistics.mjs';
import { callOptions, load } from '../lib/subject.mjs';
import { textOf } from '../lib/wires/text.mjs';
import { chunksOf, wireOf } from '../lib/wires/index.mjs';

export const plans = {
  full: { rounds: 3, deltas: 5000, warmUps: 6, repetitions: 7, peers: PROVIDERS },
  short: { rounds: 1, deltas: 5000, warmUps: 4, repetitions: 3, peers: FEW_PROVIDERS },
};

/** By itself, since `streamText` is compiled after fewer deltas than the provider is; see `throughput.mjs`. */
const WARM_UPS_OF_PROVIDER = 30;
const LARGE_CHUNKS = 16_384;
const MAJORS = [
  { ai: '5', ours: 'ours', coalescing: 'ours-coalescing', entry: '' },
  { ai: '7', ours: 'ours-v4', coalescing: 'ours-v4-coalescing', entry: ' with `./v4`' },
];

export async function measure({ take, plan, rounds }) {
  const rows = [];
  const raw = {};
  for (const major of MAJORS) {
    const peers = madeFor(major.ai, plan.peers);
    const task = (id, chunking, adapter = id) => ({ id, adapter, chunking, ...plan });
    const samples = await take(
      [
        ...[major.ours, ...peers].map((id) => task(id, 'event')),
        task(major.coalescing, LARGE_CHUNKS),
        task('large chunks', LARGE_CHUNKS, major.ours),
      ],
      rounds,
    );
    raw[`ai ${major.ai}`] = samples.raw;
    rows.push(...rowsOf(samples, major, peers, plan, rounds));
  }
  return { rows, raw };
}

function rowsOf(samples, { ai, ours, coalescing, entry }, peers, { deltas }, rounds) {
  const [share, total] = ['share', 'total'].map((figure) => (id) => samples.middle(id, figure));
  const how = `${deltas.toLocaleString('en')} deltas through \`streamText\` of \`ai\` ${ai}; ${medianOf(rounds)}.`;
  const saving = `${how} Chunks of 16 KiB; ${total('large chunks').toFixed(1)} µs a delta without, ${total(coalescing).toFixed(1)} µs with.`;
  return [
    rowOf(
      {
        measure: `Share in the CPU of \`streamText\`, \`ai\` ${ai}${entry}`,
        unit: '%',
        ours: share(ours),
        goal: { atMost: 10 },
        note: `${how} One event a chunk. The rest is what the same parts cost from a ready array, taken in turns in the same process.`,
      },
      peers,
      share,
    ),
    rowOf({
      measure: `\`streamText\` of \`ai\` ${ai} with \`coalesceDeltas\`, 16 KiB chunks, against without`,
      unit: '×',
      ours: samples.ratio(coalescing, 'large chunks', 'total'),
      note: saving,
    }),
    rowOf({
      measure: `share in it, \`ai\` ${ai}${entry}`,
      unit: '%',
      ours: share(coalescing),
      note: saving,
    }),
  ];
}

/** @returns {Promise<{ total: number, bare: number, share: number }>} Microseconds of CPU a delta; per cent. */
export async function sample({ adapter, chunking, deltas, warmUps, repetitions }) {
  globalThis.AI_SDK_LOG_WARNINGS = false;
  const { ai } = adapterOf(adapter);
  const { streamText } = await import(pathToFileURL(at('apps', `ai-${ai}`, 'stream-text.mjs')).href);
  const { wire, textOf: textOfPart, modelOf } = await load(adapter);
  const chunks = [...chunksOf(wireOf(wire), deltas, chunking)];
  const model = modelOf(fetchOf(() => chunks));
  const ready = await readyModel(model);
  const through = (given) => () => streamThrough(streamText, given, textOf(deltas));

  for (let run = 0; run < WARM_UPS_OF_PROVIDER; run += 1) {
    await readText((await model.doStream(callOptions())).stream, textOfPart, textOf(deltas));
  }
  for (let run = 0; run < warmUps; run += 1) {
    await through(model)();
    await through(ready)();
  }
  globalThis.gc();
  const totals = [];
  const bares = [];
  for (let run = 0; run < repetitions; run += 1) {
    totals.push((await timed(through(model))).cpu);
    bares.push((await timed(through(ready))).cpu);
  }
  const [total, bare] = [totals, bares].map((taken) => (median(taken) * 1000) / deltas);
  return { total, bare, share: (1 - bare / total) * 100 };
}

/** A model that costs nothing: it gives the parts that another one gave. */
async function readyModel(model) {
  const parts = [];
  await forEachPart((await model.doStream(callOptions())).stream, (part) => parts.push(part));
  return {
    specificationVersion: model.specificationVersion,
    provider: 'ready',
    modelId: 'parts',
    supportedUrls: {},
    async doStream() {
      const rest = parts[Symbol.iterator]();
      const pull = (controller) => {
        const { done, value } = rest.next();
        if (done) controller.close();
        else controller.enqueue(value);
      };
      return { stream: new ReadableStream({ pull }, { highWaterMark: 0 }) };
    },
  };
}

async function streamThrough(streamText, model, expectedText) {
  const text = expecting(expectedText);
  let failure;
  const { textStream } = streamText({
    model,
    prompt: 'When do harbour pilots read the tide tables?',
    maxRetries: 0,
    onError({ error }) {
      failure = error;
    },
  });
  for await (const delta of textStream) text.take(delta);
  if (failure !== undefined) throw new Error('streamText met an error', { cause: failure });
  text.end();
}
