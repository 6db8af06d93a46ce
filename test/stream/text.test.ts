import { describe, expect, it } from 'vitest';
import { finishOf, generate, modelWith, partsOf, streamParts, textsOf } from '../support/model.js';
import {
  completed,
  created,
  delta,
  eventReply,
  itemAdded,
  itemDone,
  jsonReply,
  message,
  snapshot,
} from '../support/wire.js';

const streamed = (events: object[]) => streamParts(modelWith([eventReply(events)]).model);
const textDone = (text: string, { item = 'msg_1', output = 0, content = 0 } = {}) => ({
  type: 'response.output_text.done',
  item_id: item,
  output_index: output,
  content_index: content,
  text,
});

describe('text', () => {
  it('comes as one block per message, with the deltas of the wire', async () => {
    const parts = await streamed([
      created(),
      itemAdded(0, { ...message(''), content: null }),
      delta('It is '),
      delta('sunny.'),
      textDone('It is sunny.'),
      itemDone(0, message('It is sunny.')),
      completed([message('It is sunny.')]),
    ]);
    expect(parts.map(({ type }) => type)).toEqual([
      'stream-start',
      'response-metadata',
      'text-start',
      'text-delta',
      'text-delta',
      'text-end',
      'finish',
    ]);
    expect(partsOf(parts, 'text-delta').map(({ id, delta: text }) => [id, text])).toEqual([
      ['msg_1', 'It is '],
      ['msg_1', 'sunny.'],
    ]);
    expect(partsOf(parts, 'text-start')[0]?.providerMetadata).toEqual({
      perplexity: { responseId: 'resp_1', citations: {} },
    });
  });

  it('of two messages and of two content parts is kept apart', async () => {
    const two = {
      ...message(''),
      id: 'msg_2',
      content: [
        { type: 'output_text', text: 'B', annotations: [] },
        { type: 'output_text', text: 'C', annotations: [] },
      ],
    };
    const parts = await streamed([
      created(),
      delta('A'),
      itemDone(0, message('A')),
      delta('B', { item: 'msg_2', output: 1 }),
      delta('C', { item: 'msg_2', output: 1, content: 1 }),
      itemDone(1, two),
      completed([message('A'), two]),
    ]);
    expect(textsOf(parts)).toEqual(['A', 'B', 'C']);
    expect(partsOf(parts, 'text-start').map(({ id }) => id)).toEqual(['msg_1', 'msg_2', 'msg_2:1']);
  });

  it('of interleaved messages goes to the right block', async () => {
    const parts = await streamed([
      created(),
      delta('A1 '),
      delta('B1 ', { item: 'msg_2', output: 1 }),
      delta('A2'),
      delta('B2', { item: 'msg_2', output: 1 }),
      completed([message('A1 A2'), message('B1 B2', 'msg_2')]),
    ]);
    expect(textsOf(parts)).toEqual(['A1 A2', 'B1 B2']);
  });

  it.each([
    ['output_text.done', [delta('po'), textDone('pong'), completed([message('pong')])]],
    ['output_item.done', [delta('po'), itemDone(0, message('pong')), completed([message('pong')])]],
    ['the terminal event', [delta('po'), completed([message('pong')])]],
    ['output_text.done alone', [textDone('pong'), completed([message('pong')])]],
    ['output_item.done alone', [itemDone(0, message('pong')), completed([message('pong')])]],
    ['the terminal event alone', [completed([message('pong')])]],
    [
      'the terminal event after an empty item',
      [itemDone(0, { ...message(''), content: null }), completed([message('pong')])],
    ],
    ['the terminal event after a shorter item', [itemDone(0, message('po')), completed([message('pong')])]],
  ])('that was not streamed is recovered from %s', async (_, events) => {
    const parts = await streamed([created(), ...events]);
    expect(textsOf(parts).join('')).toBe('pong');
  });

  it('that completed parts repeat is not sent twice', async () => {
    const parts = await streamed([
      created(),
      delta('pong'),
      textDone('pong'),
      textDone('pong'),
      itemDone(0, message('pong')),
      itemDone(0, message('pong')),
      delta('pong'),
      completed([message('pong')]),
    ]);
    expect(textsOf(parts)).toEqual(['pong']);
  });

  it('whose deltas contradict the final text is not garbled further, and the final text rides on text-end', async () => {
    // A delta between the two was spoiled on the way.
    const events = [created(), delta('AC'), itemDone(0, message('ABCD')), completed([message('ABCD')])];
    const parts = await streamed(events);
    expect(textsOf(parts)).toEqual(['AC']);
    expect(partsOf(parts, 'text-end')[0]?.providerMetadata?.['perplexity']?.['correctedText']).toBe('ABCD');
    const { content } = await generate(modelWith([eventReply(events)], { modelId: 'low' }).model);
    expect(content).toEqual([
      { type: 'text', text: 'ABCD', providerMetadata: { perplexity: { responseId: 'resp_1', citations: {} } } },
    ]);
  });

  it('is kept where neither item nor ids name it', async () => {
    const bare = { type: 'response.output_text.delta', delta: 'pong' };
    const parts = await streamed([
      created(),
      { ...bare, item_id: null, output_index: null, content_index: null },
      bare,
      completed([{ ...message('pongpong'), id: undefined }]),
    ]);
    expect(textsOf(parts)).toEqual(['pongpong']);
    expect(partsOf(parts, 'text-start')[0]?.id).toBe('resp_1:text-0');
  });

  it('of a message whose id turns up late stays one block', async () => {
    const parts = await streamed([
      created(),
      { type: 'response.output_text.delta', output_index: 0, delta: 'po' },
      { type: 'response.output_text.delta', output_index: 0, delta: 'ng' },
      itemDone(0, message('pong')),
      completed([message('pong')]),
    ]);
    expect(textsOf(parts)).toEqual(['pong']);
  });

  it('of a run that never names itself gets an id of our own', async () => {
    const parts = await streamed([
      { type: 'response.output_text.delta', delta: 'pong' },
      { type: 'response.completed', response: { status: 'completed' } },
    ]);
    expect(textsOf(parts)).toEqual(['pong']);
    expect(partsOf(parts, 'text-start')[0]?.id).toBe('generated:text-0');
    expect(finishOf(parts).finishReason).toBe('stop');
  });

  it.each([
    [
      'deltas go by another id than their item',
      [
        itemAdded(0, message('')),
        delta('po', { item: 'msg_x' }),
        delta('ng', { item: 'msg_x' }),
        itemDone(0, message('pong')),
      ],
    ],
    [
      'output_text.done goes by another id',
      [delta('pong'), textDone('pong', { item: 'msg_x' }), itemDone(0, message('pong'))],
    ],
    ['output_item.done goes by another id', [delta('pong'), itemDone(0, message('pong', 'msg_x'))]],
    ['the snapshot alone goes by that id', [delta('po', { item: 'msg_x' }), delta('ng', { item: 'msg_x' })]],
    ['each delta brings an id of its own', [delta('po', { item: 'msg_a' }), delta('ng', { item: 'msg_b' })]],
    [
      'deltas have neither id nor place, and a search comes first',
      [{ type: 'response.output_text.delta', delta: 'pong' }, itemDone(1, message('pong'))],
    ],
    ['a delta follows output_text.done', [delta('po'), textDone('pong'), delta('ng')]],
  ])('is not doubled where %s', async (_, events) => {
    const parts = await streamed([created(), ...events, completed([message('pong')])]);
    expect(textsOf(parts).join('')).toBe('pong');
    expect(textsOf(parts)).toHaveLength(1);
  });

  it('of a message without an id is not doubled where its place differs in the snapshot', async () => {
    const { id: _, ...nameless } = message('pong');
    const leftover = { type: 'skill_loaded', name: 'x' };
    const deltaAt = (index: number) => ({ type: 'response.output_text.delta', output_index: index, delta: 'pong' });
    for (const events of [
      [deltaAt(1), itemDone(1, nameless), completed([nameless])],
      [deltaAt(0), completed([leftover, nameless])],
      [deltaAt(0), completed([leftover, message('pong')])],
      [{ type: 'response.output_text.delta', delta: 'pong' }, completed([leftover, message('pong')])],
    ]) {
      expect(textsOf(await streamed([created(), ...events]))).toEqual(['pong']);
    }
  });

  it('is not doubled where a delta was lost and its id is missing or another', async () => {
    for (const item of [undefined, 'msg_x']) {
      const lost = (text: string) => ({ ...delta(text), item_id: item });
      const events = [created(), lost('Hel'), lost('ld'), textDone('Hello'), itemDone(0, message('Hello'))];
      const parts = await streamed([...events, completed([message('Hello')])]);
      expect(textsOf(parts)).toEqual(['Helld']);
      expect(partsOf(parts, 'text-end')[0]?.providerMetadata?.['perplexity']?.['correctedText']).toBe('Hello');
    }
  });

  it('of messages that share an id keeps to its own, also in the snapshot', async () => {
    const [one, two] = [message('It rains today.'), message('It')];
    const events = [
      created(),
      delta('It rains today.'),
      itemDone(0, one),
      delta('It', { output: 1 }),
      itemDone(1, two),
    ];
    expect(textsOf(await streamed([...events, completed([one, two])]))).toEqual(['It rains today.', 'It']);
  });

  it('does not take a negative number for a place', async () => {
    const events = [created(), { ...delta('po'), content_index: -1 }, { ...delta('ng'), output_index: -1 }];
    expect(textsOf(await streamed([...events, completed([message('pong')])]))).toEqual(['pong']);
  });

  it('of two messages that share an id or a place is kept', async () => {
    const sameId = [delta('A'), itemDone(0, message('A')), delta('B', { output: 1 }), itemDone(1, message('B'))];
    expect(textsOf(await streamed([created(), ...sameId, completed([message('A'), message('B')])]))).toEqual([
      'A',
      'B',
    ]);
    const samePlace = [
      delta('A'),
      itemDone(0, message('A')),
      delta('B', { item: 'msg_2' }),
      itemDone(0, message('B', 'msg_2')),
      completed([message('A'), message('B', 'msg_2')]),
    ];
    expect(textsOf(await streamed([created(), ...samePlace]))).toEqual(['A', 'B']);
  });

  it('survives null, missing and mistyped fields', async () => {
    const parts = await streamed([
      created(),
      { type: 'response.output_text.delta', item_id: 'msg_1', delta: null },
      { type: 'response.output_text.delta', item_id: 7, output_index: 'x', content_index: null, delta: 'po' },
      { type: 'response.output_text.done', item_id: 'msg_1', text: null },
      { type: 'response.output_item.added', output_index: 0, item: null },
      { type: 'response.output_item.done', output_index: 0, item: 'x' },
      { type: 'response.output_item.done', output_index: null, item: { type: 'message', content: null } },
      { type: 7 },
      { no: 'type' },
      completed([]),
    ]);
    expect(textsOf(parts)).toEqual(['po']);
  });

  it('with an empty delta opens no block', async () => {
    const parts = await streamed([created(), delta(''), completed([])]);
    expect(partsOf(parts, 'text-start')).toEqual([]);
  });

  it('given as a plain string in place of parts is read', async () => {
    const { content } = await generate(
      modelWith([jsonReply(snapshot({ output: [{ ...message(''), content: 'pong' }] }))]).model,
    );
    expect(content.map((part) => part.type === 'text' && part.text)).toEqual(['pong']);
  });
});

describe('messages of a final output that share an id', () => {
  it('are not taken for one: each has its text', async () => {
    const output = [message('One.'), message('Two.'), message('Three.')];
    const { content } = await generate(modelWith([jsonReply(snapshot({ output }))]).model);
    expect(content).toMatchObject([{ text: 'One.' }, { text: 'Two.' }, { text: 'Three.' }]);
  });
});
