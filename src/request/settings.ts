/** Settings of the AI SDK and options of ours → fields of the request. What is not set is not sent (decision 4). */
import type { ParsedOptions } from '../options.js';
import type { CoreCallOptions } from '../spec.js';
import { complaint, invalid, reading } from '../refusals.js';
import type { AgentRequestBody } from '../wire/request-types.js';
import type { Warnings } from './warnings.js';

/** The API refuses these (`agent-api.md` §2.1, "Fields that exist only in the reply"). */
const UNSUPPORTED = ['topK', 'seed', 'stopSequences', 'presencePenalty', 'frequencyPenalty'] as const;

/** The least that the API takes; less is raised without a word (`agent-api.md` §2.1). */
const MIN_OUTPUT_TOKENS = 16;

/** The AI SDK lets a null of plain JavaScript through; the API is never sent one. */
const isSet = <T>(value: T | null | undefined): value is T => value !== undefined && value !== null;

const isEmptyList = (value: unknown) => Array.isArray(value) && value.length === 0;

export function applySettings(body: AgentRequestBody, options: CoreCallOptions, warnings: Warnings): void {
  for (const setting of UNSUPPORTED) {
    const value = reading(setting, () => options[setting]);
    if (isSet(value) && !reading(setting, () => isEmptyList(value))) {
      warnings.add({ type: 'setting', setting, details: 'The Agent API has no such setting; it is not sent.' });
    }
  }
  const maxOutputTokens = reading('maxOutputTokens', () => options.maxOutputTokens);
  const temperature = reading('temperature', () => options.temperature);
  const topP = reading('topP', () => options.topP);
  if (isSet(maxOutputTokens)) {
    if (!Number.isInteger(maxOutputTokens) || maxOutputTokens < 1) {
      throw invalid('maxOutputTokens', complaint('an integer of at least 1', maxOutputTokens));
    }
    if (maxOutputTokens < MIN_OUTPUT_TOKENS) {
      const details = `The API raises it to ${MIN_OUTPUT_TOKENS}.`;
      warnings.add({ type: 'setting', setting: 'maxOutputTokens', details });
    }
    body.max_output_tokens = maxOutputTokens;
  }
  if (isSet(temperature)) body.temperature = within('temperature', temperature, 2);
  if (isSet(topP)) body.top_p = within('topP', topP, 1);
}

function within(argument: string, value: number, max: number): number {
  if (typeof value === 'number' && value >= 0 && value <= max) return value;
  throw invalid(argument, complaint(`a number from 0 to ${max}`, value));
}

/** What the API takes as `reasoning.effort` (`agent-api.md` §2.1). */
const EFFORTS: ReadonlySet<unknown> = new Set(['minimal', 'low', 'medium', 'high', 'xhigh', 'max']);

export function applyReasoning(
  body: AgentRequestBody,
  setting: string | undefined,
  option: string | undefined,
  warnings: Warnings,
): void {
  if (option !== undefined) {
    body.reasoning = { effort: option };
  } else if (setting === 'none') {
    // Reasoning cannot be switched off (`agent-api.md` §2.1, design decision 17).
    const details = "The API cannot switch reasoning off; 'minimal' is sent, the least that it takes.";
    warnings.add({ type: 'setting', setting: 'reasoning', details });
    body.reasoning = { effort: 'minimal' };
  } else if (isSet(setting) && setting !== 'provider-default') {
    if (EFFORTS.has(setting)) body.reasoning = { effort: setting };
    else {
      const details = `The API knows ${[...EFFORTS].join(', ')}; it is not sent.`;
      warnings.add({ type: 'setting', setting: 'reasoning', details });
    }
  }
}

/** Options that are nothing but a field of the request. */
const FIELDS: ReadonlyMap<string, keyof AgentRequestBody> = new Map(
  Object.entries({
    maxSteps: 'max_steps',
    maxToolCalls: 'max_tool_calls',
    parallelToolCalls: 'parallel_tool_calls',
    languagePreference: 'language_preference',
    previousResponseId: 'previous_response_id',
    store: 'store',
    metadata: 'metadata',
    truncation: 'truncation',
    serviceTier: 'service_tier',
    promptCacheKey: 'prompt_cache_key',
    user: 'user',
    safetyIdentifier: 'safety_identifier',
  } satisfies Partial<Record<keyof ParsedOptions, keyof AgentRequestBody>>),
);

export function applyOptions(body: AgentRequestBody, options: ParsedOptions): void {
  for (const option in options) {
    const field = FIELDS.get(option);
    const value = options[option as keyof ParsedOptions];
    if (field !== undefined && value !== undefined) Object.assign(body, { [field]: value });
  }
  if (options.background !== undefined && options.background !== false) body.background = true;
  // Each skill is written with the names of the wire.
  if (options.skills !== undefined) body.skills = options.skills;
}

/** Merged last, so that a field newer than this package can be sent; nothing is overridden without a word. */
export function applyExtraBody(body: AgentRequestBody, extra: ParsedOptions['extraBody'], warnings: Warnings): void {
  if (extra === undefined) return;
  for (const [field, value] of reading('providerOptions.perplexity.extraBody', () => Object.entries(extra))) {
    if (value === undefined) continue;
    if (Object.hasOwn(body, field)) {
      warnings.other(
        `providerOptions.perplexity.extraBody.${field} replaces the ${field} that this call had otherwise.`,
      );
    }
    Object.assign(body, { [field]: value });
  }
}
