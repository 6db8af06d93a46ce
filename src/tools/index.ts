import { connector } from './connector.js';
import { fetchUrl } from './fetch-url.js';
import { financeSearch } from './finance-search.js';
import { imageSearch } from './image-search.js';
import { mcp } from './mcp.js';
import { peopleSearch } from './people-search.js';
import { sandbox } from './sandbox.js';
import { webSearch } from './web-search.js';

/** Perplexity's own tools, mounted as `perplexityAgent.tools`. */
export const perplexityAgentTools = {
  webSearch,
  fetchUrl,
  peopleSearch,
  financeSearch,
  imageSearch,
  sandbox,
  mcp,
  connector,
};

export type { ConnectorArgs } from './connector.js';
export type { FetchUrlArgs, FetchUrlInput, FetchUrlOutput } from './fetch-url.js';
export type { FinanceSearchArgs, FinanceSearchInput, FinanceSearchOutput } from './finance-search.js';
export type { ImageSearchArgs, ImageSearchFilters, ImageSearchInput, ImageSearchOutput } from './image-search.js';
export type { McpArgs } from './mcp.js';
export type { McpCallInput, McpCallOutput } from './mcp-call.js';
export type { PeopleSearchArgs, PeopleSearchInput, PeopleSearchOutput } from './people-search.js';
export type { SandboxArgs, SandboxInput, SandboxOutput } from './sandbox.js';
export type { ServerTool } from './server-tool.js';
export type {
  WebSearchArgs,
  WebSearchFilters,
  WebSearchInput,
  WebSearchLocation,
  WebSearchOutput,
} from './web-search.js';
