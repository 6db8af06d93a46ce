import { describe, expect, it } from 'vitest';
import { generate, modelWith, type CallOptions } from '../support/model.js';
import { jsonReply, message, result, searchItem, snapshot } from '../support/wire.js';

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
