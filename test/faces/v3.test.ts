/** What ai 6 and 7 gain over the V2 face, by values. */
import { NoSuchModelError } from '@ai-sdk/provider';
import { createPerplexityAgent, perplexityAgent } from 'ai-sdk-provider-perplexity-agent/v3';
import { describe, expect, it } from 'vitest';
import { fixtureEvents, fixtureResponse } from '../support/fixtures.js';
import { faceModel, faceParts, facePrompt, providerTool, type Faces } from '../support/faces.js';
import { functionTool } from '../support/model.js';
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
} from '../support/wire.js';

const generate = async (response: object, options: Faces['v3']['options'] = {}) =>
  faceModel('v3', [jsonReply(response)]).model.doGenerate({ prompt: facePrompt, ...options });
const stream = (events: object[], options: Faces['v3']['options'] = {}) =>
  faceParts('v3', faceModel('v3', [eventReply(events)]).model, options);

const search = searchItem(['lamps'], [result(1, 'https://a.example')]);
const mcpCall = { type: 'mcp_call', id: 'mcp_1', server_label: 'harbour', name: 'find', arguments: '{"berth":7}' };

describe('the V3 provider', () => {
  it('says what it and its models are', () => {
    expect(perplexityAgent.specificationVersion).toBe('v3');
    const model = { specificationVersion: 'v3', provider: 'perplexity.agent', modelId: 'low' };
    expect(perplexityAgent('low')).toMatchObject(model);
    expect(perplexityAgent.languageModel('low')).toMatchObject(model);
    expect(perplexityAgent.resume('resp_1')).toMatchObject({ specificationVersion: 'v3', modelId: 'resp_1' });
  });

  it.each(['embeddingModel', 'textEmbeddingModel', 'imageModel'] as const)('has no %s', (kind) => {
    expect(() => perplexityAgent[kind]('x')).toThrow(NoSuchModelError);
  });

  it('resumes a run with its own parts', async () => {
    const { fetch } = stubFetch(jsonReply(snapshot({ output: [search, message('A [1]')] })));
    const model = createPerplexityAgent({ apiKey: 'pplx-test-key', fetch }).resume('resp_1');
    const { content, finishReason } = await model.doGenerate({ prompt: facePrompt });
    expect(finishReason).toEqual({ unified: 'stop', raw: 'completed' });
    expect(content.map(({ type }) => type)).toEqual(['source', 'tool-call', 'tool-result', 'text']);
  });
});

describe('a V3 result', () => {
  it('has the raw finish reason and all of the usage', async () => {
    const ending = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage };
    const given = await generate(snapshot({ output: [message('A')], ...ending }));
    expect(given.finishReason).toEqual({ unified: 'length', raw: 'max_output_tokens' });
    expect(given.usage).toEqual({
      inputTokens: { total: 110, noCache: 80, cacheRead: 20, cacheWrite: 10 },
      outputTokens: { total: 45, text: 40, reasoning: 5 },
      raw: usage,
    });
  });

  it('shows no secret that the service echoes in its usage', async () => {
    const args = { serverLabel: 'crm', serverUrl: 'https://mcp.example.com', authorization: 'token-12345' };
    const options = { tools: [providerTool('mcp', 'crm', args)] };
    const echoed = { input_tokens: 1, note: 'token-12345' };
    const given = await generate(snapshot({ output: [message('A')], usage: echoed }), options);
    expect(given.usage.raw).toEqual({ input_tokens: 1, note: '[redacted]' });
  });

  it('has no counts where the wire gave none', async () => {
    const given = await generate(snapshot({ output: [message('A')] }));
    expect(given.usage).toEqual({
      inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
      outputTokens: { total: undefined, text: undefined, reasoning: undefined },
    });
  });

  it('warns in the form that ai 6 and 7 print as sentences', async () => {
    const foreign = { type: 'provider' as const, id: 'other.tool' as const, name: 'odd', args: {} };
    const options = { topK: 4, tools: [foreign], providerOptions: { perplexityAgent: {} } };
    const { warnings } = await generate(snapshot({ output: [message('A')] }), options);
    expect(warnings).toEqual([
      { type: 'other', message: expect.stringContaining('providerOptions.perplexityAgent has no effect') },
      {
        type: 'unsupported',
        feature: 'tool odd',
        details: 'It belongs to another provider and is left out.',
      },
      { type: 'unsupported', feature: 'topK', details: 'The Agent API has no such setting; it is not sent.' },
    ]);
    const [start] = await stream([created(), completed([message('A')])], options);
    expect(start).toEqual({ type: 'stream-start', warnings });
  });

  it('tells what was sent and what came back', async () => {
    const { request, response, providerMetadata } = await generate(snapshot({ output: [message('A')] }));
    expect(request?.body).toMatchObject({ model: 'openai/gpt-6-luna', input: [{ content: 'Hello?' }] });
    expect(response).toMatchObject({
      id: 'resp_1',
      modelId: 'openai/gpt-6-luna',
      timestamp: new Date(1_790_000_000_000),
      headers: { 'x-request-id': 'req-1' },
      body: { id: 'resp_1' },
    });
    expect(providerMetadata?.['perplexity']).toMatchObject({ responseId: 'resp_1', status: 'completed' });
  });

  it('keeps an item that no part carries in the metadata', async () => {
    const odd = { type: 'hologram', data: null };
    const given = await generate(snapshot({ output: [odd, message('A')] }));
    expect(given.content).toMatchObject([{ type: 'text', text: 'A' }]);
    expect(given.providerMetadata?.['perplexity']?.['items']).toEqual([odd]);
  });
});

describe('native calls that nobody declared', () => {
  const call = { toolCallId: 'resp_1:0', toolName: 'web_search', dynamic: true };

  it('are dynamic parts of a stream, from the input to the result', async () => {
    const parts = await stream([
      created(),
      itemAdded(0, nativeCall('search_web', 'c1', { queries: ['lamps'] })),
      itemDone(0, search),
      delta('A [1]', { output: 1 }),
      completed([search, message('A [1]')]),
    ]);
    expect(parts.filter(({ type }) => type.startsWith('tool-'))).toEqual([
      { type: 'tool-input-start', id: 'resp_1:0', toolName: 'web_search', providerExecuted: true, dynamic: true },
      { type: 'tool-input-delta', id: 'resp_1:0', delta: '{"queries":["lamps"]}' },
      { type: 'tool-input-end', id: 'resp_1:0' },
      {
        type: 'tool-call',
        ...call,
        input: '{"queries":["lamps"]}',
        providerExecuted: true,
        providerMetadata: { perplexity: { responseId: 'resp_1' } },
      },
      {
        type: 'tool-result',
        ...call,
        result: {
          queries: ['lamps'],
          results: [
            {
              id: 1,
              url: 'https://a.example',
              title: 'Title of https://a.example',
              snippet: 'Snippet of https://a.example',
              source: 'web',
            },
          ],
        },
        providerMetadata: { perplexity: { responseId: 'resp_1' } },
      },
    ]);
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'stop', raw: 'completed' } });
    expect(JSON.stringify(parts.at(-1))).not.toContain('"items"');
  });

  it('that began and never ended get a dynamic result that says so', async () => {
    const parts = await stream([
      created(),
      itemAdded(0, nativeCall('search_web', 'c1', { queries: ['lamps'] })),
      delta('A', { output: 1 }),
      completed([message('A')]),
    ]);
    expect(parts.filter(({ type }) => type === 'tool-result')).toMatchObject([
      { ...call, isError: true, result: { error: 'The run ended before this call had a result.' } },
    ]);
  });

  it('of a server go by its label, and a failed one is an error', async () => {
    const failed = { ...mcpCall, id: 'mcp_2', error: 'no berth' };
    const { content, providerMetadata } = await generate(snapshot({ output: [mcpCall, failed, message('A')] }));
    expect(content).toMatchObject([
      { type: 'tool-call', toolName: 'harbour', dynamic: true, input: '{"name":"find","arguments":{"berth":7}}' },
      { type: 'tool-result', toolName: 'harbour', dynamic: true },
      { type: 'tool-call', toolName: 'harbour', dynamic: true },
      { type: 'tool-result', toolName: 'harbour', dynamic: true, isError: true, result: { error: 'no berth' } },
      { type: 'text', text: 'A' },
    ]);
    expect(providerMetadata?.['perplexity']).not.toHaveProperty('items');
  });

  it("never take a name of the caller's", async () => {
    const tools = [
      functionTool('harbour'),
      functionTool('perplexity_harbour'),
      providerTool('fetch_url', 'web_search'),
    ];
    const { content } = await generate(snapshot({ output: [mcpCall, search, message('A')] }), { tools });
    expect(content.flatMap((part) => (part.type === 'tool-call' ? [[part.toolName, part.dynamic]] : []))).toEqual([
      ['perplexity_perplexity_harbour', true],
      ['perplexity_web_search', true],
    ]);
  });

  it('leave the names of tools that are not sent alone, streamed, generated and resumed', async () => {
    const foreign = (name: string) => ({ type: 'provider', id: 'openai.web_search', name, args: {} }) as const;
    const tools = [
      foreign('web_search'),
      foreign('harbour'),
      { type: 'hologram', name: 'perplexity_harbour' } as never,
    ];
    const output = [mcpCall, search, message('A')];
    const expected = ['perplexity_perplexity_harbour', 'perplexity_web_search'];
    const { content, warnings } = await generate(snapshot({ output }), { tools });
    expect(warnings).toMatchObject([
      { feature: 'tool web_search', details: 'It belongs to another provider and is left out.' },
      { feature: 'tool harbour', details: 'It belongs to another provider and is left out.' },
      { feature: 'tool perplexity_harbour', details: expect.stringContaining("type 'hologram' are not known") },
    ]);
    const parts = await stream([created(), completed(output)], { tools });
    const { fetch } = stubFetch(jsonReply(snapshot({ output })));
    const model = createPerplexityAgent({ apiKey: 'pplx-test-key', fetch }).resume('resp_1');
    const resumed = await model.doGenerate({ prompt: facePrompt, tools });
    for (const list of [content, parts, resumed.content]) {
      for (const type of ['tool-call', 'tool-result'] as const) {
        expect(list.flatMap((part) => (part.type === type ? [part.toolName] : []))).toEqual(expected);
      }
    }
  });

  it("are the caller's own where declared, without the flag", async () => {
    const options = { tools: [providerTool('web_search', 'find')] };
    const { content } = await generate(snapshot({ output: [search, message('A')] }), options);
    const parts = content.filter(({ type }) => type.startsWith('tool-'));
    expect(parts).toMatchObject([{ toolName: 'find' }, { toolName: 'find' }]);
    for (const part of parts) expect(part).not.toHaveProperty('dynamic');
  });

  it('do not come out where the caller chose to have no tools', async () => {
    const options = { toolChoice: { type: 'none' as const } };
    const { content, providerMetadata } = await generate(snapshot({ output: [search, message('A [1]')] }), options);
    expect(content.map(({ type }) => type)).toEqual(['source', 'text']);
    expect(providerMetadata?.['perplexity']?.['items']).toEqual([search]);
  });

  it('repeated from an earlier turn are no calls of this one', async () => {
    const options = { providerOptions: { perplexity: { previousResponseId: 'resp_0' } } };
    const repeated = searchItem(null, [result(1, 'https://a.example')]);
    const { content } = await generate(snapshot({ output: [repeated, message('A [1]')] }), options);
    expect(content.map(({ type }) => type)).toEqual(['source', 'text']);
  });

  it('stand beside calls of the client', async () => {
    const options = { tools: [functionTool('read_ledger')] };
    const parts = await stream(fixtureEvents('native-and-client'), options);
    const calls = parts.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
    expect(calls).toMatchObject([
      { toolName: 'web_search', providerExecuted: true, dynamic: true },
      { toolName: 'read_ledger', input: expect.any(String) },
    ]);
    expect(calls[1]).not.toHaveProperty('dynamic');
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } });
  });

  it('of every kind have their type as a name', async () => {
    const names = ['several-tools', 'finance-search', 'sandbox-nested', 'fetch-only', 'connector'].map(async (name) => {
      const { content } = await generate(fixtureResponse(name));
      return content.flatMap((part) => (part.type === 'tool-result' ? [part.toolName] : []));
    });
    expect(await Promise.all(names)).toEqual([
      ['web_search', 'people_search', 'image_search'],
      ['finance_search'],
      ['sandbox', 'sandbox'],
      ['fetch_url'],
      ['drive'],
    ]);
  });
});

describe('a V3 stream that is cut off', () => {
  it('finishes with error after its error part', async () => {
    const parts = await stream([created({ status: 'in_progress' }), delta('A')]);
    expect(parts.slice(-2)).toMatchObject([
      { type: 'error', error: { message: expect.stringContaining('no terminal event came') } },
      { type: 'finish', finishReason: { unified: 'error', raw: 'in_progress' } },
    ]);
  });
});
