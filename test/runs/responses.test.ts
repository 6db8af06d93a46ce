/** `responses.retrieve` and `responses.cancel`: where a run stands, and that it stops. */
import { APICallError, InvalidArgumentError } from '@ai-sdk/provider';
import type { PerplexityAgentRun } from 'ai-sdk-provider-perplexity-agent';
import type { AgentApiScenario, AgentApiSimulatorOptions } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { API_KEY, finishOf, generate, partsOf, prompt, rejectionOf, streamParts, textsOf } from '../support/model.js';
import { inBackground, providerOf, worldOf, type World } from '../support/resume.js';
import { jsonReply, message, nativeCall, result, searchItem, snapshot, stubFetch, usage } from '../support/wire.js';

const sleep = (milliseconds: number) => new Promise((resolve) => setTimeout(resolve, milliseconds));
const UNKNOWN = 'resp_00000000-0000-4000-8000-000000000000';
const CANNOT_CANCEL =
  'the run is already terminal and cannot be cancelled. The run has ended already, or no run has this id.';

/** Retrieves a run whose reply is given. */
const retrieved = async (response: object): Promise<PerplexityAgentRun> => {
  const { fetch } = stubFetch(jsonReply(response));
  return providerOf(fetch).responses.retrieve('resp_1');
};

/** Begins a run in the background and leaves it at once. */
async function left(world: World): Promise<string> {
  const { stream } = await world.provider('medium').doStream({
    prompt,
    providerOptions: { perplexity: { background: true, cancelOnAbort: false } },
  });
  await stream.cancel();
  return String(world.simulator.runs[0]?.id);
}

describe('retrieve', () => {
  it('tells of each step of a run in the background', async () => {
    const world = worldOf({ scenario: 'search', eventDelay: 10, background: { queueTime: 40 } });
    const call = generate(world.provider('medium'), { providerOptions: { perplexity: { background: true } } });
    await sleep(5);
    const id = String(world.simulator.runs[0]?.id);
    const queued = await world.provider.responses.retrieve(id);
    expect(queued).toMatchObject({ id, status: 'queued', isFinished: false, text: '', sources: [] });
    expect(queued).not.toHaveProperty('error');
    expect(queued.metadata).toMatchObject({ responseId: id, status: 'queued' });
    expect(queued.metadata).not.toHaveProperty('servedModel');

    await sleep(180);
    const running = await world.provider.responses.retrieve(id);
    expect(running).toMatchObject({ id, status: 'in_progress', isFinished: false, text: '' });
    expect(running.sources).toHaveLength(10);
    expect(running.sources[0]).toEqual({
      id: `${id}:1`,
      url: expect.stringMatching(/^https:/),
      title: expect.any(String),
    });
    expect(running.metadata).not.toHaveProperty('usage');

    const answer = await call;
    const done = await world.provider.responses.retrieve(id);
    expect(done).toMatchObject({ id, status: 'completed', isFinished: true });
    // A run that has ended names the model that answered, and no longer what was asked for.
    const { requestedModel: _, effort: __, ...rest } = answer.providerMetadata?.['perplexity'] ?? {};
    expect(done.metadata).toEqual(rest);
    expect([queued.metadata.requestedModel, running.metadata.requestedModel]).toEqual(['medium', 'medium']);
    expect(done.text).toBe(answer.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join(''));
    expect(done.sources.map(({ url }) => url)).toEqual(
      answer.content.flatMap((part) => (part.type === 'source' && part.sourceType === 'url' ? [part.url] : [])),
    );
    expect(done.body).toMatchObject({ id, object: 'response', status: 'completed', background: true });
  });

  it.each<[AgentApiScenario, object]>([
    [
      'failed',
      { status: 'failed', isFinished: true, error: { message: expect.any(String), type: expect.any(String) } },
    ],
    ['incomplete', { status: 'incomplete', isFinished: true, metadata: { incompleteReason: 'max_output_tokens' } }],
    [
      { name: 'incomplete', empty: true },
      { status: 'incomplete', isFinished: true, text: '', sources: [] },
    ],
    [
      'cancelled',
      { status: 'cancelled', isFinished: true, error: { code: 'cancelled', message: 'cancelled', type: 'cancelled' } },
    ],
    ['plain', { status: 'completed', isFinished: true, sources: [] }],
  ])('tells of a run in the foreground that ended as %j', async (scenario, expected) => {
    const world = worldOf({ scenario });
    const parts = await streamParts(world.provider('openai/gpt-6-luna'));
    const run = await world.provider.responses.retrieve(String(finishOf(parts).metadata['responseId']));
    expect(run).toMatchObject(expected);
    expect(run.text).toBe(textsOf(parts).join(''));
    expect(run.sources.map(({ url }) => url)).toEqual(
      partsOf(parts, 'source').map((part) => 'url' in part && part.url),
    );
    expect(run.metadata.status).toBe(finishOf(parts).metadata['status']);
  });

  it('keeps the sources and the text that a cancelled run had', async () => {
    const output = [searchItem(['q'], [result(1, 'https://a.example/')]), message('Half of')];
    const error = { code: 'cancelled', message: 'cancelled', type: 'cancelled' };
    const run = await retrieved(
      snapshot({ status: 'cancelled', output, error, incomplete_details: { reason: 'cancelled' } }),
    );
    expect(run).toMatchObject({ status: 'cancelled', isFinished: true, text: 'Half of', error });
    expect(run.sources).toEqual([{ id: 'resp_1:1', url: 'https://a.example/', title: 'Title of https://a.example/' }]);
  });

  it('has no text before the end, even where a message is done', async () => {
    const output = [searchItem(['q'], [result(1, 'https://a.example/')]), message('Half of')];
    const run = await retrieved(snapshot({ status: 'in_progress', output }));
    expect(run).toMatchObject({ status: 'in_progress', isFinished: false, text: '' });
    expect(run.sources).toHaveLength(1);
  });

  it('takes a run that waits for the client as one at its end, and an unknown status as one that goes on', async () => {
    const output = [nativeCall('get_weather', 'c1', {})];
    expect(await retrieved(snapshot({ status: 'requires_action', output }))).toMatchObject({
      status: 'requires_action',
      isFinished: true,
      metadata: { status: 'requires_action', items: output },
    });
    expect(await retrieved(snapshot({ status: 'paused' }))).toMatchObject({ status: 'paused', isFinished: false });
    expect(await retrieved(snapshot({ status: 'cancelling' }))).toMatchObject({ isFinished: false });
  });

  it('leaves out what the reply does not say', async () => {
    const { status: _, id: __, ...rest } = snapshot({ output: [message('Text.')] });
    const run = await retrieved(rest);
    expect(run).not.toHaveProperty('status');
    expect(run).not.toHaveProperty('error');
    expect(run).toMatchObject({ id: 'resp_1', isFinished: true, text: 'Text.' });
    expect(await retrieved({})).toMatchObject({ id: 'resp_1', isFinished: true, text: '', sources: [], body: {} });
  });

  it('keeps in body what it does not know, and blanks out secrets', async () => {
    const output = [{ type: 'hologram', beam: { colour: 'blue' } }];
    const run = await retrieved(snapshot({ output, usage, novelty: [1, { two: 3 }], note: `key ${API_KEY}` }));
    expect(run.body).toEqual(snapshot({ output, usage, novelty: [1, { two: 3 }], note: 'key [redacted]' }));
    expect(run.metadata).toMatchObject({ items: output, usage, cost: { totalCost: 0.0063 } });
  });

  it.each<[string, unknown, object]>([
    ['a text', 'it broke', { message: 'it broke' }],
    ['an object', { message: 'no', type: 't', code: 7 }, { message: 'no', type: 't', code: 7 }],
    ['without a message', { type: 't' }, { type: 't' }],
  ])('reads an error that is %s', async (_, error, expected) => {
    const run = await retrieved(snapshot({ status: 'failed', error }));
    expect(run.error).toEqual(expected);
  });

  it('is repeated where that may help, with the headers of the call', async () => {
    const world = worldOf({ scenario: 'plain' });
    const id = String((await generate(world.provider('fast'))).response?.id);
    world.simulator.inject(
      { on: 'poll', fault: 'status', status: 429, resetIn: 0 },
      { on: 'poll', fault: 'status', status: 500 },
    );
    const run = await world.provider.responses.retrieve(id, { headers: { 'x-one': '1' } });
    expect(run.status).toBe('completed');
    const asked = world.simulator.requests.slice(-3);
    expect(asked.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['GET', `/v1/agent/${id}`, 429],
      ['GET', `/v1/agent/${id}`, 500],
      ['GET', `/v1/agent/${id}`, 200],
    ]);
    expect(asked.every(({ headers }) => headers['x-one'] === '1')).toBe(true);
  });

  it('says what a 404 means, and asks once', async () => {
    const world = worldOf();
    const error = await rejectionOf(world.provider.responses.retrieve(UNKNOWN));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ statusCode: 404, isRetryable: false });
    expect(error.message).toBe(
      'resource not found. The response or file does not exist, belongs to another account, or the response was made with store: false.',
    );
    expect(world.simulator.requests).toHaveLength(1);
    for (const id of ['', '  ', '..', undefined as unknown as string]) {
      expect(InvalidArgumentError.isInstance(await rejectionOf(world.provider.responses.retrieve(id)))).toBe(true);
      expect(InvalidArgumentError.isInstance(await rejectionOf(world.provider.responses.cancel(id)))).toBe(true);
    }
    expect(world.simulator.requests).toHaveLength(1);
  });

  it('stops at an abort, before, on the way and between two tries', async () => {
    const reason = new Error('enough');
    const never = providerOf(() => new Promise(() => undefined)).responses;
    const failing = providerOf(async () => jsonReply({ error: { message: 'no' } }, { status: 500 })).responses;
    for (const call of [never.retrieve, failing.retrieve, never.cancel, failing.cancel]) {
      expect(await rejectionOf(call('resp_1', { abortSignal: AbortSignal.abort(reason) }))).toBe(reason);
      const controller = new AbortController();
      setTimeout(() => controller.abort(reason), 5);
      expect(await rejectionOf(call('resp_1', { abortSignal: controller.signal }))).toBe(reason);
    }
  });

  it('is no run where the reply is none', async () => {
    const { fetch } = stubFetch(() => new Response('<html>', { headers: { 'content-type': 'text/html' } }));
    expect(APICallError.isInstance(await rejectionOf(providerOf(fetch).responses.retrieve('resp_1')))).toBe(true);
  });
});

describe('cancel', () => {
  const slow: AgentApiSimulatorOptions = { scenario: 'search', eventDelay: 3, background: { cancelPolls: 2 } };

  it('tells that the run stops, by a POST without a body', async () => {
    const world = worldOf({ ...slow, eventDelay: 50 });
    const id = await left(world);
    expect(await world.provider.responses.cancel(id, { headers: { 'x-one': '1' } })).toEqual({
      responseId: id,
      status: 'cancelling',
    });
    const sent = world.simulator.requests.at(-1);
    expect(sent).toMatchObject({ method: 'POST', path: `/v1/agent/${id}/cancel`, body: undefined });
    expect(sent?.headers).toMatchObject({ 'x-one': '1', authorization: `Bearer ${API_KEY}` });
    expect(sent?.headers).not.toHaveProperty('content-type');
    const states = [];
    for (let poll = 0; poll < 3; poll++) states.push((await world.provider.responses.retrieve(id)).status);
    expect(states).toEqual(['in_progress', 'in_progress', 'cancelled']);
    expect(world.simulator.runs[0]?.cancelRequests).toBe(1);
  });

  it('of a run that is over, or that nobody knows, says what that means', async () => {
    const world = worldOf({ scenario: 'plain' });
    const id = String((await generate(world.provider('fast'))).response?.id);
    for (const each of [id, UNKNOWN]) {
      const error = await rejectionOf(world.provider.responses.cancel(each));
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ statusCode: 400, isRetryable: false, message: CANNOT_CANCEL });
      expect(error['data']).toMatchObject({ type: 'invalid_request', code: 400 });
    }
    expect(world.simulator.requests).toHaveLength(3);
  });

  it('is repeated where that may help', async () => {
    const world = worldOf({ ...slow, eventDelay: 200 });
    const id = await left(world);
    world.simulator.inject({ on: 'cancel', fault: 'status', status: 500 });
    expect((await world.provider.responses.cancel(id)).status).toBe('cancelling');
    expect(world.simulator.requests.slice(-2).map(({ path, status }) => [path, status])).toEqual([
      [`/v1/agent/${id}/cancel`, 500],
      [`/v1/agent/${id}/cancel`, 200],
    ]);
  });

  it('fills in what a bare reply does not say', async () => {
    const { fetch } = stubFetch(jsonReply({}));
    expect(await providerOf(fetch).responses.cancel('resp_1')).toEqual({ responseId: 'resp_1', status: 'cancelling' });
  });

  it('ends the stream of the run: no success, the text stays', async () => {
    const world = worldOf(slow);
    const { stream } = await world.provider('medium').doStream({ prompt, providerOptions: inBackground });
    const parts = [];
    for await (const part of stream) {
      parts.push(part);
      if (part.type === 'text-start') await world.provider.responses.cancel(String(world.simulator.runs[0]?.id));
    }
    expect(finishOf(parts)).toMatchObject({ finishReason: 'error', metadata: { status: 'cancelled' } });
    expect(textsOf(parts).join('')).not.toBe('');
    expect(partsOf(parts, 'source')).toHaveLength(10);
    expect(partsOf(parts, 'error')).toHaveLength(1);
    expect(world.simulator.runs[0]).toMatchObject({ status: 'cancelled', cancelRequests: 1 });
  });

  it('ends a call that polls: it rejects with what there was', async () => {
    const world = worldOf({ ...slow, eventDelay: 6 });
    const call = rejectionOf(
      generate(world.provider('medium'), { providerOptions: { perplexity: { background: { pollInterval: 5 } } } }),
    );
    await sleep(80);
    await world.provider.responses.cancel(String(world.simulator.runs[0]?.id));
    const error = await call;
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ message: 'The run was cancelled.', isRetryable: false });
    expect(error['data']).toMatchObject({ status: 'cancelled', responseId: world.simulator.runs[0]?.id });
    expect((error['data'] as { sources: unknown[] }).sources).toHaveLength(10);
  });
});
