/** `resume`: a run is taken up by its id, from any process and at any time of its life. */
import { APICallError, type LanguageModelV2, type LanguageModelV2Content } from '@ai-sdk/provider';
import { streamText } from 'ai';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import type {
  AgentApiFault,
  AgentApiScenario,
  AgentApiSimulatorOptions,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it, vi } from 'vitest';
import { fixtureEvents } from '../support/fixtures.js';
import {
  API_KEY,
  finishOf,
  functionTool,
  generate,
  partsOf,
  prompt,
  rejectionOf,
  streamParts,
  textsOf,
  webSearchTool,
  type CallOptions,
} from '../support/model.js';
import {
  asBackground,
  inBackground,
  metadataOf,
  numberOf,
  partsUntil,
  providerOf,
  textsById,
  withoutRaw,
  worldOf,
  type Parts,
  type World,
} from '../support/resume.js';
import { created, eventReply, jsonReply, message, result, searchItem, snapshot, stubFetch } from '../support/wire.js';

const tools = [webSearchTool(), functionTool('get_weather')];
const quick = { perplexity: { background: { pollInterval: 5 } } };

/** Begins a run in the background and streams it to its end. */
async function begun(world: World, options: CallOptions = {}) {
  const parts = await streamParts(world.provider('medium'), { ...options, providerOptions: inBackground });
  return { parts, id: String(finishOf(parts).metadata['responseId']) };
}

/** Begins a run in the background and leaves it at its first part, so that it goes on alone. */
async function left(world: World, options: CallOptions = {}) {
  const { stream } = await world.provider('medium').doStream({
    prompt,
    ...options,
    providerOptions: { perplexity: { background: true, cancelOnAbort: false } },
  });
  const reader = stream.getReader();
  for (;;) {
    const { value } = await reader.read();
    if (value?.type !== 'response-metadata') continue;
    await reader.cancel();
    return String(value.id);
  }
}

/** Parts as whoever did not begin the run can have them. */
const anonymous = (parts: Parts) =>
  parts.map((part) => {
    if (part.type === 'stream-start') return { type: part.type };
    if (part.type === 'error') {
      const { message: words, data, isRetryable } = part.error as APICallError;
      return { type: part.type, words, data, isRetryable };
    }
    if (part.type !== 'finish') return part;
    const { effort: _, ...metadata } = metadataOf(part);
    return { ...part, providerMetadata: { perplexity: metadata } };
  });

const calls = (world: World) => world.simulator.requests.map(({ method, url }) => `${method} ${url.split('/v1/')[1]}`);
const urlsOf = (parts: ReadonlyArray<{ type: string }>) =>
  parts.flatMap((part) => (part.type === 'source' && 'url' in part ? [String(part.url)] : []));
const contentTexts = (content: LanguageModelV2Content[]) =>
  content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
const sorted = (texts: readonly string[]) => [...texts].sort((one, other) => (one < other ? -1 : 1));

const scenarios: AgentApiScenario[] = [
  'plain',
  'search',
  'parallel-searches',
  'fetch',
  'people',
  'office-skill',
  'incomplete',
  { name: 'incomplete', empty: true },
  'failed',
  { name: 'failed', shape: 'error' },
  { name: 'failed', shape: 'response' },
  'failed-early',
  'cancelled',
  'unknown-events',
  'tool-call',
  { name: 'tool-call', searchFirst: true },
];

describe('a run that is over', () => {
  it.each(scenarios)('comes as in its own stream: %j', async (scenario) => {
    const world = worldOf({ scenario });
    const { parts, id } = await begun(world, { tools });
    const resumed = await streamParts(world.provider.resume(id), { tools });
    expect(anonymous(resumed)).toEqual(anonymous(parts));
    expect(partsOf(resumed, 'stream-start')[0]?.warnings).toEqual([]);
    expect(calls(world)).toEqual(['POST agent', `GET agent/${id}?stream=true`]);
  });

  it.each(scenarios)('is generated with what its stream had: %j', async (scenario) => {
    const world = worldOf({ scenario });
    const { parts, id } = await begun(world, { tools });
    const failure = partsOf(parts, 'error')[0]?.error as APICallError | undefined;
    const call = generate(world.provider.resume(id), { tools });
    if (failure !== undefined) {
      const error = await rejectionOf(call);
      expect(APICallError.isInstance(error)).toBe(true);
      expect([error.message, error.isRetryable]).toEqual([failure.message, false]);
      const texts = Object.values(textsById(parts)).join('');
      expect((error.data as { text?: string }).text ?? '').toBe(texts);
      expect(error.data).toMatchObject({ responseId: id, status: finishOf(parts).metadata['status'] });
      return;
    }
    const answer = await call;
    const { finishReason, usage, metadata } = finishOf(parts);
    expect(contentTexts(answer.content)).toEqual(textsOf(parts));
    expect(sorted(answer.content.flatMap((part) => (part.type === 'tool-call' ? [part.toolName] : [])))).toEqual(
      sorted(partsOf(parts, 'tool-call').map(({ toolName }) => toolName)),
    );
    expect(sorted(urlsOf(answer.content))).toEqual(sorted(urlsOf(parts)));
    expect([answer.finishReason, answer.usage, answer.warnings]).toEqual([finishReason, usage, []]);
    expect(answer.providerMetadata?.['perplexity']).toMatchObject({
      responseId: id,
      status: metadata['status'],
      citations: metadata['citations'],
      cost: metadata['cost'],
    });
    expect(answer.providerMetadata?.['perplexity']).not.toHaveProperty('restarted');
    expect(calls(world)).toEqual(['POST agent', `GET agent/${id}`]);
  });

  it('may have been begun without a stream', async () => {
    const world = worldOf({ scenario: 'search', background: { queueTime: 5 } });
    const answer = await generate(world.provider('medium'), { providerOptions: quick });
    const id = String(answer.response?.id);
    const resumed = await streamParts(world.provider.resume(id));
    expect(textsOf(resumed).join('')).toBe(
      answer.content.flatMap((part) => (part.type === 'text' ? part.text : [])).join(''),
    );
    expect(finishOf(resumed).metadata['lastSequenceNumber']).toBeGreaterThan(5);
  });

  it('gives only the rest after its last event: how it ended', async () => {
    const world = worldOf({ scenario: { name: 'tool-call', calls: [{ name: 'get_weather', arguments: '{}' }] } });
    const { parts, id } = await begun(world, { tools });
    const last = Number(finishOf(parts).metadata['lastSequenceNumber']);
    for (const startingAfter of [last, last + 1000]) {
      const rest = await streamParts(world.provider.resume(id, { startingAfter }), { tools });
      expect(rest.map(({ type }) => type)).toEqual([
        'stream-start',
        'response-metadata',
        'response-metadata',
        'finish',
      ]);
      expect(finishOf(rest)).toMatchObject({ finishReason: 'stop', usage: finishOf(parts).usage });
      const answer = await generate(world.provider.resume(id, { startingAfter }), { tools });
      expect([answer.content, answer.finishReason]).toEqual([[], 'stop']);
    }
  });
});

describe('a run that goes on', () => {
  const slow: AgentApiSimulatorOptions = { scenario: 'search', eventDelay: 2, background: { queueTime: 20 } };

  it('is attached to, and comes whole', async () => {
    const world = worldOf(slow);
    const id = await left(world);
    const parts = await streamParts(world.provider.resume(id));
    const again = await streamParts(world.provider.resume(id));
    expect(parts).toEqual(again);
    expect(finishOf(parts).finishReason).toBe('stop');
    expect(textsOf(parts)[0]).toContain('[');
    expect(urlsOf(parts)).toHaveLength(10);
    expect(world.simulator.runs[0]).toMatchObject({ status: 'completed', streams: 3, cancelRequests: 0 });
  });

  it('is waited for by generate', async () => {
    const world = worldOf(slow);
    const id = await left(world);
    const answer = await generate(world.provider.resume(id), { providerOptions: quick });
    const parts = await streamParts(world.provider.resume(id));
    expect(contentTexts(answer.content)).toEqual(textsOf(parts));
    expect(world.simulator.runs[0]?.polls).toBeGreaterThan(1);
  });

  it('resolves doStream as soon as it is attached, while nothing has happened yet', async () => {
    const { simulator, provider } = worldOf({ scenario: 'search', background: { queueTime: Infinity } });
    // The call that begins the run resolves with its first event, which never comes here.
    void provider('medium').doStream({ prompt, providerOptions: inBackground });
    await vi.waitFor(() => expect(simulator.runs).toHaveLength(1));
    const queued = String(simulator.runs[0]?.id);
    for (const startingAfter of [undefined, 3]) {
      const { stream } = await provider.resume(queued, { startingAfter }).doStream({ prompt });
      const reader = stream.getReader();
      expect((await reader.read()).value).toEqual({ type: 'stream-start', warnings: [] });
      expect(simulator.runs[0]?.status).toBe('queued');
      reader.releaseLock();
    }
  });

  it('of which the beginning is known gives the rest, as it happens', async () => {
    const world = worldOf(slow);
    const id = await left(world);
    const rest = await streamParts(world.provider.resume(id, { startingAfter: 12 }), { includeRawChunks: true });
    const whole = await streamParts(world.provider.resume(id), { includeRawChunks: true });
    const before = partsUntil(whole, 12);
    expect(textsById([...before, ...withoutRaw(rest)])).toEqual(textsById(whole));
    expect(urlsOf(rest)).toEqual([]);
    expect(numberOf(partsOf(rest, 'raw')[0]?.rawValue)).toBe(13);
  });

  it('is cancelled once by an abort, and not with cancelOnAbort: false', async () => {
    for (const cancelOnAbort of [true, false]) {
      const world = worldOf({ ...slow, eventDelay: 30 });
      const id = await left(world);
      const controller = new AbortController();
      const { stream } = await world.provider.resume(id).doStream({
        prompt,
        abortSignal: controller.signal,
        providerOptions: { perplexity: { cancelOnAbort } },
      });
      const reader = stream.getReader();
      await reader.read();
      const pending = reader
        .read()
        .then(() => reader.read())
        .then(() => reader.read())
        .then(() => reader.read());
      controller.abort();
      expect((await rejectionOf(pending)).name).toBe('AbortError');
      await new Promise((resolve) => setTimeout(resolve, 20));
      expect(world.simulator.runs[0]?.cancelRequests).toBe(cancelOnAbort ? 1 : 0);
    }
  });

  it('that is cancelled elsewhere ends as no success, with what it had', async () => {
    const world = worldOf({ scenario: 'search', eventDelay: 4 });
    const id = await left(world);
    const { stream } = await world.provider.resume(id).doStream({ prompt });
    const parts: Parts = [];
    let isCancelled = false;
    for await (const part of stream) {
      parts.push(part);
      if (part.type !== 'text-delta' || isCancelled) continue;
      isCancelled = true;
      await world.provider.responses.cancel(id);
    }
    expect(finishOf(parts)).toMatchObject({ finishReason: 'error', metadata: { status: 'cancelled', responseId: id } });
    expect((partsOf(parts, 'error')[0]?.error as Error).message).toBe('The run was cancelled.');
    expect(textsOf(parts).join('')).not.toBe('');
    expect(urlsOf(parts)).toHaveLength(10);
    const error = await rejectionOf(generate(world.provider.resume(id), { providerOptions: quick }));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error['data']).toMatchObject({ status: 'cancelled', responseId: id });
    expect((error['data'] as { sources: unknown[] }).sources).toHaveLength(10);
  });
});

describe('a run that cannot be taken up', () => {
  const unknown = 'resp_00000000-0000-4000-8000-000000000000';
  const both = (model: LanguageModelV2) => [() => model.doStream({ prompt }), () => model.doGenerate({ prompt })];

  it('is a 404, after one more try, where nobody knows it', async () => {
    const world = worldOf();
    const models = [world.provider.resume(unknown), world.provider.resume(unknown, { startingAfter: 4 })];
    const errors = await Promise.all(models.flatMap(both).map((call) => rejectionOf(call())));
    for (const error of errors) {
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ statusCode: 404, isRetryable: false });
      expect(error.message).toBe(
        'resource not found. The response or file does not exist, belongs to another account, or the response was made with store: false.',
      );
    }
    expect(world.simulator.requests).toHaveLength(2 * 4);
  });

  it('is a 400 where its id is malformed, and a 401 without a good key', async () => {
    const world = worldOf({ apiKey: API_KEY });
    const stranger = createPerplexityAgent({ apiKey: 'pplx-another-key', fetch: world.simulator.fetch });
    for (const call of both(world.provider.resume('resp_nonsense'))) {
      const error = await rejectionOf(call());
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ statusCode: 400 });
      expect(error.message).toContain('invalid response id');
    }
    const from = world.simulator.requests.length;
    for (const call of both(stranger.resume(unknown))) {
      const error = await rejectionOf(call());
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ statusCode: 401 });
    }
    expect(world.simulator.requests.length - from).toBe(2);
  });

  it('is tried again where it was just created, or where the service stumbles', async () => {
    const faults: AgentApiFault[][] = [
      [{ on: 'reconnect', fault: 'status', status: 404 }],
      [
        { on: 'reconnect', fault: 'status', status: 500 },
        { on: 'reconnect', fault: 'refuse' },
      ],
      [{ on: 'poll', fault: 'status', status: 404 }],
      [{ on: 'poll', fault: 'status', status: 429, resetIn: 0 }],
    ];
    const stumble = async (several: AgentApiFault[]) => {
      const world = worldOf({ scenario: 'plain' });
      const { id, parts } = await begun(world);
      world.simulator.inject(...several);
      const model = world.provider.resume(id);
      if (several[0]?.on === 'poll') expect((await generate(model)).finishReason).toBe('stop');
      else expect(anonymous(await streamParts(model))).toEqual(anonymous(parts));
      expect(world.simulator.requests).toHaveLength(2 + several.length);
    };
    await Promise.all(faults.map(stumble));
  });

  it('fails with the last refusal of a service that goes on stumbling', async () => {
    const world = worldOf({ scenario: 'plain' });
    const { id } = await begun(world);
    world.simulator.inject({ on: 'reconnect', fault: 'status', status: 503, times: Infinity });
    const from = world.simulator.requests.length;
    const error = await rejectionOf(world.provider.resume(id).doStream({ prompt }));
    expect(error).toMatchObject({ statusCode: 503, isRetryable: true });
    expect(world.simulator.requests.length - from).toBe(3);
  });

  it('is cancelled once by an abort on the way, or not at all, and rejects with the reason', async () => {
    for (const cancelOnAbort of [true, false]) {
      for (const mode of ['doStream', 'doGenerate'] as const) {
        const urls: string[] = [];
        const fetch: typeof globalThis.fetch = (input, init) => {
          urls.push(`${init?.method} ${(input as string).split('/v1/')[1]}`);
          if (init?.method === 'POST') return Promise.resolve(jsonReply({ status: 'cancelling' }));
          return new Promise(() => undefined);
        };
        const controller = new AbortController();
        const model = providerOf(fetch).resume('resp_1');
        const call = model[mode]({
          prompt,
          abortSignal: controller.signal,
          providerOptions: { perplexity: { cancelOnAbort } },
        });
        setTimeout(() => controller.abort(new Error('enough')), 5);
        expect((await rejectionOf(call)).message).toBe('enough');
        await new Promise((resolve) => setTimeout(resolve, 5));
        const asked = mode === 'doStream' ? 'GET agent/resp_1?stream=true' : 'GET agent/resp_1';
        expect(urls).toEqual([asked, ...(cancelOnAbort ? ['POST agent/resp_1/cancel'] : [])]);
      }
    }
  });

  it('is not asked for at all where the signal has fired before', async () => {
    const { fetch, requests } = stubFetch(jsonReply({}));
    const call = providerOf(fetch)
      .resume('resp_1')
      .doStream({ prompt, abortSignal: AbortSignal.abort(new Error('no')) });
    expect((await rejectionOf(call)).message).toBe('no');
    expect(requests).toEqual([]);
  });
});

describe('a number whose events are gone', () => {
  const words = (number: number) =>
    `What came after event ${number} cannot be had any more: this is the whole answer, from its beginning.`;

  function expectRestarted(parts: Parts) {
    for (const part of parts) {
      if (!('providerMetadata' in part) || part.providerMetadata === undefined || part.type === 'source') continue;
      expect(metadataOf(part)['restarted']).toBe(true);
    }
    expect(finishOf(parts).metadata['restarted']).toBe(true);
  }

  it('brings the whole answer, and says so', async () => {
    const world = worldOf({ scenario: 'search', background: { replayWindow: 0 } });
    const { id, parts } = await begun(world);
    const model = world.provider.resume(id, { startingAfter: 9 });
    const resumed = await streamParts(model);
    expect(partsOf(resumed, 'stream-start')[0]?.warnings).toEqual([{ type: 'other', message: words(9) }]);
    expectRestarted(resumed);
    expect(textsById(resumed)).toEqual(textsById(parts));
    expect(urlsOf(resumed)).toEqual(urlsOf(parts));
    expect(finishOf(resumed)).toMatchObject({ finishReason: 'stop', usage: finishOf(parts).usage });
    const answer = await generate(model);
    expect(answer.warnings).toEqual([{ type: 'other', message: words(9) }]);
    expect(contentTexts(answer.content)).toEqual(textsOf(parts));
    expect(answer.providerMetadata?.['perplexity']?.['restarted']).toBe(true);
  });

  it('brings the failure of a run that failed', async () => {
    const world = worldOf({ scenario: 'failed', background: { replayWindow: 0 } });
    const { id, parts } = await begun(world);
    const resumed = await streamParts(world.provider.resume(id, { startingAfter: 9 }));
    expectRestarted(resumed);
    expect(textsById(resumed)).toEqual(textsById(parts));
    expect(partsOf(resumed, 'error').map(({ error }) => String(error))).toEqual(
      partsOf(parts, 'error').map(({ error }) => String(error)),
    );
  });

  it('is asked for until the run ends, and shows sources while it goes on', async () => {
    const world = worldOf({ scenario: 'parallel-searches', eventDelay: 6, background: { replayWindow: 0 } });
    const id = await left(world);
    await new Promise((resolve) => setTimeout(resolve, 20));
    const { stream } = await world.provider
      .resume(id, { startingAfter: 0 })
      .doStream({ prompt, providerOptions: quick });
    const parts: Parts = [];
    const states = new Set<string>();
    for await (const part of stream) {
      parts.push(part);
      if (part.type === 'source') states.add(String(world.simulator.runs[0]?.status));
    }
    expectRestarted(parts);
    expect(states).toEqual(new Set(['in_progress']));
    expect(new Set(urlsOf(parts)).size).toBe(urlsOf(parts).length);
    const answer = await generate(world.provider.resume(id));
    expect(sorted(urlsOf(parts))).toEqual(sorted(urlsOf(answer.content)));
    expect(textsOf(parts)).toEqual(contentTexts(answer.content));
    expect(finishOf(parts).finishReason).toBe('stop');
  });

  it('of a run in the foreground is none: it is fetched, and nothing is restarted without a number', async () => {
    for (const scenario of ['search', 'failed', 'incomplete'] as const) {
      const world = worldOf({ scenario });
      const original = await streamParts(world.provider('openai/gpt-6-luna'));
      const id = String(finishOf(original).metadata['responseId']);
      const resumed = await streamParts(world.provider.resume(id));
      expect(JSON.stringify(resumed)).not.toContain('restarted');
      expect(partsOf(resumed, 'stream-start')[0]?.warnings).toEqual([]);
      expect(textsById(resumed)).toEqual(textsById(original));
      expect(urlsOf(resumed)).toEqual(urlsOf(original));
      expect(finishOf(resumed)).toMatchObject({
        finishReason: finishOf(original).finishReason,
        usage: finishOf(original).usage,
      });
      expect(partsOf(resumed, 'error').map(({ error }) => String(error))).toEqual(
        partsOf(original, 'error').map(({ error }) => String(error)),
      );
      const late = await streamParts(world.provider.resume(id, { startingAfter: 3 }));
      expectRestarted(late);
      expect(textsById(late)).toEqual(textsById(original));
    }
  });
});

describe('a resumed stream that drops for good', () => {
  const events = asBackground(fixtureEvents('parallel-searches'));
  const id = String((events[0]?.['response'] as Record<string, unknown>)['id']);
  const numbers = events.map(numberOf);
  const declared = [webSearchTool('search'), functionTool('get_weather')];
  const options: CallOptions = { tools: declared, providerOptions: quick };

  /** The run, whose resumed stream ends after some events and is refused from then on. */
  async function dropping(afterEvents: number) {
    const world = worldOf({ scenario: { events } });
    const whole = await streamParts(world.provider('openai/gpt-6-luna'), {
      tools: declared,
      includeRawChunks: true,
      providerOptions: inBackground,
    });
    world.simulator.inject({ on: 'reconnect', fault: 'close', afterEvents });
    world.simulator.inject({ on: 'reconnect', fault: 'status', status: 400, times: Infinity });
    return { ...world, whole };
  }

  it('misses nothing and repeats nothing where its number was passed before', async () => {
    for (const startingAfter of [3, 9, 20, 50]) {
      const position = numbers.filter((number) => number <= startingAfter).length;
      for (const more of [1, 2, 5, 9, 20]) {
        const { provider, whole } = await dropping(position + more);
        const rest = await streamParts(provider.resume(id, { startingAfter }), options);
        const before = partsUntil(whole, startingAfter);
        expect({ startingAfter, more, texts: textsById([...before, ...rest]) }).toEqual({
          startingAfter,
          more,
          texts: textsById(whole),
        });
        expect(sorted([...urlsOf(before), ...urlsOf(rest)])).toEqual(sorted(urlsOf(whole)));
        expect(
          [...partsOf(before, 'tool-result'), ...partsOf(rest, 'tool-result')].map((part) => part.toolCallId),
        ).toEqual(partsOf(whole, 'tool-result').map((part) => part.toolCallId));
        expect(finishOf(rest)).toMatchObject({ finishReason: 'stop', usage: finishOf(whole).usage });
        expect(JSON.stringify(rest)).not.toContain('restarted');
      }
    }
  });

  it('is the whole answer, restarted, where its number was not reached yet', async () => {
    for (const afterEvents of [0, 1, 5, 12, 30]) {
      const { provider, whole } = await dropping(afterEvents);
      const rest = await streamParts(provider.resume(id, { startingAfter: 60 }), options);
      expect({ afterEvents, texts: textsById(rest) }).toEqual({ afterEvents, texts: textsById(whole) });
      expect(sorted(urlsOf(rest))).toEqual(sorted(urlsOf(whole)));
      expect(partsOf(rest, 'tool-result')).toHaveLength(partsOf(whole, 'tool-result').length);
      expect(finishOf(rest)).toMatchObject({ finishReason: 'stop', metadata: { restarted: true } });
      const generated = await generate(
        (await dropping(afterEvents)).provider.resume(id, { startingAfter: 60 }),
        options,
      );
      expect(contentTexts(generated.content)).toEqual(textsOf(whole));
    }
  });

  it('misses nothing where only later events could be had', async () => {
    for (const startingAfter of [3, 9, 20, 50]) {
      for (const more of [0, 9]) {
        const { simulator, provider, whole } = await dropping(0);
        simulator.reset();
        await streamParts(provider('openai/gpt-6-luna'), { tools: declared, providerOptions: inBackground });
        simulator.inject({ on: 'reconnect', fault: 'status', status: 400 });
        simulator.inject({ on: 'reconnect', fault: 'close', afterEvents: more });
        simulator.inject({ on: 'reconnect', fault: 'status', status: 400, times: Infinity });
        const rest = await streamParts(provider.resume(id, { startingAfter }), options);
        const before = textsById(partsUntil(whole, startingAfter));
        const corrected = Object.fromEntries(
          partsOf(rest, 'text-end').map((part) => [part.id, metadataOf(part)['correctedText']]),
        );
        const after = textsById(rest);
        for (const [block, text] of Object.entries(textsById(whole))) {
          const joined = `${before[block] ?? ''}${after[block] ?? ''}`;
          const isWhole = joined === text || after[block] === text || corrected[block] === text;
          expect({ startingAfter, more, block, isWhole }).toEqual({ startingAfter, more, block, isWhole: true });
        }
        expect(finishOf(rest)).toMatchObject({ finishReason: 'stop', usage: finishOf(whole).usage });
      }
    }
  });

  it('is asked for from the number where the service plays on from now instead of the beginning', async () => {
    const json = (from: number) => eventReply(events.filter((event) => numberOf(event) > from));
    const { fetch, requests } = stubFetch(
      () => json(30),
      () => json(20),
    );
    const rest = await streamParts(providerOf(fetch).resume(id, { startingAfter: 20 }), options);
    const { whole } = await dropping(0);
    expect(requests.map(({ url }) => url.split('?')[1])).toEqual(['stream=true', 'stream=true&starting_after=20']);
    expect(textsById([...partsUntil(whole, 20), ...rest])).toEqual(textsById(whole));
  });
});

describe('ids and numbers', () => {
  it('are known while the run is still queued, from the first part that is shown', async () => {
    const queued = {
      type: 'response.queued',
      sequence_number: 0,
      response: snapshot({ status: 'queued', id: 'resp_1' }),
    };
    const { fetch } = stubFetch(eventReply([queued], { end: 'stall' }));
    const { stream } = await providerOf(fetch)('medium').doStream({ prompt, providerOptions: inBackground });
    const reader = stream.getReader();
    const seen = [];
    for (let count = 0; count < 3; count++) seen.push((await reader.read()).value);
    expect(seen).toEqual([
      { type: 'stream-start', warnings: [] },
      expect.objectContaining({ type: 'response-metadata', id: 'resp_1' }),
      {
        type: 'reasoning-start',
        id: 'resp_1:reasoning-1',
        providerMetadata: { perplexity: { responseId: 'resp_1', lastSequenceNumber: 0 } },
      },
    ]);
  });

  it('ride on each later part with the number of its own event', async () => {
    const world = worldOf({ scenario: 'parallel-searches' });
    const parts = await streamParts(world.provider('medium'), {
      tools,
      includeRawChunks: true,
      providerOptions: inBackground,
    });
    let number: number | undefined;
    let checked = 0;
    for (const part of parts) {
      if (part.type === 'raw') number = numberOf(part.rawValue);
      const metadata = metadataOf(part);
      if (part.type === 'source' || metadata['responseId'] === undefined) continue;
      expect([part.type, metadata['lastSequenceNumber']]).toEqual([part.type, number]);
      checked++;
    }
    expect(checked).toBe(10);
  });

  it('of a run in the foreground is its id alone', async () => {
    const parts = await streamParts(worldOf({ scenario: 'search' }).provider('medium'), { tools });
    for (const part of parts) {
      if (part.type === 'finish') continue;
      expect(metadataOf(part)).not.toHaveProperty('lastSequenceNumber');
    }
    // Nothing is announced, since nothing could be done with it.
    expect(parts.map(({ type }) => type).slice(0, 4)).toEqual([
      'stream-start',
      'response-metadata',
      'tool-input-start',
      'tool-input-delta',
    ]);
  });

  it('open no block where progress is off, and none is left open where nothing is searched for', async () => {
    const off = { perplexity: { background: true, researchProgress: 'off' } };
    for (const scenario of ['search', 'plain'] as const) {
      const world = worldOf({ scenario });
      const parts = await streamParts(world.provider('medium'), { providerOptions: off });
      expect(parts.filter(({ type }) => type.startsWith('reasoning'))).toEqual([]);
      const start = partsOf(parts, 'text-start')[0];
      expect(metadataOf(start)['lastSequenceNumber']).toEqual(expect.any(Number));
      expect(partsOf(parts, 'response-metadata')[0]?.id).toMatch(/^resp_/);
    }
    const world = worldOf({ scenario: 'plain' });
    const parts = await streamParts(world.provider('medium'), { providerOptions: inBackground });
    expect(parts.map(({ type }) => type).slice(0, 6)).toEqual([
      'stream-start',
      'response-metadata',
      'reasoning-start',
      'reasoning-end',
      'text-start',
      'text-delta',
    ]);
  });

  it('are read by an app from fullStream of ai 5, the numbers from raw parts', async () => {
    const world = worldOf({ scenario: 'search' });
    const { fullStream } = streamText({
      model: world.provider('medium'),
      prompt: 'Hello?',
      includeRawChunks: true,
      providerOptions: inBackground,
    });
    let id: unknown;
    let cursor: number | undefined;
    let text = '';
    for await (const part of fullStream) {
      if (part.type === 'reasoning-start') id ??= part.providerMetadata?.['perplexity']?.['responseId'];
      if (part.type === 'raw') cursor = numberOf(part.rawValue);
      if (part.type === 'text-delta') text += part.text;
      if (text.length > 20) break;
    }
    expect(id).toBe(world.simulator.runs[0]?.id);
    const { textStream } = streamText({
      model: world.provider.resume(String(id), { startingAfter: cursor }),
      prompt: 'Hello?',
    });
    for await (const piece of textStream) text += piece;
    const answer = await generate(world.provider.resume(String(id)));
    expect(text).toBe(contentTexts(answer.content).join(''));
  });
});

describe('secrets of servers that are named again', () => {
  const secretTools = [
    {
      type: 'provider-defined',
      id: 'perplexity.mcp',
      name: 'harbour',
      args: {
        serverLabel: 'harbour',
        serverUrl: 'https://mcp.example.com/?key=query-secret-1',
        authorization: 'Bearer token-secret-2',
        headers: { 'x-key': 'header-secret-3' },
      },
    },
  ] as const;
  const leak = 'query-secret-1 token-secret-2 header-secret-3 pplx-test-key-1234567890';
  const output = [
    { type: 'mcp_call', id: 'm1', server_label: 'harbour', name: 'x', arguments: '{}', output: leak, error: null },
    { type: 'mcp_list_tools', id: 'm2', server_label: 'harbour', tools: [], error: leak },
    searchItem(['q'], [result(1, 'https://a.example/')]),
    message('Done.'),
  ];
  const failed = snapshot({ status: 'failed', output, error: { message: `it broke: ${leak}`, type: 'x', code: 'y' } });

  it('surface in no part and in no error', async () => {
    for (const response of [snapshot({ output }), failed]) {
      for (const startingAfter of [undefined, 0]) {
        const events = [
          { ...created(), sequence_number: 0 },
          ...output.map((item, index) => ({
            type: 'response.output_item.done',
            output_index: index,
            item,
            sequence_number: index + 1,
          })),
          { type: response === failed ? 'response.failed' : 'response.completed', response, sequence_number: 9 },
        ];
        const { fetch } = stubFetch(() => eventReply(events));
        const model = providerOf(fetch).resume('resp_1', { startingAfter });
        const call = { tools: [...secretTools], includeRawChunks: true };
        const parts = await streamParts(model, call);
        const shown = `${JSON.stringify(parts)} ${partsOf(parts, 'error')
          .map(({ error }) => `${String(error)} ${(error as Error).stack} ${JSON.stringify(error)}`)
          .join()}`;
        expect(shown).not.toMatch(/secret-\d|pplx-test/);
        expect(shown).toContain('[redacted]');
      }
      const { fetch } = stubFetch(() => jsonReply(response));
      const outcome = await generate(providerOf(fetch).resume('resp_1'), { tools: [...secretTools] }).catch(
        (error: unknown) => error,
      );
      expect(`${String(outcome)} ${JSON.stringify(outcome)}`).not.toMatch(/secret-\d|pplx-test/);
    }
    const { fetch } = stubFetch(() => jsonReply({ error: { message: leak, type: 'x', code: 403 } }, { status: 403 }));
    const error = await rejectionOf(
      providerOf(fetch)
        .resume('resp_1')
        .doStream({ prompt, tools: [...secretTools] }),
    );
    expect(`${error.message} ${error.stack} ${JSON.stringify(error)}`).not.toMatch(/secret-\d|pplx-test/);
  });
});
