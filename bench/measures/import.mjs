/** What a process pays before the first word: the import on top of `ai`, and all up to the first text without it. */
import { pathToFileURL } from 'node:url';
import { adapterOf, madeFor, PEERS, PROVIDERS } from '../lib/adapters.mjs';
import { settle, timed } from '../lib/clock.mjs';
import { fetchOf } from '../lib/fake-fetch.mjs';
import { at } from '../lib/places.mjs';
import { readText } from '../lib/reading.mjs';
import { medianOf, rowOf } from '../lib/rows.mjs';
import { callOptions, load } from '../lib/subject.mjs';
import { textOf } from '../lib/wires/text.mjs';
import { chunksOf, wireOf } from '../lib/wires/index.mjs';

export const plans = { full: { rounds: 11 }, short: { rounds: 3 } };

const MAJORS = [
  { ai: '5', ours: 'ours', entry: '' },
  { ai: '7', ours: 'ours-v4', entry: ', `./v4`' },
];
const DELTAS = 20;

export async function measure({ take, rounds }) {
  const rows = [];
  const raw = {};
  for (const { ai, ours, entry } of MAJORS) {
    const peers = madeFor(ai, PROVIDERS);
    const samples = await take(
      [ours, ...peers].map((id) => ({ id, isOnTop: true })),
      rounds,
    );
    const cpu = (id) => samples.middle(id, 'cpu');
    raw[`on top of ai ${ai}`] = samples.raw;
    const measure = `Import on top of \`ai\` ${ai}${entry}`;
    const note = `CPU time in a fresh process that has imported \`ai\`; ${medianOf(rounds)}.`;
    rows.push(rowOf({ measure, unit: 'ms', ours: cpu(ours), goal: { atMost: 10 }, note }, peers, cpu));
  }
  const samples = await take(
    ['ours', ...PEERS].map((id) => ({ id, isOnTop: false })),
    rounds,
  );
  const cpu = (id) => samples.middle(id, 'cpu');
  raw['to first text'] = samples.raw;
  rows.push(
    rowOf(
      {
        measure: 'Import to first text',
        unit: 'ms',
        ours: cpu('ours'),
        goal: { belowProviders: true },
        note: `CPU time in a fresh process without \`ai\`, up to the first text of a stream from a fetch within the process; Node's own fetch classes are loaded before; ${medianOf(rounds)}.`,
      },
      PEERS,
      cpu,
    ),
  );
  return { rows, raw };
}

/** @returns {Promise<{ cpu: number, wall: number }>} Milliseconds. */
export async function sample({ id, isOnTop }) {
  const { ai, module, wire } = adapterOf(id);
  const href = pathToFileURL(at(module)).href;
  await loadFetchClasses();
  if (isOnTop) {
    await import(pathToFileURL(at('apps', `ai-${ai}`, 'stream-text.mjs')).href);
    globalThis.gc();
    await settle();
    return timed(() => import(href));
  }
  const chunks = [...chunksOf(wireOf(wire), DELTAS, 'event')];
  globalThis.gc();
  await settle();
  let model;
  let textOfPart;
  const start = await timed(async () => {
    const subject = await load(id);
    textOfPart = subject.textOf;
    model = subject.modelOf(fetchOf(() => chunks));
    await firstText((await model.doStream(callOptions())).stream, textOfPart);
  });
  // The clock has stopped; whether the whole text is right is asked of a second stream.
  await readText((await model.doStream(callOptions())).stream, textOfPart, textOf(DELTAS));
  return start;
}

/** Node loads them at first use, whoever uses them. */
async function loadFetchClasses() {
  const reply = await fetchOf(() => [new Uint8Array(1)])();
  await reply.body.getReader().read();
  void new Headers({ accept: 'text/event-stream' });
}

async function firstText(stream, textOfPart) {
  for await (const part of stream) {
    const delta = textOfPart(part);
    if (delta !== undefined && delta !== '') return;
  }
  throw new Error('The stream had no text');
}
