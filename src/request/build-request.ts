/** One call of the AI SDK → one request of the Agent API, with everything that the rest of the model needs to know. */
import { asArray } from '../json.js';
import { type ParsedOptions, parseProviderOptions } from '../options.js';
import type { CoreCallOptions, CoreWarning, ToolTable } from '../spec.js';
import { invalid, reading } from '../refusals.js';
import type { AgentRequestBody } from '../wire/request-types.js';
import { convertPrompt } from './convert-prompt.js';
import { prepareTools } from './prepare-tools.js';
import { responseFormat } from './response-format.js';
import { secretsIn } from './secrets.js';
import { applyExtraBody, applyOptions, applyReasoning, applySettings } from './settings.js';
import { type EffortField, resolveTarget } from './target.js';
import { createWarnings, type Warnings } from './warnings.js';

export type BuiltRequest = {
  /** Without `stream`. */
  body: AgentRequestBody;
  warnings: CoreWarning[];
  perplexity: ParsedOptions;
  tools: ToolTable;
  /** Who answers; a thought signature is only replayed to the one that issued it (design decision 13). */
  targetKey: string;
  /** A level or a profile answers, which can take minutes (design decision 16). */
  isLongRun: boolean;
  /** Values that must not surface in an error or in metadata (design decision 20). */
  secrets: string[];
};

/** `anthropic/*` is refused without a limit (`agent-api.md` §2.1); this one is in the documentation of the package. */
const ANTHROPIC_MAX_OUTPUT_TOKENS = 8192;

export function buildRequest(call: {
  modelId: string | undefined;
  callOptions: CoreCallOptions;
  effortField?: EffortField | undefined;
}): BuiltRequest {
  const { callOptions } = call;
  const options = reading('providerOptions', () => parseProviderOptions(callOptions.providerOptions));
  const target = resolveTarget(call.modelId, options, call.effortField ?? 'effort');
  const warnings = createWarnings();
  checkBackground(options, warnings);
  if (callOptions.providerOptions?.['perplexityAgent'] !== undefined) {
    warnings.other(
      'providerOptions.perplexityAgent has no effect; the options of this provider go under `perplexity`.',
    );
  }

  const prepared = prepareTools({
    tools: callOptions.tools,
    toolChoice: callOptions.toolChoice,
    options,
    isAgent: target.isAgent,
    level: target.fields.effort ?? target.fields.preset,
    warnings,
  });
  const { instructions, input } = convertPrompt(callOptions.prompt, {
    systemMessageMode: options.systemMessageMode ?? (target.isAgent ? 'input' : 'instructions'),
    keepsEmptyInstructions: options.systemMessageMode === 'instructions',
    previousResponseId: options.previousResponseId,
    targetKey: target.key,
    warnings,
  });

  const body: AgentRequestBody = Object.assign(target.fields, { input });
  applySettings(body, callOptions, warnings);
  applyReasoning(body, callOptions.reasoning, options.reasoningEffort, warnings);
  applyOptions(body, options);
  const { tools, toolChoice, maxToolCalls, table } = prepared;
  const format = reading('responseFormat', () => responseFormat(callOptions.responseFormat, options.strictJsonSchema));
  if (instructions !== undefined) body.instructions = instructions;
  if (tools !== undefined) body.tools = tools;
  if (toolChoice !== undefined) body.tool_choice = toolChoice;
  if (maxToolCalls !== undefined) body.max_tool_calls = maxToolCalls;
  if (format !== undefined) body.response_format = format;
  applyExtraBody(body, options.extraBody, warnings);
  if (asksAnthropic(body)) body.max_output_tokens ??= ANTHROPIC_MAX_OUTPUT_TOKENS;

  return {
    body,
    warnings: warnings.list,
    perplexity: options,
    tools: table,
    targetKey: target.key,
    isLongRun: target.isAgent,
    secrets: secretsIn(body.tools),
  };
}

/** A run in the background is fetched in the end, and one that is not stored cannot be (`agent-api.md` §10.6). */
function checkBackground({ background, store, maxReconnects }: ParsedOptions, warnings: Warnings): void {
  const isOn = background !== undefined && background !== false;
  if (isOn && store === false) {
    throw invalid(
      'providerOptions.perplexity.store',
      'must not be false with providerOptions.perplexity.background, since such a run cannot be fetched; leave one of them out',
    );
  }
  if (!isOn && maxReconnects !== undefined) {
    warnings.other(
      'providerOptions.perplexity.maxReconnects has no effect without providerOptions.perplexity.background.',
    );
  }
}

function asksAnthropic(body: AgentRequestBody): boolean {
  // Through `extraBody` anything may stand here.
  const { model, models }: { model?: unknown; models?: unknown } = body;
  return isOfAnthropic(model) || asArray(models).some(isOfAnthropic);
}

const isOfAnthropic = (id: unknown) => typeof id === 'string' && id.startsWith('anthropic/');
