/** Runs in the background that are polled, many at once, and replies that take long to begin. */
import { APICallError, type LanguageModelV2CallOptions } from '@ai-sdk/provider';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import {
  createAgentApiSimulator,
  type AgentApiFault,
  type AgentApiScenario,
  type AgentApiSimulatorOptions,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  asJson,
  asked,
  background,
  host,
  outcomeOf,
  randomFrom,
  read,
  settled,
  structured,
  type Served,
} from '../support/background.js';
import { completed, created, message } from '../support/wire.js';
import { API_KEY, functionTool, generate, mcpTool, prompt, rejectionOf, type CallOptions } from '../support/model.js';

const answer = { name: 'plain', text: 'Seven words are more than enough here.' } as const;

/** A simulator without a socket, and when it was asked. */
function world(options: AgentApiSimulatorOptions = {}) {
  const simulator = createAgentApiSimulator({ seed: 7, scenario: answer, ...options });
  const times: number[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    times.push(Date.now());
    return simulator.fetch(input, init);
  };
  const provider = createPerplexityAgent({ apiKey: API_KEY, fetch, generateId: () => 'generated' });
  const gaps = () => times.slice(1).map((time, index) => time - (times[index] ?? 0));
  return { simulator, provider, gaps };
}

const still = (status: string, times = Infinity): AgentApiFault => ({
  on: 'poll',
  fault: 'unknown-status',
  status,
  times,
});

describe('a run that is polled', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    const left = vi.getTimerCount();
    vi.useRealTimers();
    if (left > 0) throw new Error(`${left} timers are left`);
  });

  it('is submitted without a stream and asked for in growing intervals up to 10 s', async () => {
    const { simulator, provider, gaps } = world({ background: { queueTime: 120_000 } });
    const { content } = await settled(generate(provider('low'), background()));
    expect(content).toMatchObject([{ type: 'text', text: answer.text }]);
    expect(simulator.requests[0]?.body).toMatchObject({ background: true });
    expect(simulator.requests[0]?.body).not.toHaveProperty('stream');
    expect(
      asked(simulator)
        .slice(1)
        .every((request) => request === 'GET 200'),
    ).toBe(true);
    expect(simulator.runs).toMatchObject([{ streams: 0, polls: gaps().length, cancelRequests: 0 }]);
    const planned = [1000, 1500, 2250, 3375, 5062, 7593, 10_000, 10_000, 10_000];
    planned.forEach((most, index) => {
      expect(gaps()[index]).toBeGreaterThanOrEqual(most * 0.75 - 1);
      expect(gaps()[index]).toBeLessThanOrEqual(most + 1);
    });
    // With jitter: no two clients come back in step.
    const late = gaps().slice(6);
    expect(new Set(late).size).toBeGreaterThan(1);
    expect(Math.max(...late)).toBeLessThanOrEqual(10_001);
  });

  it('is asked from pollInterval on', async () => {
    const { provider, gaps } = world({ background: { queueTime: 20_000 } });
    await settled(generate(provider('low'), background({ background: { pollInterval: 200 } })));
    expect(gaps()[0]).toBeGreaterThanOrEqual(150);
    expect(gaps()[0]).toBeLessThanOrEqual(201);
    const slow = world({ background: { queueTime: 20_000 } });
    await settled(generate(slow.provider('low'), background({ background: { pollInterval: 15_000 } })));
    expect(slow.gaps()).toHaveLength(2);
    for (const gap of slow.gaps()) expect(gap).toBeGreaterThanOrEqual(11_250);
  });

  it('is left alone until the window of requests begins anew', async () => {
    const spent = world({ background: { queueTime: 3000 } });
    const { fetch } = spent.simulator;
    const limited: typeof fetch = async (input, init) => {
      const reply = await fetch(input, init);
      if (init?.method !== 'GET' || spent.simulator.requests.length !== 2) return reply;
      const reset = String(Math.floor(Date.now() / 1000) + 40);
      const headers = {
        ...Object.fromEntries(reply.headers),
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': reset,
      };
      return new Response(reply.body, { headers });
    };
    const times: number[] = [];
    const provider = createPerplexityAgent({
      apiKey: API_KEY,
      fetch: (input, init) => {
        times.push(Date.now());
        return limited(input, init);
      },
    });
    await settled(generate(provider('low'), background()));
    expect(times).toHaveLength(3);
    expect((times[2] ?? 0) - (times[1] ?? 0)).toBeGreaterThan(38_900);
  });

  it('survives polls that fail: 500, 429 with a reset, a refused connection, an edge, a body that breaks off', async () => {
    const { simulator, provider, gaps } = world({
      faults: [
        { on: 'poll', fault: 'status', status: 500, times: 2 },
        { on: 'poll', fault: 'status', status: 429, resetIn: 30 },
        { on: 'poll', fault: 'refuse' },
        { on: 'poll', fault: 'status', status: 503, html: true },
        { on: 'poll', fault: 'reset', afterBytes: 100 },
        { on: 'poll', fault: 'status', status: 404, times: 0 },
      ],
    });
    const { content } = await settled(generate(provider('low'), background()));
    expect(content).toMatchObject([{ type: 'text', text: answer.text }]);
    const statuses = ['POST 200', 'GET 500', 'GET 500', 'GET 429', 'GET undefined', 'GET 503', 'GET 200', 'GET 200'];
    expect(asked(simulator).slice(0, 8)).toEqual(statuses);
    expect(gaps()[3]).toBeGreaterThan(28_900);
    expect(gaps()[3]).toBeLessThanOrEqual(30_000);
  });

  it('is looked for again, once, where it was just created', async () => {
    const { simulator, provider } = world({ faults: [{ on: 'poll', fault: 'status', status: 404 }] });
    await settled(generate(provider('low'), background()));
    expect(asked(simulator)).toEqual(['POST 200', 'GET 404', 'GET 200', 'GET 200']);
    const gone = world({ faults: [{ on: 'poll', fault: 'status', status: 404, times: 9 }] });
    const error = await settled(rejectionOf(generate(gone.provider('low'), background())));
    expect(asked(gone.simulator)).toEqual(['POST 200', 'GET 404', 'GET 404']);
    expect(error).toMatchObject({ isRetryable: false, data: { responseId: gone.simulator.runs[0]?.id } });
  });

  it.each(['queued', 'in_progress', 'pondering'])(
    'with the status %s is no success, and times out clearly',
    async (status) => {
      const { simulator, provider } = world({ faults: [still(status)] });
      const options = background({ background: { timeout: 60_000 } });
      const began = Date.now();
      const error = await settled(rejectionOf(generate(provider('low'), options)));
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error.message).toMatch(/did not end within 60000 ms \(providerOptions\.perplexity\.background\.timeout\)/);
      expect(error.message).toContain(`Its last status was "${status}".`);
      const { id } = simulator.runs[0] ?? {};
      expect(error.message).toContain(`resume('${id}')`);
      expect(error).toMatchObject({ isRetryable: false, data: { responseId: id, status } });
      expect(Date.now() - began).toBeGreaterThanOrEqual(60_000);
      expect(Date.now() - began).toBeLessThan(62_000);
      expect(simulator.runs[0]).toMatchObject({ cancelRequests: 0 });
    },
  );

  it('with a status of tomorrow goes on until it ends', async () => {
    const { simulator, provider } = world({ faults: [still('pondering', 5)] });
    const { content, finishReason } = await settled(generate(provider('low'), background()));
    expect([content[0], finishReason]).toMatchObject([{ text: answer.text }, 'stop']);
    expect(simulator.runs[0]?.polls).toBe(6);
  });

  it('whose poll is never answered times out as well', async () => {
    const { simulator } = world();
    const fetch: typeof globalThis.fetch = (input, init) =>
      init?.method === 'GET'
        ? new Promise((_, reject) => init.signal?.addEventListener('abort', () => reject(init.signal?.reason)))
        : simulator.fetch(input, init);
    const provider = createPerplexityAgent({ apiKey: API_KEY, fetch });
    const options = background({ background: { timeout: 30_000 } });
    const error = await settled(rejectionOf(generate(provider('low'), options)));
    expect(error.message).toMatch(/did not end within 30000 ms .*Its last status was "queued"/);
  });

  it('gives up after maxReconnects failures in a row, with the way back', async () => {
    const { simulator, provider } = world({ faults: [{ on: 'poll', fault: 'status', status: 500, times: Infinity }] });
    const error = await settled(rejectionOf(generate(provider('low'), background({ maxReconnects: 2 }))));
    expect(asked(simulator)).toEqual(['POST 200', 'GET 500', 'GET 500', 'GET 500']);
    expect(error.message).toMatch(/could not be reached.*2 reconnects in a row.*perplexity\.maxReconnects/);
    expect(error.message).toContain(`resume('${simulator.runs[0]?.id}')`);
    expect(error).toMatchObject({ isRetryable: false, data: { responseId: simulator.runs[0]?.id } });
  });

  it.each([true, false])('is aborted at once between two polls, with cancelOnAbort: %s', async (cancelOnAbort) => {
    const { simulator, provider } = world({ background: { queueTime: 60_000 } });
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const call = { ...background({ cancelOnAbort }), abortSignal: controller.signal };
    const pending = rejectionOf(generate(provider('low'), call));
    await vi.advanceTimersByTimeAsync(4000);
    const before = simulator.requests.length;
    controller.abort(new Error('enough'));
    expect((await pending).message).toBe('enough');
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(simulator.requests.slice(before).map(({ path }) => path.split('/').at(-1))).toEqual(
      cancelOnAbort ? ['cancel'] : [],
    );
    expect(simulator.runs[0]?.cancelRequests).toBe(cancelOnAbort ? 1 : 0);
    expect(removed.mock.calls.length).toBeGreaterThanOrEqual(added.mock.calls.length);
  });

  it('cannot be had with store: false, and nothing is sent', async () => {
    const { simulator, provider } = world();
    for (const call of [generate, read]) {
      const error = await rejectionOf(call(provider('low'), background({ store: false })));
      expect(error.name).toBe('AI_InvalidArgumentError');
      expect(error.message).toMatch(/store/);
    }
    expect(simulator.requests).toEqual([]);
  });
});

const tool = functionTool('weather');
const scenarios: Array<[string, AgentApiScenario, CallOptions]> = [
  ['a search', 'search', {}],
  ['searches in parallel', 'parallel-searches', {}],
  ['a plain answer', 'plain', {}],
  ['a client tool', 'tool-call', { tools: [tool] }],
  ['a client tool after a search', { name: 'tool-call', searchFirst: true }, { tools: [tool] }],
  ['structured output', 'structured', structured],
  ['a declared MCP server', 'mcp', { tools: [mcpTool('harbour', 'harbour')] }],
  ['a run that was cut short', 'incomplete', {}],
  ['a run that was cut short early', { name: 'incomplete', empty: true }, {}],
  ['a failure', 'failed', {}],
  ['an early failure', 'failed-early', {}],
  ['a cancelled run', 'cancelled', {}],
  ['unknown items', 'unknown-events', {}],
];

/** What differs between two runs of the same content, and the echo of how the answer was to travel. */
const PASSING = new Set(['background', 'stream', 'created_at', 'completed_at', 'timestamp', 'headers']);
/** Told by the events of a stream alone, which a level has inside: progress, and where the stream stood. */
const STREAMED = new Set(['lastSequenceNumber']);
const lasting = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value, (key, entry: unknown) => {
      if (PASSING.has(key) || STREAMED.has(key)) return undefined;
      return key === 'content' && Array.isArray(entry) ? entry.filter(({ type }) => type !== 'reasoning') : entry;
    }),
  );

/** A result or an error, as far as it says something of the run. */
async function ending(call: Promise<unknown>) {
  const value = await call.catch((error: unknown) => error);
  if (!(value instanceof Error)) return { result: lasting(value) };
  const { message, data, isRetryable, statusCode, responseBody } = value as APICallError;
  return lasting({ message, data, isRetryable, statusCode, body: JSON.parse(responseBody ?? 'null') as unknown });
}

describe('a run in the background', () => {
  it.concurrent.each(scenarios)('comes to what it does in the foreground: %s', async (_name, scenario, options) => {
    for (const modelId of ['low', 'openai/gpt-6-luna']) {
      const first = world({ scenario });
      const foreground = await ending(generate(first.provider(modelId), options));
      for (const settings of [{}, { eventDelay: 1, background: { queueTime: 3 } }]) {
        const { provider, simulator } = world({ scenario, ...settings });
        const patience = background({ background: { pollInterval: 1 } });
        const polled = await ending(generate(provider(modelId), { ...options, ...patience }));
        expect(polled).toEqual(foreground);
        expect(simulator.requests.length).toBeGreaterThanOrEqual(2);
      }
    }
  });

  it('shows no secret of an MCP server in errors of polls', async () => {
    const token = 'mcp-secret-token-0123456789';
    const server = mcpTool('harbour', 'harbour');
    const tools = [{ ...server, args: { ...server.args, authorization: token, headers: { 'x-key': `k-${token}` } } }];
    const { simulator } = world({ scenario: 'mcp' });
    const replies = [
      () =>
        new Response(JSON.stringify({ error: { message: `bad token ${token}`, type: token, code: 401 } }), {
          status: 401,
        }),
      () =>
        new Response(`{"status":"failed","error":{"message":"${token}"},"output":[]}`, {
          headers: { 'content-type': 'application/json' },
        }),
      () => new Response(`<html>${token}</html>`, { headers: { 'x-echo': token } }),
      () => Promise.reject(new TypeError(`fetch failed for ${token}`)),
    ];
    for (const reply of replies) {
      const fetch: typeof globalThis.fetch = async (input, init) =>
        init?.method === 'GET' ? reply() : simulator.fetch(input, init);
      const provider = createPerplexityAgent({ apiKey: API_KEY, fetch });
      const call = { tools, ...background({ background: { pollInterval: 1 }, maxReconnects: 0 }) };
      const error = await rejectionOf(generate(provider('low'), call));
      expect(APICallError.isInstance(error)).toBe(true);
      const shown = [JSON.stringify(asJson(error)), JSON.stringify(error), String(error.cause), error.message];
      for (const text of shown) {
        expect(text).not.toContain(token);
        expect(text).not.toContain(API_KEY);
      }
    }
  });
});

describe('on real sockets', () => {
  it('a hundred runs at once all finish, and leave no timer, socket or listener', async () => {
    const before = active();
    const own = await host();
    const random = randomFrom(4);
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const abortSignal = controller.signal;
    const texts = await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        const text = `Run ${index} says ${'so '.repeat(5 + (index % 7))}and ends.`;
        const isStream = index % 2 === 0;
        const faults = Array.from({ length: isStream ? 3 : 0 }, (): AgentApiFault => {
          const fault = random() < 0.5 ? 'reset' : 'close';
          return { on: 'stream', fault, afterEvents: Math.floor(random() * 9), halfEvent: random() < 0.5 };
        });
        const { provider } = own.serve({ scenario: { name: 'plain', text }, eventDelay: 1 + (index % 3), faults });
        const call = { ...background({ background: { pollInterval: 5 } }), abortSignal };
        const told = isStream ? await streamed(provider('low'), call) : await polled(provider('low'), call);
        return told === text;
      }),
    );
    expect(texts).toEqual(texts.map(() => true));
    expect(listenersLeft(added, removed)).toBe(0);
    await own.close();
    for (let tries = 0; tries < 100 && moreThan(before).length > 0; tries++) await passed(20);
    expect(moreThan(before)).toEqual([]);
  });

  it('a reply that begins late dies of the header timeout, and lives where it streams inside', async () => {
    const simulator = createAgentApiSimulator({
      scenario: { events: [created(), completed([message(answer.text)])] },
      eventDelay: 1100,
      faults: [{ on: 'create', fault: 'keep-alive', every: 100 }],
    });
    const slow: typeof fetch = async (input, init) => {
      const reply = await simulator.fetch(input, init);
      if (reply.ok && reply.headers.get('content-type') === 'application/json') await passed(2000);
      return reply;
    };
    const listening = await listen({ ...simulator, fetch: slow });
    const dispatcher = await impatient(300, listening.url);
    const hasty: typeof fetch = (input, init) => fetch(input, { ...init, dispatcher } as RequestInit);
    const provider = createPerplexityAgent({ apiKey: API_KEY, baseURL: listening.url, fetch: hasty });
    const [plain, level] = await Promise.all([
      rejectionOf(generate(provider('openai/gpt-6-luna'))),
      generate(provider('low')),
    ]);
    expect(plain.message).toMatch(/Headers Timeout/);
    expect(level).toMatchObject({ content: [{ type: 'text', text: answer.text }], finishReason: 'stop' });
    expect(asked(simulator)).toEqual(['GET 401', 'POST 200', 'POST 200']);
    await dispatcher.destroy();
    await listening.close();
  });
});

const passed = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));

type Dispatcher = { destroy(): Promise<void> };

/** What Node's fetch goes through, with a header and body timeout of its own. */
async function impatient(timeout: number, url: string): Promise<Dispatcher> {
  // Its timers tick about once a second. Node sets its own up with the first fetch.
  await (await fetch(`${url}/v1/models`)).text();
  const globals = globalThis as unknown as Record<symbol, { constructor: new (options: object) => Dispatcher }>;
  const Agent = globals[Symbol.for('undici.globalDispatcher.1')]?.constructor;
  if (Agent === undefined) throw new Error('this fetch is not the one of Node');
  return new Agent({ headersTimeout: timeout, bodyTimeout: timeout });
}

type Spy = { mock: { calls: unknown[][] } };

/** Listeners that were added and not removed. */
function listenersLeft(added: Spy, removed: Spy): number {
  const gone = new Set(removed.mock.calls.map(([, listener]) => listener));
  return added.mock.calls.filter(([, listener]) => !gone.has(listener)).length;
}

type Model = ReturnType<Served['provider']>;
type Call = Partial<LanguageModelV2CallOptions>;

async function streamed(model: Model, call: Call) {
  const { texts, errors } = outcomeOf(await read(model, call));
  return errors === 0 ? Object.values(texts as Record<string, string>).join('') : undefined;
}

async function polled(model: Model, call: Call) {
  const { content } = await model.doGenerate({ prompt, ...call });
  return content.map((part) => (part.type === 'text' ? part.text : '')).join('');
}

/** What keeps the process alive and did not before. */
const moreThan = (before: Record<string, number>) =>
  Object.entries(active()).filter(([kind, count]) => count > (before[kind] ?? 0));

/** What keeps the process alive: kind → how many. */
function active(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  return counts;
}
