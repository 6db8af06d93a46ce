/** Args of the tools besides web search and page fetch: what is taken, how it is sent, what is refused by which name. */
import { InvalidArgumentError } from '@ai-sdk/provider';
import { asSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { safeParse, type ZodType } from 'zod/v4';
import { wireConnector } from '../../src/tools/connector.js';
import { wireImageSearch } from '../../src/tools/image-search.js';
import { perplexityAgentTools as tools } from '../../src/tools/index.js';
import { wireMcp } from '../../src/tools/mcp.js';
import { caught } from '../request/helpers.js';

const server = { serverLabel: 'crm', serverUrl: 'https://mcp.example.com/crm' };
const drive = { id: 'connector_googledrive', serverLabel: 'drive' };

const all = {
  peopleSearch: tools.peopleSearch(),
  financeSearch: tools.financeSearch(),
  imageSearch: tools.imageSearch(),
  sandbox: tools.sandbox(),
  mcp: tools.mcp(server),
  connector: tools.connector(drive),
};

describe('the tool objects', () => {
  it('carry their ids and checked args', () => {
    expect(Object.values(all).map(({ providerOptions }) => providerOptions.perplexity.serverTool)).toEqual([
      { id: 'perplexity.people_search', args: {} },
      { id: 'perplexity.finance_search', args: {} },
      { id: 'perplexity.image_search', args: {} },
      { id: 'perplexity.sandbox', args: {} },
      { id: 'perplexity.mcp', args: server },
      { id: 'perplexity.connector', args: drive },
    ]);
  });

  it.each(Object.entries(all))('%s has permissive schemas that the AI SDK takes', (_, tool) => {
    expect(asSchema(tool.inputSchema as ZodType).jsonSchema).toMatchObject({ type: 'object' });
    expect(asSchema(tool.outputSchema as ZodType).jsonSchema).toMatchObject({ type: 'object' });
    for (const value of [
      {},
      { newer: [1] },
      { queries: null, tickers: null, code: null, name: null, arguments: null },
      { results: null, output: null, error: null },
      { results: [{}, { url: null, content: null, imageUrl: null, stdout: null, newer: 1 }] },
    ]) {
      expect(safeParse(tool.inputSchema, value).success).toBe(true);
      expect(safeParse(tool.outputSchema, value).success).toBe(true);
    }
  });
});

describe('args', () => {
  it('of an image search are sent by their names on the wire', () => {
    const args = {
      maxResults: 30,
      filters: {
        domainFilter: ['museum.example.net'],
        formatFilter: ['bmp', 'gif', 'jpeg', 'png', 'webp', 'svg'] as const,
        safeSearch: false,
      },
    };
    const tool = tools.imageSearch({
      ...args,
      filters: { ...args.filters, formatFilter: [...args.filters.formatFilter] },
    });
    expect(wireImageSearch(tool.providerOptions.perplexity.serverTool.args as object)).toEqual({
      type: 'image_search',
      max_results: 30,
      filters: {
        domain_filter: ['museum.example.net'],
        format_filter: ['bmp', 'gif', 'jpeg', 'png', 'webp', 'svg'],
        safe_search: false,
      },
    });
    expect(wireImageSearch({ filters: {} })).toEqual({ type: 'image_search' });
  });

  it('of an MCP server are sent by their names on the wire, header names as they are', () => {
    expect(
      wireMcp({
        ...server,
        authorization: 'token-1',
        headers: { 'X-Api-Key': 'k', camelCase: 'c' },
        allowedTools: ['findDeals'],
        deferLoading: true,
      }),
    ).toEqual({
      type: 'mcp',
      server_label: 'crm',
      server_url: 'https://mcp.example.com/crm',
      authorization: 'token-1',
      headers: { 'X-Api-Key': 'k', camelCase: 'c' },
      allowed_tools: ['findDeals'],
      defer_loading: true,
    });
    expect(wireMcp({ ...server, headers: {}, allowedTools: [] })).toEqual({
      type: 'mcp',
      server_label: 'crm',
      server_url: 'https://mcp.example.com/crm',
      allowed_tools: [],
    });
  });

  it('of a connector are sent by their names on the wire', () => {
    expect(wireConnector({ ...drive, serverDescription: 'Our files', allowedTools: ['search'] })).toEqual({
      type: 'connector',
      id: 'connector_googledrive',
      server_label: 'drive',
      server_description: 'Our files',
      allowed_tools: ['search'],
    });
  });

  const eleven = Array.from({ length: 11 }, () => 'a.example');
  it.each<[() => unknown, string, string]>([
    [() => tools.peopleSearch({ maxTokens: 5 } as never), 'tools.peopleSearch.maxTokens', 'there are none'],
    [() => tools.financeSearch({ tickers: [] } as never), 'tools.financeSearch.tickers', 'there are none'],
    [() => tools.sandbox({ language: 'python' } as never), 'tools.sandbox.language', 'there are none'],
    [() => tools.sandbox(null as never), 'tools.sandbox', 'an object'],
    [() => tools.imageSearch({ maxResults: 31 }), 'tools.imageSearch.maxResults', 'from 1 to 30'],
    [() => tools.imageSearch({ maxResults: 0 }), 'tools.imageSearch.maxResults', 'from 1 to 30'],
    [
      () => tools.imageSearch({ filters: { domainFilter: eleven } }),
      'tools.imageSearch.filters.domainFilter',
      'at most 10',
    ],
    [
      () => tools.imageSearch({ filters: { domainFilter: ['https://a.example'] } }),
      'tools.imageSearch.filters.domainFilter[0]',
      'without scheme',
    ],
    [
      () => tools.imageSearch({ filters: { formatFilter: ['tiff' as 'png'] } }),
      'tools.imageSearch.filters.formatFilter[0]',
      "'svg'",
    ],
    [
      () => tools.imageSearch({ filters: { formatFilter: Array.from({ length: 11 }, () => 'png' as const) } }),
      'tools.imageSearch.filters.formatFilter',
      'at most 10',
    ],
    [
      () => tools.imageSearch({ filters: { safeSearch: 'yes' as never } }),
      'tools.imageSearch.filters.safeSearch',
      'true or false',
    ],
    [
      () => tools.imageSearch({ filters: { domain_filter: [] } as never }),
      'tools.imageSearch.filters.domain_filter',
      "use 'domainFilter'",
    ],
    [() => (tools.mcp as () => unknown)(), 'tools.mcp', 'is missing'],
    [() => tools.mcp({ serverUrl: server.serverUrl } as never), 'tools.mcp.serverLabel', 'is missing'],
    [() => tools.mcp({ ...server, serverLabel: 'my crm' }), 'tools.mcp.serverLabel', 'underscores'],
    [() => tools.mcp({ ...server, serverLabel: 'x'.repeat(65) }), 'tools.mcp.serverLabel', '1–64'],
    [() => tools.mcp({ ...server, serverUrl: 'http://mcp.example.com' }), 'tools.mcp.serverUrl', 'an https URL'],
    [() => tools.mcp({ ...server, serverUrl: 'mcp.example.com' }), 'tools.mcp.serverUrl', 'an https URL'],
    [() => tools.mcp({ ...server, serverUrl: 7 as never }), 'tools.mcp.serverUrl', 'an https URL'],
    [() => tools.mcp({ ...server, allowedTools: [''] }), 'tools.mcp.allowedTools[0]', 'not empty'],
    [() => tools.mcp({ ...server, deferLoading: 1 as never }), 'tools.mcp.deferLoading', 'true or false'],
    [() => tools.mcp({ ...server, headers: 'x' as never }), 'tools.mcp.headers', 'an object of texts'],
    [() => tools.connector({ serverLabel: 'drive' } as never), 'tools.connector.id', 'is missing'],
    [() => tools.connector({ id: 'c' } as never), 'tools.connector.serverLabel', 'is missing'],
    [() => tools.connector({ ...drive, authorization: 'x' } as never), 'tools.connector.authorization', 'not a known'],
  ])('out of their limits are refused at once by name (%#)', (make, argument, complaint) => {
    const error = caught(make);
    expect(InvalidArgumentError.isInstance(error) && [error.argument, error.message]).toEqual([
      argument,
      expect.stringContaining(complaint),
    ]);
  });
});

describe('secrets of an MCP server', () => {
  const secret = 'secret-token-4711';

  it.each<[object, string]>([
    [{ authorization: 4711 }, 'tools.mcp.authorization'],
    [{ authorization: '' }, 'tools.mcp.authorization'],
    [{ headers: { 'x-key': 4711 } }, 'tools.mcp.headers.x-key'],
    [{ serverUrl: `http://mcp.example.com/?key=4711` }, 'tools.mcp.serverUrl'],
  ])('are shown in no complaint about %j', (args, argument) => {
    const error = caught(() => tools.mcp({ ...server, ...args }));
    expect(InvalidArgumentError.isInstance(error) && error.argument).toBe(argument);
    expect((error as Error).message).not.toContain('4711');
  });

  // The AI SDK writes tools into its telemetry as JSON, with their provider options.
  it('are not in the tool as JSON, and are kept by a clone', () => {
    const tool = tools.mcp({ ...server, authorization: secret, headers: { 'x-key': secret } });
    const { args } = tool.providerOptions.perplexity.serverTool;
    expect(JSON.stringify(tool)).not.toContain(secret);
    expect(JSON.parse(JSON.stringify(args))).toEqual({
      ...server,
      authorization: '[redacted]',
      headers: { 'x-key': '[redacted]' },
    });
    for (const copy of [args, { ...args }, structuredClone(args)]) {
      expect(copy).toMatchObject({ authorization: secret, headers: { 'x-key': secret } });
    }
  });

  it('in the query of an address are not in the tool as JSON either, and its blank is no address', () => {
    const tool = tools.mcp({ ...server, serverUrl: `https://mcp.example.com/?key=${secret}` });
    expect(JSON.stringify(tool)).not.toContain(secret);
    const copy = JSON.parse(JSON.stringify(tool.providerOptions.perplexity.serverTool.args)) as { serverUrl: string };
    expect(copy.serverUrl).toBe('https://mcp.example.com/?[redacted]');
    const error = caught(() => tools.mcp({ ...server, serverUrl: copy.serverUrl }));
    expect(InvalidArgumentError.isInstance(error) && error.argument).toBe('tools.mcp.serverUrl');
  });

  it('are refused where only their blanks are left', () => {
    const error = caught(() => tools.mcp({ ...server, authorization: '[redacted]' }));
    expect(InvalidArgumentError.isInstance(error) && error.argument).toBe('tools.mcp.authorization');
  });
});
