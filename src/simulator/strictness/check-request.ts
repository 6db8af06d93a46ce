/** The body of a create request: its shape, then its values (agent-api.md §2.1). */
import { Refusal, validationFailed } from '../errors.js';
import { asArray, isObject, type JsonObject } from '../json.js';
import { array, boolean, integer, map, number, object, string } from './decode.js';
import { checkResponseFormat, responseFormatShape } from './format.js';
import { checkInput, inputShape } from './input.js';
import { checkAtLeast, checkLength, checkOneOf, checkRange } from './rules.js';
import { checkSkills, skillsShape } from './skills.js';
import { checkToolChoice, checkTools, toolChoiceShape, toolsShape } from './tools.js';

const bodyShape = object({
  input: inputShape,
  model: string,
  models: array(string),
  effort: string,
  preset: string,
  profile: object({ type: string, id: string, version: string }, ['type', 'id']),
  instructions: string,
  language_preference: string,
  max_output_tokens: integer,
  max_steps: integer,
  max_tool_calls: integer,
  parallel_tool_calls: boolean,
  tool_choice: toolChoiceShape,
  tools: toolsShape,
  temperature: number,
  top_p: number,
  reasoning: object({ effort: string }),
  response_format: responseFormatShape,
  previous_response_id: string,
  store: boolean,
  background: boolean,
  stream: boolean,
  stream_options: object({ include_usage: boolean }),
  skills: skillsShape,
  metadata: map(string),
  truncation: string,
  prompt_cache_key: string,
  service_tier: string,
  user: string,
  safety_identifier: string,
});

const PROVIDERS = ['anthropic', 'google', 'openai', 'perplexity', 'xai'];
const LEVEL = /^(?:fast|low|medium|high|xhigh|ultra)(?:@\d{4}-\d{2}-\d{2}\.\d+)?$/u;
/** Known under `preset` only (agent-api.md §2.3). */
const OLD_PRESETS = ['fast-search', 'pro-search', 'deep-research', 'advanced-deep-research', 'wide-research'];

/**
 * Refuses what the API is said to refuse; returns quietly otherwise. The decoder comes first, then the values, as live.
 *
 * @throws Refusal
 */
export function checkRequest(body: JsonObject): void {
  bodyShape(body, '');
  checkInput(body.input);
  checkTarget(body);
  checkNumbers(body);
  checkTools(body.tools);
  checkToolChoice(body.tool_choice, body.tools);
  checkResponseFormat(body.response_format);
  checkSkills(body.skills);
  checkMetadata(body.metadata);
  checkOneOf(body.truncation, 'truncation', ['auto', 'disabled']);
  checkAnthropic(body);
}

/** What shall answer: a model, a chain, a level or a profile. */
function checkTarget(body: JsonObject): void {
  if (!['model', 'models', 'effort', 'preset', 'profile'].some((field) => field in body)) {
    throw validationFailed('at least one of model, models, effort, preset or profile is required');
  }
  // Nothing settles what happens with both (agent-api.md §14 #1); refusing keeps clients to exactly one.
  if ('effort' in body && 'preset' in body) throw validationFailed('effort and preset cannot be used together');
  checkLevel(body, 'effort', []);
  checkLevel(body, 'preset', OLD_PRESETS);
  if ('models' in body && (asArray(body.models).length < 1 || asArray(body.models).length > 5)) {
    throw validationFailed('models must have between 1 and 5 entries');
  }
  for (const model of modelsOf(body)) checkModel(model);
  if (isObject(body.profile)) checkProfile(body.profile, body);
}

function checkLevel(body: JsonObject, field: 'effort' | 'preset', others: string[]): void {
  const level = body[field];
  // The reaction to an unknown level is not documented (agent-api.md §14 #2); refusing it shows a typing error.
  if (typeof level === 'string' && !LEVEL.test(level) && !others.includes(level)) {
    throw validationFailed(`unknown ${field} "${level}"`);
  }
}

function checkModel(model: string): void {
  const [provider, name] = model.split('/');
  if (!PROVIDERS.includes(provider ?? '') || name === undefined || name === '') {
    throw new Refusal(400, 'invalid_model', `invalid model "${model}"`, 'model');
  }
}

function checkProfile(profile: JsonObject, body: JsonObject): void {
  if ('preset' in body || 'effort' in body) {
    throw validationFailed(`profile and ${'preset' in body ? 'preset' : 'effort'} cannot be used together`);
  }
  checkOneOf(profile.type, 'profile.type', ['custom']);
  checkLength(profile.id, 'profile.id', 1, 128);
}

function checkNumbers(body: JsonObject): void {
  checkAtLeast(body.max_output_tokens, 'max output tokens', 1);
  checkAtLeast(body.max_steps, 'max steps', 1);
  if (typeof body.max_steps === 'number' && body.max_steps > 100)
    throw validationFailed('max steps must be at most 100');
  checkAtLeast(body.max_tool_calls, 'max tool calls', 0);
  checkRange(body.temperature, 'temperature', 0, 2);
  checkRange(body.top_p, 'top p', 0, 1);
  if (isObject(body.reasoning)) {
    checkOneOf(body.reasoning.effort, 'reasoning effort', ['minimal', 'low', 'medium', 'high', 'xhigh', 'max']);
  }
}

function checkMetadata(metadata: unknown): void {
  if (!isObject(metadata)) return;
  const entries = Object.entries(metadata);
  if (entries.length > 16) throw validationFailed('metadata must have at most 16 entries');
  for (const [key, value] of entries) {
    checkLength(key, 'metadata keys', 1, 64);
    checkLength(value, `metadata "${key}"`, 0, 512);
  }
}

/** `anthropic/*` needs a cap, also inside a chain; checked before the run (agent-api.md §2.1, §2.3). */
function checkAnthropic(body: JsonObject): void {
  if ('max_output_tokens' in body || !modelsOf(body).some((model) => model.startsWith('anthropic/'))) return;
  throw validationFailed('max_output_tokens is required when using Anthropic models');
}

function modelsOf(body: JsonObject): string[] {
  return [body.model, ...asArray(body.models)].filter((model) => typeof model === 'string');
}
