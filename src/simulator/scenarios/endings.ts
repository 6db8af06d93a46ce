/** Runs that do not end well: incomplete, failed, cancelled (agent-api.md §6.1). */
import type { AgentApiScenarioSettings } from '../types.js';
import { ANSWERS, AUTOMATION } from './corpus.js';
import {
  earlierResults,
  firstFreeId,
  message,
  searchResults,
  usageFor,
  type RunPlan,
  type ScenarioContext,
} from './plan.js';

const LEAST_OUTPUT_TOKENS = 16;

type Incomplete = Extract<AgentApiScenarioSettings, { name: 'incomplete' }>;

/** Stopped by the cap: usage present, `completed_at` null. The empty form is the recorded one: hidden reasoning ate the budget. */
export function playIncomplete(context: ScenarioContext, settings: Incomplete): RunPlan {
  const { view, ids } = context;
  const base = { status: 'incomplete', incompleteReason: 'max_output_tokens' } as const;
  if (settings.empty === true) {
    const cap = typeof view.body.max_output_tokens === 'number' ? view.body.max_output_tokens : LEAST_OUTPUT_TOKENS;
    const spent = Math.max(cap, LEAST_OUTPUT_TOKENS);
    return { ...base, output: [], usage: usageFor(view, '', { reasoning: spent, outputTokens: spent }) };
  }
  // No recording shows the status of a message that was cut short; the word is that of the run.
  return {
    ...base,
    output: [...earlierResults(context), message(ids, ANSWERS.cutShort, 'incomplete')],
    usage: usageFor(view, ANSWERS.cutShort),
  };
}

type Failed = Extract<AgentApiScenarioSettings, { name: 'failed' | 'failed-early' }>;

/** Failed with HTTP 200: after some text, or before any. Whether failed runs have usage is unknown (agent-api.md §14 #10): as asked. */
export function playFailed(context: ScenarioContext, { name, shape, usage }: Failed): RunPlan {
  const text = name === 'failed-early' ? '' : ANSWERS.broken;
  return {
    status: 'failed',
    output: text === '' ? [] : [...earlierResults(context), message(context.ids, text, 'incomplete')],
    usage: usage === true ? usageFor(context.view, text) : null,
    error: { message: 'upstream unavailable', type: 'internal_error', code: '500' },
    failure: shape,
  };
}

/** Cancelled after its search: the partial output stays, usage is null [live-R]. */
export function playCancelled(context: ScenarioContext): RunPlan {
  return {
    status: 'cancelled',
    output: [...earlierResults(context), searchResults(context, AUTOMATION, firstFreeId(context))],
    usage: null,
    error: { message: 'cancelled', type: 'cancelled', code: 'cancelled' },
    incompleteReason: 'cancelled',
  };
}
