import type { JSONObject } from '@ai-sdk/provider';

import { asObject } from '../json.js';
import { integer, strict } from './checks.js';
import { type FieldsOf, lazySchema } from './schemas.js';
import { listOfFields, type ServerTool, serverTool, wireNames } from './server-tool.js';

/** How pages are fetched (`agent-api.md` §3, §3.3). Both are optional. */
export type FetchUrlArgs = {
  /** Pages per call, 1–10. */
  maxUrls?: number;
  /** Tokens of all fetched pages together, 1–120,000. Named by Perplexity's guide, not by its OpenAPI description. */
  totalBudgetTokens?: number;
};

/** Which pages the model asked for. */
export type FetchUrlInput = { urls?: string[] };

/** What the pages said: passages that a smaller model extracted, which can be tens of kilobytes long. */
export type FetchUrlOutput = { contents: Array<{ url?: string; title?: string; snippet?: string }> };

/** Args as a user wrote them; `providerOptions.perplexity.fetchUrl` takes the same ones. */
export const checkFetchUrlArgs = strict<FetchUrlArgs>({
  maxUrls: integer(1, 10),
  totalBudgetTokens: integer(1, 120_000),
});

/** The tool as it is sent. */
export function wireFetchUrl(args: FetchUrlArgs): { type: 'fetch_url' } & JSONObject {
  return { type: 'fetch_url', ...wireNames(args) };
}

const CONTENT_FIELDS: FieldsOf<FetchUrlOutput['contents'][number]> = {
  url: 'string',
  title: 'string',
  snippet: 'string',
};

const inputSchema = lazySchema<FetchUrlInput>({ urls: 'strings' });
const outputSchema = lazySchema<FetchUrlOutput>({ contents: CONTENT_FIELDS });

/**
 * Perplexity's page fetcher as a tool: its calls and results show up as provider-executed parts under the key that it
 * has in `tools`. Throws InvalidArgumentError for args out of their limits.
 */
export function fetchUrl(args: FetchUrlArgs = {}): ServerTool<FetchUrlInput, FetchUrlOutput> {
  return serverTool({
    id: 'perplexity.fetch_url',
    args: checkFetchUrlArgs(args, 'tools.fetchUrl'),
    description: 'Reads web pages. Runs on the servers of Perplexity.',
    inputSchema: inputSchema(),
    outputSchema: outputSchema(),
  });
}

/** A `fetch_url_results` item of the wire in the tool's output type; whatever is null or malformed in it is skipped. */
export function fetchUrlResult(item: unknown): FetchUrlOutput {
  return { contents: listOfFields(asObject(item)?.['contents'], CONTENT_FIELDS) };
}
