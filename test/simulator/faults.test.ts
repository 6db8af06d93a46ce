/** Faults, as a client with the simulator's `fetch` sees them. As real sockets show them: `faults-server.test.ts`. */
import {
  createAgentApiSimulator,
  type AgentApiFault,
  type AgentApiResponse,
  type AgentApiSimulator,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { ask, call, eventsIn, post, stream, type Event } from './helpers.js';

const level = { effort: 'medium', input: 'How?' };
const background = { ...level, background: true };

const simulate = (...faults: AgentApiFault[]) => createAgentApiSimulator({ seed: 1, faults });
const poll = (simulator: AgentApiSimulator, id: string) => call(simulator, `/v1/agent/${id}`);
const cancel = (simulator: AgentApiSimulator, id: string) =>
  call(simulator, `/v1/agent/${id}/cancel`, { method: 'POST', body: {} });
const reconnect = (simulator: AgentApiSimulator, id: string, startingAfter: number) =>
  call(simulator, `/v1/agent/${id}?stream=true&starting_after=${startingAfter}`);
const numbers = (events: Event[]) => events.map((event) => event.sequence_number);
const idIn = (simulator: AgentApiSimulator) => simulator.runs[0]?.id ?? '';

/** What of a body came before it broke, and how it ended; `silence` when it did not. */
async function received(response: Response): Promise<{ text: string; end: unknown }> {
  const reader = response.body?.getReader();
  const decoder = new TextDecoder();
  let text = '';
  try {
    for (;;) {
      const part = await Promise.race([reader?.read(), new Promise<undefined>((resolve) => setTimeout(resolve, 30))]);
      if (part === undefined) return { text, end: 'silence' };
      if (part.done) return { text, end: 'end' };
      text += decoder.decode(part.value);
    }
  } catch (error) {
    return { text, end: error };
  } finally {
    await reader?.cancel().catch(() => {});
  }
}

let body = '';
let whole: Event[] = [];
const blocks = (from: number, to: number) =>
  body
    .split('\n\n')
    .slice(from, to)
    .map((block) => `${block}\n\n`)
    .join('');

beforeAll(async () => {
  body = await (await post(simulate(), { ...level, stream: true })).text();
  whole = eventsIn(body);
});
afterEach(() => {
  vi.useRealTimers();
});

describe.each([
  ['reset', new TypeError('terminated')],
  ['close', 'end'],
  ['stall', 'silence'],
] as const)('%s', (fault, end) => {
  it('leaves nothing but the headers', async () => {
    const response = await post(simulate({ on: 'stream', fault }), { ...level, stream: true });
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'text/event-stream']);
    expect(await received(response)).toEqual({ text: '', end });
  });

  it('comes after so many events, with half of the next one, or after so many bytes', async () => {
    const simulator = (cut: object) => simulate({ on: 'create', fault, ...cut });
    const cut = async (where: object) => received(await post(simulator(where), { ...level, stream: true }));
    expect(await cut({ afterEvents: 4 })).toEqual({ text: blocks(0, 4), end });
    const fifth = blocks(4, 5);
    const half = fifth.slice(0, Math.floor(fifth.length / 2));
    expect(await cut({ afterEvents: 4, halfEvent: true })).toEqual({ text: blocks(0, 4) + half, end });
    expect(await cut({ afterBytes: 1000 })).toEqual({ text: body.slice(0, 1000), end });
    expect(await cut({ afterEvents: 1000, halfEvent: true })).toEqual({ text: body, end });
  });

  it('hits a reconnect, a poll, a cancel and a JSON answer, while the run goes on', async () => {
    const simulator = simulate(
      { on: 'reconnect', fault, afterEvents: 2 },
      { on: 'poll', fault, afterBytes: 10 },
      { on: 'cancel', fault, afterEvents: 1 },
      { on: 'create', fault, halfEvent: true, skip: 1 },
    );
    const { id } = await ask(simulator, background);
    expect(await received(await reconnect(simulator, id, 1))).toEqual({ text: expect.any(String), end });
    expect(await received(await poll(simulator, id))).toEqual({ text: '{"backgrou', end });
    const accepted = JSON.stringify({ response_id: id, status: 'cancelling' });
    expect(await received(await cancel(simulator, id))).toEqual({ text: accepted, end });
    expect(simulator.runs[0]).toMatchObject({ status: 'cancelled', streams: 1, polls: 1, cancelRequests: 1 });
    const { text } = await received(await post(simulator, level));
    const run = await (await poll(simulator, simulator.runs[1]?.id ?? '')).text();
    expect(text.length).toBe(Math.floor(run.length / 2));
  });

  it('leaves a foreground run as a client that goes away does', async () => {
    const simulator = simulate({ on: 'stream', fault, afterEvents: 4 });
    await received(await post(simulator, { ...level, stream: true }));
    expect(simulator.runs[0]?.status).toBe('in_progress');
    expect(simulator.requests[0]?.aborted).toBe(fault === 'stall');
    expect((await cancel(simulator, idIn(simulator))).status).toBe(200);
  });
});

describe('duplicate', () => {
  it('begins a reconnect so many events before its cursor', async () => {
    const simulator = simulate({ on: 'reconnect', fault: 'duplicate', events: 2 });
    await stream(simulator, background);
    const from = async (cursor: number) =>
      numbers(eventsIn(await (await reconnect(simulator, idIn(simulator), cursor)).text()));
    expect((await from(5)).slice(0, 5)).toEqual([4, 5, 6, 7, 8]);
    expect((await from(5)).slice(0, 3)).toEqual([6, 7, 8]);
    simulator.inject({ on: 'stream', fault: 'duplicate', events: 9 });
    expect((await from(1)).slice(0, 4)).toEqual([0, 1, 3, 4]);
  });

  it('sends each of the first events of a create twice', async () => {
    const simulator = simulate({ on: 'create', fault: 'duplicate', events: 3 });
    const events = await stream(simulator, level);
    expect(numbers(events).slice(0, 8)).toEqual([0, 0, 1, 1, 3, 3, 4, 5]);
    expect(events).toHaveLength(whole.length + 3);
    expect(simulator.runs[0]?.status).toBe('completed');
  });

  it('may repeat even the last event', async () => {
    const events = await stream(simulate({ on: 'create', fault: 'duplicate', events: 1000 }), level);
    expect(events).toEqual(whole.flatMap((event) => [event, event]));
  });
});

describe('repeat-results', () => {
  const repeated = (output: { type: string }[]) => output.map(({ type }) => type);
  const types = ['search_results', 'message', 'search_results'];

  it('repeats the first native result in a poll, a JSON answer and a terminal event', async () => {
    const simulator = simulate(
      { on: 'poll', fault: 'repeat-results' },
      { on: 'create', fault: 'repeat-results', skip: 1 },
    );
    const { id } = await ask(simulator, level);
    const polled = (await (await poll(simulator, id)).json()) as AgentApiResponse;
    expect(repeated(polled.output)).toEqual(types);
    expect(polled.output[2]).toEqual(polled.output[0]);
    expect(repeated((await ask(simulator, level)).output)).toEqual(types);
    simulator.inject({ on: 'stream', fault: 'repeat-results' });
    const events = await stream(simulator, level);
    expect(repeated(events.at(-1)?.response?.output ?? [])).toEqual(types);
    expect(events[0]?.response?.output).toEqual([]);
    expect(events.slice(0, -1).map(({ type }) => type)).toEqual(whole.slice(0, -1).map(({ type }) => type));
  });

  it('leaves alone what has no native result', async () => {
    const simulator = createAgentApiSimulator({
      scenario: 'plain',
      faults: [{ on: 'create', fault: 'repeat-results' }],
    });
    expect(repeated((await ask(simulator, level)).output)).toEqual(['message']);
    simulator.inject({ on: 'stream', fault: 'repeat-results' });
    simulator.use({ events: [{ type: 'response.completed' }, 'data: [DONE]\n\n'] });
    expect(await (await post(simulator, { ...level, stream: true })).text()).toBe(
      'data: {"type":"response.completed"}\n\ndata: [DONE]\n\n',
    );
  });
});

describe('status', () => {
  it.each([
    [400, 'invalid_request'],
    [401, 'invalid_api_key'],
    [403, 'forbidden'],
    [404, 'not_found'],
    [408, 'request_timeout'],
    [409, 'conflict'],
    [429, 'request_rate_limit_exceeded'],
    [500, 'internal_error'],
    [502, 'bad_gateway'],
    [503, 'internal_error'],
    [504, 'gateway_timeout'],
  ] as const)('%i is answered in place of a create, which begins no run', async (status, type) => {
    const simulator = simulate({ on: 'create', fault: 'status', status });
    const response = await post(simulator, level);
    expect(response.status).toBe(status);
    expect(await response.json()).toEqual({ error: { message: expect.any(String), type, code: status } });
    expect(response.headers.get('retry-after')).toBeNull();
    expect(simulator.runs).toEqual([]);
    expect(simulator.requests[0]).toMatchObject({ status, responseId: undefined });
    expect((await post(simulator, level)).status).toBe(200);
  });

  it('says when to come back', async () => {
    vi.useFakeTimers({ now: 1_800_000_000_000 });
    const simulator = simulate(
      { on: 'create', fault: 'status', status: 429, resetIn: 7, retryAfter: 3 },
      { on: 'create', fault: 'status', status: 429 },
      { on: 'create', fault: 'status', status: 503, resetIn: 9 },
    );
    const headers = async () => {
      const response = await post(simulator, level);
      return ['x-ratelimit-reset', 'x-ratelimit-remaining', 'retry-after'].map((name) => response.headers.get(name));
    };
    expect(await headers()).toEqual(['1800000007', '0', '3']);
    expect(await headers()).toEqual(['1800000001', '0', null]);
    expect(await headers()).toEqual(['1800000009', '49', null]);
  });

  it('may be a page of the edge', async () => {
    const response = await post(simulate({ on: 'create', fault: 'status', status: 502, html: true }), level);
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await response.text()).toContain('<title>502 bad gateway</title>');
  });

  it('keeps polls, reconnects and cancels from the run', async () => {
    const simulator = simulate(
      { on: 'poll', fault: 'status', status: 500, times: 2 },
      { on: 'reconnect', fault: 'status', status: 400 },
      { on: 'cancel', fault: 'status', status: 503 },
    );
    const { id } = await ask(simulator, background);
    const answers = [];
    for (let count = 0; count < 3; count += 1) answers.push((await poll(simulator, id)).status);
    answers.push((await reconnect(simulator, id, 0)).status, (await cancel(simulator, id)).status);
    expect(answers).toEqual([500, 500, 200, 400, 503]);
    expect(simulator.runs[0]).toMatchObject({ status: 'in_progress', polls: 1, streams: 0, cancelRequests: 0 });
  });
});

describe('refuse', () => {
  it('fails like a connection that breaks before any header', async () => {
    const simulator = simulate({ on: 'create', fault: 'refuse' }, { on: 'poll', fault: 'refuse' });
    const error = await post(simulator, level).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TypeError);
    expect(error).toMatchObject({ message: 'fetch failed', cause: { code: 'ECONNRESET' } });
    expect((error as Error).cause).toBeInstanceOf(Error);
    expect([simulator.runs, simulator.requests[0]?.status]).toEqual([[], undefined]);
    const { id } = await ask(simulator, level);
    await expect(poll(simulator, id)).rejects.toThrow('fetch failed');
    expect((await poll(simulator, id)).status).toBe(200);
  });
});

describe('unknown-status', () => {
  it('is said by a poll, with the output so far', async () => {
    const simulator = simulate({ on: 'poll', fault: 'unknown-status', status: 'requires_action' });
    const { id } = await ask(simulator, background);
    const states = [];
    for (let count = 0; count < 2; count += 1) states.push(await (await poll(simulator, id)).json());
    expect(states).toMatchObject([
      { status: 'requires_action', output: [{ type: 'search_results' }], usage: null },
      { status: 'completed' },
    ]);
  });
});

describe('error-event', () => {
  it('ends a stream with a bare error, while the run goes on', async () => {
    const simulator = simulate(
      { on: 'create', fault: 'error-event', afterEvents: 4 },
      { on: 'reconnect', fault: 'error-event' },
    );
    const response = await post(simulator, { ...background, stream: true });
    const events = eventsIn(await response.text());
    expect(events.slice(0, 4)).toMatchObject(whole.slice(0, 4).map(({ type }) => ({ type })));
    expect(events.slice(4)).toEqual([{ type: 'error', sequence_number: 5, message: 'stream broke' }]);
    const id = idIn(simulator);
    expect(eventsIn(await (await reconnect(simulator, id, 6)).text())).toEqual([
      { type: 'error', sequence_number: 7, message: 'stream broke' },
    ]);
    const rest = eventsIn(await (await reconnect(simulator, id, 4)).text());
    expect(numbers(rest)).toEqual(numbers(whole).slice(4));
    expect(await (await poll(simulator, id)).json()).toMatchObject({ status: 'completed' });
  });

  it('may be all that a stream says', async () => {
    const events = await stream(simulate({ on: 'stream', fault: 'error-event' }), level);
    expect(events).toEqual([{ type: 'error', sequence_number: 0, message: 'stream broke' }]);
  });
});

describe('keep-alive', () => {
  it('fills the silence between two events with comments', async () => {
    vi.useFakeTimers();
    const simulator = createAgentApiSimulator({
      eventDelay: 100,
      background: { queueTime: 50 },
      faults: [{ on: 'stream', fault: 'keep-alive', every: 40, times: 2 }],
    });
    const comment = ': keep-alive\n\n';
    const reading = async (request: object) => {
      const parts: string[] = [];
      const response = await post(simulator, { ...level, ...request, stream: true });
      void (async () => {
        for await (const chunk of response.body ?? []) parts.push(new TextDecoder().decode(chunk));
      })();
      await vi.advanceTimersByTimeAsync(260);
      return parts.map((part) => (part.startsWith('data:') ? eventsIn(part)[0]?.type : part));
    };
    // Foreground: events at 100 and 200. Background: at 150 and 250.
    expect(await reading({})).toEqual([
      comment,
      comment,
      'response.created',
      comment,
      comment,
      'response.in_progress',
      comment,
    ]);
    expect(await reading({ background: true })).toEqual([
      comment,
      comment,
      comment,
      'response.created',
      comment,
      comment,
      'response.in_progress',
    ]);
    expect(await reading({})).toEqual(['response.created', 'response.in_progress']);
  });

  it('says nothing where nothing waits', async () => {
    const simulator = simulate({ on: 'stream', fault: 'keep-alive', every: 1 });
    expect(await (await post(simulator, { ...level, stream: true })).text()).toBe(body);
  });
});

describe('which request', () => {
  it('meets the faults of its kind one after the other, and lets skipped ones pass', async () => {
    const simulator = simulate(
      { on: 'poll', fault: 'status', status: 500, skip: 1, times: 2 },
      { on: 'cancel', fault: 'status', status: 408 },
      { on: 'poll', fault: 'status', status: 404, skip: 1 },
    );
    const { id } = await ask(simulator, level);
    const statuses = [];
    for (let count = 0; count < 6; count += 1) statuses.push((await poll(simulator, id)).status);
    statuses.push((await cancel(simulator, id)).status);
    expect(statuses).toEqual([200, 500, 500, 200, 404, 200, 408]);
  });

  it('may be every one', async () => {
    const simulator = simulate({ on: 'create', fault: 'status', status: 503, times: Infinity });
    const statuses = [];
    for (let count = 0; count < 30; count += 1) statuses.push((await post(simulator, level)).status);
    expect(new Set(statuses)).toEqual(new Set([503]));
  });

  it('is a stream only when it asks for one', async () => {
    const simulator = simulate(
      { on: 'stream', fault: 'close' },
      { on: 'create', fault: 'keep-alive', every: 1 },
      { on: 'create', fault: 'status', status: 409 },
    );
    expect((await post(simulator, level)).status).toBe(409);
    expect(await (await post(simulator, { ...level, stream: true })).text()).toBe('');
    expect(await stream(simulator, level)).toHaveLength(whole.length);
  });

  it('does not use up a fault when it is refused anyway', async () => {
    const simulator = createAgentApiSimulator({
      background: { replayWindow: 1 },
      faults: [
        { on: 'create', fault: 'status', status: 500 },
        { on: 'poll', fault: 'close' },
        { on: 'reconnect', fault: 'close' },
      ],
    });
    expect((await call(simulator, '/v1/agent', { method: 'POST', body: level, key: '' })).status).toBe(401);
    expect((await post(simulator, { ...level, seed: 1 })).status).toBe(400);
    expect((await post(simulator, level)).status).toBe(500);
    const lastButOne = (await stream(simulator, background)).at(-2)?.sequence_number ?? 0;
    const id = idIn(simulator);
    expect((await poll(simulator, 'resp_0')).status).toBe(400);
    expect((await reconnect(simulator, id, 0)).status).toBe(400);
    expect(await (await poll(simulator, id)).text()).toBe('');
    expect(await (await reconnect(simulator, id, lastButOne)).text()).toBe('');
    expect(eventsIn(await (await reconnect(simulator, id, lastButOne)).text())).toHaveLength(1);
  });

  it('meets faults that are added later, until a reset brings back the first ones', async () => {
    const simulator = simulate({ on: 'create', fault: 'status', status: 500 });
    simulator.inject({ on: 'create', fault: 'status', status: 503 }, { on: 'create', fault: 'status', status: 404 });
    const statuses = async (count: number) => {
      const seen = [];
      for (let index = 0; index < count; index += 1) seen.push((await post(simulator, level)).status);
      return seen;
    };
    expect(await statuses(2)).toEqual([500, 503]);
    simulator.reset();
    expect(await statuses(3)).toEqual([500, 200, 200]);
  });
});

describe('what does not exist', () => {
  it.each([
    [{ background: { queuetime: 3 } }, "'queuetime' is no option of background runs. Known: queueTime, replayWindow,"],
    [{ background: { replayWindow: -1 } }, "'replayWindow' must be a number of 0 or more."],
    [{ fault: [] }, "'fault' is no option of the simulator. Known: scenario, apiKey,"],
    [{ faults: [{ on: 'poll', fault: 'rest' }] }, "'rest' is no fault. Known: reset, close, stall, duplicate,"],
    [
      { faults: [{ on: 'polls', fault: 'reset' }] },
      "'polls' is no request that the fault 'reset' can wait for. Known: create, stream,",
    ],
    [
      { faults: [{ on: 'poll', fault: 'keep-alive', every: 1 }] },
      "'poll' is no request that the fault 'keep-alive' can wait for. Known: create, stream, reconnect.",
    ],
    [
      { faults: [{ on: 'create', fault: 'unknown-status', status: 'x' }] },
      "'create' is no request that the fault 'unknown-status' can wait for. Known: poll.",
    ],
    [
      { faults: [{ on: 'poll', fault: 'reset', afterEvent: 1 }] },
      "'afterEvent' is no field of the fault 'reset'. Known: on, times, skip, fault, afterEvents,",
    ],
    [{ faults: [{ on: 'poll', fault: 'status' }] }, "The fault 'status' needs 'status'."],
    [{ faults: [{ on: 'poll', fault: 'status', status: 418 }] }, "'418' is no status of a fault. Known: 400, 401,"],
    [{ faults: [{ on: 'poll', fault: 'reset', times: '2' }] }, "'times' must be a number of 0 or more."],
    [{ faults: [{ on: 'stream', fault: 'keep-alive', every: 0 }] }, "'every' must be above 0."],
  ])('is refused: %j', (options, text) => {
    expect(() => createAgentApiSimulator(options as never)).toThrow(TypeError);
    expect(() => createAgentApiSimulator(options as never)).toThrow(text);
  });

  it('is refused later on too, before any of it counts', async () => {
    const simulator = simulate();
    const faults = [{ on: 'create', fault: 'refuse' }, { on: 'create' }] as never as AgentApiFault[];
    expect(() => simulator.inject(...faults)).toThrow("'undefined' is no fault.");
    expect((await post(simulator, level)).status).toBe(200);
  });
});
