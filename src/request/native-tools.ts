/** Perplexity's own tools in a request: how a declared one is recognised, and what the options add. */
import { InvalidArgumentError, UnsupportedFunctionalityError } from '@ai-sdk/provider';

import type { ParsedOptions } from '../options.js';
import type { CoreTool, CoreToolChoice, NativeToolType } from '../spec.js';
import { checkFetchUrlArgs, wireFetchUrl } from '../tools/fetch-url.js';
import { serverToolMarker } from '../tools/server-tool.js';
import { checkWebSearchArgs, wireWebSearch } from '../tools/web-search.js';
import type { WireTool } from '../wire/request-types.js';
import type { Warnings } from './warnings.js';

export type NativeTool = { type: NativeToolType; wire: WireTool };

/** By the id that a tool object carries after `perplexity.`. */
const NATIVE: Record<NativeToolType, (args: unknown, path: string) => WireTool> = {
  web_search: (args, path) => wireWebSearch(checkWebSearchArgs(args, path)),
  fetch_url: (args, path) => wireFetchUrl(checkFetchUrlArgs(args, path)),
};

const isNative = (type: string): type is NativeToolType => Object.hasOwn(NATIVE, type);

/**
 * The native tool that an entry stands for: a function tool with our marker (all majors), or a `provider-defined`
 * (ai 5) or `provider` (ai 6, 7) tool with an id of ours (`sdk-matrix.md` §2.4). Undefined for any other.
 */
export function nativeTool(tool: CoreTool): NativeTool | undefined {
  const given = tool.type === 'function' ? serverToolMarker(tool.providerOptions) : tool;
  if (given === undefined || !given.id.startsWith('perplexity.')) return undefined;
  const type = given.id.slice('perplexity.'.length);
  if (!isNative(type)) {
    throw new UnsupportedFunctionalityError({
      functionality: `tool ${given.id}`,
      message:
        `The tool '${tool.name}' has the id '${given.id}', which this version does not know. ` +
        `Known are ${Object.keys(NATIVE)
          .map((known) => `perplexity.${known}`)
          .join(', ')}.`,
    });
  }
  return { type, wire: NATIVE[type](given.args ?? {}, `tools.${tool.name}.args`) };
}

export function refuseTwice(type: NativeToolType, first: string, second: string): never {
  throw new InvalidArgumentError({
    argument: `tools.${second}`,
    message: `tools.${second} is the same tool (${type}) as tools.${first}; declare it once.`,
  });
}

/** Native tools that nobody declared, but the options or the default ask for (design decision 1). */
export function undeclaredNativeTools(context: {
  options: ParsedOptions;
  isAgent: boolean;
  toolChoice: CoreToolChoice | undefined;
  declared: ReadonlyMap<NativeToolType, string>;
  warnings: Warnings;
}): NativeTool[] {
  const { options, isAgent, toolChoice } = context;
  const searchesByDefault = !isAgent && (toolChoice === undefined || toolChoice.type === 'auto');
  return [
    ...undeclared(context, 'web_search', 'webSearch', options.webSearch, searchesByDefault),
    ...undeclared(context, 'fetch_url', 'fetchUrl', options.fetchUrl, false),
  ];
}

function undeclared(
  context: Parameters<typeof undeclaredNativeTools>[0],
  type: NativeToolType,
  option: 'webSearch' | 'fetchUrl',
  value: boolean | object | undefined,
  byDefault: boolean,
): NativeTool[] {
  const key = context.declared.get(type);
  if (key !== undefined) {
    if (value === false || typeof value === 'object') {
      context.warnings.other(
        `providerOptions.perplexity.${option} has no effect, since the tool '${key}' is declared: ` +
          'it is sent, with its own settings.',
      );
    }
    return [];
  }
  if (value === false) {
    // Only the number of calls binds a level or profile; leaving the tool out does not (`agent-api.md` §2.1, §2.3).
    if (context.isAgent && context.options.maxToolCalls !== 0) {
      context.warnings.other(
        `providerOptions.perplexity.${option}: false does not keep an effort level or profile from using its own ` +
          'tools. Set maxToolCalls: 0 to switch every tool off.',
      );
    }
    return [];
  }
  if (value === undefined && !byDefault) return [];
  // The options are checked already, so their args only need their names on the wire.
  const args = typeof value === 'object' ? value : {};
  return [{ type, wire: type === 'web_search' ? wireWebSearch(args) : wireFetchUrl(args) }];
}
