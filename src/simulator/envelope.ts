/** The response object and its snapshots (agent-api.md §4.1). */
import { asString, isObject, sortKeys, type JsonObject } from './json.js';
import type { RequestView } from './request-view.js';
import type { AgentApiResponse, OutputItem, RunStatus } from './types.js';

/** The values below 16 are raised to it (agent-api.md §2.1). */
const LEAST_OUTPUT_TOKENS = 16;

/** What sets one response apart from another to the same request. */
export interface ResponseFacts {
  id: string;
  createdAt: number;
  status: RunStatus;
  output: OutputItem[];
  usage: JsonObject | null;
  error?: AgentApiResponse['error'];
  incompleteReason?: string | undefined;
}

/** The terminal response of a run, keys in the order of the wire. */
export function buildResponse(view: RequestView, facts: ResponseFacts): AgentApiResponse {
  const isCancelled = facts.status === 'cancelled';
  return sortKeys({
    ...echo(view),
    id: facts.id,
    object: 'response',
    created_at: facts.createdAt,
    completed_at: facts.status === 'completed' ? facts.createdAt : null,
    status: facts.status,
    error: facts.error ?? null,
    incomplete_details: facts.incompleteReason === undefined ? null : { reason: facts.incompleteReason },
    // Cancelled runs keep the level's name, and were recorded with an empty list of tools.
    model: isCancelled ? view.requestedModel : view.servedModel,
    tools: isCancelled ? [] : view.tools,
    service_tier: isCancelled ? 'default' : servedTier(view),
    output: facts.output,
    usage: facts.usage,
  } satisfies AgentApiResponse);
}

/**
 * A snapshot of a run that is not over: the requested model's name, no usage, service tier `default`. In the background
 * the list of tools stays empty until the end.
 */
export function snapshot(
  response: AgentApiResponse,
  requestedModel: string,
  status: 'queued' | 'in_progress',
  output: OutputItem[] = [],
): AgentApiResponse {
  return {
    ...response,
    completed_at: null,
    error: null,
    incomplete_details: null,
    model: requestedModel,
    output,
    service_tier: 'default',
    status,
    tools: response.background ? [] : response.tools,
    usage: null,
  };
}

type Echo = Omit<
  AgentApiResponse,
  | 'id'
  | 'object'
  | 'created_at'
  | 'completed_at'
  | 'status'
  | 'error'
  | 'incomplete_details'
  | 'model'
  | 'tools'
  | 'service_tier'
  | 'output'
  | 'usage'
>;

/** What the reply repeats of the request. `previous_response_id` is null even in a chain. */
function echo(view: RequestView): Echo {
  const { body } = view;
  const cap = numberOr(body.max_output_tokens, null);
  return {
    background: view.background,
    frequency_penalty: 0,
    instructions: asString(body.instructions) ?? null,
    max_output_tokens: cap === null ? null : Math.max(cap, LEAST_OUTPUT_TOKENS),
    max_tool_calls: numberOr(body.max_tool_calls, null),
    metadata: isObject(body.metadata) ? body.metadata : {},
    parallel_tool_calls: body.parallel_tool_calls !== false,
    presence_penalty: 0,
    previous_response_id: null,
    prompt_cache_key: asString(body.prompt_cache_key) ?? null,
    reasoning: body.reasoning ?? null,
    safety_identifier: asString(body.safety_identifier) ?? null,
    store: body.store !== false,
    temperature: numberOr(body.temperature, 1),
    text: { format: { type: 'text' } },
    tool_choice: body.tool_choice ?? 'auto',
    top_logprobs: 0,
    top_p: numberOr(body.top_p, 1),
    truncation: asString(body.truncation) ?? '',
    user: asString(body.user) ?? null,
  };
}

function numberOr<Fallback>(value: unknown, fallback: Fallback): number | Fallback {
  return typeof value === 'number' ? value : fallback;
}

/** The tier served: `fast` for level fast, `default` otherwise; a tier that was asked for is taken to be granted. */
function servedTier(view: RequestView): string {
  return asString(view.body.service_tier) ?? (view.isFast ? 'fast' : 'default');
}
