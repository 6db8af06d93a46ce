/** The V2 face: models that ai 5, 6 and 7 take. Explicit exports, nothing else. */
import type { LanguageModelV2, ProviderV2 } from '@ai-sdk/provider';
import { faceV2 } from './faces/v2.js';
import {
  createProvider,
  type PerplexityAgentProvider as Provider,
  type PerplexityAgentProviderSettings,
} from './provider.js';

/** A provider whose models are `LanguageModelV2`: what ai 5, 6 and 7 take. */
export type PerplexityAgentProvider = Provider<LanguageModelV2> & ProviderV2;

/** Makes a provider of your own. Throws InvalidArgumentError for a bad setting. */
export const createPerplexityAgent = (settings?: PerplexityAgentProviderSettings): PerplexityAgentProvider =>
  createProvider(faceV2, settings);

/** The provider with default settings: key and base URL come from the environment. */
export const perplexityAgent: PerplexityAgentProvider = /* @__PURE__ */ createPerplexityAgent();

/** The type of a model. TypeScript names it where an app that emits declarations exports one. */
export type { LanguageModelV2 } from '@ai-sdk/provider';
export { totalCost, type PerplexityAgentCostCarrier, type PerplexityAgentCostSteps } from './cost.js';
export { linkCitations, linkCitationsTransform, splitCitations } from './citations/index.js';
export type { CitationLookup, CitationSegment, CitedSource } from './citations/index.js';
export type { PerplexityAgentProviderSettings, PerplexityAgentResumeOptions } from './provider.js';
export type { PerplexityAgentModelInfo, PerplexityAgentModelPricing } from './model-list.js';
export type { PerplexityAgentFile, PerplexityAgentFileContent } from './runs/files.js';
export type { PerplexityAgentCancellation, PerplexityAgentResponses } from './runs/responses.js';
export type { PerplexityAgentRun, PerplexityAgentRunStatus } from './runs/retrieve.js';
export type { PerplexityAgentErrorData } from './errors.js';
export type {
  PerplexityAgentEffort,
  PerplexityAgentLevel,
  PerplexityAgentModel,
  PerplexityAgentModelId,
  PerplexityAgentPreset,
} from './request/target.js';
export type { PerplexityAgentProviderOptions, PerplexityAgentSkill } from './options.js';
export type {
  PerplexityAgentCost,
  PerplexityAgentItemMetadata,
  PerplexityAgentMetadata,
  PerplexityAgentPartMetadata,
  PerplexityAgentSharedFile,
  PerplexityAgentSourceMetadata,
  PerplexityAgentSourceTool,
  PerplexityAgentTextMetadata,
  PerplexityAgentToolCallMetadata,
  PerplexityAgentToolUse,
} from './stream/metadata.js';
export type {
  ConnectorArgs,
  FetchUrlArgs,
  FetchUrlInput,
  FetchUrlOutput,
  FinanceSearchArgs,
  FinanceSearchInput,
  FinanceSearchOutput,
  ImageSearchArgs,
  ImageSearchFilters,
  ImageSearchInput,
  ImageSearchOutput,
  McpArgs,
  McpCallInput,
  McpCallOutput,
  PeopleSearchArgs,
  PeopleSearchInput,
  PeopleSearchOutput,
  SandboxArgs,
  SandboxInput,
  SandboxOutput,
  ServerTool,
  WebSearchArgs,
  WebSearchFilters,
  WebSearchInput,
  WebSearchLocation,
  WebSearchOutput,
} from './tools/index.js';
export type { PerplexityAgentRequestOptions } from './wire/http.js';
export { VERSION } from './version.js';
