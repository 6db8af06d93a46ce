/** Faults and lives on real sockets, as the `fetch` of Node sees them. */
import {
  createAgentApiSimulator,
  type AgentApiFault,
  type AgentApiSimulatorOptions,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen, type ListeningSimulator } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '../support/garbage.js';
import { eventsIn, post } from './helpers.js';

const level = { effort: 'medium', input: 'How?' };
const streaming = { ...level, stream: true };
const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' };
const open: ListeningSimulator[] = [];

async function serve(options: AgentApiSimulatorOptions) {
  const simulator = createAgentApiSimulator({ seed: 1, ...options });
  const server = await listen(simulator);
  open.push(server);
  const create = (body: object, signal?: AbortSignal) =>
    fetch(`${server.url}/v1/agent`, { method: 'POST', headers, body: JSON.stringify(body), ...(signal && { signal }) });
  const get = (path: string) => fetch(`${server.url}/v1/agent/${path}`, { headers });
  return { simulator, create, get };
}

/** What of a body came before it broke, and how it ended. */
async function received(response: Response): Promise<{ text: string; end: unknown }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk);
    return { text, end: 'end' };
  } catch (error) {
    return { text, end: `${(error as Error).name}: ${(error as Error).message}` };
  }
}

let body = '';
beforeAll(async () => {
  body = await (await post(createAgentApiSimulator({ seed: 1 }), streaming)).text();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

const lengthOf = (events: number) =>
  body
    .split('\n\n')
    .slice(0, events)
    .join('\n\n')
    .concat(events > 0 ? '\n\n' : '').length;

describe.each([
  ['reset', 'TypeError: terminated'],
  ['close', 'end'],
  ['stall', 'TimeoutError: The operation was aborted due to timeout'],
] as const)('%s', (fault, end) => {
  const signal = () => (fault === 'stall' ? AbortSignal.timeout(100) : undefined);

  it.each([
    ['right after the headers', {}, 0],
    ['after so many events', { afterEvents: 4 }, 4],
    ['after so many bytes', { afterBytes: 700 }, 700],
  ])('%s', async (_name, cut, expected) => {
    const { simulator, create } = await serve({ faults: [{ on: 'stream', fault, ...cut }] });
    const response = await create(streaming, signal());
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    const length = 'afterBytes' in cut ? expected : lengthOf(expected);
    expect(await received(response)).toEqual({ text: body.slice(0, length), end });
    await vi.waitFor(() => expect(simulator.requests[0]?.aborted).toBe(fault === 'stall'));
  });

  it('in the middle of an event', async () => {
    const { create } = await serve({ faults: [{ on: 'create', fault, afterEvents: 4, halfEvent: true }] });
    const half = lengthOf(4) + Math.floor((lengthOf(5) - lengthOf(4)) / 2);
    expect(await received(await create(streaming, signal()))).toEqual({ text: body.slice(0, half), end });
  });
});

describe('an abort after a garbage collection', () => {
  it('a client that hung up was recorded as one that stayed', async () => {
    const { simulator, create } = await serve({ faults: [{ on: 'stream', fault: 'stall', afterEvents: 4 }] });
    const caller = new AbortController();
    const reading = received(await create(streaming, caller.signal));
    await collectGarbage();
    caller.abort(new Error('enough'));
    expect(await reading).toEqual({ text: body.slice(0, lengthOf(4)), end: 'Error: enough' });
    await vi.waitFor(() => expect(simulator.requests[0]?.aborted).toBe(true));
  });

  it.each([
    ['its init', (url: string, signal: AbortSignal) => [url, { method: 'POST', headers, signal }] as const],
    [
      'a Request',
      (url: string, signal: AbortSignal) => [new Request(url, { method: 'POST', headers, signal })] as const,
    ],
  ])('a body did not hear of the signal in %s', async (_where, argumentsOf) => {
    const simulator = createAgentApiSimulator({ faults: [{ on: 'stream', fault: 'stall', afterEvents: 4 }], seed: 1 });
    const caller = new AbortController();
    const [input, init] = argumentsOf('http://simulator/v1/agent', caller.signal);
    const reading = received(await simulator.fetch(input, { ...init, body: JSON.stringify(streaming) }));
    await collectGarbage();
    caller.abort(new Error('enough'));
    expect(await reading).toEqual({ text: body.slice(0, lengthOf(4)), end: 'Error: enough' });
    expect(simulator.requests[0]?.aborted).toBe(true);
  });
});

describe('in place of an answer', () => {
  it('refuse destroys the socket', async () => {
    const { simulator, create } = await serve({ faults: [{ on: 'create', fault: 'refuse' }] });
    const error = await create(level).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
    expect(simulator.runs).toEqual([]);
    expect((await create(level)).status).toBe(200);
  });

  it('429 says in its headers when to come back', async () => {
    const { create } = await serve({
      faults: [{ on: 'create', fault: 'status', status: 429, resetIn: 60, retryAfter: 2 }],
    });
    const response = await create(level);
    const reset = Number(response.headers.get('x-ratelimit-reset')) - Math.floor(Date.now() / 1000);
    expect([response.status, response.headers.get('retry-after')]).toEqual([429, '2']);
    expect([59, 60]).toContain(reset);
    expect(await response.json()).toMatchObject({ error: { type: 'request_rate_limit_exceeded' } });
  });

  it('500 answers a poll once', async () => {
    const fault: AgentApiFault = { on: 'poll', fault: 'status', status: 500 };
    const { create, get } = await serve({ faults: [fault] });
    const { id } = (await (await create(level)).json()) as { id: string };
    expect([(await get(id)).status, (await get(id)).status]).toEqual([500, 200]);
  });
});

describe('in what is sent', () => {
  it('duplicates, comments, repeated results and errors arrive', async () => {
    const { simulator, create, get } = await serve({ background: { queueTime: 60 } });
    simulator.inject({ on: 'create', fault: 'keep-alive', every: 10 });
    const text = await (await create({ ...streaming, background: true })).text();
    expect(text).toMatch(/^(?:: keep-alive\n\n){1,6}data: /u);
    const id = simulator.runs[0]?.id ?? '';
    simulator.inject(
      { on: 'reconnect', fault: 'duplicate', events: 3 },
      { on: 'reconnect', fault: 'repeat-results' },
      { on: 'reconnect', fault: 'error-event', afterEvents: 1 },
    );
    const path = `${id}?stream=true&starting_after=6`;
    const events = [];
    for (let count = 0; count < 3; count += 1) events.push(eventsIn(await (await get(path)).text()));
    expect(events[0]?.slice(0, 4).map(({ sequence_number }) => sequence_number)).toEqual([4, 5, 6, 7]);
    expect(events[1]?.at(-1)?.response?.output).toHaveLength(3);
    expect(events[2]?.map(({ type }) => type)).toEqual(['response.output_item.added', 'error']);
  });
});

describe('a background run', () => {
  it('survives broken connections until it has been read whole', async () => {
    const { simulator, create, get } = await serve({
      eventDelay: 2,
      background: { queueTime: 20 },
      faults: [
        { on: 'stream', fault: 'reset', afterEvents: 5, halfEvent: true },
        { on: 'stream', fault: 'close', afterEvents: 9 },
        { on: 'stream', fault: 'refuse' },
        { on: 'stream', fault: 'reset' },
      ],
    });
    const seen: number[] = [];
    const take = async (response: Response) => {
      const { text } = await received(response);
      const complete = text.slice(0, text.lastIndexOf('\n\n') + 2);
      if (complete.trim() !== '') seen.push(...eventsIn(complete).map((event) => event.sequence_number));
    };
    await take(await create({ ...streaming, background: true }));
    const id = simulator.runs[0]?.id ?? '';
    for (let count = 0; count < 4; count += 1) {
      await get(`${id}?stream=true&starting_after=${seen.at(-1)}`).then(take, () => {});
    }
    expect(seen).toEqual(eventsIn(body).map((event) => event.sequence_number));
    expect(simulator.runs).toEqual([
      { id, background: true, status: 'completed', cancelRequests: 0, streams: 4, polls: 0 },
    ]);
  });
});
