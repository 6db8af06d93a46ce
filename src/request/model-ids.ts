/** Names with completion; every one is an open union, since ids come and go without a release of this package. */

/** Effort levels (`agent-api.md` §9.2). */
export type PerplexityAgentLevel = 'fast' | 'low' | 'medium' | 'high' | 'xhigh' | 'ultra';

/** Names that the API knows only as presets (`agent-api.md` §2.3). */
export type PerplexityAgentPreset =
  | 'wide-research'
  | 'fast-search'
  | 'pro-search'
  | 'deep-research'
  | 'advanced-deep-research';

/** A level, a level pinned to a version (`'fast@2026-10-16.0'`) or a preset. */
export type PerplexityAgentEffort =
  | PerplexityAgentLevel
  | PerplexityAgentPreset
  | `${PerplexityAgentLevel}@${string}`
  | (string & {});

/** A model as `'provider/model'`; the known ones are those of 2026-10-09 (`agent-api.md` §9.1). */
export type PerplexityAgentModel =
  | 'anthropic/claude-fable-5'
  | 'anthropic/claude-fable-5-1'
  | 'anthropic/claude-haiku-4-5'
  | 'anthropic/claude-haiku-5-5'
  | 'anthropic/claude-opus-4-5'
  | 'anthropic/claude-opus-4-6'
  | 'anthropic/claude-opus-4-7'
  | 'anthropic/claude-opus-4-8'
  | 'anthropic/claude-opus-5'
  | 'anthropic/claude-opus-5-5'
  | 'anthropic/claude-sonnet-4-5'
  | 'anthropic/claude-sonnet-4-6'
  | 'anthropic/claude-sonnet-5'
  | 'anthropic/claude-sonnet-5-5'
  | 'google/gemini-3-flash-preview'
  | 'google/gemini-3.1-flash-lite'
  | 'google/gemini-3.1-pro-preview'
  | 'google/gemini-3.5-flash'
  | 'google/gemini-3.5-flash-lite'
  | 'google/gemini-3.6-flash'
  | 'google/gemini-3.7-flash'
  | 'google/gemini-3.8-flash'
  | 'openai/gpt-5'
  | 'openai/gpt-5-mini'
  | 'openai/gpt-5-nano'
  | 'openai/gpt-5.1'
  | 'openai/gpt-5.2'
  | 'openai/gpt-5.3-codex'
  | 'openai/gpt-5.4'
  | 'openai/gpt-5.4-mini'
  | 'openai/gpt-5.4-nano'
  | 'openai/gpt-5.5'
  | 'openai/gpt-5.6-luna'
  | 'openai/gpt-5.6-sol'
  | 'openai/gpt-5.6-terra'
  | 'openai/gpt-6-astra'
  | 'openai/gpt-6-luna'
  | 'openai/gpt-6-sol'
  | 'openai/gpt-6.1-sol'
  | 'perplexity/deepseek-v4-pro-0813'
  | 'perplexity/glm-5.3'
  | 'perplexity/glm-5.3-flash'
  | 'perplexity/kimi-k3'
  | 'perplexity/nemotron-3-ultra-550b-a55b'
  | 'perplexity/sonar'
  | 'xai/grok-4.20-multi-agent'
  | 'xai/grok-4.20-non-reasoning'
  | 'xai/grok-4.20-reasoning'
  | 'xai/grok-4.3'
  | 'xai/grok-4.5'
  | 'xai/grok-4.6'
  | 'xai/grok-4.7'
  | (string & {});

/** What `perplexityAgent(id)` takes: an id with a slash is a model, any other an effort level. */
export type PerplexityAgentModelId = PerplexityAgentModel | PerplexityAgentEffort;
