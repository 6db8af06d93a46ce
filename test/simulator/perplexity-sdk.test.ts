/**
 * Perplexity's own SDK against the simulator: a client that shares no code with this package. It posts to /v1/responses and
 * computes `output_text` itself; its stream is every event as it came.
 */
import Perplexity from '@perplexity-ai/perplexity_ai';
import { createAgentApiSimulator, type AgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen, type ListeningSimulator } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const ANSWER =
  'Lighthouses on this coast have been unmanned since 1998 and are watched from a single control room[1]. The lamps had long been able to run alone: gas lamps with a sun valve did so from 1912[3].';
const simulator: AgentApiSimulator = createAgentApiSimulator();
let server: ListeningSimulator;

beforeAll(async () => {
  server = await listen(simulator);
});
afterAll(() => server.close());
beforeEach(() => simulator.reset());

describe.each(['fetch', 'server'] as const)('@perplexity-ai/perplexity_ai over %s', (way) => {
  const client = () =>
    way === 'fetch'
      ? new Perplexity({ apiKey: 'test-key', fetch: simulator.fetch, maxRetries: 0 })
      : new Perplexity({ apiKey: 'test-key', baseURL: server.url, maxRetries: 0 });

  it('creates', async () => {
    const response = await client().responses.create({ preset: 'fast', input: 'How?' });
    expect(response.output_text).toBe(ANSWER);
    expect(response.model).toBe('openai/gpt-6-luna');
    const search = response.output.find((item) => item.type === 'search_results');
    expect(search?.results?.[2]).toEqual({
      id: 3,
      url: 'https://museum.example.net/timeline',
      title: 'A timeline of the service',
      snippet: 'Acetylene gas and the sun valve let a lamp run unattended as early as 1912.',
      source: 'web',
      last_updated: '2026-05-21',
    });
    expect(simulator.requests[0]).toMatchObject({ path: '/v1/responses', body: { preset: 'fast', input: 'How?' } });
  });

  it('streams', async () => {
    const events = await client().responses.create({ preset: 'fast', input: 'How?', stream: true });
    let text = '';
    const types = new Set<string>();
    for await (const event of events) {
      types.add(event.type);
      if (event.type === 'response.output_text.delta') text += event.delta;
    }
    expect(text).toBe(ANSWER);
    expect([...types]).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning.search_queries',
      'response.reasoning.search_results',
      'response.output_item.done',
      'response.output_text.delta',
      'response.output_text.done',
      'response.completed',
    ]);
  });

  it('retrieves and cancels', async () => {
    const { id } = await client().responses.create({ preset: 'medium', input: 'How?', background: true });
    expect((await client().responses.retrieve(id)).status).toBe('in_progress');
    expect(await client().responses.cancel(id)).toEqual({ response_id: id, status: 'cancelling' });
    await client().responses.retrieve(id);
    expect((await client().responses.retrieve(id)).status).toBe('cancelled');
  });

  it('follows a background run, takes it up after a drop, and cancels it in the middle', async () => {
    type Event = { type: string; sequence_number: number };
    const live = createAgentApiSimulator({
      eventDelay: 8,
      background: { queueTime: 10, cancelPolls: 2 },
      faults: [{ on: 'stream', fault: 'reset', afterEvents: 7 }],
    });
    const liveServer = await listen(live);
    const sdk =
      way === 'fetch'
        ? new Perplexity({ apiKey: 'test-key', fetch: live.fetch, maxRetries: 0 })
        : new Perplexity({ apiKey: 'test-key', baseURL: liveServer.url, maxRetries: 0 });
    const seen: Event[] = [];
    const follow = async (events: AsyncIterable<unknown>) => {
      for await (const event of events) seen.push(event as Event);
    };
    const question = { preset: 'fast', input: 'How?', background: true } as const;
    await expect(follow(await sdk.responses.create({ ...question, stream: true }))).rejects.toThrow('terminated');
    expect(seen.map(({ sequence_number }) => sequence_number)).toEqual([0, 1, 3, 4, 5, 6, 7]);
    const { id = '' } = live.runs[0] ?? {};
    const running = await sdk.responses.retrieve(id);
    expect([running.status, running.output_text, running.output.map(({ type }) => type)]).toEqual([
      'in_progress',
      '',
      ['search_results'],
    ]);
    const query = { stream: true, starting_after: seen.at(-1)?.sequence_number };
    await follow(await sdk.get<AsyncIterable<unknown>>(`/v1/responses/${id}`, { query, stream: true }));
    expect(seen.at(-1)?.type).toBe('response.completed');
    expect(new Set(seen.map(({ sequence_number }) => sequence_number)).size).toBe(seen.length);
    expect((await sdk.responses.retrieve(id)).output_text).toBe(ANSWER);

    const other = await sdk.responses.create(question);
    expect(await sdk.responses.cancel(other.id)).toEqual({ response_id: other.id, status: 'cancelling' });
    const states = [];
    for (let poll = 0; poll < 3; poll += 1) states.push((await sdk.responses.retrieve(other.id)).status);
    expect(states).toEqual(['in_progress', 'in_progress', 'cancelled']);
    await expect(sdk.responses.cancel(other.id)).rejects.toMatchObject({ status: 400 });
    expect(live.runs.map(({ status, streams, cancelRequests }) => [status, streams, cancelRequests])).toEqual([
      ['completed', 2, 0],
      ['cancelled', 0, 1],
    ]);
    await liveServer.close();
  });

  it('tries again by itself after a lost connection, a 500 and a 429', async () => {
    const { id } = await client().responses.create({ preset: 'fast', input: 'How?' });
    simulator.inject(
      { on: 'poll', fault: 'refuse' },
      { on: 'poll', fault: 'status', status: 500, retryAfter: 0 },
      { on: 'poll', fault: 'status', status: 429, retryAfter: 0 },
    );
    const found = await client().withOptions({ maxRetries: 3 }).responses.retrieve(id);
    expect(found.output_text).toBe(ANSWER);
    expect(simulator.requests.map(({ status }) => status)).toEqual([200, undefined, 500, 429, 200]);
  });

  it('calls a client function and gets an answer', async () => {
    const tools = [
      {
        type: 'function' as const,
        name: 'look_up',
        parameters: { type: 'object', properties: { year: { type: 'integer' } } },
      },
    ];
    const question = { type: 'message' as const, role: 'user' as const, content: 'How?' };
    const first = await client().responses.create({ model: 'openai/gpt-6-luna', input: [question], tools });
    const asked = first.output.find((item) => item.type === 'function_call');
    expect([asked?.name, asked?.arguments]).toEqual(['look_up', '{"year":1}']);
    const { call_id = '', name = '', arguments: input = '' } = asked ?? {};
    const second = await client().responses.create({
      model: 'openai/gpt-6-luna',
      input: [
        question,
        { type: 'function_call', call_id, name, arguments: input },
        { type: 'function_call_output', call_id, output: 'nine lamps' },
      ],
      tools,
    });
    expect(second.output_text).toBe('look_up returned: nine lamps');
  });

  it('throws what was refused', async () => {
    await expect(client().responses.create({ model: 'openai/gpt-6-luna', input: '' })).rejects.toMatchObject({
      name: 'Error',
      status: 400,
      message: expect.stringContaining('input cannot be empty'),
    });
    simulator.use('unauthorized');
    await expect(client().responses.create({ preset: 'fast', input: 'x' })).rejects.toMatchObject({ status: 401 });
    simulator.use('rate-limited');
    await expect(client().responses.create({ preset: 'fast', input: 'x' })).rejects.toMatchObject({ status: 429 });
  });

  it('retries 429 by itself', async () => {
    simulator.use({ name: 'rate-limited', count: 1 });
    const response = await client().withOptions({ maxRetries: 1 }).responses.create({ preset: 'fast', input: 'How?' });
    expect(response.output_text).toBe(ANSWER);
    expect(simulator.requests.map(({ status }) => status)).toEqual([429, 200]);
  });
});
