/** Annotations of a text, which the API documents and no recording has (`agent-api.md` §4.3). */
import { describe, expect, it } from 'vitest';
import type { CoreCitation, CoreContent } from '../../src/spec.js';
import { faceModel, faceParts, facePrompt } from '../support/faces.js';
import { finishOf, generate, modelWith, partsOf, streamParts, textsOf, type CallOptions } from '../support/model.js';
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

const A = 'https://a.example/';
const B = 'https://b.example/';
const note = (url: string, start?: unknown, end?: unknown) => ({
  type: 'url_citation',
  url,
  title: `Title of ${url}`,
  ...(start !== undefined && { start_index: start }),
  ...(end !== undefined && { end_index: end }),
});
const noted = (text: string, annotations: object[]) => ({
  ...message(text),
  content: [{ type: 'output_text', text, annotations }],
});
const search = searchItem(['q'], [result(1, A)]);

type Place = [url: string, start?: number | undefined, end?: number | undefined];
const placesOf = (citations: readonly CoreCitation[] | undefined): Place[] | undefined =>
  citations?.map(({ source, startIndex, endIndex }) =>
    startIndex === undefined ? [source.url] : [source.url, startIndex, endIndex],
  );

/** What each way of asking cites; all of them must be the same. */
async function cited(output: object[], events: object[], options: CallOptions = {}): Promise<Place[] | undefined> {
  const { model } = modelWith([jsonReply(snapshot({ output })), eventReply(events)]);
  const { content } = await generate(model, options);
  const parts = await streamParts(model, options);
  const later = faceModel('v4', [jsonReply(snapshot({ output })), eventReply(events)]).model;
  const v4 = await later.doGenerate({ prompt: facePrompt, ...(options as object) });
  const v4Parts = await faceParts('v4', later, options as object);
  const ways = [content, v4.content].map((list) => (list as CoreContent[]).find(({ type }) => type === 'text'));
  const ends = [parts, v4Parts].map((list) => list.find(({ type }) => type === 'text-end'));
  const places = [...ways, ...ends].map((part) => placesOf((part as { citations?: CoreCitation[] }).citations));
  expect(places).toEqual(places.map(() => places[0]));
  // Nothing repeats the message.
  for (const list of [v4.content, v4Parts]) expect(list.map(({ type }) => type)).not.toContain('custom');
  expect(JSON.stringify(finishOf(parts).metadata['items'] ?? [])).not.toContain('"message"');
  return places[0];
}

const streamedAs = (output: object[], text: string): object[] => [
  created(),
  ...output.slice(0, -1).map((item, index) => itemDone(index, item)),
  delta(text, { output: output.length - 1 }),
  itemDone(output.length - 1, output.at(-1) ?? {}),
  completed(output),
];
const citedIn = (text: string, annotations: object[], before: object[] = []) => {
  const output = [...before, noted(text, annotations)];
  return cited(output, streamedAs(output, text));
};

describe('an annotation with a place', () => {
  it('is a citation of the text, and the message comes only once', async () => {
    expect(await citedIn('Hello world.', [note(A, 0, 5), note(B, 6, 11)])).toEqual([
      [A, 0, 5],
      [B, 6, 11],
    ]);
  });

  it('names the source that was sent, with its id and title', async () => {
    const { content } = await generate(
      modelWith([jsonReply(snapshot({ output: [noted('Hi.', [note(A, 0, 2)])] }))]).model,
    );
    const source = { type: 'source', sourceType: 'url', id: 'resp_1:u1', url: A, title: `Title of ${A}` };
    expect(content).toMatchObject([source, { type: 'text', citations: [{ source, startIndex: 0, endIndex: 2 }] }]);
  });

  it('counts in its own content part', async () => {
    const both = {
      ...message(''),
      content: [
        { type: 'output_text', text: 'One. ', annotations: [note(A, 0, 3)] },
        { type: 'output_text', text: 'Two.', annotations: [note(B, 0, 3)] },
      ],
    };
    const parts = await streamParts(modelWith([eventReply([created(), completed([both])])]).model);
    const ends = partsOf(parts, 'text-end').map((part) => placesOf((part as { citations?: CoreCitation[] }).citations));
    expect(ends).toEqual([[[A, 0, 3]], [[B, 0, 3]]]);
  });

  it.each([
    ['beyond the end', 0, 99],
    ['before the beginning', -1, 3],
    ['backwards', 5, 2],
    ['broken', 0.5, 3],
    ['a text', '0', '3'],
    ['half', 0, undefined],
    ['null', null, null],
    ['none', undefined, undefined],
  ])('that the text does not have (%s) cites without it', async (_, start, end) => {
    expect(await citedIn('Hello world.', [note(A, start, end)])).toEqual([[A]]);
  });

  it('may be empty or all of the text', async () => {
    expect(await citedIn('Hello', [note(A, 5, 5), note(B, 0, 5)])).toEqual([
      [B, 0, 5],
      [A, 5, 5],
    ]);
  });

  it('of no web address is none, nor is one without an address', async () => {
    expect(await citedIn('Hello', [note('javascript:alert(1)', 0, 5), { type: 'url_citation', start_index: 0 }])).toBe(
      undefined,
    );
  });
});

describe('an annotation beside a marker', () => {
  it('does not say again what the marker says at its place', async () => {
    const text = 'Owls [1] are quiet.';
    expect(await citedIn(text, [note(A, 5, 8), note(A), note(A, 5, 8)], [search])).toEqual([[A, 5, 8]]);
  });

  it('says what the marker does not: another page, another place', async () => {
    const text = 'Owls [1] are quiet.';
    expect(await citedIn(text, [note(B, 5, 8), note(A, 0, 4), note('https://c.example/')], [search])).toEqual([
      [A, 0, 4],
      [A, 5, 8],
      [B, 5, 8],
      ['https://c.example/'],
    ]);
  });
});

describe('annotations', () => {
  it('that only the final response has are the same', async () => {
    const output = [noted('Hello world.', [note(A, 0, 5)])];
    expect(await cited(output, [created(), delta('Hello world.'), completed(output)])).toEqual([[A, 0, 5]]);
  });

  it('count in what was sent of a text that had to be gone on with', async () => {
    const whole = noted('Hello world.', [note(A, 0, 5), note(B, 6, 11)]);
    const events = [created(), delta('Hello '), itemDone(0, message('Hello ')), completed([whole])];
    const parts = await streamParts(modelWith([eventReply(events)]).model);
    const ends = partsOf(parts, 'text-end').map((part) => placesOf((part as { citations?: CoreCitation[] }).citations));
    expect(ends).toEqual([undefined, [[B, 0, 5]]]);
  });

  it.each([true, false])(
    'of a run that is taken up again count in the rest of the text: replayed %s',
    async (isReplay) => {
      const whole = noted('Hello world.', [note(A, 0, 5), note(B, 6, 11)]);
      const all = [
        created({ background: true }),
        delta('Hello '),
        delta('world.'),
        itemDone(0, whole),
        completed([whole]),
      ];
      const events = all.map((event, index) => ({ ...event, sequence_number: index }));
      const gone = () => jsonReply({ error: { message: 'gone', type: 'invalid_request' } }, { status: 400 });
      const replies = isReplay ? [() => eventReply(events)] : [gone, gone, () => eventReply(events.slice(2))];
      const provider = providerOf(stubFetch(...replies).fetch);
      const parts = await streamParts(provider.resume('resp_1', { startingAfter: 1 }));
      expect(textsOf(parts)).toEqual(['world.']);
      const [end] = partsOf(parts, 'text-end');
      expect(placesOf((end as { citations?: CoreCitation[] }).citations)).toEqual([[B, 0, 5]]);
    },
  );

  it('of a text that came spoiled keep the page and not the place', async () => {
    const whole = noted('Hello world.', [note(A, 0, 5)]);
    const parts = await streamParts(
      modelWith([eventReply([created(), delta('Hel world.'), completed([whole])])]).model,
    );
    expect(partsOf(parts, 'text-end')).toMatchObject([{ citations: [{ source: { url: A } }] }]);
    // A level streams inside: the folded text is the right one.
    const level = modelWith([eventReply([created(), delta('Hel world.'), completed([whole])])], { modelId: 'low' });
    const { content } = await generate(level.model);
    expect(content.find(({ type }) => type === 'text')).toMatchObject({
      text: 'Hello world.',
      citations: [{ source: { url: A } }],
    });
  });

  it('cite nothing in structured output, and do not repeat it either', async () => {
    const options: CallOptions = { responseFormat: { type: 'json', schema: { type: 'object' } } };
    const output = [noted('{"a":1}', [note(A, 0, 7)])];
    expect(await cited(output, streamedAs(output, '{"a":1}'), options)).toBe(undefined);
  });

  it('with a field that has no part keep the message in the metadata', async () => {
    const odd = noted('Hello', [{ ...note(A, 0, 5), quote: 'Q' }]);
    const { providerMetadata } = await generate(modelWith([jsonReply(snapshot({ output: [odd] }))]).model);
    expect(providerMetadata?.['perplexity']?.['items']).toEqual([odd]);
  });
});
