import type { JSONObject, JSONValue } from '@ai-sdk/provider';
import { asAmount, asObject, asText, defined, type WireObject } from '../json.js';
import type { CoreUsage } from '../spec.js';
import { incompleteReasonOf, type Ending } from './finish.js';
import {
  camelKeys,
  type PerplexityAgentCost,
  type PerplexityAgentMetadata,
  type PerplexityAgentSharedFile,
  type PerplexityAgentToolUse,
} from './metadata.js';
import type { RunFacts } from './run-facts.js';

/** What a run leaves behind besides its parts (design decision 12). */
export function finishMetadata(finished: {
  run: RunFacts;
  ending: Ending;
  response: WireObject | undefined;
  usage: CoreUsage;
  requestedModel: string | undefined;
  effort: string | undefined;
  citations: Record<string, string>;
  /** Items that have no part of their own. */
  leftovers: readonly WireObject[];
  /** Whether the metadata is where they are kept. */
  keepsItems: boolean;
}): PerplexityAgentMetadata {
  const { run, response, leftovers } = finished;
  const usage = finished.usage.raw;
  const toolCallsDetails = toolUseOf(usage);
  return defined<PerplexityAgentMetadata>({
    responseId: run.responseId(),
    status: finished.ending.status,
    incompleteReason: incompleteReasonOf(response),
    requestedModel: finished.requestedModel,
    servedModel: run.servedModel(),
    effort: finished.effort,
    serviceTier: asText(response?.['service_tier']),
    cost: costOf(usage),
    toolCallsDetails,
    searchCalls: searchCallsOf(toolCallsDetails),
    usage,
    citations: finished.citations,
    items: finished.keepsItems && leftovers.length > 0 ? (leftovers as JSONObject[]) : undefined,
    files: filesOf(leftovers),
    lastSequenceNumber: run.lastSequenceNumber(),
    restarted: run.restarted,
  });
}

/** The wire's `cost` in camelCase; billing keys stay as they are. */
function costOf(usage: WireObject | undefined): PerplexityAgentCost | undefined {
  const cost = asObject(usage?.['cost']);
  if (cost === undefined) return undefined;
  const { tool_calls_cost_details: details, ...rest } = cost;
  const perTool = asObject(details);
  return {
    ...(camelKeys(rest as JSONObject) as JSONObject),
    ...(perTool !== undefined && { toolCallsCostDetails: perTool as Record<string, number> }),
  };
}

/** `tool_calls_details` in camelCase; billing keys stay as they are. */
function toolUseOf(usage: WireObject | undefined): Record<string, PerplexityAgentToolUse> | undefined {
  const details = asObject(usage?.['tool_calls_details']);
  if (details === undefined) return undefined;
  return Object.fromEntries(
    Object.entries(details).map(([key, use]) => [key, camelKeys(use as JSONValue) as PerplexityAgentToolUse]),
  );
}

/** Calls of the tools whose billing key names a search. */
function searchCallsOf(uses: Record<string, PerplexityAgentToolUse> | undefined): number | undefined {
  if (uses === undefined) return undefined;
  return Object.entries(uses)
    .filter(([key]) => key.includes('search'))
    .reduce((sum, [, use]) => sum + (asAmount(asObject(use)?.['invocation']) ?? 0), 0);
}

/** The files that were shared; an attempt that failed left nothing to fetch. */
function filesOf(items: readonly WireObject[]): PerplexityAgentSharedFile[] | undefined {
  const files = items
    .filter(({ type, error }) => type === 'share_file' && (error ?? null) === null)
    .map((item) =>
      defined<PerplexityAgentSharedFile>({
        fileId: asText(item['file_id']),
        filename: asText(item['filename']),
        sizeBytes: asAmount(item['size_bytes']),
        url: asText(item['url']),
        callId: asText(item['call_id']),
      }),
    )
    .filter(({ fileId, url }) => fileId !== undefined || url !== undefined);
  return files.length === 0 ? undefined : files;
}
