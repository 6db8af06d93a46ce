/** How many turns of the microtask queue lie between a delta's bytes and its part: exact, and the same on every machine. */
import { PEERS } from '../lib/adapters.mjs';
import { settle } from '../lib/clock.mjs';
import { handFedFetch } from '../lib/fake-fetch.mjs';
import { expecting, forEachPart } from '../lib/reading.mjs';
import { rowOf } from '../lib/rows.mjs';
import { median } from '../lib/statistics.mjs';
import { callOptions, load } from '../lib/subject.mjs';
import { textOf } from '../lib/wires/text.mjs';
import { wireOf } from '../lib/wires/index.mjs';

export const plans = { full: { rounds: 1, streams: 20 }, short: { rounds: 1, streams: 20 } };

const FIGURES = [
  { figure: 'first', measure: 'Microtask turns from bytes to part, first delta', goal: { aim: 2, atMost: 3 } },
  { figure: 'later', measure: 'the same, later delta', goal: { aim: 2, atMost: 3 } },
  { figure: 'behind', measure: 'the same, bytes right behind those before', goal: { aim: 3, atMost: 4 } },
];
/** Deltas of a stream: the first, some that come when all is quiet, some that come when the one before has just got out. */
const QUIET = 4;
const DELTAS = 9;
const GIVE_UP_AFTER = 1000;

export async function measure({ take, plan, rounds }) {
  const samples = await take(
    ['floor', 'ours', 'ours-v4', ...PEERS].map((id) => ({ id, ...plan })),
    rounds,
  );
  const floor = FIGURES.map(({ figure }) => samples.middle('floor', figure));
  const note = `Rounds of the microtask queue between the bytes entering the body of the reply and the part reaching a consumer that waits for it; exact. Median of ${plan.streams} streams; floor A takes ${floor.join(', ')}.`;
  const rows = FIGURES.flatMap(({ figure, measure, goal }) => {
    const turns = (id) => samples.middle(id, figure);
    return [
      rowOf({ measure, unit: 'count', ours: turns('ours'), goal, note }, PEERS, turns),
      rowOf({ measure: 'the same of `./v4`', unit: 'count', ours: turns('ours-v4'), goal, note }),
    ];
  });
  return { rows, raw: samples.raw };
}

export async function sample({ id, streams }) {
  const subject = await load(id);
  const turns = [];
  for (let run = 0; run < streams; run += 1) turns.push(await turnsOfStream(subject));
  return {
    first: median(turns.map(([first]) => first)),
    later: median(turns.flatMap((ofStream) => ofStream.slice(1, QUIET))),
    behind: median(turns.flatMap((ofStream) => ofStream.slice(QUIET))),
  };
}

/** Turns of each delta of one stream. */
async function turnsOfStream({ wire: name, textOf: textOfPart, modelOf }) {
  const wire = wireOf(name);
  const encoder = new TextEncoder();
  const { fetch, push, close } = handFedFetch();
  // Before the call: some wait for the first event before they return a stream.
  push(encoder.encode(wire.opening.join('')));
  const { stream } = await modelOf(fetch).doStream(callOptions());

  const text = expecting(textOf(DELTAS));
  let received = 0;
  const consumer = forEachPart(stream, (part) => {
    const delta = textOfPart(part);
    if (delta === undefined || delta === '') return;
    text.take(delta);
    received += 1;
  });

  const hasReceived = (count) => received >= count;
  const turns = [];
  for (let index = 0; index < DELTAS; index += 1) {
    if (index < QUIET) await allQuiet();
    const bytes = encoder.encode(wire.delta(index));
    let count = 0;
    push(bytes);
    while (!hasReceived(index + 1) && count < GIVE_UP_AFTER) {
      await nextTurn();
      count += 1;
    }
    turns.push(count);
  }
  push(encoder.encode(wire.closing(DELTAS).join('')));
  close();
  await consumer;
  text.end();
  return turns;
}

/** Awaiting it takes one turn, as `await null` does. */
const nextTurn = () => Promise.resolve();

/** Everyone waits for bytes. */
async function allQuiet() {
  await settle();
  await settle();
}
