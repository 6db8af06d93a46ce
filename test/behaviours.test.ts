/**
 * What the tests of comparable providers check (numbers of `behaviours.md`), held against ours. Where a design decision
 * differs, its number stands in the name and ours is asserted. 36 is in `test/types`; 37 is out of scope.
 */
import { APICallError, InvalidArgumentError, NoSuchModelError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { describe, expect, it } from 'vitest';
import {
  API_KEY,
  finishOf,
  functionTool,
  generate,
  modelWith,
  partsOf,
  rejectionOf,
  streamParts,
  textsOf,
  webSearchTool,
  type CallOptions,
} from './support/model.js';
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
  stubFetch,
  usage,
} from './support/wire.js';

const reply = (output: object[] = [message('A')], fields: object = {}) => jsonReply(snapshot({ output, ...fields }));

async function sent(options: CallOptions = {}, modelId = 'openai/gpt-6-luna') {
  const { model, requests } = modelWith([reply()], { modelId });
  const { warnings } = await generate(model, options);
  return { body: requests[0]?.body ?? {}, warnings };
}

const answerOf = (output: object[], options: CallOptions = {}, fields: object = {}) =>
  generate(modelWith([reply(output, fields)]).model, options);

const streamOf = (events: object[], options: CallOptions = {}) =>
  streamParts(modelWith([eventReply(events)]).model, options);

const user = (...content: object[]) => [{ role: 'user', content }] as unknown as NonNullable<CallOptions['prompt']>;
const perplexity = (options: Record<string, never>) => ({ providerOptions: { perplexity: options } });
const text = (value: string) => ({ type: 'text', text: value });
const off = { providerOptions: { perplexity: { webSearch: false } } };

describe('request', () => {
  it('1: a level fills the level field without a model, an id with a slash the model; Sonar ids are refused', async () => {
    const level = (await sent({}, 'low')).body;
    expect(level).toMatchObject({ effort: 'low' });
    expect(level).not.toHaveProperty('model');
    expect((await sent()).body).toMatchObject({ model: 'openai/gpt-6-luna' });
    expect(() => createPerplexityAgent({ apiKey: API_KEY })('sonar-pro')).toThrow(NoSuchModelError);
  });

  it('2: nothing but level or model and input is sent when nothing else is set; stream only when streaming', async () => {
    expect(Object.keys((await sent(off)).body).sort()).toEqual(['input', 'model']);
    const { model, requests } = modelWith([reply()]);
    await streamParts(model, off);
    expect(Object.keys(requests[0]?.body ?? {}).sort()).toEqual(['input', 'model', 'stream']);
  });

  it('3: maxOutputTokens, temperature, topP and reasoning are mapped (none → minimal: decision 17)', async () => {
    const options = { maxOutputTokens: 100, temperature: 0.5, topP: 0.9, reasoning: 'none' } as CallOptions;
    const { body, warnings } = await sent(options);
    expect(body).toMatchObject({
      max_output_tokens: 100,
      temperature: 0.5,
      top_p: 0.9,
      reasoning: { effort: 'minimal' },
    });
    expect(warnings).toHaveLength(1);
    const explicit = { reasoning: 'low', ...perplexity({ reasoningEffort: 'high' } as never) } as CallOptions;
    expect((await sent(explicit)).body).toMatchObject({ reasoning: { effort: 'high' } });
  });

  it('4: topK, seed, penalties and stop sequences are unsupported', async () => {
    const { warnings } = await sent({
      topK: 1,
      seed: 2,
      presencePenalty: 0.1,
      frequencyPenalty: 0.2,
      stopSequences: ['x'],
    });
    expect(warnings.map((warning) => String(warning.type === 'unsupported-setting' && warning.setting)).sort()).toEqual(
      ['frequencyPenalty', 'presencePenalty', 'seed', 'stopSequences', 'topK'],
    );
  });

  it('5: provider options are validated, and strictly (unknown keys are refused, extraBody passes: design §1)', async () => {
    for (const [options, argument] of [
      [{ maxSteps: 0 }, 'maxSteps'],
      [{ reasoningEffort: 'extreme' }, 'reasoningEffort'],
      [{ max_steps: 3 }, 'max_steps'],
    ] as const) {
      const error = await rejectionOf(sent(perplexity(options as never)));
      expect(InvalidArgumentError.isInstance(error)).toBe(true);
      expect(error['argument']).toBe(`providerOptions.perplexity.${argument}`);
    }
    expect((await sent(perplexity({ extraBody: { newer_field: 1 } } as never))).body).toMatchObject({ newer_field: 1 });
  });

  it('6: native tools come before function tools, malformed ones are refused, unknown ones of ours too', async () => {
    const { body } = await sent({ tools: [functionTool('weather'), webSearchTool('search')] });
    expect((body['tools'] as Array<{ type: string }>).map(({ type }) => type)).toEqual(['web_search', 'function']);
    const bad = {
      type: 'provider-defined',
      id: 'perplexity.web_search',
      name: 's',
      args: { filters: { searchRecencyFilter: 'decade' } },
    };
    expect(InvalidArgumentError.isInstance(await rejectionOf(sent({ tools: [bad as never] })))).toBe(true);
    const unknown = { type: 'provider-defined', id: 'perplexity.time_travel', name: 't', args: {} };
    expect((await rejectionOf(sent({ tools: [unknown as never] }))).message).toContain('perplexity.time_travel');
  });

  it('7: a function tool is flat', async () => {
    const { body } = await sent({ ...off, tools: [{ ...functionTool('weather'), strict: true } as never] });
    expect(body['tools']).toEqual([
      {
        type: 'function',
        name: 'weather',
        description: 'Does weather',
        parameters: functionTool('weather').inputSchema,
        strict: true,
      },
    ]);
  });

  it('8: a JSON schema becomes response_format; JSON without a schema is refused (decision 5)', async () => {
    const schema = { type: 'object' as const, properties: {} };
    expect((await sent({ responseFormat: { type: 'json', schema } })).body['response_format']).toEqual({
      type: 'json_schema',
      json_schema: { name: 'response', schema, strict: true },
    });
    expect(
      UnsupportedFunctionalityError.isInstance(await rejectionOf(sent({ responseFormat: { type: 'json' } }))),
    ).toBe(true);
  });

  it('9: every toolChoice is sent (`agent-api.md` §2.4)', async () => {
    const tools = [functionTool('weather'), webSearchTool('search')];
    const choice = async (toolChoice: CallOptions['toolChoice']) =>
      (await sent({ tools, ...(toolChoice && { toolChoice }) })).body['tool_choice'];
    expect(await choice({ type: 'auto' })).toBeUndefined();
    expect(await choice({ type: 'none' })).toBe('none');
    expect(await choice({ type: 'required' })).toBe('required');
    expect(await choice({ type: 'tool', toolName: 'weather' })).toEqual({ name: 'weather' });
    expect(await choice({ type: 'tool', toolName: 'search' })).toEqual({ type: 'web_search' });
  });

  it('10: headers are merged, the user agent names the package, the slash is stripped', async () => {
    const { fetch, requests } = stubFetch(reply());
    const provider = createPerplexityAgent({
      apiKey: API_KEY,
      fetch,
      baseURL: 'https://a.example/',
      headers: { one: '1' },
    });
    await generate(provider('openai/gpt-6-luna'), { headers: { two: '2' } });
    const [{ url, headers }] = requests as [(typeof requests)[0]];
    expect(url).toBe('https://a.example/v1/agent');
    expect([headers.get('one'), headers.get('two')]).toEqual(['1', '2']);
    expect(headers.get('user-agent')).toContain('ai-sdk/ai-sdk-provider-perplexity-agent/');
  });

  it('11: tool args go from camelCase to the names of the wire', async () => {
    const tool = { ...webSearchTool(), args: { maxResults: 3, filters: { searchDomainFilter: ['a.example'] } } };
    expect((await sent({ tools: [tool as never] })).body['tools']).toEqual([
      { type: 'web_search', max_results: 3, filters: { search_domain_filter: ['a.example'] } },
    ]);
  });
});

describe('input', () => {
  it('12: text-only user messages are one string, assistant text too; system messages by decision 3', async () => {
    const prompt = [
      { role: 'system', content: 'Brief.' },
      ...user(text('A'), text('B')),
      { role: 'assistant', content: [text('C')] },
    ] as never;
    const { body } = await sent({ prompt });
    expect(body).toMatchObject({ instructions: 'Brief.' });
    expect(body['input']).toEqual([
      { type: 'message', role: 'user', content: 'A\nB' },
      { type: 'message', role: 'assistant', content: 'C' },
    ]);
    expect((await sent({ prompt }, 'low')).body['input']).toMatchObject([
      { role: 'system', content: 'Brief.' },
      {},
      {},
    ]);
  });

  it('13: images are input_image with their type sniffed, a PDF is input_file (decision 6)', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const prompt = user(
      { type: 'file', mediaType: 'image/*', data: png },
      { type: 'file', mediaType: 'image/png', data: new URL('https://a.example/b.png') },
      { type: 'file', mediaType: 'application/pdf', filename: 'a.pdf', data: 'JVBERi0=' },
    );
    expect((await sent({ prompt })).body['input']).toMatchObject([
      {
        content: [
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw0KGgo=' },
          { type: 'input_image', image_url: 'https://a.example/b.png' },
          { type: 'input_file', filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBERi0=' },
        ],
      },
    ]);
  });

  it('14: calls carry their signature, outputs their name; text, JSON and denial are strings', async () => {
    const call = (id: string) => ({
      type: 'tool-call',
      toolCallId: id,
      toolName: 'weather',
      input: { city: 'Rome' },
      providerOptions: { perplexity: { thoughtSignature: 'c2ln', thoughtSignatureModel: 'openai/gpt-6-luna' } },
    });
    const output = (id: string, value: object) => ({
      type: 'tool-result',
      toolCallId: id,
      toolName: 'weather',
      output: value,
    });
    const prompt = [
      ...user(text('Hi')),
      { role: 'assistant', content: [call('1'), call('2'), call('3')] },
      {
        role: 'tool',
        content: [
          output('1', { type: 'text', value: 'sunny' }),
          output('2', { type: 'json', value: { celsius: 21 } }),
          output('3', { type: 'execution-denied', reason: 'not now' }),
        ],
      },
    ] as never;
    const { input } = (await sent({ prompt })).body as { input: object[] };
    expect(input.slice(1)).toMatchObject([
      { type: 'function_call', call_id: '1', name: 'weather', arguments: '{"city":"Rome"}', thought_signature: 'c2ln' },
      {},
      {},
      { type: 'function_call_output', call_id: '1', name: 'weather', output: 'sunny' },
      { output: '{"celsius":21}' },
      { output: 'not now' },
    ]);
  });

  it('15: reasoning in the prompt is dropped without a warning (decision 10)', async () => {
    const prompt = [
      ...user(text('Hi')),
      { role: 'assistant', content: [{ type: 'reasoning', text: 'hm' }, text('A')] },
    ] as never;
    const { body, warnings } = await sent({ prompt });
    expect(body['input']).toHaveLength(2);
    expect(warnings).toEqual([]);
  });
});

describe('generate', () => {
  it('16: a search result is a source with its id in ours (decision 9), in the order of the wire', async () => {
    const { content } = await answerOf([
      searchItem(['q'], [result(7, 'https://a.example/', { date: '2026-01-02' })]),
      message('A [7]'),
    ]);
    expect(content).toMatchObject([
      { type: 'source', id: 'resp_1:7', providerMetadata: { perplexity: { resultIds: [7], date: '2026-01-02' } } },
      { type: 'text', text: 'A [7]' },
    ]);
  });

  it('17: usage splits into cached and reasoning parts and is kept whole', async () => {
    const { usage: counted, providerMetadata } = await answerOf([], {}, { usage: { ...usage, later: 1 } });
    expect(counted).toEqual({
      inputTokens: 110,
      outputTokens: 45,
      totalTokens: 155,
      reasoningTokens: 5,
      cachedInputTokens: 20,
    });
    expect(providerMetadata?.['perplexity']?.['usage']).toEqual({ ...usage, later: 1 });
  });

  it('18: metadata holds cost, invocations and the number of searches', async () => {
    const { providerMetadata } = await answerOf([], {}, { usage });
    expect(providerMetadata?.['perplexity']).toMatchObject({
      cost: { totalCost: 0.0063 },
      toolCallsDetails: { search_web: { invocation: 2 }, fetch_url: { invocation: 1 } },
      searchCalls: 2,
    });
  });

  it('19: response id, model, time, headers and body, and the request body are there', async () => {
    const { response, request } = await answerOf([message('A')]);
    expect(response).toMatchObject({
      id: 'resp_1',
      modelId: 'openai/gpt-6-luna',
      headers: { 'x-request-id': 'req-1' },
      body: { id: 'resp_1' },
    });
    expect(response?.timestamp?.getTime()).toBe(1_790_000_000_000);
    expect(request?.body).toMatchObject({ model: 'openai/gpt-6-luna' });
  });

  it('20: a function call is a tool call with its item id, and a signature only where there is one', async () => {
    const { content, finishReason } = await answerOf([nativeCall('weather', 'call_1', {})], {
      tools: [functionTool('weather')],
    });
    expect(content[0]).toMatchObject({
      type: 'tool-call',
      toolCallId: 'call_1',
      providerMetadata: { perplexity: { itemId: 'fc_call_1' } },
    });
    expect(JSON.stringify(content[0])).not.toContain('thoughtSignature');
    expect(finishReason).toBe('tool-calls');
  });

  it('21: incomplete runs end by their reason', async () => {
    const reason = async (name: string) =>
      (await answerOf([], {}, { status: 'incomplete', incomplete_details: { reason: name } })).finishReason;
    expect(await reason('max_output_tokens')).toBe('length');
    expect(await reason('content_filter')).toBe('content-filter');
  });

  it('22: HTTP 200 with a failed run or an error is an APICallError with the message', async () => {
    for (const fields of [{ status: 'failed', error: { message: 'no luck' } }, { error: { message: 'no luck' } }]) {
      const error = await rejectionOf(answerOf([], {}, fields));
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error.message).toBe('no luck');
    }
  });

  it('23: finance items do not break the answer; they are surfaced (decision 19)', async () => {
    const finance = { type: 'finance_results', results: [{ category: 'quote', content: '|1|' }] };
    const { content, providerMetadata } = await answerOf([finance, message('A')]);
    expect(content.map(({ type }) => type)).toEqual(['text']);
    expect(providerMetadata?.['perplexity']?.['items']).toEqual([finance]);
  });

  it('24: one URL from annotation and search is one source with the id of the search', async () => {
    const noted = {
      ...message('A'),
      content: [{ type: 'output_text', text: 'A', annotations: [{ url: 'https://a.example/' }] }],
    };
    const { content } = await answerOf([searchItem(['q'], [result(3, 'https://a.example/')]), noted]);
    expect(content.flatMap((part) => (part.type === 'source' ? [part.id] : []))).toEqual(['resp_1:3']);
  });

  it('25: a missing output is refused, a missing title tolerated', async () => {
    expect((await rejectionOf(generate(modelWith([jsonReply(snapshot({ output: null }))]).model))).message).toContain(
      'without output',
    );
    const { content } = await answerOf([searchItem(['q'], [{ id: 1, url: 'https://a.example/' }])]);
    expect(content).toHaveLength(1);
  });
});

describe('stream', () => {
  const results = [result(1, 'https://a.example/')];
  const found = { type: 'response.reasoning.search_results', results, thought: null };

  it('26: parts come in order, usage and cost with finish', async () => {
    const parts = await streamOf([
      created(),
      found,
      delta('A [1]'),
      completed([searchItem(['q'], results), message('A [1]')], { usage }),
    ]);
    expect(parts.map(({ type }) => type)).toEqual([
      'stream-start',
      'response-metadata',
      'source',
      'text-start',
      'text-delta',
      'text-end',
      'finish',
    ]);
    expect(finishOf(parts)).toMatchObject({ usage: { inputTokens: 110 }, metadata: { cost: { totalCost: 0.0063 } } });
  });

  it('27: raw parts are one per event, the first after stream-start', async () => {
    const parts = await streamOf([created(), { type: 'response.future' }, completed([])], { includeRawChunks: true });
    expect(partsOf(parts, 'raw').map(({ rawValue }) => (rawValue as { type: string }).type)).toEqual([
      'response.created',
      'response.future',
      'response.completed',
    ]);
    expect(parts[1]?.type).toBe('raw');
  });

  it('28: a function call is input start, one delta, end and call, once', async () => {
    const call = nativeCall('weather', 'call_1', {});
    const parts = await streamOf([created(), itemAdded(0, call), itemDone(0, call), completed([call])], {
      tools: [functionTool('weather')],
    });
    expect(parts.map(({ type }) => type).filter((type) => type.startsWith('tool'))).toEqual([
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
    ]);
  });

  it('29: sources come from events, items and annotations, one per URL (the first id stays: decision 9)', async () => {
    const fetched = {
      type: 'response.reasoning.fetch_url_results',
      contents: [{ url: 'https://a.example/', title: 'A' }],
    };
    const parts = await streamOf([
      created(),
      fetched,
      found,
      itemDone(0, searchItem(['q'], results)),
      completed([searchItem(['q'], results)]),
    ]);
    expect(partsOf(parts, 'source').map(({ id }) => id)).toEqual(['resp_1:u1']);
    expect(finishOf(parts).metadata['citations']).toEqual({ '1': 'https://a.example/' });
  });

  it('30: thoughts are reasoning with deltas in order, closed at the end', async () => {
    const thought = (kind: string, value: string) => ({ type: `response.reasoning.${kind}`, thought: value });
    const parts = await streamOf([created(), thought('started', 'a'), thought('search_queries', 'b'), completed([])]);
    expect(partsOf(parts, 'reasoning-delta').map((part) => part.delta)).toEqual(['a', '\nb']);
    expect(partsOf(parts, 'reasoning-end')).toHaveLength(1);
  });

  it('31: null thought, contents, results, content_index and text are accepted', async () => {
    const parts = await streamOf([
      created(),
      { type: 'response.reasoning.fetch_url_results', thought: null, contents: null },
      { type: 'response.reasoning.search_results', thought: null, results: null },
      { ...delta('A'), content_index: null },
      { type: 'response.output_text.done', item_id: 'msg_1', content_index: null, text: null },
      completed([message('A')]),
    ]);
    expect(textsOf(parts)).toEqual(['A']);
  });

  it('32: only missing text is appended; a second part has its index in the id', async () => {
    const two = {
      ...message('Whole'),
      content: [
        { type: 'output_text', text: 'Whole' },
        { type: 'output_text', text: 'Second' },
      ],
    };
    const parts = await streamOf([created(), delta('Wh'), completed([two])]);
    expect(textsOf(parts)).toEqual(['Whole', 'Second']);
    expect(partsOf(parts, 'text-start').map(({ id }) => id)).toEqual(['msg_1', 'msg_1:1']);
  });

  it('33: an incomplete terminal keeps usage and reason; a failed one is an error part and finish error', async () => {
    const response = snapshot({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage });
    const cut = await streamOf([created(), delta('A'), { type: 'response.incomplete', response }]);
    expect(finishOf(cut)).toMatchObject({
      finishReason: 'length',
      usage: { outputTokens: 45 },
      metadata: { incompleteReason: 'max_output_tokens' },
    });
    const failed = await streamOf([created(), delta('A'), { type: 'response.failed', error: { message: 'no luck' } }]);
    expect(String(partsOf(failed, 'error')[0]?.error)).toContain('no luck');
    expect(finishOf(failed)).toMatchObject({ finishReason: 'error', metadata: { status: 'failed' } });
  });

  it('34: [DONE] is tolerated', async () => {
    const { model } = modelWith([
      eventReply([created(), delta('A'), 'data: [DONE]\n\n', completed([message('A')]), 'data: [DONE]\n\n']),
    ]);
    expect(finishOf(await streamParts(model)).finishReason).toBe('stop');
  });

  it('35: the exact order with raw chunks holds; finance and people are sources too', async () => {
    const people = { type: 'people_search_results', results: [result(2, 'https://p.example/')] };
    const parts = await streamOf([created(), itemDone(0, people), completed([people])], { includeRawChunks: true });
    expect(parts.map(({ type }) => type)).toEqual([
      'stream-start',
      'raw',
      'response-metadata',
      'raw',
      'source',
      'raw',
      'finish',
    ]);
  });
});
