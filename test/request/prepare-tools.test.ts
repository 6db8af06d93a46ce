import { InvalidArgumentError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';

import type { CoreTool, CoreToolChoice } from '../../src/spec.js';
import { perplexityAgentTools } from '../../src/tools/index.js';
import { build, type Call, caught } from './helpers.js';

const schema = { type: 'object', properties: {}, $schema: 'http://json-schema.org/draft-07/schema#' } as const;
const fn = (name: string, more: object = {}): CoreTool => ({ type: 'function', name, inputSchema: schema, ...more });

/** As the AI SDK hands a tool object of ours to the model. */
const marked = (name: string, tool: { providerOptions: object }): CoreTool => ({
  type: 'function',
  name,
  inputSchema: schema,
  providerOptions: tool.providerOptions as Record<string, Record<string, unknown>>,
});
const search = (name: string, args: object = {}) => marked(name, perplexityAgentTools.webSearch(args));
const native = (type: 'provider' | 'provider-defined', id: string, name: string, args: Record<string, unknown> = {}) =>
  ({ type, id, name, args }) satisfies CoreTool;

const build2 = (call: Call) => build({ ...call, perplexity: { webSearch: undefined, ...call.perplexity } });
const sent = (call: Call) => build2(call).body.tools;

describe('function tools', () => {
  it('are flat on the wire, and strict only where it was set', () => {
    expect(sent({ tools: [fn('a'), fn('b', { description: 'd', strict: false })] })).toStrictEqual([
      { type: 'web_search' },
      { type: 'function', name: 'a', parameters: schema },
      { type: 'function', name: 'b', parameters: schema, description: 'd', strict: false },
    ]);
  });

  it("are the only names whose calls are the client's", () => {
    expect(build({ tools: [fn('a'), search('find'), fn('b')] }).tools).toEqual({
      functions: new Set(['a', 'b']),
      native: new Map([['web_search', 'find']]),
      keys: new Set(['a', 'find', 'b']),
    });
  });

  it.each(['search_web', 'sandbox', 'load_skill'])('with the reserved name %s are sent with a warning', (name) => {
    const { body, warnings } = build({ tools: [fn(name)] });
    expect(body.tools).toMatchObject([{ type: 'function', name }]);
    expect(warnings).toEqual([{ type: 'other', message: expect.stringContaining('reserves') as string }]);
  });

  it.each(['with space', 'x'.repeat(65)])('with the doubtful name %s are sent with a warning', (name) => {
    const { body, warnings } = build({ tools: [fn(name)] });
    expect(body.tools).toMatchObject([{ name }]);
    expect(warnings).toEqual([{ type: 'other', message: expect.stringContaining('1–64 letters') as string }]);
  });

  it('with input examples (ai 6, 7) say that these are not sent', () => {
    const { body, warnings } = build({ tools: [fn('a', { inputExamples: [{ input: {} }] })] });
    expect(body.tools?.[0]).not.toHaveProperty('inputExamples');
    expect(warnings).toEqual([{ type: 'other', message: expect.stringContaining('input examples') as string }]);
  });
});

describe('native tools', () => {
  it.each([
    ['the marker', search('find', { maxResults: 3 })],
    ['provider-defined (ai 5)', native('provider-defined', 'perplexity.web_search', 'find', { maxResults: 3 })],
    ['provider (ai 6, 7)', native('provider', 'perplexity.web_search', 'find', { maxResults: 3 })],
  ])('are recognised by %s and come first', (_, tool) => {
    const { body, tools } = build2({ tools: [fn('a'), tool] });
    expect(body.tools).toMatchObject([
      { type: 'web_search', max_results: 3 },
      { type: 'function', name: 'a' },
    ]);
    expect(tools.native).toEqual(new Map([['web_search', 'find']]));
  });

  it('may be a page fetcher', () => {
    const tools = [native('provider', 'perplexity.fetch_url', 'read', { maxUrls: 2 })];
    expect(sent({ tools })).toEqual([{ type: 'fetch_url', max_urls: 2 }, { type: 'web_search' }]);
    expect(sent({ tools: [{ type: 'provider', id: 'perplexity.fetch_url', name: 'read' } as never] })).toEqual([
      { type: 'fetch_url' },
      { type: 'web_search' },
    ]);
  });

  it('with bad args are refused by name', () => {
    const error = caught(() =>
      build({ tools: [native('provider', 'perplexity.web_search', 'find', { max_results: 3 })] }),
    );
    expect(InvalidArgumentError.isInstance(error) && error.argument).toBe('tools.find.args.max_results');
  });

  it('of an unknown id of ours are refused, of another provider left out with a warning', () => {
    const error = caught(() => build({ tools: [native('provider', 'perplexity.teleport', 'go')] }));
    expect(UnsupportedFunctionalityError.isInstance(error) && error.message).toContain('perplexity.teleport');
    const { body, warnings } = build({ tools: [native('provider', 'openai.file_search', 'files')] });
    expect(body).not.toHaveProperty('tools');
    expect(warnings).toMatchObject([{ type: 'tool', tool: 'files' }]);
  });

  it('are refused when declared twice', () => {
    const error = caught(() => build({ tools: [search('a'), native('provider', 'perplexity.web_search', 'b')] }));
    expect(InvalidArgumentError.isInstance(error) && error.message).toContain('declare it once');
  });

  it('with a marker that is not ours are functions', () => {
    const foreign = fn('x', { providerOptions: { perplexity: { serverTool: { id: 'other.web_search' } } } });
    expect(build({ tools: [foreign] }).tools.functions).toEqual(new Set(['x']));
  });
});

const server = (label: string, name = label) =>
  marked(name, perplexityAgentTools.mcp({ serverLabel: label, serverUrl: `https://mcp.example.com/${label}` }));
const drive = (label: string, name = label) =>
  marked(name, perplexityAgentTools.connector({ id: 'connector_googledrive', serverLabel: label }));

describe('several servers', () => {
  it('are sent in their order and known by their labels', () => {
    const { body, tools } = build({ tools: [server('crm', 'customers'), drive('drive'), server('ledger')] });
    expect(body.tools).toEqual([
      { type: 'mcp', server_label: 'crm', server_url: 'https://mcp.example.com/crm' },
      { type: 'connector', id: 'connector_googledrive', server_label: 'drive' },
      { type: 'mcp', server_label: 'ledger', server_url: 'https://mcp.example.com/ledger' },
    ]);
    expect(tools.native).toEqual(
      new Map([
        ['mcp:crm', 'customers'],
        ['mcp:drive', 'drive'],
        ['mcp:ledger', 'ledger'],
      ]),
    );
  });

  it.each([
    ['two servers', server('crm', 'a'), server('crm', 'b')],
    ['a server and a connector', server('crm', 'a'), drive('crm', 'b')],
  ])('of one label are refused: %s', (_, first, second) => {
    const error = caught(() => build({ tools: [first, second] }));
    expect(InvalidArgumentError.isInstance(error) && [error.argument, error.message]).toEqual([
      'tools.b',
      'tools.b has the same serverLabel as tools.a (crm); give each its own.',
    ]);
  });

  it('may be 16 MCP servers, and any number of connectors', () => {
    const servers = Array.from({ length: 16 }, (_, index) => server(`s${index}`));
    const more = [...servers, drive('d1'), drive('d2')];
    expect(build({ tools: more }).body.tools).toHaveLength(18);
    const error = caught(() => build({ tools: [...more, server('one-more')] }));
    expect(InvalidArgumentError.isInstance(error) && [error.argument, error.message]).toEqual([
      'tools.one-more',
      expect.stringContaining('at most 16'),
    ]);
  });

  it('cannot be told apart by toolChoice, which is said', () => {
    const toolChoice = { type: 'tool', toolName: 'ledger' } as const;
    const one = build({ tools: [server('ledger'), drive('drive')], toolChoice });
    expect([one.body.tool_choice, one.warnings]).toEqual([{ type: 'mcp' }, []]);
    const two = build({ tools: [server('crm'), server('ledger')], toolChoice });
    expect(two.body.tool_choice).toEqual({ type: 'mcp' });
    expect(two.warnings).toMatchObject([{ type: 'other', message: expect.stringContaining('one of several') }]);
  });

  it('with bad args of a provider tool are refused by the key', () => {
    const tool = native('provider', 'perplexity.mcp', 'crm', { serverLabel: 'c r m', serverUrl: 'https://a.example' });
    const error = caught(() => build({ tools: [tool] }));
    expect(InvalidArgumentError.isInstance(error) && error.argument).toBe('tools.crm.args.serverLabel');
  });
});

const DEFAULT = [{ type: 'web_search' }];

describe('web search by default (decision 1)', () => {
  it.each<[string, Call, unknown]>([
    ['plain model', {}, DEFAULT],
    ['chain of models', { modelId: '', perplexity: { models: ['a/b'] } }, DEFAULT],
    ['toolChoice auto', { toolChoice: { type: 'auto' } }, DEFAULT],
    ['switched off', { perplexity: { webSearch: false } }, undefined],
    ['toolChoice none', { toolChoice: { type: 'none' } }, undefined],
    ['toolChoice required', { toolChoice: { type: 'required' } }, undefined],
    ['level', { modelId: 'low' }, undefined],
    ['level with webSearch', { modelId: 'low', perplexity: { webSearch: true } }, DEFAULT],
    ['level and model', { perplexity: { effort: 'low' } }, undefined],
    ['profile', { modelId: '', perplexity: { profile: { id: 'p' } } }, undefined],
    ['settings', { perplexity: { webSearch: { maxResults: 2 } } }, [{ type: 'web_search', max_results: 2 }]],
    ['fetchUrl on', { perplexity: { fetchUrl: true } }, [...DEFAULT, { type: 'fetch_url' }]],
    ['fetchUrl off', { perplexity: { fetchUrl: false } }, DEFAULT],
    [
      'fetchUrl settings on a level',
      { modelId: 'low', perplexity: { fetchUrl: { maxUrls: 1 } } },
      [{ type: 'fetch_url', max_urls: 1 }],
    ],
  ])('%s', (_, call, tools) => {
    const built = build2(call);
    expect(built.body.tools).toEqual(tools);
    expect(built.warnings).toEqual([]);
    expect(built.tools.native.size).toBe(0);
  });

  it('webSearch: false on a level warns that only maxToolCalls: 0 stops it', () => {
    for (const perplexity of [{ webSearch: false }, { fetchUrl: false }]) {
      const { body, warnings } = build2({ modelId: 'low', perplexity });
      expect(body).not.toHaveProperty('tools');
      expect(warnings).toEqual([{ type: 'other', message: expect.stringContaining('maxToolCalls: 0') as string }]);
    }
    expect(build2({ modelId: 'low', perplexity: { webSearch: false, maxToolCalls: 0 } }).warnings).toEqual([]);
  });

  it('a declared tool is sent with its own settings, whatever webSearch says', () => {
    for (const webSearch of [false, { maxResults: 9 }]) {
      const { body, warnings } = build2({ tools: [search('find', { maxResults: 3 })], perplexity: { webSearch } });
      expect(body.tools).toEqual([{ type: 'web_search', max_results: 3 }]);
      expect(warnings).toEqual([{ type: 'other', message: expect.stringContaining("'find' is declared") as string }]);
    }
    expect(build2({ tools: [search('find')], perplexity: { webSearch: true } }).warnings).toEqual([]);
  });
});

describe('toolChoice', () => {
  const tools = [fn('a'), search('find')];
  it.each<[CoreToolChoice, unknown]>([
    [{ type: 'auto' }, undefined],
    [{ type: 'none' }, 'none'],
    [{ type: 'required' }, 'required'],
    [{ type: 'tool', toolName: 'a' }, { name: 'a' }],
    [{ type: 'tool', toolName: 'find' }, { type: 'web_search' }],
  ])('%j → %j', (toolChoice, wire) => {
    const { body } = build({ tools, toolChoice });
    expect(body.tool_choice).toEqual(wire);
    expect(body.tools).toHaveLength(2);
  });

  it('may force a search that only the options turned on', () => {
    const toolChoice = { type: 'tool', toolName: 'web_search' } as const;
    const { body } = build({ toolChoice, perplexity: { webSearch: true } });
    expect(body).toMatchObject({ tools: [{ type: 'web_search' }], tool_choice: { type: 'web_search' } });
  });

  it('of a tool that is not there is refused', () => {
    const error = caught(() => build2({ tools, toolChoice: { type: 'tool', toolName: 'b' } }));
    expect(InvalidArgumentError.isInstance(error) && error.argument).toBe('toolChoice');
    expect((error as Error).message).toContain("the tool 'b', which is not among the tools of this call");
  });

  it("of another provider's tool is refused, and says that it is not sent", () => {
    const foreign = native('provider', 'openai.web_search', 'b');
    const error = caught(() => build2({ tools: [foreign], toolChoice: { type: 'tool', toolName: 'b' } }));
    expect(InvalidArgumentError.isInstance(error) && error.argument).toBe('toolChoice');
    expect((error as Error).message).toContain("the tool 'b', which is no tool of Perplexity and no function");
  });

  it('none leaves no tool in the table, and stops a level by the number of calls', () => {
    const none = { type: 'none' } as const;
    const empty = { functions: new Set(), native: new Map(), keys: new Set() };
    expect(build({ tools, toolChoice: none })).toMatchObject({ tools: empty });
    expect(build({ tools, toolChoice: none }).body).not.toHaveProperty('max_tool_calls');
    expect(build({ modelId: 'low', toolChoice: none }).body).toMatchObject({ tool_choice: 'none', max_tool_calls: 0 });
    const set = build({ modelId: 'low', toolChoice: none, perplexity: { maxToolCalls: 3 } });
    expect(set.body.max_tool_calls).toBe(0);
    expect(set.warnings).toMatchObject([
      { type: 'other', message: expect.stringContaining('maxToolCalls has no effect') },
    ]);
  });
});
