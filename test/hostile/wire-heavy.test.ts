/** Heavy replies: right values, in time that grows with their size and no faster. */
import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import {
  functionTool,
  generate,
  modelWith,
  partsOf,
  prompt,
  streamParts,
  textsOf,
  webSearchTool,
} from '../support/model.js';
import {
  completed,
  created,
  delta,
  itemAdded,
  itemDone,
  jsonReply,
  message,
  nativeCall,
  result,
  searchItem,
  snapshot,
  sseText,
} from '../support/wire.js';

const MB = 1024 * 1024;
/** Pieces as a socket gives them. */
const PIECE = 64 * 1024;

function inPieces(text: string): Response {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      if (at >= bytes.length) return controller.close();
      controller.enqueue(bytes.subarray(at, (at += PIECE)));
    },
  });
  return new Response(body, { headers: { 'content-type': 'text/event-stream' } });
}

/**
 * Four times the size must not take more than nine times as long; what grows with the square of the size takes sixteen times
 * as long. Another try where it does, since other work on the machine is no fault.
 */
async function expectLinear(work: (size: number) => Promise<unknown>, size: number): Promise<void> {
  const timeOf = async (count: number) => {
    const start = performance.now();
    await work(count);
    return performance.now() - start;
  };
  await work(size);
  let ratio = Infinity;
  for (let attempt = 0; attempt < 4 && ratio >= 9; attempt++) {
    const small = await timeOf(size);
    ratio = (await timeOf(4 * size)) / Math.max(small, 5);
  }
  expect(ratio).toBeLessThan(9);
}

const pages = (count: number) => Array.from({ length: count }, (_, id) => result(id + 1, `https://page.example/${id}`));

describe('a heavy stream', () => {
  it('with a snapshot of 50 MB is read whole', async () => {
    const text = 'lighthouse '.repeat((50 * MB) / 11);
    const { model } = modelWith([inPieces(sseText([created(), completed([message(text)])]))]);
    expect(textsOf(await streamParts(model))[0] === text).toBe(true);
  });

  it('with a delta of 5 MB is read whole', async () => {
    const text = '灯台👩‍🚀'.repeat((5 * MB) / 17);
    const { model } = modelWith([inPieces(sseText([created(), delta(text), completed([message(text)])]))]);
    expect(textsOf(await streamParts(model))).toEqual([text]);
  });

  it('with 100,000 results has each as a source, and each number leads to its page', async () => {
    const item = searchItem(['all'], pages(100_000));
    const { model } = modelWith([inPieces(sseText([created(), itemDone(0, item), completed([item])]))]);
    const { stream } = await model.doStream({ prompt });
    const urls = new Set<string>();
    let citations: unknown;
    for await (const part of stream) {
      if (part.type === 'source' && part.sourceType === 'url') urls.add(part.url);
      if (part.type === 'finish') citations = part.providerMetadata?.['perplexity']?.['citations'];
    }
    expect(urls.size).toBe(100_000);
    expect(Object.keys(citations as object)).toHaveLength(100_000);
    expect(citations).toHaveProperty('100000', 'https://page.example/99999');
  });

  it('with 25,000 results is generated too', async () => {
    const { model } = modelWith([jsonReply(snapshot({ output: [searchItem(['all'], pages(25_000)), message('A')] }))]);
    const { content } = await generate(model);
    expect(content.filter(({ type }) => type === 'source')).toHaveLength(25_000);
  });
});

/** Reads a stream of these events and counts its parts. */
async function countOf(events: object[]): Promise<number> {
  const { model } = modelWith([inPieces(sseText([created(), ...events]))]);
  const { stream } = await model.doStream({ prompt, tools: [webSearchTool(), functionTool('look')] });
  let count = 0;
  for await (const _ of stream) count++;
  return count;
}

const many = (count: number, eventOf: (index: number) => object) =>
  Array.from({ length: count }, (_, at) => eventOf(at));
const found = (index: number) => searchItem([`${index}`], pages(1));
const announced = (index: number) => itemAdded(index, { ...nativeCall('search_web', `c${index}`, {}) });
const looked = (index: number) => ({ type: 'response.reasoning.search_queries', call_id: `c${index}`, queries: ['q'] });

describe('the time of a stream grows with its size and no faster', () => {
  it.each<[string, (count: number) => object[]]>([
    ['results', (count) => [itemDone(0, searchItem(['all'], pages(count)))]],
    ['items', (count) => many(count, (index) => itemDone(index, found(index)))],
    ['items at one place', (count) => many(count, (index) => itemDone(0, found(index)))],
    ['messages', (count) => many(count, (index) => itemDone(index, message('A', `msg_${index}`)))],
    ['messages of one id', (count) => many(count, (index) => itemDone(index, message(`A${index}`)))],
    [
      'messages without an id',
      (count) => many(count, (index) => itemDone(index, { ...message(`A${index}`), id: null })),
    ],
    [
      'messages that take turns',
      (count) => many(count, (index) => delta('a', { item: `msg_${index}`, output: index })),
    ],
    ['calls', (count) => many(count, (index) => itemDone(index, nativeCall('look', `c${index}`, {})))],
    ['native calls', (count) => [...many(count, announced), ...many(count, looked)]],
    ['unknown items', (count) => many(count, (index) => itemDone(index, { type: 'new', index }))],
    ['content parts', (count) => [itemDone(0, { ...message(''), content: many(count, (at) => ({ text: `t${at}` })) })]],
  ])('of %s', async (_, eventsOf) => {
    await expectLinear(async (count) => {
      const events = eventsOf(count) as Array<{ item?: object }>;
      const items = events.flatMap(({ item }) => (item === undefined ? [] : [item]));
      // All of it once more, in the final snapshot.
      expect(await countOf([...events, completed(items)])).toBeGreaterThan(2);
    }, 1000);
  });
});

describe('an event that outgrows maxEventBytes', () => {
  it('ends the stream after a bounded number of bytes, says what to do, and lets go of the body', async () => {
    const piece = new TextEncoder().encode('x'.repeat(PIECE));
    let sent = 0;
    let isCancelled = false;
    const body = new ReadableStream<Uint8Array>(
      {
        start: (controller) =>
          controller.enqueue(new TextEncoder().encode(`${sseText([created(), delta('A')])}data: {"a":"`)),
        pull(controller) {
          sent += piece.length;
          if (sent > 64 * MB) throw new Error('the reader does not stop');
          controller.enqueue(piece);
        },
        cancel: () => void (isCancelled = true),
      },
      { highWaterMark: 0 },
    );
    const reply = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    const { model } = modelWith([reply, jsonReply({})], { maxEventBytes: MB });
    const parts = await streamParts(model);
    const [failed] = partsOf(parts, 'error');
    expect(APICallError.isInstance(failed?.error)).toBe(true);
    expect((failed?.error as Error).message).toContain(
      `An event of the stream is larger than maxEventBytes (${MB}). Raise the provider's maxEventBytes setting`,
    );
    expect(textsOf(parts)).toEqual(['A']);
    expect(isCancelled).toBe(true);
    expect(sent).toBeLessThanOrEqual(MB + 2 * PIECE);
  });
});
