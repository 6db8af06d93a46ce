import { asObject, asObjects, asText, asTexts, defined } from '../json.js';
import { checkNoArgs } from './checks.js';
import { lazySchema } from './schemas.js';
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

const inputSchema = lazySchema<FinanceSearchInput>({ tickers: 'strings', categories: 'strings' });

const outputSchema = lazySchema<FinanceSearchOutput>({
  tickers: 'strings',
  categories: 'strings',
  results: { category: 'string', content: 'string', tickers: 'strings', sources: 'strings' },
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
    args: checkNoArgs(args, 'tools.financeSearch'),
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
  const results = asObjects(fields['results']).map((result) =>
    defined<FinanceSearchOutput['results'][number]>({
      category: asText(result['category']),
      content: asText(result['content']),
      ...listField(result, 'tickers'),
      sources: Array.isArray(result['sources']) ? asTexts(result['sources']) : undefined,
    }),
  );
  return { ...financeSearchInput(fields), results: results.filter((result) => Object.keys(result).length > 0) };
}
