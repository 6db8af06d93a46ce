import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { describe, expect, it } from 'vitest';
import { fetchOf } from '../../bench/lib/fake-fetch.mjs';
import { createModel } from '../../bench/lib/floor.mjs';
import { expecting, forEachPart, readText, textOfPart, WrongText } from '../../bench/lib/reading.mjs';
import { callOptions } from '../../bench/lib/subject.mjs';
import { chunksOf, wireOf } from '../../bench/lib/wires/index.mjs';
import { textOf, tokenAt } from '../../bench/lib/wires/text.mjs';

const DELTAS = 500;
const CUTS = ['event', 1, 1024, 16_384] as const;
type WireName = 'agent' | 'chat';

const bytesOf = (name: WireName, chunking: 'event' | number, deltas = DELTAS): Buffer =>
  Buffer.concat([...chunksOf(wireOf(name), deltas, chunking)]);

const eventsOf = (name: WireName, deltas = DELTAS) =>
  bytesOf(name, 'event', deltas)
    .toString()
    .split('\n\n')
    .filter((block) => block.startsWith('data: {'))
    .map((block) => JSON.parse(block.slice('data: '.length)));

describe('the text of the wires', () => {
  it('holds what makes decoding hard: quotes, escapes, and characters of one to four bytes', () => {
    const text = textOf(DELTAS);
    for (const piece of ['"', '\\', '\n', '\t', 'ø', '潮', '🌊']) expect(text).toContain(piece);
  });

  it('is its tokens, one after the other', () => {
    expect(textOf(3)).toBe(tokenAt(0) + tokenAt(1) + tokenAt(2));
    expect(new Set(Array.from({ length: DELTAS }, (_, index) => tokenAt(index))).size).toBeGreaterThan(40);
  });
});

describe.each(CUTS)('chunks cut by %s', (chunking) => {
  it('come out of floor A as the expected text', async () => {
    const fetch = fetchOf(() => chunksOf(wireOf('agent'), DELTAS, chunking));
    const { stream } = await createModel({ baseURL: '', fetch }).doStream(callOptions());
    await readText(stream, textOfPart, textOf(DELTAS));
  });

  it('come out of the package as the expected text, with sources and usage', async () => {
    const fetch = fetchOf(() => chunksOf(wireOf('agent', { results: 12 }), DELTAS, chunking));
    const { stream } = await createPerplexityAgent({ apiKey: 'key', fetch })('openai/gpt-6-luna').doStream(
      callOptions(),
    );
    const text = expecting(textOf(DELTAS));
    let sources = 0;
    const finishes: unknown[] = [];
    await forEachPart(stream, (part: { type: string }) => {
      text.take(textOfPart(part) ?? '');
      if (part.type === 'source') sources += 1;
      if (part.type === 'finish') finishes.push(part);
    });
    text.end();
    expect(sources).toBe(12);
    expect(finishes).toMatchObject([{ finishReason: 'stop', usage: { outputTokens: DELTAS } }]);
  });

  it.each(['agent', 'chat'] as const)('hold the same bytes as any other (%s)', (name) => {
    expect(bytesOf(name, chunking).equals(bytesOf(name, 'event'))).toBe(true);
  });
});

describe('chunks of a size', () => {
  it('are full, but for the last one', () => {
    const sizes = [...chunksOf(wireOf('agent'), DELTAS, 1024)].map((chunk) => chunk.length);
    expect(new Set(sizes.slice(0, -1))).toEqual(new Set([1024]));
    expect(sizes.at(-1)).toBeLessThanOrEqual(1024);
  });
});

describe('the wire of the Agent API', () => {
  it('numbers its events in one row', () => {
    const numbers = eventsOf('agent').map((event) => event.sequence_number);
    expect(numbers).toEqual(numbers.map((_, index) => index));
  });

  it('sends events in the order of a recording', () => {
    expect(eventsOf('agent', 2).map((event) => event.type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.reasoning.search_queries',
      'response.reasoning.search_results',
      'response.output_item.done',
      'response.output_item.added',
      'response.output_text.delta',
      'response.output_text.delta',
      'response.output_text.done',
      'response.output_item.done',
      'response.completed',
    ]);
  });

  it('has all fields of a delta', () => {
    const delta = eventsOf('agent', 1).find((event) => event.type === 'response.output_text.delta');
    expect(Object.keys(delta)).toEqual([
      'content_index',
      'delta',
      'item_id',
      'output_index',
      'sequence_number',
      'type',
    ]);
  });

  it('ends with the whole text, usage and cost', () => {
    const { response } = eventsOf('agent').at(-1);
    expect(response.output[1].content[0].text).toBe(textOf(DELTAS));
    expect(response.usage).toMatchObject({ output_tokens: DELTAS, cost: { currency: 'USD', total_cost: 0.00155 } });
  });

  it('makes one event huge and leaves the others small', () => {
    const wire = wireOf('agent', { results: 50, snippetLength: 2000 });
    const large = [...wire.opening, ...wire.closing(1)].filter((block) => block.length > 50 * 2000);
    expect(large).toHaveLength(1);
  });
});

describe('the wire of chat completions', () => {
  it('carries the same text', () => {
    const text = eventsOf('chat').map((event) => event.choices[0].delta.content);
    expect(text.join('')).toBe(textOf(DELTAS));
  });
});

describe('expecting', () => {
  it('complains about another text, at its place', () => {
    const text = expecting('one two');
    text.take('one ');
    expect(() => text.take('too')).toThrow(new WrongText('Wrong text at character 4: "too"'));
  });

  it('complains about a text that is too short or too long', () => {
    const text = expecting('one two');
    text.take('one');
    expect(() => text.end()).toThrow('The text ended after 3 of 7 characters');
    text.take(' two');
    text.end();
    expect(() => text.take('!')).toThrow(WrongText);
  });

  it('takes an error part for a failure', () => {
    expect(() => textOfPart({ type: 'error', error: new Error('cut') })).toThrow('The stream brought an error part');
  });
});
