import type { JSONObject } from '@ai-sdk/provider';

import { asObject, asTexts } from '../json.js';
import { invalid } from '../refusals.js';
import { further, integer, isDomain, listOf, numberBetween, oneOf, strict, text, textSuchAs } from './checks.js';
import { dateFilter } from './dates.js';
import { type FieldsOf, lazySchema } from './schemas.js';
import { listOfFields, type ServerTool, serverTool, wireNames } from './server-tool.js';

/** How the web is searched. Names, limits and defaults are the API's (`agent-api.md` §3.1); all are optional. */
export type WebSearchArgs<DATE = string | Date> = {
  /** `'web'` (the API's default on a plain model) or `'fast'`, cheaper and quicker. Omitted: the level's, else `'web'`. */
  searchType?: 'web' | 'fast';
  /** How much of the found pages the model reads. `maxTokens` and `maxTokensPerPage` win over it. */
  searchContextSize?: 'low' | 'medium' | 'high';
  /** Results per search, 1–50. */
  maxResults?: number;
  /** Tokens of search results in all, at least 1. More tokens make the answer dearer. */
  maxTokens?: number;
  /** Tokens per found page, at least 1. */
  maxTokensPerPage?: number;
  /** Which pages count. */
  filters?: WebSearchFilters<DATE>;
  /** Where the user is, for results of the region. */
  userLocation?: WebSearchLocation;
};

/**
 * Filters of a web search. Dates are `'MM/DD/YYYY'`, `'YYYY-MM-DD'` or a Date (its day in UTC) and are sent as
 * `MM/DD/YYYY`; a day that does not exist is refused.
 */
export type WebSearchFilters<DATE = string | Date> = {
  /**
   * Up to 20 domains of at most 253 characters, without a scheme: `'ecb.europa.eu'`. A leading `-` excludes the domain.
   * Allowed and excluded ones may be mixed: the documentation forbids it, the live API takes it.
   */
  searchDomainFilter?: string[];
  /** Only pages of the last hour, day, week, month or year. Not together with a date filter. */
  searchRecencyFilter?: 'hour' | 'day' | 'week' | 'month' | 'year';
  /** Only pages published after this date. */
  searchAfterDateFilter?: DATE;
  /** Only pages published before this date. */
  searchBeforeDateFilter?: DATE;
  /** Only pages last updated after this date. */
  lastUpdatedAfterFilter?: DATE;
  /** Only pages last updated before this date. */
  lastUpdatedBeforeFilter?: DATE;
};

/** The user's place. `latitude` and `longitude` need `country`. */
export type WebSearchLocation = {
  /** Two-letter code of ISO 3166-1, such as `'PT'`. */
  country?: string;
  /** Region or state, as a text. */
  region?: string;
  /** City, as a text. */
  city?: string;
  /** Degrees, -90 to 90. */
  latitude?: number;
  /** Degrees, -180 to 180. */
  longitude?: number;
};

/** Args that passed the check: dates have the form of the wire, so they survive JSON. */
export type CheckedWebSearchArgs = WebSearchArgs<string>;

/** What the model asked the search for. */
export type WebSearchInput = { queries?: string[] };

/** What a search found. */
export type WebSearchOutput = {
  /** Absent where the API does not say, above all for results of an earlier turn. */
  queries?: string[];
  results: Array<{
    /** The number by which the answer cites it: `[n]` or `[web:n]`. */
    id?: number;
    /** Address of the page. */
    url?: string;
    /** Title of the page. */
    title?: string;
    /** What the model read of it. */
    snippet?: string;
    /** Date of publication, `YYYY-MM-DD`. */
    date?: string;
    /** Date of the last change, `YYYY-MM-DD`. */
    lastUpdated?: string;
    /** Kind of index it comes from, `web` so far. */
    source?: string;
  }>;
};

const DOMAIN =
  "a domain without scheme such as 'example.org', or '-example.org' to exclude it, of at most 253 characters";

const DATE_FILTERS = [
  'searchAfterDateFilter',
  'searchBeforeDateFilter',
  'lastUpdatedAfterFilter',
  'lastUpdatedBeforeFilter',
] as const;

const checkFilters = further(
  strict<WebSearchFilters<string>>({
    searchDomainFilter: listOf(textSuchAs(DOMAIN, isDomain), 20, 'domains'),
    searchRecencyFilter: oneOf(['hour', 'day', 'week', 'month', 'year']),
    searchAfterDateFilter: dateFilter,
    searchBeforeDateFilter: dateFilter,
    lastUpdatedAfterFilter: dateFilter,
    lastUpdatedBeforeFilter: dateFilter,
  }),
  (filters, path) => {
    const date = DATE_FILTERS.find((name) => filters[name] !== undefined);
    if (filters.searchRecencyFilter === undefined || date === undefined) return;
    throw invalid(`${path}.searchRecencyFilter`, `cannot be combined with ${date}; use either the recency or dates`);
  },
);

const checkLocation = further(
  strict<WebSearchLocation>({
    country: textSuchAs("a two-letter country code of ISO 3166-1 such as 'PT'", (value) => /^[A-Za-z]{2}$/.test(value)),
    region: text,
    city: text,
    latitude: numberBetween(-90, 90),
    longitude: numberBetween(-180, 180),
  }),
  ({ country, latitude, longitude }, path) => {
    if (country !== undefined || (latitude === undefined && longitude === undefined)) return;
    throw invalid(`${path}.country`, 'is missing; latitude and longitude need it');
  },
);

/** Args as a user wrote them; `providerOptions.perplexity.webSearch` takes the same ones. */
export const checkWebSearchArgs = strict<CheckedWebSearchArgs>({
  searchType: oneOf(['web', 'fast']),
  searchContextSize: oneOf(['low', 'medium', 'high']),
  maxResults: integer(1, 50),
  maxTokens: integer(1, Infinity),
  maxTokensPerPage: integer(1, Infinity),
  filters: checkFilters,
  userLocation: checkLocation,
});

/** The tool as it is sent. */
export function wireWebSearch(args: CheckedWebSearchArgs): { type: 'web_search' } & JSONObject {
  return { type: 'web_search', ...wireNames(args) };
}

const RESULT_FIELDS: FieldsOf<WebSearchOutput['results'][number]> = {
  id: 'number',
  url: 'string',
  title: 'string',
  snippet: 'string',
  date: 'string',
  lastUpdated: 'string',
  source: 'string',
};

/** Schema of what a search is asked for; the people search takes it too. */
export const searchInputSchema = lazySchema<WebSearchInput>({ queries: 'strings' });

/** Schema of what a search finds; the people search finds the same. */
export const searchOutputSchema = lazySchema<WebSearchOutput>({ queries: 'strings', results: RESULT_FIELDS });

/**
 * Perplexity's web search as a tool: its calls and results show up as provider-executed parts under the key that it
 * has in `tools`. A plain model searches by default also without it; declare it to see the calls or to set options.
 * Throws InvalidArgumentError for args out of their limits.
 */
export function webSearch(args: WebSearchArgs = {}): ServerTool<WebSearchInput, WebSearchOutput> {
  return serverTool({
    id: 'perplexity.web_search',
    args: checkWebSearchArgs(args, 'tools.webSearch'),
    description: 'Searches the web. Runs on the servers of Perplexity.',
    inputSchema: searchInputSchema(),
    outputSchema: searchOutputSchema(),
  });
}

/** A `search_results` item of the wire in the tool's output type; whatever is null or malformed in it is skipped. */
export function webSearchResult(item: unknown): WebSearchOutput {
  const fields = asObject(item);
  const results = listOfFields(fields?.['results'], RESULT_FIELDS);
  return Array.isArray(fields?.['queries']) ? { queries: asTexts(fields['queries']), results } : { results };
}
