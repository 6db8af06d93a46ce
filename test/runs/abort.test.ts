import { describe, expect, it, vi } from 'vitest';
import { finishOf, generate, modelWith, partsOf, prompt, rejectionOf, streamParts, textsOf } from '../support/model.js';
import {
  bodyOf,
  completed,
  created,
  delta,
  eventReply,
  jsonReply,
  message,
  nativeCall,
  itemAdded,
  sseText,
} from '../support/wire.js';

const CANCEL = 'https://api.perplexity.ai/v1/agent/resp_1/cancel';
const accepted = () => jsonReply({ response_id: 'resp_1', status: 'cancelling' });
const stalling = (...events: object[]) => eventReply(events, { end: 'stall' });

/** Reads until something matches, then leaves the stream as it is. */
async function readUntil(reader: ReadableStreamDefaultReader<{ type: string }>, type: string) {
  for (;;) {
    const { value, done } = await reader.read();
    if (done || value.type === type) return;
  }
}

describe('abort', () => {
  it('of a stream stops reading at once and cancels the run, once, without a body', async () => {
    const { model, requests } = modelWith([stalling(created(), delta('A')), accepted]);
    const controller = new AbortController();
    const { stream } = await model.doStream({ prompt, abortSignal: controller.signal });
    const reader = stream.getReader();
    await readUntil(reader, 'text-delta');
    const pending = reader.read();
    controller.abort();
    expect((await rejectionOf(pending)).name).toBe('AbortError');
    controller.abort();
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    expect(requests[1]).toMatchObject({ url: CANCEL, method: 'POST', body: undefined });
    expect(requests[1]?.headers.get('authorization')).toBe('Bearer pplx-test-key-1234567890');
  });

  it('throws the parts away that were not read yet', async () => {
    const text = sseText([created(), delta('A'), delta('B'), delta('C')]);
    const { model } = modelWith([
      new Response(bodyOf([text], 'stall'), { headers: { 'content-type': 'text/event-stream' } }),
      accepted,
    ]);
    const controller = new AbortController();
    const { stream } = await model.doStream({ prompt, abortSignal: controller.signal });
    const reader = stream.getReader();
    await readUntil(reader, 'text-delta');
    controller.abort(new Error('enough'));
    expect((await rejectionOf(reader.read())).message).toBe('enough');
  });

  it('while waiting for the first event rejects doStream', async () => {
    const { model, requests } = modelWith([stalling(created()), accepted]);
    const controller = new AbortController();
    const pending = streamParts(model, { abortSignal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    expect((await rejectionOf(pending)).name).toBe('AbortError');
    await vi.waitFor(() => expect(requests.map(({ url }) => url)).toContain(CANCEL));
  });

  it.each(['low', 'openai/gpt-6-luna'])(
    'of a generate call on %s rejects with the reason and keeps no listener',
    async (modelId) => {
      const { model, requests } = modelWith([stalling(created(), delta('A')), accepted], { modelId });
      const controller = new AbortController();
      const added = vi.spyOn(controller.signal, 'addEventListener');
      const removed = vi.spyOn(controller.signal, 'removeEventListener');
      const pending = generate(model, { abortSignal: controller.signal });
      setTimeout(() => controller.abort(), 5);
      expect((await rejectionOf(pending)).name).toBe('AbortError');
      await vi.waitFor(() => expect(requests.map(({ url }) => url)).toContain(CANCEL));
      expect(removed.mock.calls.length).toBeGreaterThanOrEqual(added.mock.calls.length);
    },
  );

  it('before the reply began rejects at once, also where fetch takes no notice', async () => {
    const { model, requests } = modelWith([() => new Promise<Response>(() => undefined)]);
    for (const call of [generate, streamParts]) {
      const controller = new AbortController();
      const pending = call(model, { abortSignal: controller.signal });
      controller.abort();
      expect((await rejectionOf(pending)).name).toBe('AbortError');
    }
    expect(requests.every(({ url }) => !url.endsWith('/cancel'))).toBe(true);
  });

  it('that came before the call sends nothing', async () => {
    const fetch = vi.fn(async () => jsonReply({}));
    const { model } = modelWith([], { fetch });
    expect((await rejectionOf(generate(model, { abortSignal: AbortSignal.abort() }))).name).toBe('AbortError');
    expect(fetch).not.toHaveBeenCalled();
  });

  it('with cancelOnAbort: false only detaches', async () => {
    const { model, requests } = modelWith([stalling(created(), delta('A'))]);
    const controller = new AbortController();
    const options = { abortSignal: controller.signal, providerOptions: { perplexity: { cancelOnAbort: false } } };
    const { stream } = await model.doStream({ prompt, ...options });
    const reader = stream.getReader();
    await readUntil(reader, 'text-delta');
    controller.abort();
    await rejectionOf(reader.read());
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(requests).toHaveLength(1);
  });

  it('after the end changes nothing', async () => {
    const { model, requests } = modelWith([eventReply([created(), completed([message('A')])])]);
    const controller = new AbortController();
    const parts = await streamParts(model, { abortSignal: controller.signal });
    controller.abort();
    await new Promise((resolve) => setTimeout(resolve, 5));
    expect(finishOf(parts).finishReason).toBe('stop');
    expect(requests).toHaveLength(1);
  });

  it('does not care whether the cancel call succeeds', async () => {
    const { model, requests } = modelWith([stalling(created(), delta('A')), () => Promise.reject(new Error('down'))]);
    const controller = new AbortController();
    const { stream } = await model.doStream({ prompt, abortSignal: controller.signal });
    controller.abort();
    await rejectionOf(stream.getReader().read());
    await vi.waitFor(() => expect(requests).toHaveLength(2));
  });
});

describe('abort with an idleTimeout', () => {
  it('delivers nothing more, cancels the run and leaves no rejection behind', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    const controller = new AbortController();
    let fail: (reason: unknown) => void = () => undefined;
    const body = new ReadableStream<Uint8Array>({
      start(stream) {
        stream.enqueue(new TextEncoder().encode(sseText([created(), delta('A')])));
        // A real fetch breaks the body when the signal fires.
        fail = (reason) => stream.error(reason);
      },
    });
    controller.signal.addEventListener('abort', () => fail(controller.signal.reason));
    const reply = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    const { model, requests } = modelWith([reply, accepted]);
    const options = { abortSignal: controller.signal, providerOptions: { perplexity: { idleTimeout: 60_000 } } };
    const { stream } = await model.doStream({ prompt, ...options });
    const reader = stream.getReader();
    await readUntil(reader, 'text-delta');
    const pending = reader.read();
    controller.abort();
    expect((await rejectionOf(pending)).name).toBe('AbortError');
    await vi.waitFor(() => expect(requests.map(({ url }) => url)).toContain(CANCEL));
    await new Promise((resolve) => setTimeout(resolve, 5));
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});

describe('a reply that comes after the abort', () => {
  it('is let go', async () => {
    const onCancel = vi.fn();
    let answer: (response: Response) => void = () => undefined;
    const { model } = modelWith([() => new Promise<Response>((resolve) => (answer = resolve))]);
    const controller = new AbortController();
    const pending = streamParts(model, { abortSignal: controller.signal });
    controller.abort();
    expect((await rejectionOf(pending)).name).toBe('AbortError');
    const late = new ReadableStream({ cancel: onCancel });
    answer(new Response(late, { headers: { 'content-type': 'text/event-stream' } }));
    await vi.waitFor(() => expect(onCancel).toHaveBeenCalledTimes(1));
  });
});

describe('abort before the first event', () => {
  it('cancels the run that the header names', async () => {
    const id = '1fbf7849-2f7e-4946-ab3c-7cd0f2e6f3be';
    const reply = eventReply([], { end: 'stall', headers: { 'x-request-id': id } });
    const { model, requests } = modelWith([reply, accepted]);
    const controller = new AbortController();
    const pending = streamParts(model, { abortSignal: controller.signal });
    setTimeout(() => controller.abort(), 5);
    await rejectionOf(pending);
    await vi.waitFor(() => expect(requests[1]?.url).toBe(`https://api.perplexity.ai/v1/agent/resp_${id}/cancel`));
  });
});

describe('a consumer that cancels the stream', () => {
  it('stops the reading and the run', async () => {
    const onCancel = vi.fn();
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(sseText([created(), delta('A')])));
      },
      cancel: onCancel,
    });
    const { model, requests } = modelWith([
      new Response(body, { headers: { 'content-type': 'text/event-stream' } }),
      accepted,
    ]);
    const { stream } = await model.doStream({ prompt });
    await stream.cancel('seen enough');
    await vi.waitFor(() => expect(requests.map(({ url }) => url)).toContain(CANCEL));
    expect(onCancel).toHaveBeenCalledTimes(1);
  });
});

describe('idleTimeout', () => {
  const options = (idleTimeout: number) => ({ providerOptions: { perplexity: { idleTimeout } } });

  it('ends a silent stream with an error that says what was waited for', async () => {
    const parts = await streamParts(modelWith([stalling(created(), delta('A'))]).model, options(20));
    expect(textsOf(parts)).toEqual(['A']);
    expect(String(partsOf(parts, 'error')[0]?.error)).toContain(
      'Nothing came from the Agent API for 20 ms (providerOptions.perplexity.idleTimeout)',
    );
    expect(finishOf(parts).finishReason).toBe('error');
  });

  it('cancels the run that nobody waits for any more, unless that is not wanted', async () => {
    const { model, requests } = modelWith([stalling(created(), delta('A')), accepted]);
    await streamParts(model, options(20));
    await vi.waitFor(() => expect(requests.map(({ url }) => url)).toContain(CANCEL));
    const kept = modelWith([stalling(created(), delta('A'))]);
    await streamParts(kept.model, { providerOptions: { perplexity: { idleTimeout: 20, cancelOnAbort: false } } });
    expect(kept.requests).toHaveLength(1);
  });

  it('counts keep-alives as life', async () => {
    const encoder = new TextEncoder();
    const chunks = [
      sseText([created()]),
      ...Array.from({ length: 8 }, () => ': keep-alive\n\n'),
      sseText([completed([message('A')])]),
    ];
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 15));
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(encoder.encode(chunk));
      },
    });
    const { model } = modelWith([new Response(body, { headers: { 'content-type': 'text/event-stream' } })]);
    expect(finishOf(await streamParts(model, options(80))).finishReason).toBe('stop');
  });

  it('rejects a generate call that streams inside', async () => {
    const { model } = modelWith(
      [stalling(created({ status: 'in_progress' }), itemAdded(0, nativeCall('search_web', 'c', {})))],
      { modelId: 'low' },
    );
    expect((await rejectionOf(generate(model, options(20)))).message).toContain('idleTimeout');
  });
});

describe('a reply that stays open after the terminal event', () => {
  it('is let go after a moment, without keeping the consumer waiting', async () => {
    vi.useFakeTimers();
    try {
      const onCancel = vi.fn();
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(sseText([created(), completed([message('A')])])));
        },
        cancel: onCancel,
      });
      const { model } = modelWith([new Response(body, { headers: { 'content-type': 'text/event-stream' } })]);
      expect(finishOf(await streamParts(model)).finishReason).toBe('stop');
      expect(onCancel).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(1000);
      expect(onCancel).toHaveBeenCalledTimes(1);
    } finally {
      vi.useRealTimers();
    }
  });

  it('and sends more is let go at once', async () => {
    const onCancel = vi.fn();
    let pulls = 0;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          pulls++;
          controller.enqueue(
            new TextEncoder().encode(sseText([pulls === 1 ? created() : pulls === 2 ? completed([]) : delta('late')])),
          );
        },
        cancel: onCancel,
      },
      { highWaterMark: 0 },
    );
    const { model } = modelWith([new Response(body, { headers: { 'content-type': 'text/event-stream' } })]);
    await streamParts(model);
    await vi.waitFor(() => expect(onCancel).toHaveBeenCalledTimes(1));
    expect(pulls).toBe(3);
  });
});
