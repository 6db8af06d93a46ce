/** No key of the service or of a server gets out, whichever call fails and however it fails. */
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { createPerplexityAgent, type PerplexityAgentProvider } from 'ai-sdk-provider-perplexity-agent';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { API_KEY, type CallOptions, prompt } from '../support/model.js';
import { bodyOf, created, delta, eventReply, jsonReply, message, snapshot } from '../support/wire.js';

const MCP_TOKEN = 'mcp-token-a1b2c3d4e5';
const MCP_HEADER = 'mcp-header-f6a7b8c9d0';
const MCP_QUERY = 'mcp-query-0d9c8b7a6f';
const SECRETS = [API_KEY, MCP_TOKEN, MCP_HEADER, MCP_QUERY];
const ECHO = `Bearer ${API_KEY}; ${MCP_TOKEN}; ${MCP_HEADER}; https://mcp.example/?api_key=${MCP_QUERY}`;

const server = {
  type: 'mcp',
  server_label: 'crm',
  server_url: `https://mcp.example/?api_key=${MCP_QUERY}`,
  authorization: MCP_TOKEN,
  headers: { 'x-crm': MCP_HEADER },
};
const options = (more: object = {}): CallOptions => ({
  includeRawChunks: true,
  // A warning is among what is searched.
  topK: 1,
  providerOptions: { perplexity: { extraBody: { tools: [server] }, ...more } },
});

type Provider = PerplexityAgentProvider;

/** All parts of a stream, and what it failed with. */
async function drained(stream: ReadableStream<unknown>): Promise<unknown[]> {
  const parts: unknown[] = [];
  try {
    for await (const part of stream) parts.push(part);
  } catch (error) {
    parts.push(error);
  }
  return parts;
}

const streamed = async (model: ReturnType<Provider>, callOptions: CallOptions) => {
  const { stream, ...result } = await model.doStream({ prompt, ...callOptions });
  return [result, ...(await drained(stream))];
};

/** Everything that sends a request. The last two know no server of a call. */
const CALLS: Record<string, (provider: Provider) => Promise<unknown>> = {
  generate: async (provider) => provider('openai/gpt-6-luna').doGenerate({ prompt, ...options() }),
  'generate of a level': async (provider) => provider('high').doGenerate({ prompt, ...options() }),
  'generate in the background': async (provider) =>
    provider('low').doGenerate({ prompt, ...options({ background: { pollInterval: 1 } }) }),
  stream: async (provider) => streamed(provider('openai/gpt-6-luna'), options()),
  'stream in the background': async (provider) => streamed(provider('low'), options({ background: true })),
  'stream of a resumed run': async (provider) => streamed(provider.resume('resp_1'), {}),
  'generate of a resumed run': async (provider) => provider.resume('resp_1').doGenerate({ prompt }),
  retrieve: (provider) => provider.responses.retrieve('resp_1'),
  cancel: (provider) => provider.responses.cancel('resp_1'),
  files: (provider) => provider.responses.files('resp_1'),
  fileContent: async (provider) => {
    const { stream, ...file } = await provider.responses.fileContent('resp_1', 'file_1');
    return [file, ...(await drained(stream))];
  },
  models: (provider) => provider.models(),
};

const failed = () => snapshot({ status: 'failed', error: { message: ECHO, type: ECHO, code: ECHO } });

/** Everything that can go wrong, with the secrets wherever a service could put them. */
const FAILURES: Record<string, () => Response | Promise<Response>> = {
  'an HTTP error': () =>
    jsonReply(
      { error: { message: ECHO, type: ECHO, code: ECHO, param: ECHO }, detail: ECHO },
      { status: 400, headers: { 'x-echo': ECHO, 'x-request-id': API_KEY } },
    ),
  'a refused key': () => jsonReply({ error: { message: ECHO, type: 'authentication_error' } }, { status: 401 }),
  'an error that may pass': () =>
    jsonReply({ error: { message: ECHO } }, { status: 503, headers: { 'retry-after': '0' } }),
  'a page of an edge': () =>
    new Response(`<html>${ECHO}</html>`, { status: 502, headers: { 'content-type': 'text/html' } }),
  'a page with a good status': () => new Response(`<html>${ECHO}</html>`, { headers: { 'content-type': 'text/html' } }),
  'a redirect': () =>
    new Response(ECHO, {
      status: 307,
      headers: { location: `https://user:${API_KEY}@elsewhere.example/${MCP_TOKEN}?k=${API_KEY}` },
    }),
  'a lost connection': () =>
    Promise.reject(
      Object.assign(new TypeError(ECHO, { cause: new Error(ECHO, { cause: { deep: [ECHO, { [ECHO]: 1 }] } }) }), {
        config: { headers: { authorization: `Bearer ${API_KEY}` } },
        toJSON: () => ECHO,
      }),
    ),
  'JSON that breaks off': () =>
    new Response(bodyOf([`{"id":"${ECHO}`], new Error(ECHO)), { headers: { 'content-type': 'application/json' } }),
  'JSON that is incomplete': () =>
    new Response(`{"id":"resp_1","error":"${ECHO}`, { headers: { 'content-type': 'application/json' } }),
  'JSON of another kind': () => jsonReply([ECHO]),
  'events that break off': () => eventReply([created(), delta('A')], { end: new Error(ECHO) }),
  'an error event': () => eventReply([created(), delta('A'), { type: 'error', message: ECHO, error: { code: ECHO } }]),
  'an error event at once': () => eventReply([{ type: 'error', error: { message: ECHO, type: ECHO } }]),
  'events that nobody can read': () => eventReply([created(), `data: ${ECHO}\n\n`, `data: [${ECHO}\n\n`]),
  'a run that failed': () => jsonReply(failed()),
  'a stream whose run failed': () => eventReply([created(), { type: 'response.failed', response: failed() }]),
  'a run whose items show them': () =>
    eventReply([
      created(),
      { type: 'response.output_item.done', output_index: 0, item: { type: 'skill_loaded', name: ECHO, [ECHO]: 1 } },
      {
        type: 'response.failed',
        response: { ...failed(), output: [message('A'), { type: 'skill_loaded', name: ECHO }], tools: [server] },
      },
    ]),
};

/** Everything of a value that an app might log, send on or store. */
const everythingOf = (value: unknown): string =>
  [
    inspect(value, { depth: 30, showHidden: true, getters: true, maxArrayLength: null, maxStringLength: null }),
    JSON.stringify(value),
    ...(value instanceof Error
      ? [value.message, value.stack, String(value), JSON.stringify(Object.entries(value)), everythingOf(value.cause)]
      : []),
    ...(Array.isArray(value) ? value.flatMap((entry) => errorsIn(entry)).map(everythingOf) : []),
  ].join('\n');

const errorsIn = (value: unknown): Error[] => {
  if (value instanceof Error) return [value];
  return typeof value === 'object' && value !== null && 'error' in value && value.error instanceof Error
    ? [value.error]
    : [];
};

const settled = (promise: PromiseLike<unknown>) => Promise.resolve(promise).catch((error: unknown) => error);

/** The same, without waiting for what is tried again after a while. */
async function settledSoon(promise: Promise<unknown>): Promise<unknown> {
  const state = { isOver: false };
  const outcome = settled(promise).finally(() => (state.isOver = true));
  while (!state.isOver) await vi.advanceTimersByTimeAsync(1000);
  return outcome;
}

describe('keys are in nothing that comes out', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const cases = Object.keys(CALLS).flatMap((call) => Object.keys(FAILURES).map((failure) => [call, failure] as const));

  it.each(cases)('%s, answered by %s', async (call, failure) => {
    const sent: string[] = [];
    const provider = createPerplexityAgent({
      apiKey: API_KEY,
      fetch: async (_, init) => {
        sent.push(
          JSON.stringify(Object.fromEntries(new Headers(init?.headers))),
          typeof init?.body === 'string' ? init.body : '',
        );
        return (FAILURES[failure] as () => Response)();
      },
    });
    const outcome = await settledSoon((CALLS[call] as (typeof CALLS)[string])(provider));
    expect(sent.join('\n'), 'the key was sent').toContain(`Bearer ${API_KEY}`);
    const secrets = sent.join('\n').includes(MCP_TOKEN) ? SECRETS : [API_KEY];
    const shown = everythingOf(outcome);
    expect(shown.length).toBeGreaterThan(20);
    for (const secret of secrets) expect(shown.includes(secret), `${secret} in ${shown.slice(0, 4000)}`).toBe(false);
  });
});

describe('a provider and its models', () => {
  it.each([
    ['printed', (value: object) => inspect(value, { depth: 30, showHidden: true })],
    ['as JSON', (value: object) => JSON.stringify(value)],
    ['as a copy', (value: object) => JSON.stringify({ ...value })],
  ])('show no key: %s', (_, show) => {
    const provider = createPerplexityAgent({ apiKey: API_KEY, headers: { 'x-own': MCP_HEADER } });
    const model = provider('low');
    const tool = provider.tools.mcp({
      serverLabel: 'crm',
      serverUrl: server.server_url,
      authorization: MCP_TOKEN,
      headers: server.headers,
    });
    for (const value of [provider, model, provider.responses, tool]) {
      for (const secret of SECRETS) expect(show(value) ?? '').not.toContain(secret);
    }
  });
});

/** A server that keeps what it is sent. */
async function listening(answer: (request: IncomingMessage) => { status: number; headers?: Record<string, string> }) {
  const received: Array<{ headers: IncomingMessage['headers']; body: string }> = [];
  const http = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      received.push({ headers: request.headers, body });
      const { status, headers } = answer(request);
      response.writeHead(status, headers).end('{}');
    });
  });
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const close = () => new Promise((resolve) => http.close(resolve));
  return { url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`, received, close };
}

describe('a redirect to another host', () => {
  it.each([301, 302, 303, 307, 308])('with status %i is not followed, and says what to do', async (status) => {
    const other = await listening(() => ({ status: 200, headers: { 'content-type': 'application/json' } }));
    const first = await listening(({ url }) => ({ status, headers: { location: `${other.url}${url}?k=${API_KEY}` } }));
    const provider = createPerplexityAgent({ apiKey: API_KEY, baseURL: first.url, headers: { 'x-own': MCP_HEADER } });
    for (const call of Object.values(CALLS)) {
      const error = await settled(call(provider));
      expect(error).toMatchObject({
        name: 'AI_APICallError',
        statusCode: status,
        isRetryable: false,
        message: expect.stringMatching(
          /^The Agent API redirects to http:\/\/127\.0\.0\.1:\d+\/v1\/\S+\?\[redacted\], which is not followed, so that no key and no prompt goes there\. If that is the right place, set baseURL to it\.$/,
        ),
      });
    }
    expect(first.received.length).toBe(Object.keys(CALLS).length);
    expect(other.received).toEqual([]);
    await Promise.all([first.close(), other.close()]);
  });

  it('whose address a browser hides is refused as well', async () => {
    const hidden = Object.defineProperties(new Response(null), {
      type: { value: 'opaqueredirect' },
      status: { value: 0 },
      ok: { value: false },
    });
    const provider = createPerplexityAgent({ apiKey: API_KEY, fetch: async () => hidden });
    expect(await settled(provider('low').doGenerate({ prompt }))).toMatchObject({
      message: expect.stringContaining('The Agent API redirects elsewhere, which is not followed'),
    });
  });
});

describe('a base URL', () => {
  it.each(['https://user:pass-word-1@api.example', 'https://pass-word-1@api.example'])(
    'with credentials is refused without showing them: %s',
    async (baseURL) => {
      const error = await settled(createPerplexityAgent({ apiKey: API_KEY, baseURL })('low').doGenerate({ prompt }));
      expect(error).toMatchObject({
        name: 'AI_InvalidArgumentError',
        message: 'createPerplexityAgent: baseURL must not hold a user name or password; put them into headers.',
      });
      expect(everythingOf(error)).not.toContain('pass-word-1');
    },
  );
});
