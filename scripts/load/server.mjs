/**
 * The other end of the load: the built simulator on a real socket, in a process of its own. Each call says in its headers
 * what its server is to do (its lane) and which round it belongs to; calls of one lane share one simulator. The ledger of a
 * round is what those simulators themselves have recorded.
 */
import { subscribe } from 'node:diagnostics_channel';
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import { bigEvents } from './big-stream.mjs';
import { answerParent } from './messages.mjs';
import { piecesForBody } from './words.mjs';

/** Round → lane → simulator. */
const rounds = new Map();
const sockets = new Set();
let mostSockets = 0;
const problems = [];
for (const event of ['unhandledRejection', 'uncaughtException']) {
  process.on(event, (error) => problems.push(`${event}: ${error?.stack ?? error}`));
}
process.on('warning', (warning) => problems.push(`warning: ${warning.stack}`));
subscribe('net.server.socket', ({ socket }) => {
  sockets.add(socket);
  mostSockets = Math.max(mostSockets, sockets.size);
  socket.once('close', () => sockets.delete(socket));
});

const SCENARIOS = {
  plain: (body) => ({ name: 'plain', text: piecesForBody(body).join('') }),
  search: () => 'search',
  incomplete: () => 'incomplete',
  failed: () => ({ name: 'failed', usage: true }),
  big: (body) => ({ events: bigEvents(JSON.stringify(body.input)) }),
};

function simulatorFor(round, text) {
  if (!rounds.has(round)) rounds.set(round, new Map());
  const lanes = rounds.get(round);
  if (!lanes.has(text)) {
    const { scenario, eventDelay, faults } = JSON.parse(text);
    lanes.set(text, createAgentApiSimulator({ scenario: SCENARIOS[scenario], eventDelay, faults }));
  }
  return lanes.get(text);
}

/** Only the routing is ours: whatever a request gets, it gets from a simulator. */
async function route(request, init) {
  const lane = request.headers.get('x-load-lane');
  const round = request.headers.get('x-load-round');
  if (lane === null || round === null) return new Response('A request without a lane.', { status: 418 });
  return simulatorFor(round, lane).fetch(request, init);
}

const server = await listen({ fetch: route });
process.once('disconnect', () => void server.close());

function kindOf({ method, path, url }) {
  if (method === 'POST') return path.endsWith('/cancel') ? 'cancel' : 'create';
  return new URL(url).searchParams.get('stream') === 'true' ? 'attach' : 'poll';
}

const told = (request) => `${kindOf(request)} ${request.status ?? 'unanswered'}${request.aborted ? ' aborted' : ''}`;

/** What the simulators of a round have seen of each call, and the runs that no call of the round has asked for. */
function ledgerOf(round) {
  const calls = new Map();
  const runs = new Map();
  for (const simulator of rounds.get(round)?.values() ?? []) {
    for (const request of simulator.requests) {
      const id = request.headers['x-load-id'];
      if (!calls.has(id)) calls.set(id, { requests: [], runs: [] });
      calls.get(id).requests.push(told(request));
      if (kindOf(request) === 'create' && request.responseId !== undefined) runs.set(request.responseId, id);
    }
    for (const run of simulator.runs) calls.get(runs.get(run.id))?.runs.push(run);
  }
  const counted = [...(rounds.get(round)?.values() ?? [])].flatMap((simulator) => simulator.runs);
  return { calls, statuses: countBy(counted, ({ status }) => status) };
}

function countBy(list, keyOf) {
  const counts = {};
  for (const entry of list) counts[keyOf(entry)] = (counts[keyOf(entry)] ?? 0) + 1;
  return counts;
}

/** The final responses of a round's runs, as the simulators tell them: what text, usage and cost are held against. */
async function responsesOf(round) {
  const responses = new Map();
  for (const simulator of rounds.get(round)?.values() ?? []) {
    for (const { id, status } of simulator.runs) {
      if (!['completed', 'incomplete', 'failed'].includes(status)) continue;
      const reply = await simulator.fetch(`${server.url}/v1/agent/${id}`, { headers: { authorization: 'Bearer any' } });
      const { output, usage } = await reply.json();
      const message = output.find(({ type }) => type === 'message');
      responses.set(id, { text: message?.content[0].text ?? '', usage });
    }
  }
  return responses;
}

answerParent({
  origin: () => server.url,
  ledger: ({ round }) => ledgerOf(round),
  responses: ({ round }) => responsesOf(round),
  forget: ({ round }) => void rounds.delete(round),
  sockets: () => ({ open: sockets.size, most: mostSockets }),
  /** What the sockets of unfinished replies have been given so far, what waits in the process included. */
  written: () => [...sockets].map(({ bytesWritten, writableLength }) => ({ bytesWritten, writableLength })),
  problems: () => problems,
});
