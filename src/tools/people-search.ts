import type { JSONObject } from '@ai-sdk/provider';
import type * as z from 'zod/v4';

import { lazy, parseStrict, strict } from './checks.js';
import { type ServerTool, serverTool } from './server-tool.js';
import {
  searchInputSchema,
  searchOutputSchema,
  type WebSearchInput,
  type WebSearchOutput,
  webSearchResult,
} from './web-search.js';

/** The people search has no settings (`agent-api.md` §3; older ones are gone and would be refused). */
export type PeopleSearchArgs = Record<string, never>;

/** Whom the model looks for. */
export type PeopleSearchInput = WebSearchInput;

/** Which pages about people were found; they are cited and numbered like those of a web search (§4.2). */
export type PeopleSearchOutput = WebSearchOutput;

const argsSchema: () => z.ZodType<PeopleSearchArgs> = lazy(() => strict({}));

/** Args as a user wrote them at `path`, checked. */
export function checkPeopleSearchArgs(args: unknown, path: string): PeopleSearchArgs {
  return parseStrict(argsSchema(), args, path);
}

/** The tool as it is sent. */
export function wirePeopleSearch(_args: PeopleSearchArgs): { type: 'people_search' } & JSONObject {
  return { type: 'people_search' };
}

/**
 * Perplexity's search for people, such as who holds an office: its calls and results show up as provider-executed parts
 * under the key that it has in `tools`, and what it finds as sources. $0.005 a call (2026-10, §3). Throws
 * InvalidArgumentError for any arg, since it has none.
 */
export function peopleSearch(args: PeopleSearchArgs = {}): ServerTool<PeopleSearchInput, PeopleSearchOutput> {
  return serverTool({
    id: 'perplexity.people_search',
    args: checkPeopleSearchArgs(args, 'tools.peopleSearch'),
    description: 'Searches for people. Runs on the servers of Perplexity.',
    inputSchema: searchInputSchema(),
    outputSchema: searchOutputSchema(),
  });
}

/** A `people_search_results` item of the wire in the tool's output type: the form is that of `search_results`. */
export const peopleSearchResult: (item: unknown) => PeopleSearchOutput = webSearchResult;
