/** Reading requests by their plumbing: repeats, aborts, errors and secrets. `models()` stands for all that read JSON. */
import { APICallError } from '@ai-sdk/provider';
import { createPerplexityAgent, type PerplexityAgentRequestOptions } from 'ai-sdk-provider-perplexity-agent';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { API_KEY, rejectionOf } from '../support/model.js';
import { bodyOf, jsonReply, stubFetch } from '../support/wire.js';

const good = () => jsonReply({ object: 'list', data: [{ id: 'a/b' }] });
const refusal = (status: number, headers: Record<string, string> = {}, message = 'no') =>
  jsonReply({ error: { message, type: 'some_type', code: status } }, { status, headers });

function setUp(...replies: Parameters<typeof stubFetch>) {
  const { fetch, requests } = stubFetch(...replies);
  const provider = createPerplexityAgent({ apiKey: API_KEY, fetch });
  return { requests, models: (options?: PerplexityAgentRequestOptions) => provider.models(options) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a GET', () => {
  it('has the key, its own accept header and no body; headers of the call win', async () => {
    const { models, requests } = setUp(good);
    await models({ headers: { 'X-One': '1', Accept: 'application/x', gone: undefined } });
    const [sent] = requests;
    expect([sent?.method, sent?.url, sent?.body]).toEqual(['GET', 'https://api.perplexity.ai/v1/models', undefined]);
    expect(Object.fromEntries(sent?.headers ?? [])).toEqual({
      accept: 'application/x',
      authorization: `Bearer ${API_KEY}`,
      'user-agent': expect.stringMatching(/^ai-sdk\/ai-sdk-provider-perplexity-agent\//),
      'x-one': '1',
    });
  });

  it.each([408, 409, 429, 500, 502, 503, 504])('is repeated after %i', async (status) => {
    const { models, requests } = setUp(() => refusal(status), good);
    const list = models();
    await vi.runAllTimersAsync();
    expect(await list).toEqual([{ id: 'a/b' }]);
    expect(requests).toHaveLength(2);
    expect(vi.getTimerCount()).toBe(0);
  });

  it.each([400, 401, 403, 404])('is not repeated after %i', async (status) => {
    const { models, requests } = setUp(() => refusal(status), good);
    expect(await rejectionOf(models())).toMatchObject({ statusCode: status, isRetryable: false });
    expect(requests).toHaveLength(1);
  });

  it('is repeated after a lost connection, also one lost in the body', async () => {
    const lost = () => Promise.reject(new TypeError('fetch failed'));
    const broken = () => new Response(bodyOf(['{"object":"li'], new TypeError('terminated')));
    const { models, requests } = setUp(lost, broken, good);
    const list = models();
    await vi.runAllTimersAsync();
    expect(await list).toHaveLength(1);
    expect(requests).toHaveLength(3);
  });

  it.each([
    ['at most', 0, [500, 1000]],
    ['at least', 1, [375, 750]],
  ])('is given up after two repeats, with waits that grow: %s %#', async (_name, random, [first = 0, second = 0]) => {
    vi.spyOn(Math, 'random').mockReturnValue(random);
    const { models, requests } = setUp(() => refusal(503, { 'x-request-id': 'req-9' }, 'overloaded'));
    const error = rejectionOf(models());
    for (const [repeats, wait] of [first, second].entries()) {
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(requests).toHaveLength(repeats + 1);
      await vi.advanceTimersByTimeAsync(1);
      expect(requests).toHaveLength(repeats + 2);
    }
    expect(await error).toMatchObject({
      name: 'AI_APICallError',
      message: 'overloaded',
      statusCode: 503,
      url: 'https://api.perplexity.ai/v1/models',
      data: { type: 'some_type', code: 503, requestId: 'req-9' },
    });
    expect(vi.getTimerCount()).toBe(0);
  });

  const date = 'Mon, 30 Nov 2026 12:00:00 GMT';
  it.each([
    ['retry-after-ms', { 'retry-after-ms': '1500', 'retry-after': '9' }, 1500],
    ['retry-after in seconds', { 'retry-after': '2' }, 2000],
    ['retry-after as a date', { 'retry-after': 'Mon, 30 Nov 2026 12:00:05 GMT' }, 5000],
    ['a date that is over', { 'retry-after': 'Mon, 30 Nov 2026 11:00:00 GMT' }, 0],
    ['x-ratelimit-reset', { 'x-ratelimit-reset': String(Date.parse(date) / 1000 + 3), date }, 3000],
  ])('waits as %s asks', async (_name, headers, wait) => {
    vi.setSystemTime(new Date(date));
    const { models, requests } = setUp(() => refusal(429, headers), good);
    const list = models();
    await vi.advanceTimersByTimeAsync(Math.max(wait - 1, 0));
    expect(requests).toHaveLength(wait === 0 ? 2 : 1);
    await vi.advanceTimersByTimeAsync(1);
    expect(requests).toHaveLength(2);
    await list;
  });

  it('is not repeated where that would take over a minute, or where the service says so', async () => {
    for (const headers of [{ 'retry-after': '61' }, { 'x-should-retry': 'false' }]) {
      const { models, requests } = setUp(() => refusal(429, headers), good);
      expect(await rejectionOf(models())).toMatchObject({ statusCode: 429 });
      expect(requests).toHaveLength(1);
    }
  });
});

describe('an abort', () => {
  it('before the call sends nothing', async () => {
    const { models, requests } = setUp(good);
    const reason = new Error('changed my mind');
    expect(await rejectionOf(models({ abortSignal: AbortSignal.abort(reason) }))).toBe(reason);
    expect(requests).toEqual([]);
  });

  it('while waiting to repeat ends at once and leaves neither timer nor listener', async () => {
    const { models, requests } = setUp(() => refusal(503), good);
    const controller = new AbortController();
    const added = vi.spyOn(controller.signal, 'addEventListener');
    const removed = vi.spyOn(controller.signal, 'removeEventListener');
    const error = rejectionOf(models({ abortSignal: controller.signal }));
    await vi.advanceTimersByTimeAsync(10);
    expect(vi.getTimerCount()).toBe(1);
    const reason = new Error('stop');
    controller.abort(reason);
    expect(await error).toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(requests).toHaveLength(1);
    // The one of the pause went off, and such listeners are of one use.
    expect(removed.mock.calls.length).toBe(added.mock.calls.length - 1);
  });

  it('after a wait that is over leaves no listener', async () => {
    const { models } = setUp(() => refusal(503), good);
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const list = models({ abortSignal: signal });
    await vi.runAllTimersAsync();
    await list;
    expect(removed.mock.calls.length).toBe(added.mock.calls.length);
  });

  it('is not waited for where a fetch does not listen; what comes late is thrown away', async () => {
    let answer: (response: Response) => void = () => undefined;
    const cancel = vi.fn();
    const fetch = () => new Promise<Response>((resolve) => (answer = resolve));
    const controller = new AbortController();
    const list = createPerplexityAgent({ apiKey: API_KEY, fetch }).models({ abortSignal: controller.signal });
    await vi.advanceTimersByTimeAsync(0);
    controller.abort(new Error('stop'));
    expect((await rejectionOf(list)).message).toBe('stop');
    answer(new Response(new ReadableStream({ cancel })));
    await vi.advanceTimersByTimeAsync(0);
    expect(cancel).toHaveBeenCalledTimes(1);
  });

  it('while a body is read, also of an error, ends at once', async () => {
    for (const status of [200, 500]) {
      const { models } = setUp(() => new Response(bodyOf(['{'], 'stall'), { status }));
      const controller = new AbortController();
      const error = rejectionOf(models({ abortSignal: controller.signal }));
      await vi.advanceTimersByTimeAsync(0);
      controller.abort(new Error('stop'));
      expect((await error).message).toBe('stop');
    }
  });

  it('that fetch reports by itself is passed on and not repeated', async () => {
    const timeout = new DOMException('timed out', 'TimeoutError');
    const { models, requests } = setUp(() => Promise.reject(timeout), good);
    expect(await rejectionOf(models())).toBe(timeout);
    expect(requests).toHaveLength(1);
  });
});

describe('a reply', () => {
  it.each([
    ['nothing', () => new Response(''), 'an empty body'],
    [
      'a page',
      () => new Response('<html>', { headers: { 'content-type': 'text/html' } }),
      'a body of type "text/html"',
    ],
    ['a list only', () => jsonReply([]), 'no JSON object'],
    ['no list', () => jsonReply({ object: 'response' }), 'a reply that is no list'],
    ['a text for a list', () => jsonReply({ object: 'list', data: 'x' }), 'a reply that is no list'],
  ])('that is %s is an error, and not asked for again', async (_name, reply, message) => {
    const { models, requests } = setUp(reply);
    const error = await rejectionOf(models());
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error.message).toContain(message);
    expect(error).toMatchObject({ statusCode: 200, isRetryable: false });
    expect(requests).toHaveLength(1);
  });

  it('that echoes the key does not show it', async () => {
    const echoes = [
      () => refusal(401, { 'x-echo': API_KEY }, `bad key ${API_KEY}`),
      () => new Response(`<p>Bearer ${API_KEY}</p>`),
      () => Promise.reject(new TypeError(`cannot send ${API_KEY}`, { cause: new Error(API_KEY) })),
    ];
    for (const echo of echoes) {
      const failure = rejectionOf(setUp(echo).models());
      await vi.runAllTimersAsync();
      const error = await failure;
      const shown = JSON.stringify([error, error.message, error.cause, String((error.cause as Error)?.cause)]);
      expect(shown).not.toContain(API_KEY);
      expect(APICallError.isInstance(error)).toBe(true);
    }
  });
});
