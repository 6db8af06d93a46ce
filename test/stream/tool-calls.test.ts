import { describe, expect, it } from 'vitest';
import {
  fetchUrlTool,
  finishOf,
  functionTool,
  generate,
  modelWith,
  partsOf,
  prompt,
  streamParts,
  webSearchTool,
  type CallOptions,
} from '../support/model.js';
import {
  completed,
  created,
  delta,
  eventReply,
  itemAdded,
  itemDone,
  jsonReply,
  message,
  nativeCall,
  result,
  searchItem,
  snapshot,
} from '../support/wire.js';

const streamed = (events: object[], options: CallOptions = {}, end: 'close' | Error = 'close') =>
  streamParts(modelWith([eventReply(events, { end })]).model, options);

const queries = (callId: string, list: unknown) => ({
  type: 'response.reasoning.search_queries',
  call_id: callId,
  queries: list,
  thought: null,
});

describe('client tool calls', () => {
  const call = nativeCall('weather', 'call_1', { city: 'Rome' });
  const options = { tools: [functionTool('weather')] };

  it('come once, with input parts before, though added, done and the snapshot repeat them', async () => {
    const parts = await streamed(
      [created(), itemAdded(0, call), itemDone(0, call), itemDone(0, call), completed([call])],
      options,
    );
    expect(parts.map(({ type }) => type)).toEqual([
      'stream-start',
      'response-metadata',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'finish',
    ]);
    expect(partsOf(parts, 'tool-call')).toEqual([
      {
        type: 'tool-call',
        toolCallId: 'call_1',
        toolName: 'weather',
        input: '{"city":"Rome"}',
        providerMetadata: { perplexity: { responseId: 'resp_1', itemId: 'fc_call_1' } },
      },
    ]);
    expect(finishOf(parts).finishReason).toBe('tool-calls');
  });

  it.each([
    ['the event lacks the call id', { ...call, call_id: null }, call],
    ['the snapshot lacks the call id', call, { ...call, call_id: undefined }],
    ['the call ids differ', call, { ...call, call_id: 'call_x' }],
    ['both ids differ', call, { ...call, call_id: 'call_x', id: 'fc_x' }],
    ['the event lacks both ids', { ...call, call_id: null, id: null }, call],
    ['the snapshot lacks both ids', call, { ...call, call_id: null, id: null }],
  ])('are not run twice where %s', async (_, inEvent, inSnapshot) => {
    for (const place of [0, 1]) {
      const parts = await streamed([created(), itemDone(place, inEvent), completed([inSnapshot])], options);
      expect(partsOf(parts, 'tool-call')).toHaveLength(1);
    }
    const again = await streamed(
      [created(), itemDone(0, inEvent), itemDone(0, inEvent), completed([inEvent])],
      options,
    );
    expect(partsOf(again, 'tool-call')).toHaveLength(1);
  });

  it('are taken from the final output where done never came', async () => {
    const parts = await streamed([created(), itemAdded(0, call), completed([call])], options);
    expect(partsOf(parts, 'tool-call').map(({ toolCallId }) => toolCallId)).toEqual(['call_1']);
  });

  it('that only began are not run', async () => {
    const parts = await streamed([created(), itemAdded(0, call)], options);
    expect(partsOf(parts, 'tool-call')).toEqual([]);
    expect(finishOf(parts).finishReason).toBe('error');
  });

  it('of parallel tools keep their order and ids', async () => {
    const second = nativeCall('weather', 'call_2', { city: 'Oslo' });
    const { content, finishReason } = await generate(
      modelWith([jsonReply(snapshot({ output: [call, second] }))]).model,
      options,
    );
    expect(content.map((part) => part.type === 'tool-call' && [part.toolCallId, part.input])).toEqual([
      ['call_1', '{"city":"Rome"}'],
      ['call_2', '{"city":"Oslo"}'],
    ]);
    expect(finishReason).toBe('tool-calls');
  });

  it.each([
    ['empty', '', '{}'],
    ['blank', '  ', '{}'],
    ['null', null, '{}'],
    ['an object', { city: 'Rome' }, '{"city":"Rome"}'],
  ])('with %s arguments get a valid JSON input', async (_, given, input) => {
    const parts = await streamed([created(), completed([{ ...call, arguments: given }])], options);
    expect(partsOf(parts, 'tool-call').map((part) => part.input)).toEqual([input]);
  });

  it('with broken arguments pass as they are, so that the AI SDK can repair them', async () => {
    const { content } = await generate(
      modelWith([jsonReply(snapshot({ output: [{ ...call, arguments: '{"city":' }] }))]).model,
      options,
    );
    expect(content.map((part) => part.type === 'tool-call' && part.input)).toEqual(['{"city":']);
  });

  it('that were cut short are not run, whether the wire says so or their arguments show it', async () => {
    const incomplete = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
    for (const cut of [
      { ...call, status: 'incomplete' },
      { ...call, arguments: '{"city":' },
    ]) {
      const response = snapshot({ ...incomplete, output: [cut] });
      const parts = await streamed([created(), itemDone(0, cut), { type: 'response.incomplete', response }], options);
      const generated = await generate(modelWith([jsonReply(response)]).model, options);
      expect(partsOf(parts, 'tool-call')).toEqual([]);
      expect(generated.content).toEqual([]);
      expect([finishOf(parts).finishReason, generated.finishReason]).toEqual(['length', 'length']);
      expect(finishOf(parts).metadata['items']).toEqual([cut]);
    }
  });

  it('with broken arguments wait for the end of the run, which tells whether they were cut short', async () => {
    const broken = { ...call, arguments: '{"city":' };
    const { model } = modelWith([eventReply([created(), itemDone(0, broken), completed([broken])])]);
    const { stream } = await model.doStream({ prompt, ...options });
    const inputs: string[] = [];
    for await (const part of stream) if (part.type === 'tool-call') inputs.push(part.input);
    expect(inputs).toEqual(['{"city":']);
    const cut = await streamed([created(), itemDone(0, broken)], options);
    expect(partsOf(cut, 'tool-call')).toEqual([]);
    expect(finishOf(cut).metadata['items']).toEqual([broken]);
  });

  it('without a call id get one from their item or their place', async () => {
    const { call_id: _, ...withoutCallId } = call;
    const { id: __, ...bare } = withoutCallId;
    const parts = await streamed([created(), completed([withoutCallId, bare])], options);
    expect(partsOf(parts, 'tool-call').map(({ toolCallId }) => toolCallId)).toEqual(['fc_call_1', 'resp_1:1']);
  });

  it('keep a thought signature together with the model that issued it', async () => {
    const signed = { ...call, thought_signature: 'c2ln' };
    const { model } = modelWith([jsonReply(snapshot({ output: [signed] }))], { modelId: 'google/gemini-3.8-flash' });
    const { content } = await generate(model, options);
    expect(content[0]).toHaveProperty('providerMetadata', {
      perplexity: {
        responseId: 'resp_1',
        itemId: 'fc_call_1',
        thoughtSignature: 'c2ln',
        thoughtSignatureModel: 'google/gemini-3.8-flash',
      },
    });
  });

  it('are never made of a function_call whose name was not sent', async () => {
    const native = nativeCall('finance_quotes', 'call_9', { ticker: 'ABC' });
    const parts = await streamed([created(), itemAdded(0, native), itemDone(0, native), completed([native])], options);
    expect(partsOf(parts, 'tool-call')).toEqual([]);
    expect(finishOf(parts).finishReason).toBe('stop');
    expect(finishOf(parts).metadata['items']).toEqual([native]);
  });

  it('after toolChoice none are no parts at all', async () => {
    const parts = await streamed([created(), completed([call])], { ...options, toolChoice: { type: 'none' } });
    expect(partsOf(parts, 'tool-call')).toEqual([]);
    expect(finishOf(parts).finishReason).toBe('stop');
  });
});

describe('declared native tools', () => {
  const results = [result(1, 'https://a.example/', { last_updated: '2026-03-04' })];
  const item = searchItem(['one'], results);
  const began = itemAdded(0, nativeCall('search_web', 'call_s', { queries: ['one'] }));
  const tools = [webSearchTool('search')];

  it('show the call when the search begins and the result when it ends, under the caller’s key', async () => {
    const parts = await streamed(
      [
        created(),
        began,
        queries('call_s', ['one']),
        itemDone(0, item),
        delta('A [1]', { output: 1 }),
        completed([item, message('A [1]')]),
      ],
      { tools },
    );
    const types = parts.map(({ type }) => type);
    expect(types.slice(types.indexOf('tool-input-start'), types.indexOf('text-start'))).toEqual([
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'reasoning-start',
      'reasoning-delta',
      'source',
      'tool-result',
      'reasoning-end',
    ]);
    expect(partsOf(parts, 'tool-call')).toEqual([
      {
        type: 'tool-call',
        toolCallId: 'resp_1:0',
        toolName: 'search',
        input: '{"queries":["one"]}',
        providerExecuted: true,
        providerMetadata: { perplexity: { responseId: 'resp_1' } },
      },
    ]);
    expect(partsOf(parts, 'tool-result')).toEqual([
      {
        type: 'tool-result',
        toolCallId: 'resp_1:0',
        toolName: 'search',
        result: {
          queries: ['one'],
          results: [
            {
              id: 1,
              url: 'https://a.example/',
              title: 'Title of https://a.example/',
              snippet: 'Snippet of https://a.example/',
              lastUpdated: '2026-03-04',
              source: 'web',
            },
          ],
        },
        providerExecuted: true,
        providerMetadata: { perplexity: { responseId: 'resp_1' } },
      },
    ]);
    expect(finishOf(parts).finishReason).toBe('stop');
    expect(finishOf(parts).metadata['items']).toBeUndefined();
  });

  it('have the same ids, names and results in a generate call', async () => {
    const page = { type: 'fetch_url_results', contents: [{ url: 'https://p.example/', title: 'P', snippet: 's' }] };
    const { content } = await generate(modelWith([jsonReply(snapshot({ output: [item, page] }))]).model, {
      tools: [...tools, fetchUrlTool('open')],
    });
    expect(content.filter(({ type }) => type !== 'source')).toMatchObject([
      {
        type: 'tool-call',
        toolCallId: 'resp_1:0',
        toolName: 'search',
        input: '{"queries":["one"]}',
        providerExecuted: true,
      },
      { type: 'tool-result', toolCallId: 'resp_1:0', toolName: 'search', providerExecuted: true },
      { type: 'tool-call', toolCallId: 'resp_1:1', toolName: 'open', input: '{"urls":["https://p.example/"]}' },
      {
        type: 'tool-result',
        toolCallId: 'resp_1:1',
        result: { contents: [{ url: 'https://p.example/', title: 'P', snippet: 's' }] },
      },
    ]);
  });

  it('called in parallel keep input and result together, in the order of the wire', async () => {
    const [one, two] = [searchItem(['one'], results), searchItem(['two'], [result(11, 'https://b.example/')])];
    const parts = await streamed(
      [
        created(),
        itemAdded(0, nativeCall('search_web', 'call_a', { queries: ['one'] })),
        itemAdded(1, nativeCall('search_web', 'call_b', { queries: ['two'] })),
        itemDone(1, two),
        itemDone(0, one),
        completed([one, two]),
      ],
      { tools },
    );
    expect(partsOf(parts, 'tool-call').map(({ toolCallId, input }) => [toolCallId, input])).toEqual([
      ['resp_1:0', '{"queries":["one"]}'],
      ['resp_1:1', '{"queries":["two"]}'],
    ]);
    expect(
      partsOf(parts, 'tool-result').map(({ toolCallId, result: value }) => [
        toolCallId,
        (value as { queries: string[] }).queries,
      ]),
    ).toEqual([
      ['resp_1:1', ['two']],
      ['resp_1:0', ['one']],
    ]);
  });

  it('whose arguments come late show the call when the queries are known', async () => {
    const parts = await streamed(
      [
        created(),
        itemAdded(0, { ...nativeCall('search_web', 'call_s', {}), arguments: null }),
        queries('call_other', ['no']),
        queries('call_s', null),
        queries('call_s', ['one']),
        queries('call_s', ['one']),
        itemDone(0, item),
        completed([item]),
      ],
      { tools },
    );
    expect(partsOf(parts, 'tool-call').map((part) => part.input)).toEqual(['{"queries":["one"]}']);
  });

  it('announced by no event are sent whole when their item is done', async () => {
    const parts = await streamed([created(), itemDone(0, item), completed([item])], { tools });
    expect(partsOf(parts, 'tool-call').map((part) => part.input)).toEqual(['{"queries":["one"]}']);
    expect(partsOf(parts, 'tool-result')).toHaveLength(1);
  });

  it('known from the final output alone are sent whole', async () => {
    const parts = await streamed([created(), completed([item])], { tools });
    expect(partsOf(parts, 'tool-result').map(({ toolCallId }) => toolCallId)).toEqual(['resp_1:0']);
  });

  it('that never finish end with an error result', async () => {
    const parts = await streamed([created(), began, completed([message('A')])], { tools });
    expect(partsOf(parts, 'tool-result')).toMatchObject([
      { toolCallId: 'resp_1:0', isError: true, result: { error: 'The run ended before this call had a result.' } },
    ]);
    const cut = await streamed([created(), began], { tools });
    expect(partsOf(cut, 'tool-result')).toMatchObject([{ isError: true }]);
  });

  it('at whose place another kind of item ends fail, and the item is kept', async () => {
    for (const other of [
      { type: 'unknown', item_name: 'x' },
      { type: null, a: 1 },
      { type: { toString: 1 }, a: 1 },
    ]) {
      const parts = await streamed([created(), began, itemDone(0, other), completed([other])], { tools });
      expect(partsOf(parts, 'tool-result')).toMatchObject([{ toolCallId: 'resp_1:0', isError: true }]);
      expect(finishOf(parts).metadata['items']).toEqual([other]);
    }
  });

  it('whose item comes spoiled still get their result from the final output', async () => {
    for (const spoiled of [
      { ...item, type: null },
      { ...item, type: 'search_resultz' },
      { ...item, type: undefined },
    ]) {
      const parts = await streamed([created(), began, itemDone(0, spoiled), completed([item])], { tools });
      expect(partsOf(parts, 'tool-call')).toHaveLength(1);
      expect(partsOf(parts, 'tool-result')).toMatchObject([{ toolCallId: 'resp_1:0', result: { queries: ['one'] } }]);
    }
  });

  it('that fail on the wire give an error result', async () => {
    const failed = { ...searchItem(['one'], []), error: 'search_failed' };
    const { content } = await generate(modelWith([jsonReply(snapshot({ output: [failed] }))]).model, { tools });
    expect(content[1]).toMatchObject({
      type: 'tool-result',
      isError: true,
      result: { queries: ['one'], results: [], error: 'search_failed' },
    });
  });

  it('whose item differs in the snapshot are not sent twice', async () => {
    const enriched = searchItem(['one'], [...results, result(2, 'https://b.example/')]);
    const parts = await streamed([created(), began, itemDone(0, item), completed([enriched])], { tools });
    expect(partsOf(parts, 'tool-call')).toHaveLength(1);
    expect(partsOf(parts, 'tool-result')).toHaveLength(1);
  });

  it('without results are not sent twice where null became an empty list at another place', async () => {
    const [none, other] = [searchItem(['a'], []), searchItem(['b'], results)];
    const events = [created(), itemDone(0, { ...none, results: null }), itemDone(1, other)];
    const parts = await streamed([...events, completed([other, none])], { tools });
    expect(partsOf(parts, 'tool-call').map(({ toolCallId }) => toolCallId)).toEqual(['resp_1:0', 'resp_1:1']);
  });

  it('that are announced again after their end are not sent again', async () => {
    const events = [created(), began, itemDone(0, item), began, itemDone(0, item), completed([item])];
    const parts = await streamed(events, { tools });
    expect(partsOf(parts, 'tool-call')).toHaveLength(1);
    expect(partsOf(parts, 'tool-result')).toMatchObject([{ result: { queries: ['one'] } }]);
  });

  it.each([true, ['x'], 500, { code: 1 }, { message: 'gone' }, 'gone'])(
    'with the error %j have failed',
    async (error) => {
      const { content } = await generate(modelWith([jsonReply(snapshot({ output: [{ ...item, error }] }))]).model, {
        tools,
      });
      expect(content.find(({ type }) => type === 'tool-result')).toMatchObject({ isError: true });
    },
  );

  it.each([null, undefined, false, ''])('with the error %j have not failed', async (error) => {
    const { content } = await generate(modelWith([jsonReply(snapshot({ output: [{ ...item, error }] }))]).model, {
      tools,
    });
    expect(content.find(({ type }) => type === 'tool-result')).not.toHaveProperty('isError');
  });

  it('named like a client function stay the client’s', async () => {
    const call = nativeCall('fetch_page', 'call_c', { url: 'x' });
    const parts = await streamed(
      [created(), began, itemDone(0, item), itemAdded(1, call), itemDone(1, call), completed([item, call])],
      {
        tools: [...tools, functionTool('fetch_page')],
      },
    );
    expect(partsOf(parts, 'tool-call').map(({ toolName, providerExecuted }) => [toolName, providerExecuted])).toEqual([
      ['search', true],
      ['fetch_page', undefined],
    ]);
    expect(finishOf(parts).finishReason).toBe('tool-calls');
  });

  it('that were not declared give no tool parts; their results stay in metadata.items', async () => {
    const parts = await streamed([created(), began, itemDone(0, item), completed([item])]);
    expect(partsOf(parts, 'tool-call')).toEqual([]);
    expect(partsOf(parts, 'source')).toHaveLength(1);
    expect(finishOf(parts).metadata['items']).toEqual([item]);
  });

  it('of an earlier turn are no calls of this one', async () => {
    const earlier = searchItem(null, results);
    const parts = await streamed([created(), itemDone(0, earlier), completed([earlier])], {
      tools,
      providerOptions: { perplexity: { previousResponseId: 'resp_0' } },
    });
    expect(partsOf(parts, 'tool-call')).toEqual([]);
    expect(finishOf(parts).metadata['items']).toEqual([earlier]);
  });

  it('with null queries in a first turn are calls all the same', async () => {
    const parts = await streamed(
      [created(), itemDone(0, searchItem(null, results)), completed([searchItem(null, results)])],
      { tools },
    );
    expect(partsOf(parts, 'tool-call').map((part) => part.input)).toEqual(['{}']);
    expect(partsOf(parts, 'tool-result')).toHaveLength(1);
  });
});

describe('items without a part of their own', () => {
  it('are kept verbatim in metadata.items, once, in the order of the output', async () => {
    const items = [
      { type: 'skill_loaded', name: 'office/xlsx' },
      { type: 'unknown', item_name: 'future', payload: { a: [1, 2] } },
      {
        type: 'sandbox_results',
        status: 'completed',
        code: 'print(2)',
        stdout: '2\n',
        stderr: '',
        exit_code: 0,
        duration_ms: 4,
      },
      { type: 'image_search_results', results: [], error: 'image_search_failed' },
    ];
    const parts = await streamed([created(), ...items.map((item, index) => itemDone(index, item)), completed(items)]);
    expect(finishOf(parts).metadata['items']).toEqual(items);
    const { providerMetadata } = await generate(modelWith([jsonReply(snapshot({ output: items }))]).model);
    expect(providerMetadata?.['perplexity']?.['items']).toEqual(items);
  });

  it('that only events told of are kept too, also when the stream is cut', async () => {
    const item = { type: 'skill_loaded', name: 'office' };
    const parts = await streamed([created(), itemDone(0, item)]);
    expect(finishOf(parts).metadata['items']).toEqual([item]);
    const other = { type: 'skill_loaded', name: 'pdf' };
    const both = await streamed([created(), itemDone(1, item), completed([other])]);
    expect(finishOf(both).metadata['items']).toEqual([other, item]);
  });

  it('keep what a message holds besides text', async () => {
    const odd = {
      ...message('A'),
      content: [
        { type: 'output_text', text: 'A' },
        { type: 'output_chart', spec: {} },
      ],
    };
    const parts = await streamed([created(), completed([odd])]);
    expect(partsOf(parts, 'text-delta').map((part) => part.delta)).toEqual(['A']);
    expect(finishOf(parts).metadata['items']).toEqual([odd]);
  });
});

describe('a call without ids at the place of a native call', () => {
  it('has an id of its own, so that its output does not go to the other', async () => {
    const call = { type: 'function_call', name: 'look', arguments: '{}' };
    const events = [created(), itemDone(0, searchItem(['q'], [result(1, 'https://a.example/')])), itemDone(0, call)];
    const { model } = modelWith([eventReply([...events, completed([])])]);
    const parts = await streamParts(model, { tools: [functionTool('look'), webSearchTool('search')] });
    expect(partsOf(parts, 'tool-call').map(({ toolName, toolCallId }) => [toolName, toolCallId])).toEqual([
      ['search', 'resp_1:0'],
      ['look', 'resp_1:0+'],
    ]);
    expect(finishOf(parts).finishReason).toBe('tool-calls');
  });
});
