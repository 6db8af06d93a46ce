import { describe, expect, it } from 'vitest';
import { modelWith, prompt } from '../support/model.js';
import {
  completed,
  created,
  delta,
  itemAdded,
  itemDone,
  message,
  result,
  searchItem,
  sseText,
} from '../support/wire.js';

/** Longer than any way through the package. */
const MOST = 50;

const settle = () => new Promise((resolve) => setTimeout(resolve, 0));

/** A run that has searched and whose message has begun; its body is written by the test. */
async function answering() {
  let write: (events: readonly object[]) => void = () => undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      write = (events) => controller.enqueue(new TextEncoder().encode(sseText(events)));
    },
  });
  const { model } = modelWith([new Response(body, { headers: { 'content-type': 'text/event-stream' } })]);
  const found = searchItem(['tides'], [result(1, 'https://example.org/tides')]);
  write([
    created(),
    { type: 'response.reasoning.search_queries', queries: ['tides'], thought: 'Looking up tides' },
    itemDone(0, found),
    itemAdded(1, message('')),
  ]);
  const { stream } = await model.doStream({ prompt });
  const texts: string[] = [];
  const reader = stream.getReader();
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      if (value.type === 'text-delta') texts.push(value.delta);
    }
  })();
  await settle();

  /** Rounds of the microtask queue from the bytes of a delta to its part. */
  async function turnsOf(text: string): Promise<number> {
    const wanted = texts.length + 1;
    write([delta(text, { output: 1 })]);
    for (let turns = 0; turns < MOST; turns++) {
      if (texts.length === wanted) return turns;
      await Promise.resolve();
    }
    return MOST;
  }
  return { turnsOf, write, texts, reading };
}

describe('a delta is not kept waiting', () => {
  it('comes three turns after its bytes where it opens the text, and two where it goes on', async () => {
    const { turnsOf, write, texts, reading } = await answering();
    const first = await turnsOf('a');
    await settle();
    const later = await turnsOf('b');
    expect({ first, later }).toEqual({ first: 3, later: 2 });
    // The last one has to wait for nothing but itself.
    expect(await turnsOf('c')).toBeLessThanOrEqual(3);
    write([completed([message('abc')])]);
    await reading;
    expect(texts.join('')).toBe('abc');
  });
});
