/** The named scenarios that are runs, by name. */
import type { AgentApiScenarioSettings } from '../types.js';
import { playFetch, playParallelSearches, playPlain, playSearch, playStructured } from './answers.js';
import { playCancelled, playFailed, playIncomplete } from './endings.js';
import { structuredText, type RunPlan, type ScenarioContext } from './plan.js';
import { playOutputs, playToolCall } from './tool-call.js';
import {
  playFinance,
  playImage,
  playOfficeSkill,
  playPeople,
  playRequestedTool,
  playSandbox,
  playServers,
  playTool,
} from './tools.js';
import { playUnknown } from './unknown-events.js';

/** Plays a run. Scenarios that fail before a run begins (`unauthorized` and the like) play `auto` once they let a request through. */
export function playRun(context: ScenarioContext, settings: AgentApiScenarioSettings): RunPlan {
  switch (settings.name) {
    case 'plain':
      return playPlain(context, settings.text);
    case 'search':
      return playSearch(context);
    case 'parallel-searches':
      return playParallelSearches(context);
    case 'fetch':
      return playFetch(context);
    case 'people':
      return playPeople(context);
    case 'finance':
      return playFinance(context);
    case 'image':
      return playImage(context, settings);
    case 'sandbox':
      return playSandbox(context, settings);
    case 'mcp':
    case 'connector':
      return playServers(context, settings);
    case 'office-skill':
      return playOfficeSkill(context);
    case 'tool-call':
      return playToolCall(context, settings);
    case 'structured':
      return playStructured(context);
    case 'incomplete':
      return playIncomplete(context, settings);
    case 'failed':
    case 'failed-early':
      return playFailed(context, settings);
    case 'cancelled':
      return playCancelled(context);
    case 'cut':
      return playSearch(context);
    case 'unknown-events':
      return playUnknown(context);
    default:
      return playAuto(context);
  }
}

/** What the real API would most likely do with the request. */
function playAuto(context: ScenarioContext): RunPlan {
  const { view } = context;
  // A choice that cannot be kept calls nothing in its stead.
  if (view.chosenTool !== undefined) return inFormat(context, playTool(context, view.chosenTool) ?? playPlain(context));
  if (view.outputs.length > 0) return playOutputs(context);
  if (view.functions.length > 0) return playToolCall(context, { name: 'tool-call' });
  if (view.schema !== undefined && !view.mustCall) return playStructured(context);
  const requested = playRequestedTool(context) ?? playTool(context, 'web_search') ?? playTool(context, 'fetch_url');
  return inFormat(context, requested ?? playPlain(context));
}

/** A run whose answer is what `response_format` asks for. */
function inFormat({ view }: ScenarioContext, plan: RunPlan): RunPlan {
  const text = structuredText(view);
  if (text === undefined || plan.usage === null) return plan;
  const content = [{ type: 'output_text', text, annotations: [] }];
  const output = plan.output.map((item) => (item.type === 'message' ? { ...item, content } : item));
  return { ...plan, output, usage: { ...plan.usage, text } };
}
