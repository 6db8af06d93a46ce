import type { JSONObject } from '@ai-sdk/provider';
import * as z from 'zod/v4';

import { integer, lazy, parseStrict, schemaOf, strict } from './checks.js';
import { asObject } from '../json.js';
import { type FieldKind, listOfFields, type ServerTool, serverTool, wireNames } from './server-tool.js';

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

/** Schema of the args; `providerOptions.perplexity.fetchUrl` takes the same ones. */
export const fetchUrlArgsSchema: () => z.ZodType<FetchUrlArgs> = lazy(() =>
  schemaOf<FetchUrlArgs>(
    strict({ maxUrls: integer(1, 10).optional(), totalBudgetTokens: integer(1, 120_000).optional() }),
  ),
);

/** Args as a user wrote them at `path`, checked. */
export function checkFetchUrlArgs(args: unknown, path: string): FetchUrlArgs {
  return parseStrict(fetchUrlArgsSchema(), args, path);
}

/** The tool as it is sent. */
export function wireFetchUrl(args: FetchUrlArgs): { type: 'fetch_url' } & JSONObject {
  return { type: 'fetch_url', ...wireNames(args) };
}

// Permissive for the reason given in web-search.ts.
const inputSchema = lazy(
  () => z.looseObject({ urls: z.array(z.string()).nullish() }) as unknown as z.ZodType<FetchUrlInput>,
);

const outputSchema = lazy(() => {
  const optional = z.string().nullish();
  const content = z.looseObject({ url: optional, title: optional, snippet: optional });
  return z.looseObject({ contents: z.array(content).nullish() }) as unknown as z.ZodType<FetchUrlOutput>;
});

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

const CONTENT_FIELDS: Record<keyof FetchUrlOutput['contents'][number], FieldKind> = {
  url: ['url', 'string'],
  title: ['title', 'string'],
  snippet: ['snippet', 'string'],
};

/** A `fetch_url_results` item of the wire in the tool's output type; whatever is null or malformed in it is skipped. */
export function fetchUrlResult(item: unknown): FetchUrlOutput {
  return { contents: listOfFields(asObject(item)?.['contents'], CONTENT_FIELDS) };
}
