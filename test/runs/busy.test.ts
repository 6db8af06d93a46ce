// @vitest-environment node
/** A process that is busy for longer than a timeout is not the service's silence. */
import { expect, it } from 'vitest';
import { finishOf, modelWith, partsOf, streamParts, textsOf } from '../support/model.js';
import { completed, created, delta, message, sseText } from '../support/wire.js';

const IDLE_MS = 50;

it('a busy process took the bytes that had come meanwhile for a silence', async () => {
  const encoder = new TextEncoder();
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(encoder.encode(sseText([created(), delta('One ')])));
      const goOn = () => {
        controller.enqueue(encoder.encode(sseText([delta('two'), completed([message('One two')])])));
        controller.close();
      };
      // Node's turn: timers, sockets, immediates. What keeps it busy here is over when the timer is overdue, which then comes first.
      const keepBusy = () => {
        const until = performance.now() + IDLE_MS * 3;
        while (performance.now() < until);
        setImmediate(goOn);
      };
      setTimeout(() => setImmediate(keepBusy), 10);
    },
  });
  const { model } = modelWith([new Response(body, { headers: { 'content-type': 'text/event-stream' } })]);
  const parts = await streamParts(model, { providerOptions: { perplexity: { idleTimeout: IDLE_MS } } });
  expect(partsOf(parts, 'error')).toEqual([]);
  expect(textsOf(parts)).toEqual(['One two']);
  expect(finishOf(parts).finishReason).toBe('stop');
});
