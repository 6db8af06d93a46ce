import { describe, expect, it } from 'vitest';
import { finishOf, generate, modelWith, streamParts, textsOf, type CallOptions } from '../support/model.js';
import { providerOf } from '../support/resume.js';
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
  stubFetch,
} from '../support/wire.js';

const json: CallOptions = {
  responseFormat: { type: 'json', schema: { type: 'object', properties: { city: { type: 'string' } } } },
};
const texts = async (output: object[], options = json) =>
  (await generate(modelWith([jsonReply(snapshot({ output }))]).model, options)).content.map((part) =>
    part.type === 'text' ? part.text : part.type,
  );

describe('structured output of generate', () => {
  it('is one bare JSON text where a draft came before the search', async () => {
    const search = searchItem(['q'], [result(1, 'https://a.example/')]);
    const output = [message('Let me look that up.'), search, message('{"city":"Porto"}', 'msg_2')];
    expect(await texts(output)).toEqual(['source', '{"city":"Porto"}']);
  });

  it('loses its fence', async () => {
    expect(await texts([message('```json\n{"city":"Porto"}\n```')])).toEqual(['{"city":"Porto"}']);
    expect(await texts([message('```\n{"city":"Porto"}\n```\n')])).toEqual(['{"city":"Porto"}']);
  });

  it('is the object, not a number, list or citation that happens to be JSON', async () => {
    expect(await texts([message('{"city":"Porto"}'), message('42', 'msg_2'), message('[1]', 'msg_3')])).toEqual([
      '{"city":"Porto"}',
    ]);
  });

  it('is found in a fence among words', async () => {
    expect(await texts([message('Here it is:\n```json\n{"city":"Porto"}\n```\nI hope that helps.')])).toEqual([
      '{"city":"Porto"}',
    ]);
  });

  it('is looked for in linear time, whatever a model fills its budget with', async () => {
    for (const text of [`\`\`\`json${' '.repeat(200_000)}`, `\`\`\`json\n{"a":1}${'\n'.repeat(200_000)}`]) {
      const started = performance.now();
      expect(await texts([message(text)])).toHaveLength(1);
      // Cubic, this took hours; the bound only tells the kinds apart.
      expect(performance.now() - started).toBeLessThan(2000);
    }
  });

  it('is left as it is where nothing is JSON, and where no JSON was asked for', async () => {
    expect(await texts([message('A'), message('B', 'msg_2')])).toEqual(['A', 'B']);
    expect(await texts([message('A'), message('{}', 'msg_2')], {})).toEqual(['A', '{}']);
  });
});

describe('structured output of a stream', () => {
  const streamed = (events: object[], options = json) => streamParts(modelWith([eventReply(events)]).model, options);
  const [draft, answer] = [message('Let me look that up.'), message('{"city":"Porto"}', 'msg_2')];

  it('flows as it comes, once it begins like an object', async () => {
    const pieces = ['{"ci', 'ty":', '"Porto"}'];
    const parts = await streamed([
      created(),
      ...pieces.map((piece) => delta(piece)),
      completed([message('{"city":"Porto"}')]),
    ]);
    expect(parts.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))).toEqual(pieces);
  });

  it('leaves a draft before it out', async () => {
    const parts = await streamed([
      created(),
      delta('Let me look that up.'),
      itemDone(0, draft),
      delta(' {"city":', { item: 'msg_2', output: 1 }),
      delta('"Porto"}', { item: 'msg_2', output: 1 }),
      completed([draft, { ...answer, content: [{ type: 'output_text', text: ' {"city":"Porto"}' }] }]),
    ]);
    expect(textsOf(parts)).toEqual([' {"city":"Porto"}']);
  });

  it('comes bare out of its fence', async () => {
    const text = 'Here it is:\n```json\n{"city":"Porto"}\n```';
    const parts = await streamed([
      created(),
      delta(text.slice(0, 20)),
      delta(text.slice(20)),
      completed([message(text)]),
    ]);
    expect(textsOf(parts)).toEqual(['{"city":"Porto"}']);
  });

  it('is the text as it is where there is no object, also when the run fails', async () => {
    const refusal = message('I cannot do that.');
    expect(textsOf(await streamed([created(), delta('I cannot do that.'), completed([refusal])]))).toEqual([
      'I cannot do that.',
    ]);
    const cut = await streamed([created(), delta('I cannot')]);
    expect(textsOf(cut)).toEqual(['I cannot']);
    expect(finishOf(cut).finishReason).toBe('error');
  });

  it('is not touched where no JSON was asked for', async () => {
    const parts = await streamed([created(), delta('Text'), completed([message('Text')])], {});
    expect(textsOf(parts)).toEqual(['Text']);
  });
});

describe('structured output of several texts', () => {
  const J = '{"city":"Porto","people":[1,2]}';
  const fenced = (json: string) => `Sure:\n\`\`\`json\n${json}\n\`\`\`\nBye`;
  const search = searchItem(['q'], [result(1, 'https://a.example/')]);
  const spread = (...texts: string[]) => ({
    ...message(''),
    content: texts.map((text) => ({ type: 'output_text', text, annotations: [] })),
  });

  /** The events of an output, with each text in pieces. */
  function eventsOf(output: Array<Record<string, unknown>>, size: number): object[] {
    const events = output.flatMap((item, index) => {
      const parts = item['type'] === 'message' ? (item['content'] as Array<{ text: string }>) : [];
      const pieces = parts.flatMap(({ text }, content) =>
        Array.from({ length: Math.ceil(text.length / size) }, (_, piece) =>
          delta(text.slice(piece * size, (piece + 1) * size), { item: String(item['id']), output: index, content }),
        ),
      );
      return [...pieces, itemDone(index, item)];
    });
    return [created(), ...events, completed(output)];
  }
  const joined = (parts: ReadonlyArray<{ type: string }>) =>
    parts.map((part) => ('delta' in part && part.type === 'text-delta' ? String(part.delta) : '')).join('');

  const cases: Array<[string, Array<Record<string, unknown>>, string]> = [
    ['a draft in a fence, then the answer', [message(fenced('{"city":"draft"}'), 'm0'), search, message(J, 'm1')], J],
    ['two drafts in fences', [message(fenced('{"city":"draft"}'), 'm0'), message(fenced(J), 'm1')], J],
    ['an answer in a fence, then words', [message(fenced(J), 'm0'), message('That is it.', 'm1')], J],
    ['an answer, then words', [message(J, 'm0'), message('That is it.', 'm1')], J],
    ['an answer, then the same in a fence', [message(J, 'm0'), message(fenced(J), 'm1')], J],
    ['the answer twice', [message(J, 'm0'), search, message(J, 'm1')], J],
    ['words that begin with a brace', [message('{city} is Porto.', 'm0'), search, message(J, 'm1')], J],
    ['a list that begins with a brace', [message('{1, 2} is a set.', 'm0'), message(J, 'm1')], J],
    ['one text over two content parts', [spread(J.slice(0, 12), J.slice(12))], J],
    ['one text over parts that are objects too', [spread('{"a":', '{"b":1}', '}')], '{"a":{"b":1}}'],
    ['one text over many parts, with a blank', [spread(' {', '\n', '"a"', ':1', '}')], ' {\n"a":1}'],
    ['one text over two parts after a draft', [message('Let me look.', 'm0'), spread(J.slice(0, 5), J.slice(5))], J],
    ['one text over two parts before words', [spread(J.slice(0, 5), J.slice(5), 'Bye'), message('Bye', 'm1')], J],
  ];

  it.each(cases)('is the same streamed and generated: %s', async (_, output, expected) => {
    const content = (await generate(modelWith([jsonReply(snapshot({ output }))]).model, json)).content;
    expect(content.map((part) => (part.type === 'text' ? part.text : '')).join('')).toBe(expected);
    for (const size of [1, 7, 1000]) {
      expect(joined(await streamParts(modelWith([eventReply(eventsOf(output, size))]).model, json))).toBe(expected);
    }
    // Without deltas.
    expect(joined(await streamParts(modelWith([eventReply([created(), completed(output)])]).model, json))).toBe(
      expected,
    );
  });

  it('loses nothing where no text is an object, also of one that was cut short', async () => {
    const output = [spread('{"city":"Po', 'rt')];
    expect(joined(await streamParts(modelWith([eventReply(eventsOf(output, 3))]).model, json))).toBe('{"city":"Port');
    const words = [message('{a} or', 'm0'), message('[1]', 'm1')];
    expect(joined(await streamParts(modelWith([eventReply(eventsOf(words, 3))]).model, json))).toBe('{a} or[1]');
  });

  it('does not pass a draft off as the answer: two different objects are both there, and cannot be parsed', async () => {
    for (const second of [J, fenced(J)]) {
      const output = [message('{"city":"draft"}', 'm0'), message(second, 'm1')];
      const parts = await streamParts(modelWith([eventReply(eventsOf(output, 4))]).model, json);
      expect(joined(parts)).toBe(`{"city":"draft"}${J}`);
    }
  });

  it('flows on over content parts', async () => {
    const output = [spread('{"a":"', 'bc', '"}')];
    const parts = await streamParts(modelWith([eventReply(eventsOf(output, 1))]).model, json);
    const types = parts.map(({ type }) => type).filter((type) => type.startsWith('text-'));
    expect(types.indexOf('text-end')).toBeGreaterThan(types.lastIndexOf('text-delta'));
    expect(parts.filter(({ type }) => type === 'text-delta').length).toBeGreaterThanOrEqual(8);
  });

  it('takes what was spoiled on the way from the final text, as long as nothing is out', async () => {
    const events = [created(), delta('Here: {"ci'), completed([message(fenced(J))])];
    const parts = await streamParts(modelWith([eventReply(events)]).model, json);
    expect(joined(parts)).toBe(J);
    expect(JSON.stringify(parts)).not.toContain('correctedText');
  });

  it('that is held when a run in the background is lost comes when it is taken up again', async () => {
    const output = [message(fenced(J), 'm0'), search];
    const log = eventsOf(output, 5).map((event, index) => ({ ...event, sequence_number: index }));
    const options = { ...json, providerOptions: { perplexity: { background: true, maxReconnects: 0 } } };
    const cut = await streamParts(modelWith([eventReply(log.slice(0, -1))]).model, options);
    expect(joined(cut)).toBe('');
    const provider = providerOf(stubFetch(() => eventReply(log)).fetch);
    const rest = await streamParts(provider.resume('resp_1', { startingAfter: log.length - 2 }), json);
    expect(joined(rest)).toBe(J);
  });
});
