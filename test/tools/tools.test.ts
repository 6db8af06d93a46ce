import { InvalidArgumentError } from '@ai-sdk/provider';
import { asSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { safeParse } from 'zod/v4';

import { fetchUrlResult } from '../../src/tools/fetch-url.js';
import { perplexityAgentTools } from '../../src/tools/index.js';
import { serverToolMarker } from '../../src/tools/server-tool.js';
import { webSearchResult, wireWebSearch } from '../../src/tools/web-search.js';

const { webSearch, fetchUrl } = perplexityAgentTools;

describe('the tool object', () => {
  it('is a plain function tool that carries its id and checked args, whatever the major', () => {
    const tool = webSearch({ maxResults: 8, filters: { searchAfterDateFilter: new Date('2026-10-01T12:00:00Z') } });
    expect(tool.providerOptions).toEqual({
      perplexity: {
        serverTool: {
          id: 'perplexity.web_search',
          args: { maxResults: 8, filters: { searchAfterDateFilter: '10/01/2026' } },
        },
      },
    });
    expect(new Set(Object.keys(tool))).toEqual(
      new Set(['description', 'inputSchema', 'outputSchema', 'providerOptions']),
    );
    expect(JSON.parse(JSON.stringify(tool.providerOptions))).toEqual(tool.providerOptions);
    expect(fetchUrl({ maxUrls: 2 }).providerOptions.perplexity.serverTool).toEqual({
      id: 'perplexity.fetch_url',
      args: { maxUrls: 2 },
    });
    expect(webSearch().providerOptions.perplexity.serverTool.args).toEqual({});
    expect(fetchUrl().providerOptions.perplexity.serverTool.args).toEqual({});
  });

  it.each([
    [() => webSearch({ maxResults: 51 }), 'tools.webSearch.maxResults'],
    [
      () => webSearch({ filters: { searchBeforeDateFilter: '02/31/2026' } }),
      'tools.webSearch.filters.searchBeforeDateFilter',
    ],
    [() => webSearch({ max_results: 5 } as never), 'tools.webSearch.max_results'],
    [() => webSearch(null as never), 'tools.webSearch'],
    [() => fetchUrl({ maxUrls: 0 }), 'tools.fetchUrl.maxUrls'],
  ])('refuses bad args at once (%#)', (make, argument) => {
    let caught: unknown;
    try {
      make();
    } catch (error) {
      caught = error;
    }
    expect(InvalidArgumentError.isInstance(caught) && caught.argument).toBe(argument);
  });

  it('has schemas that the AI SDK can turn into JSON Schema', () => {
    expect(asSchema(webSearch().inputSchema).jsonSchema).toMatchObject({ type: 'object' });
    expect(asSchema(fetchUrl().outputSchema).jsonSchema).toMatchObject({ type: 'object' });
  });

  // A mismatch costs a billed step in ai 5 (sdk-matrix.md §2.2).
  it.each([{}, { queries: null }, { queries: ['a'] }, { newer: { field: 1 } }])('takes the input %j', (input) => {
    expect(safeParse(webSearch().inputSchema, input).success).toBe(true);
    expect(safeParse(fetchUrl().inputSchema, input).success).toBe(true);
  });

  it('takes outputs with nulls and without fields', () => {
    const nulls = { queries: null, results: [{ id: null, url: null, title: 'T', more: 1 }] };
    expect(safeParse(webSearch().outputSchema, nulls).success).toBe(true);
    expect(safeParse(fetchUrl().outputSchema, { contents: [{ snippet: null }, {}] }).success).toBe(true);
    expect(safeParse(fetchUrl().outputSchema, {}).success).toBe(true);
  });
});

describe('the marker', () => {
  it('is read back, and nothing else is taken for one', () => {
    expect(serverToolMarker(webSearch({ maxTokens: 9 }).providerOptions)).toEqual({
      id: 'perplexity.web_search',
      args: { maxTokens: 9 },
    });
    expect(serverToolMarker({ perplexity: { serverTool: { id: 'perplexity.web_search' } } })).toEqual({
      id: 'perplexity.web_search',
      args: undefined,
    });
    expect(serverToolMarker(undefined)).toBeUndefined();
    expect(serverToolMarker({ perplexity: {} })).toBeUndefined();
    expect(serverToolMarker({ perplexity: { serverTool: null } })).toBeUndefined();
    expect(serverToolMarker({ perplexity: { serverTool: { id: 7 } } })).toBeUndefined();
  });
});

describe('args on the wire', () => {
  it('have snake_case names at every depth, and no empty objects', () => {
    expect(
      wireWebSearch({
        searchType: 'fast',
        searchContextSize: 'high',
        maxResults: 3,
        maxTokens: 100,
        maxTokensPerPage: 50,
        filters: {
          searchDomainFilter: ['a.org'],
          searchAfterDateFilter: '01/01/2026',
          searchBeforeDateFilter: '02/01/2026',
          lastUpdatedAfterFilter: '03/01/2026',
          lastUpdatedBeforeFilter: '04/01/2026',
        },
        userLocation: { country: 'PT', city: 'Porto', latitude: 41.1, longitude: -8.6 },
      }),
    ).toEqual({
      type: 'web_search',
      search_type: 'fast',
      search_context_size: 'high',
      max_results: 3,
      max_tokens: 100,
      max_tokens_per_page: 50,
      filters: {
        search_domain_filter: ['a.org'],
        search_after_date_filter: '01/01/2026',
        search_before_date_filter: '02/01/2026',
        last_updated_after_filter: '03/01/2026',
        last_updated_before_filter: '04/01/2026',
      },
      user_location: { country: 'PT', city: 'Porto', latitude: 41.1, longitude: -8.6 },
    });
    expect(wireWebSearch({ filters: {} })).toEqual({ type: 'web_search' });
  });
});

describe('results of the wire', () => {
  it('come out in camelCase', () => {
    const item = {
      type: 'search_results',
      queries: ['q'],
      results: [{ id: 1, url: 'u', title: 't', snippet: 's', date: 'd', last_updated: 'l', source: 'web', extra: 1 }],
    };
    expect(webSearchResult(item)).toEqual({
      queries: ['q'],
      results: [{ id: 1, url: 'u', title: 't', snippet: 's', date: 'd', lastUpdated: 'l', source: 'web' }],
    });
    const page = { type: 'fetch_url_results', contents: [{ url: 'u', title: 't', snippet: 's' }] };
    expect(fetchUrlResult(page)).toEqual({ contents: [{ url: 'u', title: 't', snippet: 's' }] });
  });

  it.each([
    undefined,
    null,
    'text',
    7,
    {},
    { queries: null, results: null, contents: null },
    { results: 'x', contents: {} },
  ])('survive %j', (item) => {
    expect(webSearchResult(item)).toEqual({ results: [] });
    expect(fetchUrlResult(item)).toEqual({ contents: [] });
  });

  it('skip malformed entries and fields, and leave no undefined key', () => {
    const result = webSearchResult({
      queries: ['a', null, 3],
      results: [null, 'x', {}, { id: '1', url: 'u', title: null, date: 5 }],
    });
    expect(result).toStrictEqual({ queries: ['a'], results: [{ url: 'u' }] });
    expect(fetchUrlResult({ contents: [null, { url: 1 }, { url: 'u', title: null }] })).toStrictEqual({
      contents: [{ url: 'u' }],
    });
  });
});
