/** What a create request asks for, read once so that scenarios need not look at the wire. */
import { asArray, asString, isObject, objectsIn, type JsonObject } from './json.js';

/** A function tool of the request. */
interface FunctionTool {
  name: string;
  parameters: unknown;
}

/** A create request as the scenarios see it. */
export interface RequestView {
  body: JsonObject;
  stream: boolean;
  background: boolean;
  /** The level as sent, version and all; undefined without one. */
  level: string | undefined;
  /** Level `fast`, with or without a version. */
  isFast: boolean;
  /** What opening snapshots give as the model: the level's name, else what was asked for (agent-api.md §4.1). */
  requestedModel: string;
  /** The model that serves the run; only terminal snapshots name it. */
  servedModel: string;
  /** The request's tools, then the level's own whose type the request does not name (agent-api.md §2.3). */
  tools: JsonObject[];
  functions: FunctionTool[];
  /** Whether a native tool of this type may run. */
  mayUse(type: string): boolean;
  /** The type of the native tool that `tool_choice` names; undefined where it names none. */
  chosenTool: string | undefined;
  /** Whether `tool_choice` asks for a call of whichever tool. */
  mustCall: boolean;
  /** Turns of the model: as asked for, else the level's, else one. */
  maxSteps: number;
  /** The text of the last user message, `''` when there is none. */
  question: string;
  /** The outputs of client calls since the last user message. */
  outputs: { name: string | undefined; text: string }[];
  /** The schema of `response_format`; undefined without one. */
  schema: JsonObject | undefined;
}

/** The tools of each level (agent-api.md §9.2). What ultra brings is not stated: the research tools are assumed. */
const LEVEL_TOOLS: Record<string, string[]> = {
  fast: ['web_search'],
  low: ['web_search', 'fetch_url'],
  medium: ['web_search', 'fetch_url'],
  high: ['web_search', 'fetch_url'],
  xhigh: ['web_search', 'finance_search', 'sandbox'],
  ultra: ['web_search', 'fetch_url'],
};

/** Old names of levels (agent-api.md §2.3). */
const OLD_NAMES: Record<string, string> = {
  'fast-search': 'fast',
  'pro-search': 'low',
  'deep-research': 'medium',
  'advanced-deep-research': 'high',
  'wide-research': 'xhigh',
};

/** Reads a create request; never throws, so that a lax simulator can answer anything. */
export function viewRequest(body: JsonObject): RequestView {
  const level = asString(body.effort) ?? asString(body.preset);
  const levelName = baseLevel(level);
  const model = asArray(body.models).map(asString).find(Boolean) ?? asString(body.model);
  const profile = isObject(body.profile) ? (asString(body.profile.id) ?? 'profile') : undefined;
  const tools = effectiveTools(body, levelName, profile !== undefined);
  const items = objectsIn(body.input);
  const noTools = body.max_tool_calls === 0;
  // Whether `none` stops a level from searching is unknown (agent-api.md §14 #21): here it does not, so that no client relies on it.
  const choice = isObject(body.tool_choice) ? asString(body.tool_choice.type) : asString(body.tool_choice);
  const noneChosen = body.tool_choice === 'none' && level === undefined;
  return {
    body,
    stream: body.stream === true,
    background: body.background === true,
    level,
    isFast: levelName === 'fast',
    requestedModel: level ?? model ?? profile ?? 'unknown',
    servedModel: model ?? (isDeep(levelName) ? 'openai/gpt-5.6-sol' : 'openai/gpt-6-luna'),
    tools,
    functions: noTools || body.tool_choice === 'none' ? [] : functionTools(tools),
    mayUse: (type) => !noTools && !noneChosen && tools.some((tool) => tool.type === type),
    chosenTool: isObject(body.tool_choice) && choice !== 'required' ? choice : undefined,
    mustCall: choice === 'required',
    maxSteps: typeof body.max_steps === 'number' ? body.max_steps : stepsOf(levelName, profile !== undefined),
    question: typeof body.input === 'string' ? body.input : lastUserText(items),
    outputs: freshOutputs(items),
    schema: schemaOf(body),
  };
}

function baseLevel(level: string | undefined): string | undefined {
  const name = level?.split('@')[0];
  return name === undefined ? undefined : (OLD_NAMES[name] ?? name);
}

function isDeep(levelName: string | undefined): boolean {
  return levelName !== undefined && !['fast', 'low', 'medium'].includes(levelName);
}

/** Steps of the levels (agent-api.md §9.2); where no number is stated, as many as any tool needs. */
function stepsOf(levelName: string | undefined, hasProfile: boolean): number {
  if (levelName === undefined) return hasProfile ? 100 : 1;
  return { fast: 1, low: 5 }[levelName] ?? 100;
}

function effectiveTools(body: JsonObject, levelName: string | undefined, hasProfile: boolean): JsonObject[] {
  const sent = objectsIn(body.tools);
  const brought = levelName === undefined ? (hasProfile ? ['web_search'] : []) : (LEVEL_TOOLS[levelName] ?? []);
  const missing = brought.filter((type) => !sent.some((tool) => tool.type === type));
  return [...sent, ...missing.map((type) => ({ type }))];
}

function functionTools(tools: JsonObject[]): FunctionTool[] {
  return tools
    .filter((tool) => tool.type === 'function' && typeof tool.name === 'string')
    .map((tool) => ({ name: String(tool.name), parameters: tool.parameters }));
}

function schemaOf(body: JsonObject): JsonObject | undefined {
  const format = isObject(body.response_format) ? body.response_format : {};
  const jsonSchema = isObject(format.json_schema) ? format.json_schema : {};
  return isObject(jsonSchema.schema) ? jsonSchema.schema : undefined;
}

function isUserMessage(item: JsonObject): boolean {
  return item.type === 'message' && item.role === 'user';
}

function lastUserText(items: JsonObject[]): string {
  return textOf(items.filter(isUserMessage).at(-1)?.content);
}

function freshOutputs(items: JsonObject[]): { name: string | undefined; text: string }[] {
  const lastQuestion = items.map(isUserMessage).lastIndexOf(true);
  return items
    .slice(lastQuestion + 1)
    .filter((item) => item.type === 'function_call_output')
    .map((item) => ({ name: outputName(item, items), text: textOf(item.output) }));
}

function outputName(output: JsonObject, items: JsonObject[]): string | undefined {
  const call = items.find((item) => item.type === 'function_call' && item.call_id === output.call_id);
  return asString(output.name) ?? asString(call?.name);
}

/** The text of a string or of a list of parts; parts without text show as their type. */
function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  return objectsIn(content)
    .map((part) => asString(part.text) ?? `[${String(part.type)}]`)
    .join('\n');
}
