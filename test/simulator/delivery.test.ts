import { createAgentApiSimulator, parseRecording } from 'ai-sdk-provider-perplexity-agent/simulator';
import { assert, asyncProperty, integer } from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { ask, BASE, eventsIn, post, stream, textOf } from './helpers.js';

const body = { effort: 'fast', input: 'How?' };
const streaming = { ...body, stream: true };

const cutAt = (afterBytes?: number) =>
  createAgentApiSimulator({ seed: 1, scenario: { name: 'cut', ...(afterBytes !== undefined && { afterBytes }) } });

async function chunksOf(response: Response): Promise<string[]> {
  const chunks: string[] = [];
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) chunks.push(decoder.decode(chunk, { stream: true }));
  return chunks;
}

describe('pace and chunks', () => {
  it('sends one event a chunk', async () => {
    const chunks = await chunksOf(await post(createAgentApiSimulator(), streaming));
    expect(chunks.every((chunk) => /^data: .*\n\n$/u.test(chunk))).toBe(true);
    expect(chunks.length).toBeGreaterThan(20);
  });

  it('cuts anywhere without losing a byte', async () => {
    const whole = await (await post(createAgentApiSimulator({ seed: 1 }), streaming)).text();
    await assert(
      asyncProperty(integer({ min: 0, max: 3000 }), async (chunking) => {
        const response = await post(createAgentApiSimulator({ seed: 1, chunking }), streaming);
        const chunks = await chunksOf(response);
        expect(chunks.join('')).toBe(whole);
        expect(chunks).toHaveLength(Math.ceil(whole.length / Math.max(chunking, 1)));
      }),
      { numRuns: 20 },
    );
  });

  it('waits before each event, but not before JSON', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const simulator = createAgentApiSimulator({ eventDelay: 30, scenario: 'failed-early' });
    await ask(simulator, body);
    expect(timers.mock.calls.filter(([, delay]) => delay === 30)).toEqual([]);
    const start = performance.now();
    expect(await stream(simulator, body)).toHaveLength(3);
    expect(performance.now() - start).toBeGreaterThan(85);
  });

  it('waits once per event when chunks are bytes', async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout');
    const simulator = createAgentApiSimulator({ eventDelay: 1, chunking: 100, scenario: 'failed-early' });
    await stream(simulator, body);
    expect(timers.mock.calls.filter(([, delay]) => delay === 1)).toHaveLength(3);
  });
});

describe('cut', () => {
  it('ends in the middle of the events without a terminal one', async () => {
    const whole = await stream(createAgentApiSimulator({ seed: 1 }), body);
    const events = await stream(createAgentApiSimulator({ scenario: 'cut', seed: 1 }), body);
    expect(events).toEqual(whole.slice(0, Math.floor(whole.length / 2)));
    const three = await stream(createAgentApiSimulator({ scenario: { name: 'cut', afterEvents: 3 } }), body);
    expect(three).toHaveLength(3);
  });

  it('breaks with TypeError: terminated', async () => {
    const response = await post(
      createAgentApiSimulator({ scenario: { name: 'cut', afterEvents: 2, end: 'reset' } }),
      streaming,
    );
    const reader = response.body?.getReader();
    await reader?.read();
    await reader?.read();
    await expect(reader?.read()).rejects.toThrow(new TypeError('terminated'));
  });

  it('cuts after so many bytes, in JSON too', async () => {
    expect(await (await post(cutAt(1000), streaming)).text()).toHaveLength(1000);
    expect(await (await post(cutAt(100), body)).text()).toHaveLength(100);
    const whole = await (await post(createAgentApiSimulator({ seed: 1 }), body)).text();
    expect(await (await post(cutAt(), body)).text()).toBe(whole.slice(0, Math.floor(whole.length / 2)));
  });

  it('stalls until the client gives up', async () => {
    const simulator = createAgentApiSimulator({ scenario: { name: 'cut', afterEvents: 1, end: 'stall' } });
    const reader = (await post(simulator, streaming)).body?.getReader();
    await reader?.read();
    const never = await Promise.race([reader?.read(), new Promise((resolve) => setTimeout(resolve, 20, 'silence'))]);
    expect(never).toBe('silence');
    await reader?.cancel();
    expect(simulator.requests[0]?.aborted).toBe(true);
  });
});

describe('abort', () => {
  it('rejects when the signal is aborted already, and records nothing', async () => {
    const simulator = createAgentApiSimulator();
    await expect(post(simulator, body, AbortSignal.abort())).rejects.toMatchObject({ name: 'AbortError' });
    expect(simulator.requests).toEqual([]);
  });

  it('breaks the body with the reason and records it', async () => {
    const simulator = createAgentApiSimulator({ eventDelay: 5000 });
    const controller = new AbortController();
    const response = await post(simulator, streaming, controller.signal);
    const text = response.text();
    controller.abort(new Error('enough'));
    await expect(text).rejects.toThrow('enough');
    expect(simulator.requests[0]).toMatchObject({ aborted: true, status: 200 });
  });

  it('was lost on a body whose request was still being read', async () => {
    const simulator = createAgentApiSimulator({ eventDelay: 5000 });
    const controller = new AbortController();
    const replying = post(simulator, streaming, controller.signal);
    controller.abort(new Error('enough'));
    await expect(replying.then((response) => response.text())).rejects.toThrow('enough');
    expect(simulator.requests[0]).toMatchObject({ aborted: true });
  });

  it('leaves no listener on the signal of a body that is over', async () => {
    const { signal } = new AbortController();
    const added = vi.spyOn(signal, 'addEventListener');
    const removed = vi.spyOn(signal, 'removeEventListener');
    const response = await post(createAgentApiSimulator(), streaming, signal);
    expect(removed).not.toHaveBeenCalled();
    await response.text();
    expect(removed.mock.calls).toEqual([['abort', added.mock.calls.at(-1)?.[1]]]);
  });

  it('sees a body that is given up, but not one that is read to its last event', async () => {
    const simulator = createAgentApiSimulator({ scenario: 'failed-early' });
    const early = (await post(simulator, streaming)).body?.getReader();
    await early?.read();
    await early?.cancel();
    const controller = new AbortController();
    const whole = (await post(simulator, streaming, controller.signal)).body?.getReader();
    for (let count = 0; count < 3; count += 1) await whole?.read();
    await whole?.cancel();
    controller.abort();
    expect(simulator.requests.map(({ aborted }) => aborted)).toEqual([true, false]);
  });
});

describe('replay and custom scenarios', () => {
  const recording = [
    '{"type":"response.created","sequence_number":0,"response":{"id":"resp_a"}}',
    '',
    'data: {"type":"response.completed","sequence_number":4,"response":{"id":"resp_a","status":"completed"}}',
  ].join('\r\n');

  it('plays a recording verbatim, or its end', async () => {
    for (const replay of [recording, parseRecording(recording)]) {
      const simulator = createAgentApiSimulator({ replay });
      expect(await stream(simulator, body)).toEqual(parseRecording(recording));
      expect(await ask(simulator, body)).toEqual({ id: 'resp_a', status: 'completed' });
      expect(simulator.requests[1]?.responseId).toBe('resp_a');
    }
  });

  it('says which line of a recording is no JSON, and refuses two scripts', () => {
    expect(() => parseRecording('{}\n{')).toThrow(new SyntaxError('Line 2 of the recording is not JSON.'));
    expect(() => createAgentApiSimulator({ replay: '', scenario: 'plain' })).toThrow(TypeError);
  });

  it('writes events and raw strings as given', async () => {
    const simulator = createAgentApiSimulator({
      scenario: { events: [': keep-alive\n\n', { type: 'x' }, 'data: [DONE]\n\n'], headers: { 'x-extra': '1' } },
    });
    const response = await post(simulator, streaming);
    expect(response.headers.get('x-extra')).toBe('1');
    expect(await response.text()).toBe(': keep-alive\n\ndata: {"type":"x"}\n\ndata: [DONE]\n\n');
    await expect(post(simulator, body)).rejects.toThrow('The scenario has no response');
  });

  it('makes a stream from a response, and finds a response among events', async () => {
    const response = {
      id: 'resp_b',
      status: 'completed',
      output: [{ type: 'message', id: 'msg_1', content: [{ type: 'output_text', text: 'Hi.' }] }],
    };
    const simulator = createAgentApiSimulator({ scenario: { response } });
    const events = await stream(simulator, body);
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['response.output_text.delta', 'response.completed']),
    );
    expect(textOf(await ask(simulator, body))).toBe('Hi.');
    simulator.use({ events: [{ type: 'response.completed', response }, { type: 'late' }] });
    expect(await ask(simulator, body)).toEqual(response);
    simulator.use({ response: 'odd' });
    expect([await ask(simulator, body), await stream(simulator, body)]).toEqual(['odd', []]);
  });

  it('answers with any status and body', async () => {
    const simulator = createAgentApiSimulator({ scenario: { status: 418, body: '<p>tea</p>' } });
    const answers = async () => {
      const response = await post(simulator, streaming);
      return [response.status, response.headers.get('content-type'), await response.text()];
    };
    expect(await answers()).toEqual([418, 'text/html', '<p>tea</p>']);
    simulator.use({ body: { detail: [{ msg: 'no' }] }, status: 422 });
    expect(await answers()).toEqual([422, 'application/json', '{"detail":[{"msg":"no"}]}']);
    simulator.use({ body: 'words', headers: { 'content-type': 'application/json' } });
    expect(await answers()).toEqual([200, 'application/json', 'words']);
    simulator.use({ status: 503 });
    expect(await answers()).toEqual([503, 'text/plain', '']);
  });

  it('chooses by the request', async () => {
    const simulator = createAgentApiSimulator({
      scenario: ({ input }) => (input === 'a' ? 'fetch' : { name: 'plain', text: 'b' }),
    });
    expect((await ask(simulator, { ...body, input: 'a' })).output[0]?.type).toBe('fetch_url_results');
    expect(textOf(await ask(simulator, { ...body, input: 'b' }))).toBe('b');
  });
});

describe('ledger, ids and reset', () => {
  it('records what came', async () => {
    const simulator = createAgentApiSimulator();
    const { id } = await ask(simulator, body);
    await simulator.fetch(`${BASE}/v1/agent?x=1`, {
      method: 'POST',
      body: 'plain words',
      headers: { Authorization: 'Bearer k', 'X-Title': 't' },
    });
    await simulator.fetch(new Request(`${BASE}/v1/models`));
    expect(simulator.requests).toEqual([
      {
        method: 'POST',
        url: `${BASE}/v1/agent`,
        path: '/v1/agent',
        headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
        body,
        status: 200,
        aborted: false,
        responseId: id,
      },
      {
        method: 'POST',
        url: `${BASE}/v1/agent?x=1`,
        path: '/v1/agent',
        headers: expect.objectContaining({ authorization: 'Bearer k', 'x-title': 't' }),
        body: 'plain words',
        status: 400,
        aborted: false,
        responseId: undefined,
      },
      {
        method: 'GET',
        url: `${BASE}/v1/models`,
        path: '/v1/models',
        headers: {},
        body: undefined,
        status: 401,
        aborted: false,
        responseId: undefined,
      },
    ]);
  });

  it('repeats itself with a seed, and after a reset', async () => {
    const simulator = createAgentApiSimulator({ seed: 'a word', scenario: 'search' });
    const { requests } = simulator;
    const first = await ask(simulator, body);
    const second = await ask(simulator, body);
    simulator.use('plain');
    simulator.reset();
    expect(simulator.requests).toBe(requests);
    expect(requests).toHaveLength(0);
    expect(await ask(simulator, body)).toEqual(first);
    expect(second.id).not.toBe(first.id);
    expect([first.created_at, first.completed_at, second.created_at]).toEqual([
      1_790_000_000, 1_790_000_000, 1_790_000_001,
    ]);
    expect(first.id).toMatch(/^resp_[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u);
  });

  it('differs without one', async () => {
    const [one, other] = [await ask(createAgentApiSimulator(), body), await ask(createAgentApiSimulator(), body)];
    expect(one.id).not.toBe(other.id);
    expect(Math.abs(one.created_at - Date.now() / 1000)).toBeLessThan(5);
  });

  it('plays failures for which nothing was made', async () => {
    const simulator = createAgentApiSimulator({ scenario: 'unauthorized' });
    const response = await post(simulator, streaming);
    expect(eventsIn('')).toEqual([]);
    expect([response.status, response.headers.get('content-type'), simulator.requests[0]?.responseId]).toEqual([
      401,
      'application/json',
      undefined,
    ]);
  });
});
