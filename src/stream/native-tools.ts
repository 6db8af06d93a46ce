/** Perplexity's own tools on the way back: what their calls and results look like (`agent-api.md` §4.2, §4.4). */
import type { JSONObject } from '@ai-sdk/provider';
import { asObject, asObjects, asText, asTexts, type WireObject } from '../json.js';
import type { NativeToolId, NativeToolType } from '../spec.js';
import { fetchUrlResult } from '../tools/fetch-url.js';
import { financeSearchInput, financeSearchResult } from '../tools/finance-search.js';
import { imageSearchResult } from '../tools/image-search.js';
import { mcpCallInput, mcpCallResult } from '../tools/mcp-call.js';
import { peopleSearchResult } from '../tools/people-search.js';
import { sandboxError, sandboxInput, sandboxResult } from '../tools/sandbox.js';
import { listField } from '../tools/server-tool.js';
import { webSearchResult } from '../tools/web-search.js';

export type NativeTool = {
  /**
   * Names under which the wire announces a call. Only `search_web` is recorded, `finance_quotes` reported (§3.4), the
   * others are likely (§4.4). A call under any other name is shown when its item is done, since the item's type decides.
   */
  callNames: readonly string[];
  /** What is asked for, from call arguments, an event or an item that has begun; empty while that is not known. */
  inputOf(source: WireObject): JSONObject;
  /** The same from the item that ends the call, where that has it in another form. */
  inputOfItem?(item: WireObject): JSONObject;
  /** The item in the tool's output type. */
  resultOf(item: WireObject): JSONObject;
  /** Why the call failed, where another field than `error` tells. */
  errorOf?(item: WireObject): string | undefined;
};

/** Calls of MCP servers and connectors: the wire has one form for both. */
const MCP_CALL: NativeTool = {
  // Nobody has seen how one is announced; its own item would tell all that there is.
  callNames: [],
  inputOf: (source) => {
    const input = mcpCallInput(source);
    return 'arguments' in input ? (input as JSONObject) : {};
  },
  inputOfItem: (item) => mcpCallInput(item) as JSONObject,
  resultOf: mcpCallResult,
};

const NATIVE_TOOLS: Readonly<Record<Exclude<NativeToolType, 'mcp' | 'connector'>, NativeTool>> = {
  web_search: {
    callNames: ['search_web', 'web_search'],
    inputOf: (source) => listField(source, 'queries'),
    resultOf: webSearchResult,
  },
  fetch_url: {
    callNames: ['fetch_url', 'fetch_url_content'],
    inputOf: (source) => listField(source, 'urls'),
    inputOfItem: (item) => listField({ urls: asTexts(asObjects(item['contents']).map(({ url }) => url)) }, 'urls'),
    resultOf: fetchUrlResult,
  },
  people_search: {
    callNames: ['search_people', 'people_search'],
    inputOf: (source) => listField(source, 'queries'),
    resultOf: peopleSearchResult,
  },
  finance_search: {
    callNames: ['finance_search', 'finance_quotes'],
    inputOf: financeSearchInput,
    resultOf: financeSearchResult,
  },
  image_search: {
    callNames: ['search_images', 'image_search'],
    inputOf: (source) => listField(source, 'queries'),
    resultOf: imageSearchResult,
  },
  sandbox: {
    callNames: ['sandbox', 'run_code', 'execute_code'],
    inputOf: sandboxInput,
    resultOf: sandboxResult,
    errorOf: sandboxError,
  },
};

type PlainToolId = keyof typeof NATIVE_TOOLS;

/** Types of the items that end a call. */
const TOOL_BY_ITEM: ReadonlyMap<unknown, PlainToolId> = new Map([
  ['search_results', 'web_search'],
  ['fetch_url_results', 'fetch_url'],
  ['people_search_results', 'people_search'],
  ['finance_results', 'finance_search'],
  ['image_search_results', 'image_search'],
  ['sandbox_results', 'sandbox'],
]);

const TOOL_BY_CALL_NAME: ReadonlyMap<unknown, PlainToolId> = new Map(
  (Object.keys(NATIVE_TOOLS) as PlainToolId[]).flatMap((id) =>
    NATIVE_TOOLS[id].callNames.map((name): [string, PlainToolId] => [name, id]),
  ),
);

export const nativeToolOf = (id: NativeToolId): NativeTool =>
  Object.hasOwn(NATIVE_TOOLS, id) ? NATIVE_TOOLS[id as PlainToolId] : MCP_CALL;

/** The name of a tool that the caller did not declare: its type or its server's label, and none of the caller's names. */
export function undeclaredName(id: NativeToolId, taken: ReadonlySet<string>): string {
  let name: string = id.replace(/^mcp:/, '');
  while (taken.has(name)) name = `perplexity_${name}`;
  return name;
}

/** The tool whose call or result an item is, if any: a function_call by its name, all else by its type. */
export function toolOf(item: WireObject): NativeToolId | undefined {
  if (item['type'] === 'function_call') return TOOL_BY_CALL_NAME.get(item['name']);
  if (item['type'] !== 'mcp_call') return TOOL_BY_ITEM.get(item['type']);
  const label = asText(item['server_label']);
  return label === undefined ? undefined : `mcp:${label}`;
}

/** Why a call failed; undefined for one that went well. */
export function callError(id: NativeToolId, item: WireObject): string | undefined {
  const error = item['error'] ?? false;
  // In whatever form: an error that does not say what it is still is one.
  const given = asText(error) ?? asText(asObject(error)?.['message']) ?? JSON.stringify(error);
  return error === false || error === '' ? nativeToolOf(id).errorOf?.(item) : given;
}
