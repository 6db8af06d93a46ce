/** How a native result item came about: the call that the stream shows before it (agent-api.md §4.4, §5.2). */
import { asArray, asString, isObject, objectsIn, type JsonObject } from './json.js';
import type { OutputItem } from './types.js';

/** A native call as a stream shows it. */
export interface NativeCall {
  /** Only `search_web` is recorded; the other names are inferred (agent-api.md §4.4). */
  name: string;
  arguments: JsonObject;
  /** Progress event before the results. */
  started?: { type: string; payload: JsonObject };
  /** Progress event with the results. */
  finished?: { type: string; payload: JsonObject };
  /** Whether the progress events carry `call_id`. */
  withCallId?: boolean;
}

/** The call behind an item; undefined for items that are no native result, or results of an earlier turn (`queries: null`). */
export function nativeCall(item: OutputItem): NativeCall | undefined {
  switch (item.type) {
    case 'search_results':
      return Array.isArray(item.queries) ? search(item) : undefined;
    case 'fetch_url_results':
      return fetchUrl(item);
    case 'image_search_results':
      return imageSearch(item);
    case 'people_search_results':
      return { name: 'search_people', arguments: { queries: asArray(item.queries) } };
    case 'finance_results':
      return {
        name: 'finance_search',
        arguments: {
          tickers: asArray(item.tickers),
          ...(Array.isArray(item.categories) && { categories: item.categories }),
        },
      };
    case 'sandbox_results':
      return {
        name: 'sandbox',
        arguments: { code: item.code, ...(item.language !== undefined && { language: item.language }) },
      };
    case 'mcp_call':
      // Under the name of the server's tool, for want of anything better.
      return { name: asString(item.name) ?? 'mcp', arguments: parsedArguments(item.arguments) };
    default:
      return undefined;
  }
}

function search(item: OutputItem): NativeCall {
  return {
    name: 'search_web',
    arguments: { queries: item.queries },
    started: {
      type: 'response.reasoning.search_queries',
      payload: { queries: item.queries, thought: 'Searching the web...' },
    },
    finished: {
      type: 'response.reasoning.search_results',
      payload: { results: item.results, thought: `Found ${asArray(item.results).length} results` },
    },
    withCallId: true,
  };
}

function fetchUrl(item: OutputItem): NativeCall {
  const urls = objectsIn(item.contents).map((page) => page.url);
  const count = urls.length === 1 ? '1 URL' : `${urls.length} URLs`;
  return {
    name: 'fetch_url',
    arguments: { urls },
    started: { type: 'response.reasoning.fetch_url_queries', payload: { urls, thought: `Fetching ${count}` } },
    finished: {
      type: 'response.reasoning.fetch_url_results',
      payload: { contents: item.contents, thought: `Fetched content from ${count}` },
    },
  };
}

function imageSearch(item: OutputItem): NativeCall {
  const queries = asArray(item.queries);
  return {
    name: 'image_search',
    arguments: { queries },
    started: { type: 'response.reasoning.image_search_queries', payload: { queries } },
    finished: { type: 'response.reasoning.image_search_results', payload: { results: item.results } },
    withCallId: true,
  };
}

function parsedArguments(text: unknown): JsonObject {
  try {
    const value: unknown = JSON.parse(String(text));
    return isObject(value) ? value : {};
  } catch {
    return {};
  }
}
