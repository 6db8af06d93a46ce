/** What ai 7 gains over the V3 face, by values. */
import { NoSuchModelError } from '@ai-sdk/provider';
import { createPerplexityAgent, perplexityAgent } from 'ai-sdk-provider-perplexity-agent/v4';
import { describe, expect, it } from 'vitest';
import { fixtureEvents, fixtureResponse } from '../support/fixtures.js';
import { faceModel, faceParts, facePrompt, type Faces } from '../support/faces.js';
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
  usage,
} from '../support/wire.js';

type Options = Faces['v4']['options'];

const generate = async (response: object, options: Options = {}) =>
  faceModel('v4', [jsonReply(response)]).model.doGenerate({ prompt: facePrompt, ...options });
const stream = (events: object[], options: Options = {}) =>
  faceParts('v4', faceModel('v4', [eventReply(events)]).model, options);

/** The body that a call sends. */
async function bodyOf(options: Options) {
  const { model, requests } = faceModel('v4', [jsonReply(snapshot({ output: [message('A')] }))]);
  const { warnings } = await model.doGenerate({ prompt: facePrompt, ...options });
  return { body: requests[0]?.body, warnings };
}

const search = searchItem(['lamps'], [result(1, 'https://a.example')]);
const odd = { type: 'hologram', data: null, deep: { list: [1, null] } };
const json = { responseFormat: { type: 'json' as const, schema: { type: 'object' as const } } };

describe('the V4 provider', () => {
  it('says what it and its models are', () => {
    expect(perplexityAgent.specificationVersion).toBe('v4');
    const model = { specificationVersion: 'v4', provider: 'perplexity.agent', modelId: 'low' };
    expect(perplexityAgent('low')).toMatchObject(model);
    expect(perplexityAgent.resume('resp_1')).toMatchObject({ specificationVersion: 'v4', modelId: 'resp_1' });
  });

  it.each(['embeddingModel', 'textEmbeddingModel', 'imageModel'] as const)('has no %s', (kind) => {
    expect(() => perplexityAgent[kind]('x')).toThrow(NoSuchModelError);
  });
});

describe('a V4 result', () => {
  it('has usage, raw finish reason and readable warnings', async () => {
    const given = await generate(snapshot({ output: [message('A')], usage }), { seed: 1 });
    expect(given.finishReason).toEqual({ unified: 'stop', raw: 'completed' });
    expect(given.usage).toEqual({
      inputTokens: { total: 110, noCache: 80, cacheRead: 20, cacheWrite: 10 },
      outputTokens: { total: 45, text: 40, reasoning: 5 },
      raw: usage,
    });
    const details = 'The Agent API has no such setting; it is not sent.';
    expect(given.warnings).toEqual([{ type: 'unsupported', feature: 'seed', details }]);
    expect(given).not.toHaveProperty('structuredOutputText');
  });

  it('tells where the request went, generated, streamed and resumed', async () => {
    const answer = () => jsonReply(snapshot({ output: [message('A')] }));
    const baseURL = 'https://gateway.example/perplexity/v1/';
    const { model } = faceModel('v4', [answer], { baseURL });
    const url = 'https://gateway.example/perplexity/v1/agent';
    const call = { prompt: facePrompt };
    expect((await model.doGenerate(call)).request).toMatchObject({ url, body: { model: 'openai/gpt-6-luna' } });
    expect((await model.doStream(call)).request).toMatchObject({ url, body: { stream: true } });
    const { fetch, requests } = stubFetch(answer);
    const resumed = createPerplexityAgent({ apiKey: 'pplx-test-key', fetch }).resume('resp_1');
    expect((await resumed.doGenerate(call)).request?.url).toBe(requests[0]?.url);
    expect(requests[0]?.url).toContain('/v1/agent/resp_1');
  });

  it('cites: the places of the markers, and what they stand for', async () => {
    const source = { type: 'source', sourceType: 'url', id: 'resp_1:1', url: 'https://a.example' };
    const title = 'Title of https://a.example';
    const citations = [{ source: { ...source, title }, startIndex: 2, endIndex: 5 }];
    const { content } = await generate(snapshot({ output: [search, message('A [1]')] }));
    expect(content.at(-1)).toMatchObject({ type: 'text', text: 'A [1]', citations });
    const parts = await stream([created(), itemDone(0, search), delta('A [1]', { output: 1 }), completed([search])]);
    expect(parts.find(({ type }) => type === 'text-end')).toMatchObject({ citations });
  });

  it('shows undeclared native calls as dynamic parts', async () => {
    const { content, providerMetadata } = await generate(snapshot({ output: [search, message('A')] }));
    expect(content).toMatchObject([
      { type: 'source' },
      { type: 'tool-call', toolCallId: 'resp_1:0', toolName: 'web_search', providerExecuted: true, dynamic: true },
      { type: 'tool-result', toolCallId: 'resp_1:0', toolName: 'web_search', dynamic: true },
      { type: 'text' },
    ]);
    expect(providerMetadata?.['perplexity']).not.toHaveProperty('items');
  });
});

describe('custom parts', () => {
  it('hold an item that no other part carries, verbatim, and the metadata holds it no more', async () => {
    const custom = {
      type: 'custom',
      kind: 'perplexity.hologram',
      providerMetadata: { perplexity: { responseId: 'resp_1', item: odd } },
    };
    const given = await generate(snapshot({ output: [odd, message('A')] }));
    expect(given.content.filter(({ type }) => type === 'custom')).toEqual([custom]);
    expect(given.providerMetadata?.['perplexity']).not.toHaveProperty('items');
    const parts = await stream([
      created(),
      itemDone(0, odd),
      delta('A', { output: 1 }),
      completed([odd, message('A')]),
    ]);
    expect(parts.map(({ type }) => type)).toEqual([
      'stream-start',
      'response-metadata',
      'text-start',
      'text-delta',
      'text-end',
      'custom',
      'finish',
    ]);
    expect(parts.at(-2)).toEqual(custom);
  });

  it('come in the order of the output, before the error of a run that failed', async () => {
    const failed = { type: 'response.failed', response: snapshot({ status: 'failed', error: { message: 'No.' } }) };
    const parts = await stream([
      created(),
      itemDone(0, odd),
      itemDone(1, { type: 'skill_loaded' }),
      delta('A'),
      failed,
    ]);
    expect(parts.slice(-4)).toMatchObject([
      { type: 'custom', kind: 'perplexity.hologram' },
      { type: 'custom', kind: 'perplexity.skill_loaded' },
      { type: 'error' },
      { type: 'finish', finishReason: { unified: 'error', raw: 'failed' } },
    ]);
  });

  it('are there for native results too where the caller chose to have no tools', async () => {
    const { content } = await generate(snapshot({ output: [search, message('A')] }), { toolChoice: { type: 'none' } });
    expect(content).toMatchObject([
      { type: 'source' },
      { type: 'text' },
      { type: 'custom', kind: 'perplexity.search_results', providerMetadata: { perplexity: { item: search } } },
    ]);
  });

  it('leave the list of shared files as it is', async () => {
    const { content, providerMetadata } = await generate(fixtureResponse('files'));
    expect(content.flatMap((part) => (part.type === 'custom' ? [part.kind] : []))).toEqual([
      'perplexity.skill_loaded',
      'perplexity.sandbox_write_file',
      'perplexity.sandbox_read_file',
      'perplexity.sandbox_edit_file',
      'perplexity.sandbox_grep',
      'perplexity.sandbox_glob',
      'perplexity.sandbox_apply_patch',
      'perplexity.sandbox_write_file',
      'perplexity.share_file',
      'perplexity.share_file',
    ]);
    expect(providerMetadata?.['perplexity']?.['files']).toHaveLength(1);
  });

  it('blank out the secrets that a server echoes', async () => {
    const item = { type: 'mcp_list_tools', server_label: 'crm', note: 'Bearer token-12345' };
    const args = { serverLabel: 'crm', serverUrl: 'https://mcp.example.com', authorization: 'token-12345' };
    const tools = [{ type: 'provider' as const, id: 'perplexity.mcp' as const, name: 'crm', args }];
    const { content } = await generate(snapshot({ output: [item, message('A')] }), { tools });
    expect(content.at(-1)).toMatchObject({
      kind: 'perplexity.mcp_list_tools',
      providerMetadata: { perplexity: { item: { note: 'Bearer [redacted]' } } },
    });
  });

  it('come back in a history without a word, those of others with a warning', async () => {
    const { content } = await generate(snapshot({ output: [odd, message('A')] }));
    const [custom] = content.flatMap((part) => (part.type === 'custom' ? [part] : []));
    const assistant = [
      { type: 'text' as const, text: 'A' },
      {
        type: 'custom' as const,
        kind: custom?.kind ?? 'perplexity.x',
        providerOptions: custom?.providerMetadata ?? {},
      },
      { type: 'custom' as const, kind: 'other.thing' as const },
    ];
    const { body, warnings } = await bodyOf({
      prompt: [...facePrompt, { role: 'assistant', content: assistant }, ...facePrompt],
    });
    expect(body?.['input']).toEqual([
      { type: 'message', role: 'user', content: 'Hello?' },
      { type: 'message', role: 'assistant', content: 'A' },
      { type: 'message', role: 'user', content: 'Hello?' },
    ]);
    expect(warnings).toEqual([{ type: 'other', message: expect.stringContaining('(other.thing)') }]);
  });

  it('and every other part of all fixtures pass the checker', async () => {
    for (const name of ['unknown-items', 'other-items', 'mcp', 'tool-failures', 'annotations', 'chained']) {
      const parts = await stream(fixtureEvents(name));
      expect(parts.at(-1)?.type).toBe('finish');
    }
  });
});

describe('a V4 stream that is cut off', () => {
  it('finishes interrupted after its error part', async () => {
    const parts = await stream([created(), itemDone(0, odd), delta('A')]);
    expect(parts.slice(-4)).toMatchObject([
      { type: 'text-end' },
      { type: 'custom', kind: 'perplexity.hologram' },
      { type: 'error', error: { message: expect.stringContaining('no terminal event came') } },
      { type: 'finish', finishReason: { unified: 'interrupted', raw: 'in_progress' } },
    ]);
  });

  it('by a lost connection as well; a run that failed has ended', async () => {
    const events = [created(), delta('A')];
    const lost = eventReply(events, { end: new TypeError('terminated') });
    const parts = await faceParts('v4', faceModel('v4', [lost]).model);
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'interrupted', raw: 'in_progress' } });
    const bareError = await stream([...events, { type: 'error', error: { message: 'No.' } }]);
    expect(bareError.at(-1)).toMatchObject({ finishReason: { unified: 'error', raw: 'failed' } });
  });
});

describe('structured output on V4', () => {
  it('names the text to parse', async () => {
    const output = [message('A draft.', 'msg_0'), search, message('```json\n{"a":1}\n```')];
    const { structuredOutputText, content } = await generate(snapshot({ output }), json);
    expect(structuredOutputText).toBe('{"a":1}');
    expect(content.filter(({ type }) => type === 'text')).toMatchObject([{ text: '{"a":1}' }]);
  });

  it('names none where no text came', async () => {
    expect(await generate(snapshot({ output: [] }), json)).not.toHaveProperty('structuredOutputText');
  });
});

describe('what ai 7 asks for', () => {
  it.each([
    ['high', { effort: 'high' }],
    ['max', { effort: 'max' }],
    ['provider-default', undefined],
  ] as const)('the setting reasoning: %s', async (reasoning, sent) => {
    const { body, warnings } = await bodyOf({ reasoning });
    expect(body?.['reasoning']).toEqual(sent);
    expect(warnings).toEqual([]);
  });

  it('the setting reasoning: none, which the API cannot', async () => {
    const { body, warnings } = await bodyOf({ reasoning: 'none' });
    expect(body?.['reasoning']).toEqual({ effort: 'minimal' });
    expect(warnings).toMatchObject([{ type: 'unsupported', feature: 'reasoning' }]);
  });

  it('files as tagged data: bytes, base64, addresses and texts', async () => {
    const url = new URL('https://a.example/b.png');
    const file = (mediaType: string, data: Record<string, unknown>) =>
      ({ type: 'file', mediaType, data }) as unknown as { type: 'text'; text: string };
    const content = [
      file('image/png', { type: 'url', url }),
      file('image', { type: 'data', data: new Uint8Array([0x89, 0x50, 0x4e, 0x47]) }),
      file('application/pdf', { type: 'url', url: new URL('https://a.example/c.pdf') }),
      file('text/plain', { type: 'text', text: 'Hi' }),
    ];
    const { body } = await bodyOf({ prompt: [{ role: 'user', content }] });
    expect(body?.['input']).toMatchObject([
      {
        content: [
          { type: 'input_image', image_url: 'https://a.example/b.png' },
          { type: 'input_image', image_url: 'data:image/png;base64,iVBORw==' },
          { type: 'input_file', file_url: 'https://a.example/c.pdf' },
          { type: 'input_file', file_data: expect.stringContaining('SGk=') },
        ],
      },
    ]);
  });
});
