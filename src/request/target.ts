/** Who answers: a model, a chain of models, an effort level or a profile (`agent-api.md` §2.1, design decision 2). */
import { InvalidArgumentError, NoSuchModelError } from '@ai-sdk/provider';

import type { ParsedOptions } from '../options.js';
import { invalid } from '../refusals.js';
import type { AgentRequestBody } from '../wire/request-types.js';

export type {
  PerplexityAgentEffort,
  PerplexityAgentLevel,
  PerplexityAgentModel,
  PerplexityAgentModelId,
  PerplexityAgentPreset,
} from './model-ids.js';

export type EffortField = 'effort' | 'preset';

export type ParsedModelId = { kind: 'model'; id: string } | { kind: 'level'; level: string } | { kind: 'none' };

export type Target = {
  /** The fields of the body that name it. */
  fields: Pick<AgentRequestBody, 'model' | 'models' | 'effort' | 'preset' | 'profile'>;
  /** Identifies it where something is only good for the one that issued it, such as a thought signature. */
  key: string;
  /** A level or a profile brings its own tools, prompt and steps; a plain model has none of them. */
  isAgent: boolean;
};

/** Sonar chat models are gone since 2026-09-27; the level that stands in for each, by the design's public surface. */
const SONAR_SUCCESSORS: ReadonlyMap<string, string> = new Map([
  ['sonar', 'fast'],
  ['sonar-pro', 'low'],
  ['sonar-reasoning', 'low'],
  ['sonar-reasoning-pro', 'low'],
  ['sonar-deep-research', 'medium'],
]);

/** Known only under `preset`, whatever the wire field of the levels is (`agent-api.md` §2.3). */
const PRESETS: ReadonlySet<string> = new Set([
  'wide-research',
  'fast-search',
  'pro-search',
  'deep-research',
  'advanced-deep-research',
]);

/** An id with a slash is a model, any other an effort level. A Sonar id throws NoSuchModelError. */
export function parseModelId(id: string | undefined): ParsedModelId {
  if (id === undefined || id === '') return { kind: 'none' };
  if (typeof id !== 'string') {
    const message = "The model id must be a text: 'provider/model', or an effort level such as 'low'.";
    throw new InvalidArgumentError({ argument: 'modelId', message });
  }
  if (id.includes('/')) return { kind: 'model', id };
  refuseSonar(id);
  return { kind: 'level', level: id };
}

export function resolveTarget(modelId: string | undefined, options: ParsedOptions, effortField: EffortField): Target {
  const parsed = parseModelId(modelId);
  if (options.effort !== undefined) refuseSonar(options.effort);
  const level = options.effort ?? (parsed.kind === 'level' ? parsed.level : undefined);
  const model = options.models === undefined && parsed.kind === 'model' ? parsed.id : undefined;
  const { models, profile } = options;
  if (level !== undefined && profile !== undefined) {
    throw invalid(
      'providerOptions.perplexity.profile',
      `cannot be combined with the effort level '${level}', since both bring a configuration of their own; give one of them`,
    );
  }
  const key = model ?? models?.join(',') ?? level ?? (profile && `profile:${profile.id}`);
  if (key === undefined) {
    throw new InvalidArgumentError({
      argument: 'modelId',
      message:
        "Nothing is named that could answer: give a model id such as perplexityAgent('openai/gpt-6-luna'), a level such " +
        "as perplexityAgent('low'), or providerOptions.perplexity.effort, models or profile.",
    });
  }
  return { fields: targetFields({ model, models, level, profile, effortField }), key, isAgent: !!(level ?? profile) };
}

function targetFields(target: {
  model: string | undefined;
  models: string[] | undefined;
  level: string | undefined;
  profile: ParsedOptions['profile'];
  effortField: EffortField;
}): Target['fields'] {
  const { model, models, level, profile, effortField } = target;
  const fields: Target['fields'] = {};
  if (model !== undefined) fields.model = model;
  if (models !== undefined) fields.models = models;
  if (level !== undefined) fields[PRESETS.has(level) ? 'preset' : effortField] = level;
  if (profile !== undefined) fields.profile = { ...profile, type: 'custom' };
  return fields;
}

function refuseSonar(id: string): void {
  const successor = SONAR_SUCCESSORS.get(id);
  if (successor === undefined) return;
  throw new NoSuchModelError({
    modelId: id,
    modelType: 'languageModel',
    message:
      `'${id}' was a model of the Sonar API, which Perplexity switched off on 2026-09-27. ` +
      `Use the effort level '${successor}' instead.`,
  });
}
