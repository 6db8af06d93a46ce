/** Tools and tool choice of a call → those of the request, and the table by which the answer is read. */
import { asObject } from '../json.js';
import type { ParsedOptions } from '../options.js';
import type { CoreTool, CoreToolChoice, ToolTable } from '../spec.js';
import { complaint, invalid, reading } from '../refusals.js';
import type { WireFunction, WireTool, WireToolChoice } from '../wire/request-types.js';
import { type DeclaredTool, type NativeTool, nativeTool, refuseClash, undeclaredNativeTools } from './native-tools.js';
import { warnOfSilentFailures } from './silent-failures.js';
import type { Warnings } from './warnings.js';

export type PreparedTools = {
  tools: WireTool[] | undefined;
  toolChoice: WireToolChoice | undefined;
  /** Set where `toolChoice: 'none'` needs more than the choice itself to be kept. */
  maxToolCalls: number | undefined;
  table: ToolTable;
};

/** Names that the API refuses, and others that its own tools go by (`agent-api.md` §3.7). */
const RESERVED: ReadonlySet<string> = new Set(
  (
    'web_search search_web people_search search_people fetch_url finance_search sandbox ' +
    'image_search load_skill search_images finance_quotes fetch_url_content spawn_agent'
  ).split(' '),
);

const NO_TOOLS: ToolTable = { functions: new Set(), native: new Map(), keys: new Set() };

export function prepareTools(context: {
  tools: CoreTool[] | undefined;
  toolChoice: CoreToolChoice | undefined;
  options: ParsedOptions;
  isAgent: boolean;
  /** The effort level of the request. */
  level: string | undefined;
  warnings: Warnings;
}): PreparedTools {
  const { options, isAgent, level, warnings } = context;
  const toolChoice = reading('toolChoice', () => checkedChoice(context.toolChoice));
  const given = reading('tools', () => checkedTools(context.tools));
  const { native, functions } = sortTools(given, warnings);
  const keys = new Set<string>();
  for (const { name } of given) keys.add(name);
  const declared = new Map(native.map(({ id, key }) => [id, key]));
  const undeclared = undeclaredNativeTools({ options, isAgent, toolChoice, declared, warnings });
  // Native tools come first, as the official provider sends them (`behaviours.md` 6).
  const tools: WireTool[] = [];
  for (const { wire } of native) tools.push(wire);
  for (const { wire } of undeclared) tools.push(wire);
  for (const tool of functions.values()) tools.push(tool);

  // A choice of `none` means no tool part at all may come out (`sdk-matrix.md` §6, rule 25).
  const none = toolChoice?.type === 'none';
  if (none && isAgent && options.maxToolCalls !== undefined && options.maxToolCalls !== 0) {
    warnings.other("providerOptions.perplexity.maxToolCalls has no effect: toolChoice 'none' sends 0.");
  }
  if (!none) warnOfSilentFailures({ native, undeclared, options, isAgent, level, warnings });
  return {
    tools: tools.length > 0 ? tools : undefined,
    toolChoice: wireToolChoice({ choice: toolChoice, functions, native, undeclared, keys, warnings }),
    // Nothing shows that the choice binds a level's own tools (`agent-api.md` §14, no. 21), this does.
    maxToolCalls: none && isAgent ? 0 : undefined,
    table: none ? NO_TOOLS : { functions: new Set(functions.keys()), native: declared, keys },
  };
}

function sortTools(tools: CoreTool[], warnings: Warnings) {
  const native: DeclaredTool[] = [];
  const functions = new Map<string, WireFunction>();
  function sort(tool: CoreTool): void {
    const own = nativeTool(tool);
    if (own !== undefined) {
      const declared = { key: tool.name, ...own };
      refuseClash(declared, native);
      native.push(declared);
    } else if (tool.type === 'function') {
      checkFunction(tool);
      warnOfFunction(tool, warnings);
      functions.set(tool.name, wireFunction(tool));
    } else {
      warnings.add({ type: 'tool', tool: tool.name, details: whyLeftOut(tool.type) });
    }
  }
  tools.forEach((tool, index) => reading(`tools[${index}]`, () => sort(tool)));
  return { native, functions };
}

/** The tools of the call, each an object with a name. */
function checkedTools(tools: unknown): CoreTool[] {
  if ((tools ?? undefined) === undefined) return [];
  if (!Array.isArray(tools)) throw invalid('tools', complaint('a list of tools', tools));
  return Array.from(tools, (tool: unknown, index) => {
    const name = reading(`tools[${index}]`, () => asObject(tool)?.['name']);
    if (typeof name === 'string' && name !== '') return tool as CoreTool;
    throw invalid(`tools[${index}]`, 'must be a tool with a name');
  });
}

/** Whether the JSON of a value is an object: that of a Date is a text, that of a boxed number a number. */
const isJsonObject = (value: unknown) =>
  Object.prototype.toString.call(value) === '[object Object]' &&
  typeof (value as { toJSON?: unknown }).toJSON !== 'function';

/** What is not text, truth or object where the API wants that is refused by it with the whole request. */
function checkFunction({ name, description, inputSchema, strict }: FunctionTool): void {
  const path = `tools.${name}`;
  if (description !== undefined && typeof description !== 'string') {
    throw invalid(`${path}.description`, complaint('a text', description));
  }
  if (strict !== undefined && typeof strict !== 'boolean') {
    throw invalid(`${path}.strict`, complaint('true or false', strict));
  }
  if (inputSchema !== undefined && !isJsonObject(inputSchema)) {
    throw invalid(`${path}.inputSchema`, complaint('a JSON schema', inputSchema));
  }
}

const whyLeftOut = (type: unknown) =>
  type === 'provider' || type === 'provider-defined'
    ? 'It belongs to another provider and is left out.'
    : `Tools of type '${String(type)}' are not known to this version; it is left out.`;

type FunctionTool = Extract<CoreTool, { type: 'function' }>;

function wireFunction({ name, inputSchema, description, strict }: FunctionTool): WireFunction {
  const sent: WireFunction = { type: 'function', name, parameters: inputSchema };
  if (description !== undefined) sent.description = description;
  if (strict !== undefined) sent.strict = strict;
  return sent;
}

/** What the API may refuse is sent all the same: its answer is the authority, and renaming would confuse the caller. */
function warnOfFunction(tool: FunctionTool, warnings: Warnings): void {
  if (RESERVED.has(tool.name)) {
    warnings.other(
      `The function tool '${tool.name}' has a name that Perplexity reserves for a tool of its own; rename it.`,
    );
  } else if (!/^[A-Za-z0-9_-]{1,64}$/.test(tool.name)) {
    warnings.other(
      `The function tool '${tool.name}' has a name that the API may refuse; ` +
        'keep to 1–64 letters, digits, underscores and hyphens.',
    );
  }
  // ai 6 and 7; the API has no field for it.
  if ('inputExamples' in tool && tool.inputExamples !== undefined) {
    warnings.other(`The input examples of the tool '${tool.name}' are not sent, since the API has no field for them.`);
  }
}

function checkedChoice(choice: unknown): CoreToolChoice | undefined {
  if ((choice ?? undefined) === undefined) return undefined;
  const { type, toolName } = asObject(choice) ?? {};
  if (type === 'auto' || type === 'none' || type === 'required') return { type };
  if (type === 'tool' && typeof toolName === 'string') return { type, toolName };
  throw invalid('toolChoice', "must be { type: 'auto' }, 'none', 'required' or { type: 'tool', toolName: '…' }");
}

function wireToolChoice(context: {
  choice: CoreToolChoice | undefined;
  functions: ReadonlyMap<string, unknown>;
  native: readonly DeclaredTool[];
  undeclared: readonly NativeTool[];
  keys: ReadonlySet<string>;
  warnings: Warnings;
}): WireToolChoice | undefined {
  const { choice, native } = context;
  // `auto` is the API's own default, and the AI SDK sends it whenever there are tools.
  if (choice === undefined || choice.type === 'auto') return undefined;
  if (choice.type !== 'tool') return choice.type;
  const name = choice.toolName;
  if (context.functions.has(name)) return { name };
  // A search that only `providerOptions` turned on goes by its own name.
  const tool = native.find(({ key }) => key === name) ?? context.undeclared.find(({ id }) => id === name);
  if (tool !== undefined) {
    const { type } = tool.wire;
    if (native.filter(({ wire }) => wire.type === type).length > 1) {
      context.warnings.other(`toolChoice '${name}' is sent as ${type}: the API has no way to name one of several.`);
    }
    return { type };
  }
  const complaint = context.keys.has(name)
    ? 'which is no tool of Perplexity and no function, so it is not sent; choose another'
    : 'which is not among the tools of this call; declare it in `tools`, or choose another';
  throw invalid('toolChoice', `names the tool '${name}', ${complaint}`);
}
