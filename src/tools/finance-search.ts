import type { JSONObject } from '@ai-sdk/provider';
import * as z from 'zod/v4';

import { lazy, parseStrict, strict } from './checks.js';
import { asObject, asObjects, asText, asTexts } from '../json.js';
import { listField, type ServerTool, serverTool } from './server-tool.js';

/** The finance search has no settings (`agent-api.md` §3). */
export type FinanceSearchArgs = Record<string, never>;

/** What the model looks up. */
export type FinanceSearchInput = {
  /** Symbols of securities, such as `'ABC'`. */
  tickers?: string[];
  /** Kinds of data, such as `'quote'`. */
  categories?: string[];
};

/** The data that was found. */
export type FinanceSearchOutput = {
  tickers?: string[];
  categories?: string[];
  results: Array<{
    category?: string;
    /** A table in Markdown. */
    content?: string;
    tickers?: string[];
    /** Addresses that the data comes from; each is a source of the answer too. Not every result has any (§4.2). */
    sources?: string[];
  }>;
};

const argsSchema: () => z.ZodType<FinanceSearchArgs> = lazy(() => strict({}));

/** Args as a user wrote them at `path`, checked. */
export function checkFinanceSearchArgs(args: unknown, path: string): FinanceSearchArgs {
  return parseStrict(argsSchema(), args, path);
}

/** The tool as it is sent. */
export function wireFinanceSearch(_args: FinanceSearchArgs): { type: 'finance_search' } & JSONObject {
  return { type: 'finance_search' };
}

const lists = () => ({ tickers: z.array(z.string()).nullish(), categories: z.array(z.string()).nullish() });

// Permissive for the reason given in web-search.ts.
const inputSchema = lazy(() => z.looseObject(lists()) as unknown as z.ZodType<FinanceSearchInput>);

const outputSchema = lazy(() => {
  const optional = z.string().nullish();
  const optionals = z.array(z.string()).nullish();
  const result = z.looseObject({ category: optional, content: optional, tickers: optionals, sources: optionals });
  return z.looseObject({
    ...lists(),
    results: z.array(result).nullish(),
  }) as unknown as z.ZodType<FinanceSearchOutput>;
});

/**
 * Perplexity's finance data as a tool: its calls and results show up as provider-executed parts under the key that it
 * has in `tools`. $0.005 a call (2026-10, §3). It takes the model several turns: on a plain model set
 * `providerOptions.perplexity.maxSteps` to 5 (the documentation asks for at least 3), else the run ends without data and
 * without an error (§3.4). Throws InvalidArgumentError for any arg, since it has none.
 */
export function financeSearch(args: FinanceSearchArgs = {}): ServerTool<FinanceSearchInput, FinanceSearchOutput> {
  return serverTool({
    id: 'perplexity.finance_search',
    args: checkFinanceSearchArgs(args, 'tools.financeSearch'),
    description: 'Looks up financial data. Runs on the servers of Perplexity.',
    inputSchema: inputSchema(),
    outputSchema: outputSchema(),
  });
}

/** What a call asks for, from its arguments, an event or its item; lists that are empty or missing are left out. */
export function financeSearchInput(source: Readonly<Record<string, unknown>>): FinanceSearchInput {
  return { ...listField(source, 'tickers'), ...listField(source, 'categories') };
}

/** A `finance_results` item of the wire in the tool's output type; whatever is null or malformed in it is skipped. */
export function financeSearchResult(item: unknown): FinanceSearchOutput {
  const fields = asObject(item) ?? {};
  const results = asObjects(fields['results']).map((result) => {
    const category = asText(result['category']);
    const content = asText(result['content']);
    return {
      ...(category !== undefined && { category }),
      ...(content !== undefined && { content }),
      ...listField(result, 'tickers'),
      ...(Array.isArray(result['sources']) && { sources: asTexts(result['sources']) }),
    };
  });
  return { ...financeSearchInput(fields), results: results.filter((result) => Object.keys(result).length > 0) };
}
