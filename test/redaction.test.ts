import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { createRedactor, presentableBody } from '../src/redact.js';
import { API_KEY, type CallOptions, generate, modelWith, prompt, rejectionOf, streamParts } from './support/model.js';
import { bodyOf, created, delta, eventReply, jsonReply, message, snapshot } from './support/wire.js';

const MCP_SECRET = 'mcp-secret-token-42';
const MCP_HEADER = 'mcp-header-value-43';
const mcp = {
  type: 'mcp',
  server_label: 'crm',
  server_url: 'https://mcp.example/',
  authorization: MCP_SECRET,
  headers: { 'x-crm': MCP_HEADER },
};
const options = { providerOptions: { perplexity: { extraBody: { tools: [mcp] } } } };

/** The same server as a declared tool. */
const declared = createPerplexityAgent({ apiKey: API_KEY }).tools.mcp({
  serverLabel: 'crm',
  serverUrl: 'https://mcp.example/',
  authorization: MCP_SECRET,
  headers: { 'x-crm': MCP_HEADER },
});
const declaredOptions: CallOptions = {
  tools: [
    {
      type: 'function',
      name: 'crm',
      inputSchema: { type: 'object' },
      providerOptions: declared.providerOptions,
    },
  ],
  providerOptions: { perplexity: { webSearch: false } },
};

/** Everything of an error that an app might log. */
const everythingOf = (error: Error) =>
  [
    error.message,
    error.stack,
    String(error),
    inspect(error, { depth: 20, showHidden: true }),
    JSON.stringify(error),
    JSON.stringify(Object.entries(error)),
  ].join('\n');

const leaky = `you sent ${API_KEY}, Bearer ${API_KEY}, ${MCP_SECRET} and ${MCP_HEADER}`;

describe('secrets', () => {
  const replies: Array<[string, () => Response | Promise<Response>]> = [
    [
      'an HTTP error that echoes them',
      () =>
        jsonReply(
          { error: { message: leaky, type: 'invalid_request', code: 400, param: leaky } },
          { status: 400, headers: { 'x-echo': leaky } },
        ),
    ],
    [
      'an unreadable reply that echoes them',
      () => jsonReply(`<html>${leaky}</html>`, { headers: { 'content-type': 'text/html' } }),
    ],
    [
      'a failed run that echoes them',
      () => jsonReply(snapshot({ status: 'failed', error: { message: leaky, type: leaky } })),
    ],
    [
      'a connection error that shows them',
      () => Promise.reject(new TypeError(leaky, { cause: new Error(leaky, { cause: { deep: [leaky] } }) })),
    ],
    [
      'a cut reply that shows them',
      () => new Response(bodyOf(['{'], new Error(leaky)), { headers: { 'content-type': 'application/json' } }),
    ],
    ['a cut stream that shows them', () => eventReply([created()], { end: new Error(leaky) })],
  ];

  it.each(replies)('are in no error: %s', async (_, reply) => {
    for (const call of [generate, streamParts]) {
      const error = await rejectionOf(call(modelWith([reply]).model, options));
      const text = everythingOf(error);
      for (const secret of [API_KEY, MCP_SECRET, MCP_HEADER]) expect(text).not.toContain(secret);
      expect(text).toContain('[redacted]');
    }
  });

  it('are in no error part', async () => {
    const parts = await streamParts(
      modelWith([eventReply([created(), delta('A'), { type: 'error', message: leaky }])]).model,
      options,
    );
    const text = inspect(parts, { depth: 20, showHidden: true });
    for (const secret of [API_KEY, MCP_SECRET, MCP_HEADER]) expect(text).not.toContain(secret);
  });

  it('are sent, but not shown in request.body', async () => {
    const { model, requests } = modelWith([() => jsonReply(snapshot({ output: [message('A')] }))]);
    const generated = await generate(model, options);
    const streamed = await model.doStream({ prompt, ...options });
    expect(requests[0]?.body?.['tools']).toEqual([mcp]);
    for (const { request } of [generated, streamed]) {
      expect(request?.body).toMatchObject({
        model: 'openai/gpt-6-luna',
        tools: [{ ...mcp, authorization: '[redacted]', headers: { 'x-crm': '[redacted]' } }],
      });
    }
  });

  it('on the properties of a cause are taken out with them', async () => {
    const many = new AggregateError([new Error(leaky)], 'many');
    const axiosLike = Object.assign(new Error('Request failed', { cause: many }), {
      code: 'ECONNRESET',
      config: { headers: { authorization: `Bearer ${API_KEY}` } },
    });
    const error = await rejectionOf(generate(modelWith([() => Promise.reject(axiosLike)]).model, options));
    expect(everythingOf(error)).not.toContain(API_KEY);
    expect(error.cause).toMatchObject({ message: 'Request failed', code: 'ECONNRESET', cause: { message: 'many' } });
  });

  it('in a request, headers or a map that hang on a cause go with it', async () => {
    const headers = new Headers({ authorization: `Bearer ${API_KEY}` });
    for (const extra of [
      { request: new Request('https://a.example/', { headers }) },
      { headers },
      { [Symbol('k')]: API_KEY },
    ]) {
      const thrown = Object.assign(new Error('Request timed out'), extra);
      const error = await rejectionOf(generate(modelWith([() => Promise.reject(thrown)]).model));
      expect(everythingOf(error)).not.toContain(API_KEY);
      expect(error.cause).toMatchObject({ message: 'Request timed out' });
    }
  });

  it('of other schemes and in the address of a server are taken out too', async () => {
    const basic = { headers: { authorization: 'Basic dXNlcjpwYXNz' } };
    const refused = () => jsonReply({ error: { message: 'dXNlcjpwYXNz is wrong' } }, { status: 401 });
    expect(everythingOf(await rejectionOf(generate(modelWith([refused], basic).model)))).not.toContain('dXNlcjpwYXNz');
    const server = { type: 'mcp', server_label: 'crm', server_url: 'https://mcp.example/?token=tok123' };
    const answer = jsonReply(snapshot({ output: [message('A')] }));
    const { request } = await generate(modelWith([answer]).model, {
      providerOptions: { perplexity: { extraBody: { tools: [server] } } },
    });
    expect(request?.body).toMatchObject({ tools: [{ server_url: 'https://mcp.example/?[redacted]' }] });
  });

  it('are in no metadata and no response.body that echoes them', async () => {
    const item = { type: 'skill_loaded', name: leaky, [API_KEY]: 1 };
    const echo = snapshot({ output: [item], tools: [mcp] });
    const generated = await generate(modelWith([jsonReply(echo)]).model, options);
    expect(JSON.stringify(generated.providerMetadata)).not.toContain(API_KEY);
    expect(JSON.stringify(generated.response?.body)).not.toContain(`"authorization":"${MCP_SECRET}"`);
    expect(generated.providerMetadata?.['perplexity']?.['items']).toHaveLength(1);
  });

  it('of a declared server are sent, and shown nowhere', async () => {
    const item = { type: 'skill_loaded', name: leaky };
    const call = { type: 'mcp_call', id: 'm', server_label: 'crm', name: 'find', arguments: '{}', output: 'ok' };
    const echo = snapshot({ output: [call, item], tools: [mcp] });
    const { model, requests } = modelWith([() => jsonReply(echo)]);
    const generated = await generate(model, declaredOptions);
    const streamed = await model.doStream({ prompt, ...declaredOptions });
    expect(requests[0]?.body?.['tools']).toEqual([mcp]);
    for (const shown of [
      generated.request?.body,
      generated.response?.body,
      generated.providerMetadata,
      streamed.request?.body,
    ]) {
      for (const secret of [MCP_SECRET, MCP_HEADER]) {
        // An item of the raw reply may hold anything; the echo of the tools is ours to blank.
        const text = JSON.stringify(
          shown === generated.response?.body ? { ...echo, ...(shown as object), output: [] } : shown,
        );
        expect(text).not.toContain(secret);
      }
    }
    for (const [, reply] of replies) {
      for (const attempt of [generate, streamParts]) {
        const text = everythingOf(await rejectionOf(attempt(modelWith([reply]).model, declaredOptions)));
        for (const secret of [MCP_SECRET, MCP_HEADER]) expect(text).not.toContain(secret);
      }
    }
  });

  it('of MCP servers are in no result, no raw part and no error that echoes them, with or without their scheme', async () => {
    const bare = 'sek-ret-token-ABCDEF';
    const provider = createPerplexityAgent({ apiKey: API_KEY });
    const server = provider.tools.mcp({
      serverLabel: 'crm',
      serverUrl: 'https://user:pass-word-7@mcp.example/?api_key=query-key-8',
      headers: { Authorization: `Bearer ${bare}` },
    });
    const tools = [{ ...server, type: 'function', name: 'crm', inputSchema: {} }] as never;
    const echo = `denied for ${bare} at https://user:pass-word-7@mcp.example/?api_key=query-key-8`;
    const call = {
      type: 'mcp_call',
      id: 'mcp_1',
      server_label: 'crm',
      name: 'find',
      arguments: `{"key":"${bare}"}`,
      error: echo,
    };
    const events = [
      created(),
      { type: 'response.output_item.done', output_index: 0, item: call },
      { type: 'response.completed', response: snapshot({ output: [call] }) },
    ];
    const parts = await streamParts(modelWith([eventReply(events)]).model, { tools, includeRawChunks: true });
    const refused = () =>
      jsonReply({ error: { message: echo, type: 'external_connector_error', code: 424 } }, { status: 424 });
    const error = await rejectionOf(generate(modelWith([refused]).model, { tools }));
    const shown = [
      JSON.stringify(parts),
      everythingOf(error),
      inspect(server, { depth: 9 }),
      JSON.stringify(server),
    ].join('\n');
    for (const secret of [bare, 'pass-word-7', 'query-key-8']) expect(shown).not.toContain(secret);
    expect(parts.find((part) => part.type === 'tool-result')).toMatchObject({ isError: true });
  });

  it('in an authorization header of the caller’s own are no less secret', async () => {
    const reply = () => jsonReply({ error: { message: 'token proxy-secret-99 is wrong' } }, { status: 401 });
    const { model } = modelWith([reply], { headers: { authorization: 'Bearer proxy-secret-99' } });
    expect(everythingOf(await rejectionOf(generate(model)))).not.toContain('proxy-secret-99');
  });
});

describe('the redactor', () => {
  it('leaves words alone that are too short to be secrets', () => {
    const redact = createRedactor(['test', undefined, '']);
    const value = { text: 'the latest test' };
    expect(redact(value)).toBe(value);
  });

  it('replaces the longer of two overlapping secrets whole', () => {
    expect(createRedactor(['secret-1', 'Bearer secret-1'])('Bearer secret-1 and secret-1')).toBe(
      '[redacted] and [redacted]',
    );
  });

  it.each([
    ['a property that lists do not show', Object.defineProperty({}, 'hidden', { value: 'a-long-secret' })],
    ['a symbol', { [Symbol('hidden')]: 'a-long-secret' }],
    ['a list that has more than entries', Object.assign(['entry'], { extra: 'a-long-secret' })],
  ])('finds a secret behind %s', (_, cause) => {
    const redacted = createRedactor(['a-long-secret'])({ cause });
    expect(inspect(redacted, { showHidden: true })).not.toContain('a-long-secret');
  });

  it('reads no property that is computed', () => {
    const cause = {
      get broken(): string {
        throw new Error('not to be read');
      },
    };
    expect(createRedactor(['a-long-secret'])(cause)).toBe(cause);
  });

  it('keeps errors without a secret as they are, and what is no plain data', () => {
    const redact = createRedactor(['a-long-secret']);
    const error = new Error('fine', { cause: new Error('also fine') });
    const date = new Date(0);
    expect(redact(error)).toBe(error);
    expect(redact({ date })).toEqual({ date });
    expect(redact(null)).toBeNull();
  });
});

describe('presentableBody', () => {
  it('copies nothing where there is no secret', () => {
    const body = { tools: [{ type: 'web_search' }, 'odd'] };
    expect(presentableBody(body)).toBe(body);
  });

  it('passes over what is no tool, and headers that are none', () => {
    const body = { tools: ['odd', { type: 'mcp', headers: 'x' }, { type: 'web_search' }] };
    expect(presentableBody(body)).toEqual({ tools: ['odd', { type: 'mcp', headers: {} }, { type: 'web_search' }] });
  });
});
