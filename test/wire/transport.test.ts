import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it, vi } from 'vitest';
import { finishOf, generate, modelWith, prompt, rejectionOf, streamParts, textsOf } from '../support/model.js';
import {
  bodyOf,
  completed,
  created,
  delta,
  eventReply,
  jsonReply,
  message,
  snapshot,
  sseText,
} from '../support/wire.js';

const answer = () => jsonReply(snapshot({ output: [message('A')] }));
const errorBody = (message: string, type: string, code: number, param?: string) => ({
  error: { message, type, code, ...(param !== undefined && { param }) },
});

describe('requests', () => {
  it('are one POST to /v1/agent with the key as bearer token', async () => {
    const { model, requests } = modelWith([answer()]);
    await generate(model);
    expect(requests).toHaveLength(1);
    const [{ url, method, headers }] = requests as [(typeof requests)[0]];
    expect([method, url]).toEqual(['POST', 'https://api.perplexity.ai/v1/agent']);
    expect(headers.get('authorization')).toBe('Bearer pplx-test-key-1234567890');
    expect(headers.get('content-type')).toBe('application/json');
    expect(headers.get('accept')).toBe('application/json');
    expect(headers.get('user-agent')).toMatch(/^ai-sdk\/ai-sdk-provider-perplexity-agent\/\d+\.\d+\.\d+$/);
  });

  it('ask for a stream only when streaming, or when a level or profile answers', async () => {
    const plain = modelWith([answer()]);
    await generate(plain.model);
    expect(plain.requests[0]?.body).not.toHaveProperty('stream');
    for (const call of [streamParts, generate]) {
      const { model, requests } = modelWith([answer()], { modelId: 'low' });
      await call(model);
      expect(requests[0]?.body?.['stream']).toBe(true);
      expect(requests[0]?.headers.get('accept')).toBe('text/event-stream');
    }
    const profile = modelWith([answer()], { modelId: '' });
    await generate(profile.model, { providerOptions: { perplexity: { profile: { id: 'p1' } } } });
    expect(profile.requests[0]?.body?.['stream']).toBe(true);
  });

  it('merge headers of provider and call whatever their case; the call wins, user agents add up', async () => {
    const { model, requests } = modelWith([answer()], {
      headers: { 'X-One': 'provider', 'x-two': 'provider', 'User-Agent': 'app/1' },
    });
    await generate(model, { headers: { 'x-one': 'call', 'user-agent': 'ai/5', gone: undefined } });
    const headers = requests[0]?.headers;
    expect([headers?.get('x-one'), headers?.get('x-two'), headers?.has('gone')]).toEqual(['call', 'provider', false]);
    expect(headers?.get('user-agent')).toMatch(/^ai\/5 app\/1 ai-sdk\/ai-sdk-provider-perplexity-agent\/[\d.]+$/);
  });
});

describe('replies', () => {
  const events = [created(), delta('A'), completed([message('A')])];

  it('are understood as JSON where a stream was asked for, and the other way round', async () => {
    expect(textsOf(await streamParts(modelWith([answer()]).model))).toEqual(['A']);
    const { content } = await generate(modelWith([eventReply(events)]).model);
    expect(content).toMatchObject([{ type: 'text', text: 'A' }]);
  });

  it.each([undefined, 'text/plain', 'application/octet-stream', 'text/event-stream; charset=utf-8'])(
    'are read as events with content type %s',
    async (type) => {
      const headers = type === undefined ? {} : { 'content-type': type };
      const reply = new Response(bodyOf([sseText(events)]), { headers });
      expect(textsOf(await streamParts(modelWith([reply]).model))).toEqual(['A']);
    },
  );

  it.each([undefined, 'text/plain', 'application/octet-stream', 'text/event-stream'])(
    'that are JSON by content, though called %s, are understood in one request',
    async (type) => {
      for (const modelId of ['low', 'openai/gpt-6-luna']) {
        for (const call of [generate, streamParts]) {
          const text = JSON.stringify(snapshot({ output: [message('A')] }));
          // Cut into pieces, with white space and a byte order mark before.
          const body = bodyOf(['\uFEFF', ' \n', text.slice(0, 9), text.slice(9)]);
          const reply = new Response(body, { headers: type === undefined ? {} : { 'content-type': type } });
          const { model, requests } = modelWith([reply], { modelId });
          const result = await call(model);
          expect(JSON.stringify(result)).toContain('"A"');
          expect(requests).toHaveLength(1);
        }
      }
    },
  );

  it('that are events by content, though called JSON, are understood', async () => {
    for (const type of ['application/json', 'text/plain']) {
      const reply = () => new Response(bodyOf([sseText(events)]), { headers: { 'content-type': type } });
      expect((await generate(modelWith([reply()]).model)).content).toMatchObject([{ text: 'A' }]);
      expect(textsOf(await streamParts(modelWith([reply()]).model))).toEqual(['A']);
    }
  });

  it('whose JSON breaks off within a stream are an error', async () => {
    const broken = bodyOf(['{"id":"resp_1"']);
    const { model } = modelWith([new Response(broken, { headers: { 'content-type': 'text/event-stream' } })]);
    expect((await rejectionOf(streamParts(model))).message).toContain('a JSON text that breaks off');
  });

  it('without an answer leave no listener on the signal', async () => {
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const { output: _, ...response } = snapshot();
    await rejectionOf(generate(modelWith([jsonReply(response)]).model, { abortSignal: controller.signal }));
    expect(added.mock.calls.length).toBeGreaterThan(0);
    expect(removed).toHaveBeenCalledTimes(added.mock.calls.length);
  });

  it.each([
    [
      'HTML',
      '<html>Just a moment…</html>',
      'text/html',
      'The Agent API sent a body of type "text/html" that is no JSON object with status 200 instead of',
    ],
    ['nothing', '', 'application/json', 'The Agent API sent an empty body with status 200 instead of'],
    ['broken JSON', '{"id":', 'application/json', 'The reply broke off: its JSON is incomplete.'],
    [
      'a JSON list',
      '[]',
      'application/json',
      'The Agent API sent a body of type "application/json" that is no JSON object',
    ],
  ])('with %s in place of an answer are a clear error', async (_, body, type, text) => {
    for (const call of [generate, streamParts]) {
      const error = await rejectionOf(call(modelWith([jsonReply(body, { headers: { 'content-type': type } })]).model));
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error.message).toContain(text);
      expect(error['responseBody']).toBe(body);
      expect(error['isRetryable']).toBe(false);
    }
  });

  it('without output are refused', async () => {
    const { output: _, ...response } = snapshot();
    for (const call of [generate, streamParts]) {
      const error = await rejectionOf(call(modelWith([jsonReply(response)]).model));
      expect(error.message).toBe('The Agent API sent a response without output.');
    }
  });

  it('that break off while JSON is read are errors that nobody repeats: their run is billed', async () => {
    const reply = new Response(bodyOf(['{"id":'], new TypeError('terminated')), {
      headers: { 'content-type': 'application/json' },
    });
    const error = await rejectionOf(generate(modelWith([reply]).model));
    expect(error.message).toBe('The reply broke off: terminated');
    expect(error['isRetryable']).toBe(false);
  });

  it('may hold lines that are no events', async () => {
    const reply = eventReply([
      ': hello\n\n',
      'noise\n\n',
      'data: null\n\n',
      'data: 7\n\n',
      'data: [DONE]\n\n',
      ...events,
      'data: [DONE]\n\n',
    ]);
    expect(textsOf(await streamParts(modelWith([reply]).model))).toEqual(['A']);
  });

  it('with one event above maxEventBytes end with an error that names the setting, and keep the text', async () => {
    const huge = JSON.stringify(delta('x'.repeat(5000)));
    const chunks = [sseText([created(), delta('A')]), `data: ${huge.slice(0, 3000)}`, huge.slice(3000)];
    const reply = () => new Response(bodyOf(chunks), { headers: { 'content-type': 'text/event-stream' } });
    const parts = await streamParts(modelWith([reply()], { maxEventBytes: 2000 }).model);
    expect(textsOf(parts)).toEqual(['A']);
    const error = parts.find((part) => part.type === 'error')?.error as Error;
    expect(error.message).toContain('maxEventBytes (2000)');
    expect(finishOf(parts).finishReason).toBe('error');
    const { model, requests } = modelWith([reply(), () => jsonReply({ status: 'cancelling' })], {
      maxEventBytes: 2000,
    });
    await streamParts(model);
    // Nobody reads on, so the run is not paid for any longer.
    expect(requests[1]?.url).toBe('https://api.perplexity.ai/v1/agent/resp_1/cancel');
  });

  it('with prototype keys pollute nobody', async () => {
    const poison =
      '{"type":"unknown","__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"\\u005f_proto__":{"polluted":2},"keep":1}';
    const text = `data: {"type":"response.output_item.done","output_index":0,"item":${poison}}\n\n`;
    const parts = await streamParts(modelWith([eventReply([created(), text, completed([])])]).model, {
      includeRawChunks: true,
    });
    const [item] = finishOf(parts).metadata['items'] as [object];
    expect(Object.getOwnPropertyNames(item)).toEqual(['type', 'keep']);
    const raw = parts.filter((part) => part.type === 'raw').map(({ rawValue }) => JSON.stringify(rawValue));
    expect(raw.join()).not.toContain('polluted');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('drops them from the raw part of a text delta too', async () => {
    const text =
      'data: {"type":"response.output_text.delta","item_id":"msg_1","output_index":0,"content_index":0,"delta":"A","__proto__":{"polluted":1}}\n\n';
    const reply = () => eventReply([created(), text, completed([message('A')])]);
    const parts = await streamParts(modelWith([reply()]).model, { includeRawChunks: true });
    const raw = parts.flatMap((part) => (part.type === 'raw' ? [part.rawValue as Record<string, unknown>] : []));
    const shown = raw.find(({ type }) => type === 'response.output_text.delta');
    expect(Object.getOwnPropertyNames(shown)).toEqual(['type', 'item_id', 'output_index', 'content_index', 'delta']);
    expect(textsOf(await streamParts(modelWith([reply()]).model))).toEqual(['A']);
  });
});

describe('coalesceDeltas', () => {
  const chunks = [
    sseText([created(), delta('A1 '), delta('A2 '), delta('B1 ', { item: 'msg_2', output: 1 }), delta('A3 ')]),
    sseText([delta('A4'), completed([message('A1 A2 A3 A4'), message('B1 ', 'msg_2')])]),
  ];
  const reply = () => new Response(bodyOf(chunks), { headers: { 'content-type': 'text/event-stream' } });
  const deltas = async (coalesceDeltas?: boolean) =>
    (await streamParts(modelWith([reply()], { coalesceDeltas }).model)).flatMap((part) =>
      part.type === 'text-delta' ? [part.delta] : [],
    );

  it('joins neighbours of one block that came in one chunk', async () => {
    expect(await deltas(true)).toEqual(['A1 A2 ', 'B1 ', 'A3 ', 'A4']);
  });

  it('is off by default', async () => {
    expect(await deltas()).toEqual(['A1 ', 'A2 ', 'B1 ', 'A3 ', 'A4']);
  });

  it('loses nothing when the stream is cut', async () => {
    const cut = eventReply([sseText([created(), delta('A'), delta('B')])]);
    expect(textsOf(await streamParts(modelWith([cut], { coalesceDeltas: true }).model))).toEqual(['AB']);
  });
});

describe('HTTP errors', () => {
  it.each([
    [400, 'invalid_request', false],
    [400, 'too_many_prompt_tokens', false],
    [401, 'invalid_api_key', false],
    [402, 'insufficient_funds', false],
    [403, 'forbidden', false],
    [404, 'not_found', false],
    [408, 'timeout', true],
    [409, 'conflict', true],
    [413, 'payload_too_large', false],
    [424, 'external_connector_error', false],
    [429, 'request_rate_limit_exceeded', true],
    [500, 'internal_error', true],
    [502, 'bad_gateway', true],
    [503, 'upstream_structured_output_failed', true],
    [504, 'gateway_timeout', true],
  ])('%i %s: message, status, ids, retryable %s', async (status, type, isRetryable) => {
    for (const call of [generate, streamParts]) {
      const { model } = modelWith([jsonReply(errorBody('no luck', type, status), { status })]);
      const error = await rejectionOf(call(model));
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({
        message: 'no luck',
        statusCode: status,
        isRetryable,
        url: 'https://api.perplexity.ai/v1/agent',
      });
      expect(error['data']).toEqual({ type, code: status, requestId: 'req-1' });
    }
  });

  it('say which field the API means', async () => {
    const { model } = modelWith([
      jsonReply(errorBody('bad value', 'invalid_request', 400, 'tools[0]'), { status: 400 }),
    ]);
    expect((await rejectionOf(generate(model))).message).toBe('bad value (param: tools[0])');
  });

  it.each([
    ['{"error":"plain text"}', 'plain text'],
    ['{"detail":"a detail"}', 'a detail'],
    ['{"detail":[{"msg":"field required"}]}', 'field required'],
    ['{"detail":{"message":"nested"}}', 'nested'],
    ['{"message":"on top"}', 'on top'],
    ['"a JSON string"', 'a JSON string'],
    ['upstream connect error', 'upstream connect error'],
    ['event: error\ndata: {"error":{"message":"framed"}}\n\n', 'framed'],
    [
      '{"error":{"error":{"error":{"error":{"error":{"error":{"message":"deep"}}}}}}}',
      'The Agent API answered 502 Bad Gateway without a readable error message.',
    ],
    ['<html>Bad gateway</html>', 'The Agent API answered 502 Bad Gateway without a readable error message.'],
    ['', 'The Agent API answered 502 Bad Gateway without a readable error message.'],
    ['{}', 'The Agent API answered 502 Bad Gateway without a readable error message.'],
    ['null', 'The Agent API answered 502 Bad Gateway without a readable error message.'],
  ])('with the body %s read well', async (body, text) => {
    const { model } = modelWith([jsonReply(body, { status: 502, statusText: 'Bad Gateway' })]);
    const error = await rejectionOf(generate(model));
    expect(error.message).toBe(text);
    expect(error['responseBody']).toBe(body);
  });

  it('whose body breaks off stay what they are', async () => {
    const { model } = modelWith([new Response(bodyOf([], new TypeError('terminated')), { status: 503 })]);
    expect(await rejectionOf(generate(model))).toMatchObject({ statusCode: 503, isRetryable: true });
  });

  it('obey x-should-retry', async () => {
    const reply = (status: number, told: string) =>
      jsonReply(errorBody('m', 't', status), { status, headers: { 'x-should-retry': told } });
    expect((await rejectionOf(generate(modelWith([reply(500, 'false')]).model)))['isRetryable']).toBe(false);
    expect((await rejectionOf(generate(modelWith([reply(400, 'true')]).model)))['isRetryable']).toBe(true);
  });

  it('on 429 translate x-ratelimit-reset into retry-after, by the server’s clock', async () => {
    const headers = { 'x-ratelimit-reset': '1791572841', date: 'Fri, 09 Oct 2026 19:07:11 GMT' };
    const limited = (more: Record<string, string>) =>
      rejectionOf(
        generate(
          modelWith([jsonReply(errorBody('m', 'request_rate_limit_exceeded', 429), { status: 429, headers: more })])
            .model,
        ),
      );
    expect((await limited(headers))['responseHeaders']).toMatchObject({
      'retry-after': '10',
      'x-ratelimit-reset': '1791572841',
    });
    expect((await limited({ ...headers, 'retry-after': '2' }))['responseHeaders']).toMatchObject({
      'retry-after': '2',
    });
    expect((await limited({ 'x-ratelimit-reset': 'soon' }))['responseHeaders']).not.toHaveProperty('retry-after');
    vi.spyOn(Date, 'now').mockReturnValue(1_791_572_839_500);
    expect((await limited({ 'x-ratelimit-reset': '1791572841' }))['responseHeaders']).toMatchObject({
      'retry-after': '2',
    });
    for (const past of ['1791572839', '0', '-5']) {
      expect((await limited({ 'x-ratelimit-reset': past }))['responseHeaders']).not.toHaveProperty('retry-after');
    }
    expect((await limited({ 'x-ratelimit-reset': '30' }))['responseHeaders']).toMatchObject({ 'retry-after': '30' });
    expect((await limited({ 'x-ratelimit-reset': '1791572844500' }))['responseHeaders']).toMatchObject({
      'retry-after': '5',
    });
  });

  it('about the level’s field name the setting to change', async () => {
    const refuse = (field: string) =>
      jsonReply(errorBody(`invalid request body: json: unknown field "${field}"`, 'invalid_request', 400, field), {
        status: 400,
      });
    const effort = await rejectionOf(generate(modelWith([refuse('effort')], { modelId: 'low' }).model));
    expect(effort.message).toContain('effortField: "preset"');
    const preset = await rejectionOf(
      generate(modelWith([refuse('preset')], { modelId: 'low', effortField: 'preset' }).model),
    );
    expect(preset.message).toContain('effortField: "effort"');
  });

  it('about a level that is none say how to name a model', async () => {
    const reply = jsonReply(errorBody('unknown effort "gpt-5"', 'invalid_request', 400), { status: 400 });
    const error = await rejectionOf(generate(modelWith([reply], { modelId: 'gpt-5' }).model));
    expect(error.message).toContain("'gpt-5' was sent as an effort level, since it has no slash");
  });

  it('about a chained response say what to do', async () => {
    const { model } = modelWith([jsonReply(errorBody('invalid request', 'invalid_request', 400), { status: 400 })]);
    const error = await rejectionOf(
      generate(model, { providerOptions: { perplexity: { previousResponseId: 'resp_0' } } }),
    );
    expect(error.message).toContain('send the whole conversation without previousResponseId');
  });
});

describe('an unreachable service', () => {
  it('is a retryable APICallError that keeps the cause', async () => {
    const cause = new TypeError('fetch failed', { cause: new Error('connect ECONNREFUSED 127.0.0.1:1') });
    for (const call of [generate, streamParts]) {
      const error = await rejectionOf(call(modelWith([() => Promise.reject(cause)]).model));
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({
        message: 'Cannot connect to the Agent API: fetch failed (connect ECONNREFUSED 127.0.0.1:1)',
        isRetryable: true,
        cause,
      });
      expect(error['requestBodyValues']).toMatchObject({ model: 'openai/gpt-6-luna', input: [{ content: 'Hello?' }] });
    }
  });

  it('may fail with anything', async () => {
    const error = await rejectionOf(generate(modelWith([() => Promise.reject('down')]).model));
    expect(error.message).toBe('Cannot connect to the Agent API: down');
  });
});

describe('globalThis.fetch', () => {
  it('is used, as it is at the time of the call, where no other is given', async () => {
    const { createPerplexityAgent } = await import('ai-sdk-provider-perplexity-agent');
    const model = createPerplexityAgent({ apiKey: 'pplx-test-key' })('openai/gpt-6-luna');
    vi.stubGlobal('fetch', async () => answer());
    try {
      expect((await model.doGenerate({ prompt })).content).toMatchObject([{ type: 'text', text: 'A' }]);
    } finally {
      vi.unstubAllGlobals();
    }
  });
});

describe('a reply that nests 10,000 levels deep', () => {
  const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`;
  const poison = `${'{"a":'.repeat(10_000)}{"__proto__":{"polluted":true}}${'}'.repeat(10_000)}`;
  const withDeep = (value: object, inside: string) => JSON.stringify(value).replace('"DEEP"', inside);

  it.each([deep, poison])('is read as far as anybody can, and the answer is whole', async (inside) => {
    const output = [{ type: 'new_item', payload: 'DEEP' }, message('A')];
    const json = withDeep(snapshot({ output, usage: { input_tokens: 1, cost: 'DEEP' } }), inside);
    const { content, providerMetadata } = await generate(modelWith([jsonReply(json)]).model);
    expect(content).toMatchObject([{ type: 'text', text: 'A' }]);
    expect(JSON.stringify(providerMetadata)).toContain('new_item');
    const events = [
      created(),
      { type: 'response.output_item.done', output_index: 0, item: output[0] },
      delta('A', { output: 1 }),
    ];
    const reply = eventReply([
      ...events.map((event) => `data: ${withDeep(event, inside)}\n\n`),
      completed([message('A')]),
    ]);
    const parts = await streamParts(modelWith([reply]).model, { includeRawChunks: true });
    expect(textsOf(parts)).toEqual(['A']);
    expect(finishOf(parts).finishReason).toBe('stop');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(JSON.stringify(parts)).not.toContain('polluted');
  });

  it('keeps 500 levels', async () => {
    const inside = `${'['.repeat(490)}${']'.repeat(490)}`;
    const json = withDeep(snapshot({ output: [{ type: 'new_item', payload: 'DEEP' }] }), inside);
    const { providerMetadata } = await generate(modelWith([jsonReply(json)]).model);
    expect(JSON.stringify(providerMetadata)).toContain(inside);
  });
});

describe('a fetch of the caller', () => {
  it('that throws at once is a connection that failed', async () => {
    const fetch = () => {
      throw new Error('no network here');
    };
    const error = await rejectionOf(generate(modelWith([], { fetch }).model));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error.message).toBe('Cannot connect to the Agent API: no network here');
  });

  it('that gives no Response is named', async () => {
    const fetch = (async () => ({ ok: true })) as unknown as typeof globalThis.fetch;
    const error = await rejectionOf(generate(modelWith([], { fetch }).model));
    expect(error.message).toBe('createPerplexityAgent.fetch gave something that is no Response.');
  });
});
