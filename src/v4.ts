/** The V4 face: models that ai 7 takes. Explicit exports, nothing else. */
import type { LanguageModelV4 } from 'ai-sdk-provider-v4';
import { faceV4 } from './faces/v4.js';
import {
  createProvider,
  type PerplexityAgentProvider as Provider,
  type PerplexityAgentProviderSettings,
} from './provider.js';

/** A provider whose models are `LanguageModelV4`: what ai 7 takes. It fits `ProviderV4`. */
export type PerplexityAgentProvider = Provider<LanguageModelV4> & { readonly specificationVersion: 'v4' };

/** Makes a provider of your own. Throws InvalidArgumentError for a bad setting. */
export const createPerplexityAgent = (settings?: PerplexityAgentProviderSettings): PerplexityAgentProvider =>
  Object.assign(createProvider(faceV4, settings), { specificationVersion: 'v4' as const });

/** The provider with default settings: key and base URL come from the environment. */
export const perplexityAgent: PerplexityAgentProvider = /* @__PURE__ */ createPerplexityAgent();

/** The type of a model. TypeScript names it where an app that emits declarations exports one. */
export type { LanguageModelV4 } from 'ai-sdk-provider-v4';
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
