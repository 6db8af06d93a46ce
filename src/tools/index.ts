import { fetchUrl } from './fetch-url.js';
import { webSearch } from './web-search.js';

/** Perplexity's own tools, mounted as `perplexityAgent.tools`. */
export const perplexityAgentTools = { webSearch, fetchUrl };

export type { FetchUrlArgs, FetchUrlInput, FetchUrlOutput } from './fetch-url.js';
export type { ServerTool } from './server-tool.js';
export type {
  WebSearchArgs,
  WebSearchFilters,
  WebSearchInput,
  WebSearchLocation,
  WebSearchOutput,
} from './web-search.js';
