/** Client function calls (agent-api.md §5.4, §8.1). */
import { dataFor } from '../schema-data.js';
import { asString, isObject } from '../json.js';
import type { RequestView } from '../request-view.js';
import type { AgentApiScenarioSettings, OutputItem } from '../types.js';
import { playPlain } from './answers.js';
import { AUTOMATION } from './corpus.js';
import {
  completed,
  earlierResults,
  firstFreeId,
  searchResults,
  structuredText,
  usageFor,
  type RunPlan,
  type ScenarioContext,
} from './plan.js';

type Settings = Extract<AgentApiScenarioSettings, { name: 'tool-call' }>;

/** Stands for what a thinking model signs with; opaque base64 (agent-api.md §8.2). */
const SIGNATURE = 'c2ltdWxhdGVkLXRob3VnaHQtc2lnbmF0dXJl';

/** Calls, as long as the input has no outputs since the last question; then the answer. Without any function, a plain answer. */
export function playToolCall(context: ScenarioContext, settings: Settings): RunPlan {
  const { view } = context;
  if (view.outputs.length > 0) return playOutputs(context);
  const calls = settings.calls ?? defaultCalls(view);
  if (calls.length === 0) return playPlain(context);
  const signature = settings.thoughtSignature ?? (view.servedModel.startsWith('google/') ? SIGNATURE : undefined);
  const search = settings.searchFirst === true ? [searchResults(context, AUTOMATION, firstFreeId(context))] : [];
  const items = calls.map((call, index) => callItem(context, call, index === 0 ? signature : undefined));
  return completed(
    [...earlierResults(context), ...search, ...items],
    usageFor(view, items.map((item) => item.arguments).join(''), {
      searches: search.length,
      toolText: JSON.stringify(search),
    }),
  );
}

/** An answer that quotes what the client's functions gave back. */
export function playOutputs(context: ScenarioContext): RunPlan {
  const { outputs } = context.view;
  const quoted = outputs.map(({ name, text }) => `${name ?? 'The function'} returned: ${text}`).join('\n');
  return playPlain(context, structuredText(context.view) ?? quoted);
}

/** The function that `tool_choice` names, else the first. */
function defaultCalls(view: RequestView): { name: string }[] {
  const choice = view.body.tool_choice;
  const chosen = isObject(choice) ? asString(choice.name) : undefined;
  const found = view.functions.find(({ name }) => name === chosen) ?? view.functions[0];
  return found === undefined ? [] : [{ name: found.name }];
}

function callItem(
  context: ScenarioContext,
  call: { name: string; arguments?: string },
  signature: string | undefined,
): OutputItem {
  const declared = context.view.functions.find(({ name }) => name === call.name);
  return {
    type: 'function_call',
    id: context.ids.functionCall(),
    call_id: context.ids.call(),
    name: call.name,
    arguments: call.arguments ?? JSON.stringify(dataFor(declared?.parameters ?? { type: 'object' })),
    status: 'completed',
    // On which of several calls a signature stands is unknown (agent-api.md §14 #30); here on the first.
    ...(signature !== undefined && { thought_signature: signature }),
  };
}
