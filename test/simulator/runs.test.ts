import { createAgentApiSimulator, type AgentApiResponse } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { ask, call, eventsIn, post, stream, textOf } from './helpers.js';

const idsOf = (results: unknown) => (results as { id: number }[]).map(({ id }) => id);
const level = { effort: 'medium', input: 'How?' };
const notFound = { error: { message: 'resource not found', type: 'not_found', code: 404 } };
const malformed = { error: { message: 'invalid response id', type: 'invalid_request', code: 400 } };
const tooLate = {
  error: { message: 'the run is already terminal and cannot be cancelled', type: 'invalid_request', code: 400 },
};
const unknownId = 'resp_00000000-0000-4000-8000-000000000000';

type Simulator = ReturnType<typeof createAgentApiSimulator>;
const get = async (simulator: Simulator, id: string) =>
  (await (await call(simulator, `/v1/responses/${id}`)).json()) as AgentApiResponse;
const cancel = async (simulator: Simulator, id: string) =>
  (await call(simulator, `/v1/agent/${id}/cancel`, { method: 'POST', body: {} })).json();

describe('retrieve', () => {
  it('shows a finished run with a new created_at', async () => {
    const simulator = createAgentApiSimulator({ seed: 1 });
    const response = await ask(simulator, level);
    const found = await get(simulator, response.id);
    expect(found).toEqual({ ...response, created_at: 1_790_000_001, completed_at: 1_790_000_001 });
    expect(simulator.requests[1]).toMatchObject({ status: 200, responseId: response.id });
  });

  it('hides store: false, unknown and malformed ids', async () => {
    const simulator = createAgentApiSimulator();
    const { id } = await ask(simulator, { ...level, store: false });
    expect([await get(simulator, id), await get(simulator, unknownId), await get(simulator, 'resp_0')]).toEqual([
      notFound,
      notFound,
      malformed,
    ]);
  });
});

describe('background', () => {
  it('goes from queued over in_progress with finished items to the end', async () => {
    const simulator = createAgentApiSimulator({ scenario: 'parallel-searches' });
    const queued = await ask(simulator, { ...level, background: true });
    expect(queued).toMatchObject({
      status: 'queued',
      output: [],
      usage: null,
      tools: [],
      model: 'medium',
      background: true,
      completed_at: null,
    });
    const running = await get(simulator, queued.id);
    expect(running).toMatchObject({ status: 'in_progress', usage: null, tools: [], model: 'medium' });
    expect(running.output.map(({ type }) => type)).toEqual([
      'search_results',
      'search_results',
      'search_results',
      'fetch_url_results',
    ]);
    const done = await get(simulator, queued.id);
    expect(done).toMatchObject({
      status: 'completed',
      model: 'openai/gpt-6-luna',
      tools: [{ type: 'web_search' }, { type: 'fetch_url' }],
    });
    expect(done.completed_at).toBe(done.created_at);
    expect(await cancel(simulator, queued.id)).toEqual(tooLate);
  });

  it('is cancelled one poll later', async () => {
    const simulator = createAgentApiSimulator();
    const { id } = await ask(simulator, { ...level, background: true });
    expect(await cancel(simulator, id)).toEqual({ response_id: id, status: 'cancelling' });
    expect(await cancel(simulator, id)).toEqual({ response_id: id, status: 'cancelling' });
    expect((await get(simulator, id)).status).toBe('in_progress');
    expect(await get(simulator, id)).toMatchObject({
      status: 'cancelled',
      usage: null,
      model: 'medium',
      tools: [],
      error: { code: 'cancelled' },
      incomplete_details: { reason: 'cancelled' },
      output: [{ type: 'search_results' }],
    });
    expect(await cancel(simulator, id)).toEqual(tooLate);
    expect(await cancel(simulator, unknownId)).toEqual(tooLate);
  });

  it('streams, and takes up again after a number', async () => {
    const simulator = createAgentApiSimulator();
    const response = await post(simulator, { ...level, background: true, stream: true });
    const reader = response.body?.getReader();
    const { value } = (await reader?.read()) ?? {};
    await reader?.cancel();
    const id = eventsIn(new TextDecoder().decode(value))[0]?.response?.id ?? '';
    const path = `/v1/agent/${id}?stream=true`;
    const all = eventsIn(await (await call(simulator, path)).text());
    const rest = eventsIn(await (await call(simulator, `${path}&starting_after=4`)).text());
    expect(all[0]).toMatchObject({ type: 'response.created', sequence_number: 0, response: { background: true } });
    expect(rest).toEqual(all.filter((event) => event.sequence_number > 4));
    expect(rest.at(-1)?.type).toBe('response.completed');
    expect((await get(simulator, id)).status).toBe('completed');
  });

  it('streams the cancellation of a run that was cancelled', async () => {
    const simulator = createAgentApiSimulator();
    const { id } = await ask(simulator, { ...level, background: true });
    await cancel(simulator, id);
    const events = eventsIn(await (await call(simulator, `/v1/agent/${id}?stream=true&starting_after=2`)).text());
    expect(events).toMatchObject([{ type: 'response.cancelled', response: { id, status: 'cancelled' } }]);
  });

  it('takes up no foreground run', async () => {
    const simulator = createAgentApiSimulator();
    const { id } = await ask(simulator, level);
    expect((await call(simulator, `/v1/agent/${id}?stream=true`)).status).toBe(400);
  });
});

describe('foreground stream', () => {
  it('can be cancelled while it runs, also after the client went away', async () => {
    const simulator = createAgentApiSimulator();
    const reader = (await post(simulator, { ...level, stream: true })).body?.getReader();
    await reader?.read();
    await reader?.cancel();
    const id = simulator.requests[0]?.responseId ?? '';
    expect(await cancel(simulator, id)).toEqual({ response_id: id, status: 'cancelling' });
    await get(simulator, id);
    expect((await get(simulator, id)).status).toBe('cancelled');
  });

  it('is over when it has been read', async () => {
    const simulator = createAgentApiSimulator();
    const events = await stream(simulator, level);
    const id = events[0]?.response?.id ?? '';
    expect(await cancel(simulator, id)).toEqual(tooLate);
    expect((await get(simulator, id)).status).toBe('completed');
  });

  it('keeps a cancellation that came before its end', async () => {
    const simulator = createAgentApiSimulator();
    const response = await post(simulator, { ...level, stream: true });
    const id = simulator.requests[0]?.responseId ?? '';
    await cancel(simulator, id);
    await response.text();
    expect(await ask(simulator, { ...level, previous_response_id: id })).toMatchObject({
      error: { message: 'invalid request' },
    });
  });
});

describe('previous_response_id', () => {
  it('repeats the earlier results and counts on', async () => {
    const simulator = createAgentApiSimulator();
    const first = await ask(simulator, { ...level, store: false });
    const second = await ask(simulator, { effort: 'fast', input: 'And then?', previous_response_id: first.id });
    expect(second.previous_response_id).toBeNull();
    expect(second.output[0]).toEqual({ type: 'search_results', queries: null, results: first.output[0]?.results });
    expect(idsOf(second.output[1]?.results)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20]);
    expect(textOf(second)).toContain('[11]');
    const third = await ask(simulator, { model: 'openai/gpt-5', input: 'OK', previous_response_id: second.id });
    expect(third.output.map(({ type, queries }) => [type, queries])).toEqual([
      ['search_results', null],
      ['message', undefined],
    ]);
    expect(third.output[0]?.results).toHaveLength(20);
    expect(third.usage).not.toHaveProperty('tool_calls_details');
  });

  it('streams earlier results as a finished item that no call preceded', async () => {
    const simulator = createAgentApiSimulator();
    const { id } = await ask(simulator, level);
    const events = await stream(simulator, { ...level, previous_response_id: id });
    expect(events[2]).toMatchObject({
      type: 'response.output_item.done',
      output_index: 0,
      item: { type: 'search_results', queries: null },
    });
    expect(events[3]).toMatchObject({
      type: 'response.output_item.added',
      output_index: 1,
      item: { type: 'function_call', name: 'search_web' },
    });
  });

  it('continues only what was completed', async () => {
    const simulator = createAgentApiSimulator({ scenario: 'incomplete' });
    const { id } = await ask(simulator, level);
    expect((await post(simulator, { ...level, previous_response_id: id })).status).toBe(400);
  });
});
