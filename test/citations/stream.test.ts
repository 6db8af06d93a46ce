/** Links in a stream, and spans on texts: by hand, and under ai 5 with the simulator. */
import { generateText, smoothStream, streamText } from 'ai';
import {
  createPerplexityAgent,
  linkCitations,
  linkCitationsTransform,
  splitCitations,
  type PerplexityAgentMetadata,
} from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator, type AgentApiSimulatorOptions } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { fixtureEvents, fixtureResponse } from '../support/fixtures.js';
import { generate, modelWith, partsOf, streamParts } from '../support/model.js';
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
} from '../support/wire.js';

type Part = { type: string; [key: string]: unknown };

async function transformed(parts: Part[]): Promise<Part[]> {
  const out: Part[] = [];
  const stream = new ReadableStream<Part>({
    start(controller) {
      parts.forEach((part) => controller.enqueue(part));
      controller.close();
    },
  });
  for await (const part of stream.pipeThrough(linkCitationsTransform()<Part>())) out.push(part);
  return out;
}

const A = 'https://a.example/';
const B = 'https://b.example/';
const metadata = (citations: Record<string, string>, responseId = 'resp_1') => ({
  providerMetadata: { perplexity: { responseId, citations } },
});
const start = (id: string, citations?: Record<string, string>, responseId?: string): Part => ({
  type: 'text-start',
  id,
  ...(citations !== undefined && metadata(citations, responseId)),
});
const text = (id: string, piece: string): Part => ({ type: 'text-delta', id, text: piece });
const source = (url: string, resultIds: number[], responseId = 'resp_1'): Part => ({
  type: 'source',
  sourceType: 'url',
  id: `${responseId}:${resultIds[0]}`,
  url,
  providerMetadata: { perplexity: { responseId, resultIds } },
});

describe('linkCitationsTransform', () => {
  it('passes the very parts where nothing is linked', async () => {
    const parts = [
      { type: 'start' },
      { type: 'start-step' },
      { type: 'tool-call', toolName: 'x', id: 7 },
      start('t', {}),
      text('t', 'Some text.'),
      text('t', ''),
      { type: 'text-delta', id: 't', text: 7 },
      { type: 'text-end', id: 't' },
      { type: 'finish-step' },
      { type: 'finish' },
    ];
    const out = await transformed(parts);
    expect(out).toHaveLength(parts.length);
    out.forEach((part, index) => expect(part).toBe(parts[index]));
  });

  it('keeps several blocks apart and flushes each before its end', async () => {
    const out = await transformed([
      start('a', { '1': A }),
      start('b', { '1': A }),
      text('a', 'x ['),
      { ...text('b', 'y [we'), providerMetadata: { other: { kept: true } } },
      text('a', '1'),
      { ...text('b', 'b:1]'), providerMetadata: { other: { kept: true } } },
      text('a', ']'),
      { type: 'text-end', id: 'a' },
      { type: 'text-end', id: 'b' },
    ]);
    expect(out.slice(2)).toEqual([
      text('a', 'x '),
      { ...text('b', 'y '), providerMetadata: { other: { kept: true } } },
      text('a', `[[1]](${A})`),
      { type: 'text-end', id: 'a' },
      { ...text('b', `[[web:1]](${A})`), providerMetadata: { other: { kept: true } } },
      { type: 'text-end', id: 'b' },
    ]);
  });

  it.each(['start-step', 'finish-step', 'finish', 'abort'])('holds nothing back at %s', async (type) => {
    const out = await transformed([start('a', { '1': A }), text('a', '[1]'), { type }]);
    expect(out.slice(1)).toEqual([text('a', `[[1]](${A})`), { type }]);
  });

  it('holds nothing back where the stream just ends, or where an id comes again', async () => {
    expect(await transformed([text('a', 'x [')])).toEqual([text('a', 'x '), text('a', '[')]);
    const out = await transformed([text('a', 'x ['), start('a'), text('a', '1]')]);
    expect(out).toEqual([text('a', 'x '), text('a', '['), start('a'), text('a', '1]')]);
  });

  it('knows what sources say, and begins anew with each step', async () => {
    const step = (url: string, responseId: string): Part[] => [
      { type: 'start-step' },
      source(url, [1, 3], responseId),
      start('a', {}, responseId),
      text('a', '[1][3][2] '),
      { type: 'text-end', id: 'a' },
      { type: 'finish-step' },
    ];
    const out = await transformed([
      ...step(A, 'resp_1'),
      ...step(B, 'resp_2'),
      { type: 'start-step' },
      start('a'),
      text('a', '[1] '),
    ]);
    expect(out.filter(({ type }) => type === 'text-delta').map((part) => part['text'])).toEqual([
      `[[1]](${A})[[3]](${A})[2] `,
      `[[1]](${B})[[3]](${B})[2] `,
      '[1] ',
    ]);
  });

  it('begins anew with another response in the same step', async () => {
    const out = await transformed([
      source(A, [1, 2]),
      source(B, [1], 'resp_2'),
      { type: 'source', sourceType: 'document', id: 'd', ...metadata({}, 'resp_2') },
      text('a', '[1][2] '),
    ]);
    expect(out.at(-1)).toEqual(text('a', `[[1]](${B})[2] `));
  });

  it('moves the spans of ai 7 along', async () => {
    const whole = 'Wow![1] x [9] [2]. `[1]`';
    const spans = [
      { startIndex: 4, endIndex: 7, source: 1 },
      { startIndex: 14, endIndex: 17 },
      { startIndex: 0, endIndex: 24 },
      { source: 'no span' },
      'odd',
    ];
    const out = await transformed([
      start('a', { '1': A, '2': B }),
      ...whole.split('').map((piece) => text('a', piece)),
      { type: 'text-end', id: 'a', citations: spans },
    ]);
    const linked = out.map((part) => (part.type === 'text-delta' ? String(part['text']) : '')).join('');
    expect(linked).toBe(`Wow\\![[1]](${A}) x [9] [[2]](${B}). \`[1]\``);
    const moved = out.at(-1)?.['citations'] as Array<{ startIndex: number; endIndex: number }>;
    const spanned = moved.slice(0, 3).map(({ startIndex, endIndex }) => linked.slice(startIndex, endIndex));
    expect(spanned).toEqual([`[[1]](${A})`, `[[2]](${B})`, linked]);
    expect(moved.slice(3)).toEqual(spans.slice(3));
    const untouched = { type: 'text-end', id: 'none', citations: spans };
    expect((await transformed([untouched]))[0]).toBe(untouched);
  });
});

describe('spans', () => {
  type Span = { source: { url: string }; startIndex: number; endIndex: number };
  const spansOf = (part: { citations?: Span[] } | object | undefined): Span[] =>
    part !== undefined && 'citations' in part ? (part.citations ?? []) : [];

  it('are on text-end and on texts, with the source but not its metadata again', async () => {
    const search = searchItem(['q'], [result(1, A), result(2, B), result(3, A)]);
    const answer = 'One [2]. `[1]` [3][9]';
    const expected = [
      {
        source: { type: 'source', sourceType: 'url', id: 'resp_1:2', url: B, title: `Title of ${B}` },
        startIndex: 4,
        endIndex: 7,
      },
      {
        source: { type: 'source', sourceType: 'url', id: 'resp_1:1', url: A, title: `Title of ${A}` },
        startIndex: 15,
        endIndex: 18,
      },
    ];
    const events = [
      created(),
      itemDone(0, search),
      ...answer.split('').map((piece) => delta(piece, { output: 1 })),
      completed([search, message(answer)]),
    ];
    const parts = await streamParts(modelWith([eventReply(events)]).model);
    expect(partsOf(parts, 'text-end')[0]).toMatchObject({ citations: expected });
    const { content } = await generate(modelWith([jsonReply(snapshot({ output: [search, message(answer)] }))]).model);
    expect(content.find(({ type }) => type === 'text')).toMatchObject({ citations: expected });
  });

  it('are left out where nothing is cited, and of JSON', async () => {
    const search = searchItem(['q'], [result(1, A)]);
    const structured = { type: 'json', schema: { type: 'object' } } as const;
    for (const [answer, options] of [
      ['None [2]', {}],
      ['{"list":[1]}', { responseFormat: structured }],
    ] as const) {
      const output = [search, message(answer)];
      const parts = await streamParts(
        modelWith([eventReply([created(), itemDone(0, search), delta(answer, { output: 1 }), completed(output)])])
          .model,
        options,
      );
      expect(partsOf(parts, 'text-end')[0]).not.toHaveProperty('citations');
      const { content } = await generate(modelWith([jsonReply(snapshot({ output }))]).model, options);
      expect(content.find(({ type }) => type === 'text')).not.toHaveProperty('citations');
    }
  });

  it('fit the corrected text where a delta was spoiled', async () => {
    const search = searchItem(['q'], [result(1, A)]);
    const events = [
      created(),
      itemDone(0, search),
      delta('Spoiled [1]', { output: 1 }),
      completed([search, message('Right [1]')]),
    ];
    // A level streams inside and folds.
    const { content } = await generate(modelWith([eventReply(events)], { modelId: 'fast' }).model);
    const part = content.find(({ type }) => type === 'text');
    expect(part).toMatchObject({ text: 'Right [1]' });
    expect(spansOf(part)).toMatchObject([{ startIndex: 6, endIndex: 9 }]);
  });

  it.each([
    ['parallel-searches', 3],
    ['chained', 1],
    ['fetch-only', 1],
    ['search', 2],
  ])('of %s name the cited pages', async (name, atLeast) => {
    const response = fixtureResponse(name);
    const options = name === 'chained' ? { providerOptions: { perplexity: { previousResponseId: 'resp_0' } } } : {};
    const { content, providerMetadata } = await generate(modelWith([jsonReply(response)]).model, options);
    const { citations = {} } = (providerMetadata?.['perplexity'] ?? {}) as PerplexityAgentMetadata;
    const texts = content.flatMap((part) => (part.type === 'text' ? [part] : []));
    const spans = texts.flatMap((part) => spansOf(part).map((span) => ({ ...span, text: part.text })));
    expect(spans.length).toBeGreaterThanOrEqual(atLeast);
    for (const { text: whole, startIndex, endIndex, source: cited } of spans) {
      const [, id = ''] = /^\[(?:web:)?(\d+)\]$/.exec(whole.slice(startIndex, endIndex)) ?? [];
      expect(cited.url).toBe(citations[id]);
    }
    const marked = texts.flatMap((part) => part.text.match(/\[(?:web:)?\d+\]/g) ?? []);
    expect(spans).toHaveLength(marked.length);
    const parts = await streamParts(modelWith([eventReply(fixtureEvents(name))]).model, options);
    expect(partsOf(parts, 'text-end').flatMap(spansOf)).toEqual(texts.flatMap(spansOf));
  });
});

describe('under ai 5', () => {
  const providerOf = (options: AgentApiSimulatorOptions) =>
    createPerplexityAgent({ apiKey: 'pplx-test-key-1234567890', fetch: createAgentApiSimulator(options).fetch });
  const scenarios = ['search', 'parallel-searches', 'fetch'] as const;

  it.each(scenarios)('every marker of %s resolves to a source', async (scenario) => {
    for (const level of ['fast', 'medium']) {
      const answer = await generateText({ model: providerOf({ scenario })(level), prompt: 'What is new?' });
      const segments = splitCitations(answer.text, answer.sources, answer.providerMetadata);
      const cited = segments.flatMap((part) => (part.type === 'citation' ? [part] : []));
      expect(cited.map(({ marker }) => marker)).toEqual(answer.text.match(/\[(?:web:)?\d+\]/g));
      for (const { source: found } of cited) expect(answer.sources).toContain(found);
      const linked = linkCitations(answer.text, answer.sources, answer.providerMetadata);
      expect(linked.match(/\[\[(?:web:)?\d+\]\]\(https:/g)).toHaveLength(cited.length);
    }
  });

  it.each([
    ['alone', linkCitationsTransform()],
    ['before smoothStream', [linkCitationsTransform(), smoothStream({ delayInMs: null })]],
    ['after smoothStream', [smoothStream({ delayInMs: null }), linkCitationsTransform()]],
  ])('streamed text is linked as the whole is: %s', async (_, transform) => {
    for (const scenario of scenarios) {
      const provider = providerOf({ scenario });
      const streamed = streamText({
        model: provider('fast'),
        prompt: 'What is new?',
        experimental_transform: transform,
      });
      let linked = '';
      for await (const piece of streamed.textStream) linked += piece;
      const plain = await generateText({ model: provider('fast'), prompt: 'What is new?' });
      expect(linked).toContain(']](https://');
      expect(linked).toBe(linkCitations(plain.text, plain.sources, plain.providerMetadata));
      expect(await streamed.text).toBe(linked);
    }
  });
});
