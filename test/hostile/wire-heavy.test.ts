/** Heavy replies: right values, in time that grows with their size and no faster. */
import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { generate, modelWith, partsOf, streamParts, textsOf } from '../support/model.js';
import {
  completed,
  created,
  delta,
  eventReply,
  itemDone,
  jsonReply,
  message,
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

async function millisecondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/**
 * The time that each size takes, the shortest of some tries: growing the size fourfold must not take more than `most` times as
 * long. What grows with the square of the size takes 16 times as long.
 */
async function expectLinear(work: (size: number) => Promise<unknown>, size: number, most = 9): Promise<void> {
  const timeOf = async (count: number) => {
    const times: number[] = [];
    for (let attempt = 0; attempt < 3; attempt++) times.push(await millisecondsOf(() => work(count)));
    return Math.min(...times);
  };
  const small = await timeOf(size);
  const large = await timeOf(4 * size);
  expect(large / Math.max(small, 5), `${small} ms, then ${large} ms`).toBeLessThan(most);
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
    const parts = await streamParts(model);
    const sources = partsOf(parts, 'source');
    expect(sources).toHaveLength(100_000);
    expect(sources[99_999]).toMatchObject({
      url: 'https://page.example/99999',
      title: 'Title of https://page.example/99999',
    });
    const finish = partsOf(parts, 'finish')[0];
    const citations = finish?.providerMetadata?.['perplexity']?.['citations'] as Record<string, string>;
    expect(Object.keys(citations)).toHaveLength(100_000);
    expect(citations['100000']).toBe('https://page.example/99999');
  });

  it('with 100,000 results is generated too', async () => {
    const { model } = modelWith([jsonReply(snapshot({ output: [searchItem(['all'], pages(100_000)), message('A')] }))]);
    const { content } = await generate(model);
    expect(content.filter(({ type }) => type === 'source')).toHaveLength(100_000);
  });
});

const streamOf = (events: object[]) => async () => {
  const { model } = modelWith([inPieces(sseText([created(), ...events]))]);
  return streamParts(model);
};

describe('the time of a stream grows with its size', () => {
  it.each<[string, (count: number) => object[], number]>([
    ['results', (count) => [itemDone(0, searchItem(['all'], pages(count)))], 5000],
    [
      'items of results',
      (count) => Array.from({ length: count }, (_, index) => itemDone(index, searchItem([`${index}`], pages(1)))),
      1000,
    ],
    [
      'items of results at one place',
      (count) => Array.from({ length: count }, (_, index) => itemDone(0, searchItem([`${index}`], pages(1)))),
      1000,
    ],
    [
      'messages',
      (count) => Array.from({ length: count }, (_, index) => itemDone(index, message('A', `msg_${index}`))),
      1000,
    ],
    [
      'messages of one id',
      (count) => Array.from({ length: count }, (_, index) => itemDone(index, message(`A${index}`))),
      1000,
    ],
    [
      'messages without an id',
      (count) => Array.from({ length: count }, (_, index) => itemDone(index, { ...message(`A${index}`), id: null })),
      1000,
    ],
    [
      'deltas of messages that take turns',
      (count) => Array.from({ length: count }, (_, index) => delta('a', { item: `msg_${index}`, output: index })),
      1000,
    ],
    [
      'unknown items',
      (count) => Array.from({ length: count }, (_, index) => itemDone(index, { type: 'new', index })),
      1000,
    ],
    [
      'progress',
      (count) => Array.from({ length: count }, (_, n) => ({ type: 'response.reasoning.started', thought: `${n}` })),
      2000,
    ],
  ])('of %s', async (_, eventsOf, size) => {
    await expectLinear((count) => streamOf(eventsOf(count))(), size);
    // The same things once more, in the final snapshot.
    await expectLinear((count) => {
      const events = eventsOf(count) as Array<{ item?: object }>;
      const items = events.flatMap(({ item }) => (item === undefined ? [] : [item]));
      return streamOf([...events, completed(items)])();
    }, size);
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
