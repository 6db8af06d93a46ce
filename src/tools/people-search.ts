import { checkNoArgs } from './checks.js';
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

/**
 * Perplexity's search for people, such as who holds an office: its calls and results show up as provider-executed parts
 * under the key that it has in `tools`, and what it finds as sources. $0.005 a call (2026-10, §3). Throws
 * InvalidArgumentError for any arg, since it has none.
 */
export function peopleSearch(args: PeopleSearchArgs = {}): ServerTool<PeopleSearchInput, PeopleSearchOutput> {
  return serverTool({
    id: 'perplexity.people_search',
    args: checkNoArgs(args, 'tools.peopleSearch'),
    description: 'Searches for people. Runs on the servers of Perplexity.',
    inputSchema: searchInputSchema(),
    outputSchema: searchOutputSchema(),
  });
}

/** A `people_search_results` item of the wire in the tool's output type: the form is that of `search_results`. */
export const peopleSearchResult: (item: unknown) => PeopleSearchOutput = webSearchResult;
