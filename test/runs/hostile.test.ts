/** What a fresh reviewer broke in long runs, each by its symptom. */
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { generateText, stepCountIs, streamText, tool } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import {
  API_KEY,
  finishOf,
  generate,
  modelWith,
  partsOf,
  rejectionOf,
  streamParts,
  textsOf,
} from '../support/model.js';
import {
  completed,
  created,
  delta,
  eventReply,
  jsonReply,
  message,
  snapshot,
  sseText,
  bodyOf,
} from '../support/wire.js';

const background = (more: object = {}) => ({ providerOptions: { perplexity: { background: true, ...more } } });
const numbered = (events: object[]) => events.map((event, index) => ({ ...event, sequence_number: index }));
const addressOf = (url: RequestInfo | URL) => new URL(url instanceof Request ? url.url : url);
const provider = (fetch: typeof globalThis.fetch) => createPerplexityAgent({ apiKey: API_KEY, fetch });

describe('a run in the background', () => {
  it('that fails at once with a bare error and has no id is a failure with its own words, not three runs', async () => {
    const error = { message: 'bad model', type: 'invalid_request', code: 400 };
    const { model, requests } = modelWith([() => eventReply([{ type: 'error', error }])]);
    const thrown = await rejectionOf(streamParts(model, background()));
    expect(thrown).toMatchObject({ message: 'bad model', isRetryable: false, data: { type: 'invalid_request' } });
    expect(requests).toHaveLength(1);
  });

  it('that drops without having told its id is not begun again', async () => {
    const { model } = modelWith([() => eventReply([])]);
    expect(await rejectionOf(streamParts(model, background()))).toMatchObject({ isRetryable: false });
  });

  it('whose event is too large is not cancelled, since it can be retrieved', async () => {
    const events = numbered([created(), delta('x'.repeat(4000)), completed([message('x')])]);
    const pieces = sseText(events).match(/[\s\S]{1,1000}/g) ?? [];
    const reply = new Response(bodyOf(pieces), { headers: { 'content-type': 'text/event-stream' } });
    const { model, requests } = modelWith([reply], { maxEventBytes: 3000 });
    const parts = await streamParts(model, background());
    expect(partsOf(parts, 'error')).toHaveLength(1);
    expect(requests.map(({ method, url }) => [method, url.split('/').at(-1)])).toEqual([['POST', 'agent']]);
  });

  it('is asked for again where something in between answers a poll', async () => {
    const page = () => new Response('<html>busy</html>', { headers: { 'content-type': 'text/html' } });
    const running = () => jsonReply({ ...snapshot({ status: 'in_progress' }), detail: null });
    const { model, requests } = modelWith([
      jsonReply(snapshot({ status: 'queued' })),
      page,
      () => jsonReply({}),
      running,
      () => jsonReply(snapshot({ output: [message('A')] })),
    ]);
    const { content } = await generate(model, background({ background: { pollInterval: 1 } }));
    expect(content).toMatchObject([{ type: 'text', text: 'A' }]);
    expect(requests).toHaveLength(5);
  });

  it('that never answers is given up after the timeout, also before its first reply', async () => {
    const { model } = modelWith([() => new Promise<Response>(() => undefined)]);
    for (const call of [generate, streamParts]) {
      const error = await rejectionOf(call(model, background({ background: { timeout: 20 } })));
      expect(error.message).toContain('did not answer within 20 ms (providerOptions.perplexity.background.timeout)');
    }
    const resumed = provider(() => new Promise<Response>(() => undefined)).resume('resp_1');
    const error = await rejectionOf(streamParts(resumed, background({ background: { timeout: 20 } })));
    expect(error.message).toContain('did not answer within 20 ms');
  });

  it('that is not ended in time says why it could not be asked', async () => {
    const { model } = modelWith([
      jsonReply(snapshot({ status: 'queued' })),
      () => jsonReply({ error: { message: 'slow down' } }, { status: 429, headers: { 'retry-after': '3600' } }),
    ]);
    const error = await rejectionOf(generate(model, background({ background: { pollInterval: 1, timeout: 60 } })));
    expect(error.message).toMatch(
      /did not end within 60 ms .*status was "queued"\. The last request failed: slow down/,
    );
  });
});

describe('a cancellation that nobody answers', () => {
  it('is given up after ten seconds, so that a process can end', async () => {
    vi.useFakeTimers();
    const signals: AbortSignal[] = [];
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => AbortSignal.abort());
    const { model } = modelWith([eventReply([created(), delta('A')], { end: 'stall' })], {});
    const controller = new AbortController();
    const reading = streamParts(model, { abortSignal: controller.signal }, { aborted: true });
    await vi.advanceTimersByTimeAsync(1);
    controller.abort();
    await reading;
    expect(timeout).toHaveBeenCalledWith(10_000);
    expect(signals).toEqual([]);
    vi.restoreAllMocks();
    vi.useRealTimers();
  });
});

describe('resume', () => {
  const texts = ['Here it is:\n', '```json\n', '{"a":', '"b', 'c"}', '\n```'];
  const whole = texts.join('');
  const log = numbered([
    created(),
    ...texts.map((text) => delta(text)),
    { type: 'response.output_text.done', item_id: 'msg_1', output_index: 0, content_index: 0, text: whole },
    completed([message(whole)]),
  ]);
  const json = { responseFormat: { type: 'json', schema: { type: 'object' } } } as const;

  it.each(log.slice(0, -1).map(({ sequence_number }) => sequence_number))(
    'of JSON that was held back in a draft loses none of it, from event %i on',
    async (startingAfter) => {
      const first = await streamParts(modelWith([eventReply(log.slice(0, startingAfter + 1))]).model, {
        ...json,
        ...background({ maxReconnects: 0 }),
        includeRawChunks: true,
      });
      const shown = first.slice(
        0,
        first.findIndex(({ type }) => type === 'error'),
      );
      const before = textsOf(shown)
        .filter((text) => text.startsWith('{'))
        .join('');
      const rest = await streamParts(provider(async () => eventReply(log)).resume('resp_1', { startingAfter }), json);
      expect(before + textsOf(rest).join('')).toBe('{"a":"bc"}');
    },
  );

  it('gives only how it ended where a service answers with the terminal event alone', async () => {
    const only = numbered([created(), delta('A'), delta('B'), completed([message('AB')])]).slice(3);
    const requests: string[] = [];
    const fetch = async (url: RequestInfo | URL) => {
      requests.push(addressOf(url).search.slice(1));
      return eventReply(only);
    };
    const parts = await streamParts(provider(fetch).resume('resp_1', { startingAfter: 2 }));
    expect(textsOf(parts)).toEqual([]);
    expect(finishOf(parts).finishReason).toBe('stop');
    expect(requests).toEqual(['stream=true', 'stream=true&starting_after=2']);
  });

  it('asks a service that wants a number for all after 0, and gives the rest', async () => {
    const events = numbered([created(), created(), delta('A'), delta('B'), completed([message('AB')])]);
    const fetch = async (url: RequestInfo | URL) => {
      const after = addressOf(url).searchParams.get('starting_after');
      if (after === null) return jsonReply({ error: { message: 'starting_after is required' } }, { status: 400 });
      return eventReply(events.filter((event) => event.sequence_number > Number(after)));
    };
    const parts = await streamParts(provider(fetch).resume('resp_1', { startingAfter: 2 }));
    expect(textsOf(parts)).toEqual(['B']);
    expect(textsOf(await streamParts(provider(fetch).resume('resp_1')))).toEqual(['AB']);
  });

  it('does not run a tool again with every step: results of tools are refused', async () => {
    const simulator = createAgentApiSimulator({ scenario: 'tool-call' });
    const perplexity = createPerplexityAgent({ apiKey: API_KEY, fetch: simulator.fetch });
    let runs = 0;
    const tools = { look: tool({ inputSchema: z.object({}).loose(), execute: () => ({ count: ++runs }) }) };
    const first = await generateText({ model: perplexity('low'), prompt: 'x', tools, ...background() });
    expect(runs).toBe(1);
    const model = perplexity.resume(first.response.id);
    const errors: unknown[] = [];
    await streamText({
      model,
      prompt: '',
      tools,
      stopWhen: stepCountIs(6),
      onError: ({ error }) => void errors.push(error),
    }).consumeStream();
    expect(runs).toBe(2);
    expect((errors[0] as Error).message).toContain('takes no results of tools');
  });
});

describe('a foreground stream', () => {
  it('that drops before its first event names the run by the header of the reply', async () => {
    const id = '1fbf7849-2f7e-4946-ab3c-7cd0f2e6f3be';
    const { model } = modelWith([eventReply([], { headers: { 'x-request-id': id } })]);
    expect(await rejectionOf(streamParts(model))).toMatchObject({ data: { responseId: `resp_${id}` } });
  });
});
