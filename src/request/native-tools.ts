/** Perplexity's own tools in a request: how a declared one is recognised, and what the options add. */
import { asText } from '../json.js';
import type { ParsedOptions } from '../options.js';
import type { CoreTool, CoreToolChoice, NativeToolId, NativeToolType } from '../spec.js';
import { invalid } from '../refusals.js';
import { checkNoArgs } from '../tools/checks.js';
import { checkConnectorArgs, wireConnector } from '../tools/connector.js';
import { checkFetchUrlArgs, wireFetchUrl } from '../tools/fetch-url.js';
import { checkImageSearchArgs, wireImageSearch } from '../tools/image-search.js';
import { checkMcpArgs, wireMcp } from '../tools/mcp.js';
import { serverToolMarker } from '../tools/server-tool.js';
import { checkWebSearchArgs, wireWebSearch } from '../tools/web-search.js';
import type { WireNativeTool } from '../wire/request-types.js';
import type { Warnings } from './warnings.js';
import { unsupported } from './unsupported.js';

export type NativeTool = { id: NativeToolId; wire: WireNativeTool };

/** A native tool with its key in the caller's `tools`. */
export type DeclaredTool = NativeTool & { key: string };

/** Checks the args that stand at `path` and gives the tool as it is sent. */
type WireMaker = (args: unknown, path: string) => WireNativeTool;

const withoutArgs =
  (type: 'people_search' | 'finance_search' | 'sandbox'): WireMaker =>
  (args, path) => ({ type, ...checkNoArgs(args, path) });

/** By the id that a tool object carries after `perplexity.`. */
const NATIVE: Record<NativeToolType, WireMaker> = {
  web_search: (args, path) => wireWebSearch(checkWebSearchArgs(args, path)),
  fetch_url: (args, path) => wireFetchUrl(checkFetchUrlArgs(args, path)),
  people_search: withoutArgs('people_search'),
  finance_search: withoutArgs('finance_search'),
  image_search: (args, path) => wireImageSearch(checkImageSearchArgs(args, path)),
  sandbox: withoutArgs('sandbox'),
  mcp: (args, path) => wireMcp(checkMcpArgs(args, path)),
  connector: (args, path) => wireConnector(checkConnectorArgs(args, path)),
};

/** `agent-api.md` §3.6. */
const MAX_MCP_SERVERS = 16;

const isNative = (type: string): type is NativeToolType => Object.hasOwn(NATIVE, type);

/**
 * The native tool that an entry stands for: a function tool with our marker (all majors), or a `provider-defined`
 * (ai 5) or `provider` (ai 6, 7) tool with an id of ours (`sdk-matrix.md` §2.4). Undefined for any other.
 */
export function nativeTool(tool: CoreTool): NativeTool | undefined {
  const given = tool.type === 'function' ? serverToolMarker(tool.providerOptions) : tool;
  // A tool of a type that is newer than this package may have no id.
  if (given === undefined || asText(given.id)?.startsWith('perplexity.') !== true) return undefined;
  const type = given.id.slice('perplexity.'.length);
  if (!isNative(type)) {
    throw unsupported(
      `tool ${given.id}`,
      `The tool '${tool.name}' has the id '${given.id}', which this version does not know. ` +
        `Known are ${Object.keys(NATIVE)
          .map((known) => `perplexity.${known}`)
          .join(', ')}.`,
    );
  }
  const wire = NATIVE[type](given.args ?? {}, `tools.${tool.name}.args`);
  return { id: type === 'mcp' || type === 'connector' ? `mcp:${asText(wire['server_label']) ?? ''}` : type, wire };
}

/** Refuses what the API would refuse or nobody could tell apart, by the key of the later tool. */
export function refuseClash(tool: DeclaredTool, earlier: readonly DeclaredTool[]): void {
  const refuse = (complaint: string): never => {
    throw invalid(`tools.${tool.key}`, complaint);
  };
  const same = earlier.find(({ id }) => id === tool.id);
  if (same !== undefined && tool.id.startsWith('mcp:')) {
    refuse(`has the same serverLabel as tools.${same.key} (${tool.id.slice('mcp:'.length)}); give each its own`);
  }
  if (same !== undefined) refuse(`is the same tool (${tool.id}) as tools.${same.key}; declare it once`);
  const servers = earlier.filter(({ wire }) => wire.type === 'mcp').length;
  if (tool.wire.type === 'mcp' && servers >= MAX_MCP_SERVERS) {
    refuse(`is MCP server number ${servers + 1}; a request takes at most ${MAX_MCP_SERVERS}`);
  }
}

/** Native tools that nobody declared, but the options or the default ask for (design decision 1). */
export function undeclaredNativeTools(context: {
  options: ParsedOptions;
  isAgent: boolean;
  toolChoice: CoreToolChoice | undefined;
  declared: ReadonlyMap<NativeToolId, string>;
  warnings: Warnings;
}): NativeTool[] {
  const { options, isAgent, toolChoice } = context;
  const searchesByDefault = !isAgent && (toolChoice === undefined || toolChoice.type === 'auto');
  const search = undeclared(context, 'web_search', 'webSearch', options.webSearch, searchesByDefault);
  const pages = undeclared(context, 'fetch_url', 'fetchUrl', options.fetchUrl, false);
  const tools: NativeTool[] = [];
  if (search !== undefined) tools.push(search);
  if (pages !== undefined) tools.push(pages);
  return tools;
}

function undeclared(
  context: Parameters<typeof undeclaredNativeTools>[0],
  type: 'web_search' | 'fetch_url',
  option: 'webSearch' | 'fetchUrl',
  value: boolean | object | undefined,
  byDefault: boolean,
): NativeTool | undefined {
  const key = context.declared.get(type);
  if (key !== undefined) {
    if (value === false || typeof value === 'object') {
      context.warnings.other(
        `providerOptions.perplexity.${option} has no effect, since the tool '${key}' is declared: ` +
          'it is sent, with its own settings.',
      );
    }
    return undefined;
  }
  if (value === false) {
    // Only the number of calls binds a level or profile; leaving the tool out does not (`agent-api.md` §2.1, §2.3).
    if (context.isAgent && context.options.maxToolCalls !== 0) {
      context.warnings.other(
        `providerOptions.perplexity.${option}: false does not keep an effort level or profile from using its own ` +
          'tools. Set maxToolCalls: 0 to switch every tool off.',
      );
    }
    return undefined;
  }
  if (value === undefined && !byDefault) return undefined;
  // The options are checked already, so their args only need their names on the wire.
  const args = typeof value === 'object' ? value : {};
  return { id: type, wire: type === 'web_search' ? wireWebSearch(args) : wireFetchUrl(args) };
}
