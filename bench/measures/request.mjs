/** What it takes to turn a long conversation into the body of a request. */
import { PEERS } from '../lib/adapters.mjs';
import { fetchOf } from '../lib/fake-fetch.mjs';
import { longConversation } from '../lib/long-conversation.mjs';
import { readText } from '../lib/reading.mjs';
import { rowOf } from '../lib/rows.mjs';
import { median } from '../lib/statistics.mjs';
import { callOptions, load } from '../lib/subject.mjs';
import { textOf } from '../lib/wires/text.mjs';
import { chunksOf, wireOf } from '../lib/wires/index.mjs';

export const plans = {
  full: { rounds: 5, warmUps: 150, repetitions: 200 },
  short: { rounds: 2, warmUps: 80, repetitions: 80 },
};

const ROUNDS_OF_TALK = 50;
const DELTAS = 5;

export async function measure({ take, plan, rounds }) {
  const ids = ['ours', 'ours-v4', ...PEERS];
  const samples = await take(
    ids.map((id) => ({ id, ...plan })),
    rounds,
  );
  const ratio = (id) => samples.middle(id, 'ratio');
  const note = `200 messages with 50 tool calls: wall time from the call of \`doStream\` to that of \`fetch\`, against \`JSON.stringify\` of the prompt, taken in turns in one process (${samples.middle('ours', 'stringify').toFixed(0)} µs); medians of ${plan.repetitions} calls and ${rounds} rounds.`;
  const goal = { atMost: 1.5 };
  const rows = [
    rowOf(
      { measure: 'Request side, against JSON.stringify', unit: '×', ours: ratio('ours'), goal, note },
      PEERS,
      ratio,
    ),
    rowOf({ measure: 'the same of `./v4`', unit: '×', ours: ratio('ours-v4'), goal, note }),
  ];
  return { rows, raw: samples.raw };
}

/** @returns {Promise<{ request: number, stringify: number, ratio: number }>} Microseconds. */
export async function sample({ id, warmUps, repetitions }) {
  const { wire, textOf: textOfPart, modelOf } = await load(id);
  const { prompt, input, tools, callIds } = longConversation(ROUNDS_OF_TALK);
  const chunks = [...chunksOf(wireOf(wire), DELTAS, 'event')];
  const answer = fetchOf(() => chunks);
  let fetchedAt;
  let body;
  const model = modelOf((url, init) => {
    fetchedAt = performance.now();
    body = init.body;
    return answer();
  });
  const options = callOptions({ prompt, input, tools, toolChoice: { type: 'auto' } });

  const requests = [];
  const stringifies = [];
  for (let run = 0; run < warmUps + repetitions; run += 1) {
    const calledAt = performance.now();
    const { stream } = await model.doStream(options);
    requests.push((fetchedAt - calledAt) * 1000);
    await readText(stream, textOfPart, textOf(DELTAS));
    const before = performance.now();
    JSON.stringify(prompt);
    stringifies.push((performance.now() - before) * 1000);
  }
  const missing = callIds.filter((callId) => !String(body).includes(`"${callId}"`));
  if (missing.length > 0) throw new Error(`The body of the request lacks ${missing.join(', ')}`);
  const [request, stringify] = [requests, stringifies].map((taken) => median(taken.slice(warmUps)));
  return { request, stringify, ratio: request / stringify };
}
