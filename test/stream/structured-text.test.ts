import { describe, expect, it } from 'vitest';
import { finishOf, generate, modelWith, streamParts, textsOf, type CallOptions } from '../support/model.js';
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
