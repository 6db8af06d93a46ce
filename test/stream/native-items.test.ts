/** Every native tool and every item type, from the fixtures: as parts, sources, progress or metadata, streamed or not. */
import type { LanguageModelV2Content, LanguageModelV2StreamPart } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { fixtureEvents, fixtureResponse } from '../support/fixtures.js';
import {
  allNativeTools,
  finishOf,
  functionTool,
  generate,
  mcpTool,
  modelWith,
  nativeTool,
  partsOf,
  streamParts,
  type CallOptions,
} from '../support/model.js';
import {
  completed,
  created,
  eventReply,
  itemAdded,
  itemDone,
  jsonReply,
  message,
  nativeCall,
  result,
  snapshot,
} from '../support/wire.js';

/** A fixture's run in both forms: what each gave, in the same shape. */
async function bothForms(name: string, options: CallOptions = { tools: allNativeTools() }) {
  const parts = await streamParts(modelWith([eventReply(fixtureEvents(name))]).model, options);
  const generated = await generate(modelWith([jsonReply(fixtureResponse(name))]).model, options);
  const finish = finishOf(parts);
  return [
    { parts: parts as Array<LanguageModelV2StreamPart | LanguageModelV2Content>, metadata: finish.metadata, finish },
    {
      parts: generated.content as Array<LanguageModelV2StreamPart | LanguageModelV2Content>,
      metadata: (generated.providerMetadata?.['perplexity'] ?? {}) as Record<string, unknown>,
      finish: generated,
    },
  ];
}

type Part = LanguageModelV2StreamPart | LanguageModelV2Content;

/** Name, input and result of each native call. */
function callsIn(parts: Part[]) {
  const results = parts.filter((part) => part.type === 'tool-result');
  return parts
    .filter((part) => part.type === 'tool-call')
    .filter(({ providerExecuted }) => providerExecuted === true)
    .map(({ toolCallId, toolName, input }) => {
      const found = results.find((part) => part.toolCallId === toolCallId);
      expect(found?.toolName).toBe(toolName);
      const failure = found?.isError === true ? { isError: true } : {};
      return { toolName, input: JSON.parse(input) as unknown, result: found?.result, ...failure };
    });
}

const sourcesIn = (parts: Part[]) =>
  parts.flatMap((part) =>
    part.type === 'source' && part.sourceType === 'url'
      ? [[part.url, part.title, part.providerMetadata?.['perplexity']?.['tool']]]
      : [],
  );

const reasoningIn = (parts: Part[]) =>
  parts.map((part) => (part.type === 'reasoning-delta' ? part.delta : '')).join('');

describe('declared native tools', () => {
  it('people search: results like those of the web, numbered sources', async () => {
    for (const { parts, metadata } of await bothForms('people-search')) {
      expect(callsIn(parts)).toEqual([
        {
          toolName: 'people',
          input: { queries: ['harbour master of Norvik'] },
          result: {
            queries: ['harbour master of Norvik'],
            results: [
              {
                id: 1,
                url: 'https://harbour.example.com/staff',
                title: 'Staff of the harbour',
                snippet: 'Harbour master since 2022: Liv Aune.',
                source: 'web',
                lastUpdated: '2026-06-02',
              },
              {
                id: 2,
                url: 'https://press.example.org/aune',
                title: 'A new harbour master',
                snippet: '',
                source: 'web',
                date: '2022-04-11',
              },
            ],
          },
        },
      ]);
      expect(sourcesIn(parts)).toEqual([
        ['https://harbour.example.com/staff', 'Staff of the harbour', 'people_search'],
        ['https://press.example.org/aune', 'A new harbour master', 'people_search'],
      ]);
      expect(metadata['citations']).toEqual({
        '1': 'https://harbour.example.com/staff',
        '2': 'https://press.example.org/aune',
      });
      expect(metadata['items']).toBeUndefined();
    }
  });

  it('finance search: tables, their addresses as sources, its skill in the items', async () => {
    for (const { parts, metadata } of await bothForms('finance-search')) {
      expect(callsIn(parts)).toEqual([
        {
          toolName: 'markets',
          input: { tickers: ['NRVK'], categories: ['quote', 'earnings'] },
          result: {
            tickers: ['NRVK'],
            categories: ['quote', 'earnings'],
            results: [
              {
                category: 'quote',
                content: '| price | change |\n|--|--|\n| 12.40 | -1.1 % |',
                tickers: ['NRVK'],
                sources: ['https://finance.example.com/NRVK'],
              },
              { category: 'earnings', content: '| year | revenue |\n|--|--|\n| 2025 | 310 |', sources: [] },
            ],
          },
        },
      ]);
      expect(sourcesIn(parts)).toEqual([['https://finance.example.com/NRVK', undefined, 'finance_search']]);
      expect(metadata['items']).toEqual([{ type: 'skill_loaded', name: 'finance' }]);
    }
  });

  it('finance search without enough steps: an empty success, as the API gives it', async () => {
    for (const { parts, metadata, finish } of await bothForms('finance-without-steps')) {
      expect(callsIn(parts)).toEqual([]);
      expect(finish.finishReason).toBe('stop');
      expect(metadata['items']).toEqual([{ type: 'skill_loaded', name: 'finance' }]);
    }
  });

  it('image search: images, which are no sources', async () => {
    for (const { parts } of await bothForms('image-search')) {
      expect(callsIn(parts)).toEqual([
        {
          toolName: 'pictures',
          input: { queries: ['pilot boat'] },
          result: {
            queries: ['pilot boat'],
            results: [
              {
                imageUrl: 'https://images.example.com/pilot.png',
                originUrl: 'https://boats.example.org/pilot',
                width: 1280,
                height: 720,
                title: 'Pilot boat at dusk',
              },
              {
                imageUrl: 'https://images.example.com/deck.webp',
                originUrl: 'https://boats.example.org/deck',
                width: 640,
                height: 480,
              },
            ],
          },
        },
      ]);
      expect(sourcesIn(parts)).toEqual([]);
    }
  });

  it('sandbox: both forms of the wire, and a program that fails on its own is a result', async () => {
    for (const { parts } of await bothForms('sandbox-flat')) {
      expect(callsIn(parts)).toEqual([
        {
          toolName: 'run',
          input: { code: 'print(6 * 7)' },
          result: {
            status: 'completed',
            results: [{ stdout: '42\n', stderr: '', exitCode: 0, durationMs: 31, status: 'completed' }],
          },
        },
      ]);
    }
    for (const { parts, metadata } of await bothForms('sandbox-nested')) {
      expect(callsIn(parts)).toEqual([
        {
          toolName: 'run',
          input: { code: 'print(1 / 0)', language: 'python' },
          result: {
            status: 'failed',
            language: 'python',
            containerId: 'container_7',
            results: [
              {
                stdout: '',
                stderr: 'ZeroDivisionError: division by zero\n',
                exitCode: 1,
                durationMs: 22,
                status: 'failed',
              },
            ],
          },
        },
        {
          toolName: 'run',
          input: { code: 'echo done', language: 'bash' },
          result: {
            status: 'completed',
            language: 'bash',
            results: [
              { stdout: 'done\n', stderr: '', exitCode: 0, durationMs: 9, status: 'completed' },
              { exitCode: 0 },
            ],
          },
        },
      ]);
      expect(metadata['items']).toBeUndefined();
    }
  });

  it('MCP servers: each call under the key of its server, a failed one with isError', async () => {
    for (const { parts, metadata } of await bothForms('mcp')) {
      expect(callsIn(parts)).toEqual([
        {
          toolName: 'forecasts',
          input: { name: 'forecast', arguments: { place: 'Norvik' } },
          result: { error: 'no forecast for Norvik' },
          isError: true,
        },
        {
          toolName: 'harbour',
          input: { name: 'find_berth', arguments: { berth: 7 } },
          result: { output: '{"free":true}' },
        },
      ]);
      expect((metadata['items'] as Array<{ type: string }>).map(({ type }) => type)).toEqual([
        'mcp_list_tools',
        'mcp_list_tools',
      ]);
    }
  });

  it('connectors: arguments that are no JSON stay a text', async () => {
    for (const { parts, metadata } of await bothForms('connector')) {
      expect(callsIn(parts)).toEqual([
        {
          toolName: 'documents',
          input: { name: 'search_files', arguments: 'tide table' },
          result: { output: 'tides-2026.pdf' },
        },
      ]);
      expect(metadata['items']).toMatchObject([{ type: 'tool_search_output' }]);
    }
  });

  it('that failed give error results, in whatever form the wire says so', async () => {
    for (const { parts, finish } of await bothForms('tool-failures')) {
      expect(callsIn(parts)).toEqual([
        {
          toolName: 'pictures',
          input: { queries: ['sea fog'] },
          result: { queries: ['sea fog'], results: [], error: 'image_search_failed' },
          isError: true,
        },
        {
          toolName: 'run',
          input: { code: 'while True: pass' },
          result: {
            status: 'timed_out',
            results: [{ stdout: '', stderr: '', durationMs: 60_000, status: 'timed_out' }],
            error: 'The sandbox session timed out.',
          },
          isError: true,
        },
        {
          toolName: 'people',
          input: { queries: ['pilot of the year'] },
          result: { queries: ['pilot of the year'], results: [], error: 'people search is not available' },
          isError: true,
        },
      ]);
      expect(finish.finishReason).toBe('stop');
    }
  });

  it('of one step run together, beside a call of the client', async () => {
    const options = { tools: [...allNativeTools(), functionTool('book_pilot')] };
    for (const { parts, metadata, finish } of await bothForms('several-tools', options)) {
      expect(callsIn(parts).map(({ toolName, input }) => [toolName, input])).toEqual([
        ['search', { queries: ['pilot fees'] }],
        ['people', { queries: ['pilots of Norvik'] }],
        ['pictures', { queries: ['pilot ladder'] }],
      ]);
      expect(
        parts.filter((part) => part.type === 'tool-call').map((part) => [part.toolName, part.providerExecuted]),
      ).toContainEqual(['book_pilot', undefined]);
      expect(finish.finishReason).toBe('tool-calls');
      expect(sourcesIn(parts).map(([url, , tool]) => [url, tool])).toEqual([
        ['https://fees.example.com/', 'web_search'],
        ['https://harbour.example.com/pilots', 'people_search'],
      ]);
      expect(metadata['citations']).toEqual({
        '1': 'https://fees.example.com/',
        '11': 'https://harbour.example.com/pilots',
        '12': 'https://fees.example.com/',
      });
    }
  });

  it('begin live: all inputs of a step come before its first result', async () => {
    const parts = await streamParts(modelWith([eventReply(fixtureEvents('several-tools'))]).model, {
      tools: [...allNativeTools(), functionTool('book_pilot')],
    });
    const order = parts
      .filter(({ type }) => type === 'tool-call' || type === 'tool-result')
      .map((part) => `${part.type} ${(part as { toolName: string }).toolName}`);
    expect(order).toEqual([
      'tool-call search',
      'tool-call people',
      'tool-call pictures',
      'tool-result search',
      'tool-result people',
      'tool-result pictures',
      'tool-call book_pilot',
    ]);
  });

  it.each<[string, object, CallOptions['tools']]>([
    ['search_people', { queries: ['a'] }, [nativeTool('people_search', 'people')]],
    ['finance_search', { tickers: ['A'] }, [nativeTool('finance_search', 'markets')]],
    ['image_search', { queries: ['a'] }, [nativeTool('image_search', 'pictures')]],
    ['run_code', { code: 'ls' }, [nativeTool('sandbox', 'run')]],
  ])('announced as %s and never finished end with an error result', async (name, args, tools) => {
    const events = [created(), itemAdded(0, nativeCall(name, 'call_1', args)), completed([message('A')])];
    const parts = await streamParts(modelWith([eventReply(events)]).model, { tools: tools ?? [] });
    expect(callsIn(parts)).toEqual([
      {
        toolName: tools?.[0]?.name,
        input: args,
        result: { error: 'The run ended before this call had a result.' },
        isError: true,
      },
    ]);
  });

  it('announced by their own item show the call as soon as it is whole', async () => {
    const call = { type: 'mcp_call', id: 'mcp_1', server_label: 'crm', name: 'find', error: null };
    const early = { ...call, arguments: '{"a":1}' };
    const waiting = { ...call, id: 'mcp_2', arguments: '' };
    const parts = await streamParts(
      modelWith([
        eventReply([
          created(),
          itemAdded(0, early),
          itemAdded(1, waiting),
          itemAdded(2, { type: 'sandbox_results', code: 'ls' }),
          itemDone(1, { ...waiting, output: 'two' }),
          itemDone(0, { ...early, output: 'one' }),
          completed([{ ...early, output: 'one' }, { ...waiting, output: 'two' }, message('A')]),
        ]),
      ]).model,
      { tools: [mcpTool('crm', 'crm'), nativeTool('sandbox', 'run')] },
    );
    expect(partsOf(parts, 'tool-call').map(({ toolCallId, input }) => [toolCallId, input])).toEqual([
      ['resp_1:0', '{"name":"find","arguments":{"a":1}}'],
      ['resp_1:2', '{"code":"ls"}'],
      ['resp_1:1', '{"name":"find"}'],
    ]);
    expect(partsOf(parts, 'tool-result').map((part) => [part.toolCallId, part.result])).toEqual([
      ['resp_1:1', { output: 'two' }],
      ['resp_1:0', { output: 'one' }],
      ['resp_1:2', { error: 'The run ended before this call had a result.' }],
    ]);
  });

  it('announced under a name that nobody knows wait for their item', async () => {
    const item = { type: 'finance_results', tickers: ['A'], results: [] };
    const parts = await streamParts(
      modelWith([
        eventReply([
          created(),
          itemAdded(0, nativeCall('finance_lookup_v2', 'call_1', { symbol: 'A' })),
          itemDone(0, item),
          itemAdded(1, nativeCall('finance_lookup_v2', 'call_2', { symbol: 'B' })),
          completed([item]),
        ]),
      ]).model,
      { tools: [nativeTool('finance_search', 'markets')] },
    );
    expect(callsIn(parts)).toEqual([
      { toolName: 'markets', input: { tickers: ['A'] }, result: { tickers: ['A'], results: [] } },
    ]);
  });

  it.each<[unknown, string | undefined]>([
    [{ code: 'E1' }, '{"code":"E1"}'],
    [{ message: 'down' }, 'down'],
    ['', undefined],
    [null, undefined],
    [false, undefined],
  ])('with the error field %j', async (error, shown) => {
    const call = {
      type: 'mcp_call',
      id: 'mcp_1',
      server_label: 'crm',
      name: 'find',
      arguments: '{}',
      output: 'o',
      error,
    };
    const { content } = await generate(modelWith([jsonReply(snapshot({ output: [call] }))]).model, {
      tools: [mcpTool('crm', 'crm')],
    });
    expect(callsIn(content)).toMatchObject([
      shown === undefined ? { result: { output: 'o' } } : { result: { output: 'o', error: shown }, isError: true },
    ]);
  });

  it('of a server that was not declared stay items, also one without a label or with an odd one', async () => {
    const calls = ['other', undefined, null, 7, 'constructor'].map((label, index) => ({
      type: 'mcp_call',
      id: `mcp_${index}`,
      server_label: label,
      name: 'find',
      arguments: '{}',
    }));
    const { content, providerMetadata } = await generate(modelWith([jsonReply(snapshot({ output: calls }))]).model, {
      tools: [mcpTool('crm', 'crm')],
    });
    expect(content).toEqual([]);
    expect(providerMetadata?.['perplexity']?.['items']).toHaveLength(5);
  });

  it('of one kind that look alike are each taken once, in whatever order they come back', async () => {
    const image = (name: string) => ({
      type: 'image_search_results',
      queries: null,
      results: [{ image_url: `https://i.example.com/${name}.png` }],
    });
    const [one, two] = [image('one'), image('two')];
    const parts = await streamParts(
      modelWith([eventReply([created(), itemDone(0, one), completed([two, one])])]).model,
      { tools: [nativeTool('image_search', 'pictures')] },
    );
    expect(callsIn(parts).map((call) => call.result)).toEqual([
      { results: [{ imageUrl: 'https://i.example.com/one.png' }] },
      { results: [{ imageUrl: 'https://i.example.com/two.png' }] },
    ]);
  });

  it('that repeat people of an earlier turn are no calls of this one', async () => {
    const earlier = { type: 'people_search_results', queries: null, results: [result(1, 'https://p.example.com/')] };
    const options: CallOptions = {
      tools: [nativeTool('people_search', 'people')],
      providerOptions: { perplexity: { previousResponseId: 'resp_0' } },
    };
    const reply = () => jsonReply(snapshot({ output: [earlier] }));
    const chained = await generate(modelWith([reply]).model, options);
    expect(chained.content).toMatchObject([
      { type: 'source', providerMetadata: { perplexity: { earlierTurn: true, tool: 'people_search' } } },
    ]);
    expect(chained.providerMetadata?.['perplexity']?.['items']).toEqual([earlier]);
    const first = await generate(modelWith([reply]).model, { tools: options.tools ?? [] });
    expect(first.content.map(({ type }) => type)).toContain('tool-call');
  });
});

describe('items without a part', () => {
  it('of files are kept, shared ones also as files that can be fetched', async () => {
    for (const { parts, metadata } of await bothForms('files')) {
      const output = fixtureResponse('files')['output'] as Array<{ type: string }>;
      expect(metadata['items']).toEqual(output.filter(({ type }) => type !== 'message'));
      expect(metadata['files']).toEqual([
        {
          fileId: 'file_1',
          filename: 'tides.xlsx',
          sizeBytes: 5120,
          url: 'https://files.example.com/file_1',
          callId: 'call_s1',
        },
      ]);
      expect(callsIn(parts)).toEqual([]);
    }
  });

  it('tell in a stream what was loaded, written and shared, each once', async () => {
    const [streamed] = await bothForms('files');
    expect(reasoningIn(streamed?.parts ?? [])).toBe(
      [
        'Loaded skill: office/xlsx',
        'Wrote file: /data/tides.csv',
        'Edited file: /data/tides.csv',
        'Shared file: tides.xlsx',
      ].join('\n'),
    );
    const [quiet] = await bothForms('files', { providerOptions: { perplexity: { researchProgress: 'off' } } });
    expect(reasoningIn(quiet?.parts ?? [])).toBe('');
  });

  it('are kept verbatim, whatever they are', async () => {
    const output = fixtureResponse('other-items')['output'] as Array<{ type: string }>;
    for (const { parts, metadata, finish } of await bothForms('other-items', {})) {
      expect(metadata['items']).toEqual(output.filter(({ type }) => type !== 'message'));
      expect(metadata['files']).toBeUndefined();
      expect(callsIn(parts)).toEqual([]);
      expect(finish.finishReason).toBe('stop');
    }
    const [streamed] = await bothForms('other-items', {});
    expect(reasoningIn(streamed?.parts ?? [])).toBe('Called elsewhere: find');
  });

  it('of every native tool are kept where it was not declared', async () => {
    for (const name of ['people-search', 'finance-search', 'image-search', 'sandbox-nested', 'mcp', 'connector']) {
      const output = fixtureResponse(name)['output'] as Array<{ type: string }>;
      for (const { parts, metadata } of await bothForms(name, {})) {
        expect(callsIn(parts)).toEqual([]);
        expect(metadata['items']).toEqual(output.filter(({ type }) => type !== 'message'));
      }
    }
  });

  it('that share a file badly are no files', async () => {
    const items = [
      { type: 'share_file', call_id: 'c1', filename: 'a', size_bytes: 'x' },
      { type: 'share_file', file_id: 7, url: null },
      { type: 'share_file', file_id: 'file_1', error: { message: 'gone' } },
      { type: 'share_file', url: 'https://files.example.com/2', size_bytes: -1 },
    ];
    const { providerMetadata } = await generate(modelWith([jsonReply(snapshot({ output: items }))]).model);
    expect(providerMetadata?.['perplexity']).toMatchObject({ items, files: [{ url: 'https://files.example.com/2' }] });
    expect(providerMetadata?.['perplexity']?.['files']).toHaveLength(1);
  });
});
