import type { JSONObject, JSONValue } from '@ai-sdk/provider';
import type * as z from 'zod/v4';

import { asObjects, asTexts, type WireObject } from '../json.js';

/** Ids of Perplexity's own tools, as `provider-defined` (ai 5) and `provider` (ai 6, 7) tools name them too. */
export type ServerToolId =
  | 'perplexity.web_search'
  | 'perplexity.fetch_url'
  | 'perplexity.people_search'
  | 'perplexity.finance_search'
  | 'perplexity.image_search'
  | 'perplexity.sandbox'
  | 'perplexity.mcp'
  | 'perplexity.connector';

/**
 * A tool that runs on Perplexity's servers, in the one form that ai 5, 6 and 7 all take: a function tool without
 * `execute`, with zod schemas, which the model recognises by the marker in `providerOptions` (`sdk-matrix.md` §3).
 * Given to another provider's model it would look like an ordinary function.
 */
export type ServerTool<INPUT, OUTPUT> = {
  description: string;
  inputSchema: z.ZodType<INPUT>;
  outputSchema: z.ZodType<OUTPUT>;
  providerOptions: { perplexity: { serverTool: { id: ServerToolId; args: JSONObject } } };
};

export function serverTool<INPUT, OUTPUT>(tool: {
  id: ServerToolId;
  args: JSONObject;
  description: string;
  inputSchema: z.ZodType<INPUT>;
  outputSchema: z.ZodType<OUTPUT>;
}): ServerTool<INPUT, OUTPUT> {
  return {
    description: tool.description,
    inputSchema: tool.inputSchema,
    outputSchema: tool.outputSchema,
    providerOptions: { perplexity: { serverTool: { id: tool.id, args: tool.args } } },
  };
}

/** The marker of a tool made by {@link serverTool}, or undefined for any other. */
export function serverToolMarker(
  providerOptions: Record<string, Record<string, unknown>> | undefined,
): { id: string; args: unknown } | undefined {
  const marker = providerOptions?.['perplexity']?.['serverTool'];
  if (typeof marker !== 'object' || marker === null || !('id' in marker) || typeof marker.id !== 'string') {
    return undefined;
  }
  return { id: marker.id, args: 'args' in marker ? marker.args : undefined };
}

/** Args by their names on the wire, at every depth: camelCase becomes snake_case. Empty objects are left out. */
export function wireNames(args: object): JSONObject {
  const wire: JSONObject = {};
  for (const [key, value] of Object.entries(args) as [string, JSONValue][]) {
    const nested = typeof value === 'object' && value !== null && !Array.isArray(value) ? wireNames(value) : value;
    if (typeof nested === 'object' && nested !== null && Object.keys(nested).length === 0 && nested !== value) continue;
    wire[key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)] = nested;
  }
  return wire;
}

/** Name on the wire, and the type that `typeof` must give. */
export type FieldKind = readonly [name: string, type: 'string' | 'number'];

/** A list of wire objects by our names; fields and entries that are null or malformed are left out. */
export function listOfFields<T extends object>(list: unknown, fields: Record<keyof T & string, FieldKind>): T[] {
  const read = (source: WireObject) => {
    const result: Record<string, unknown> = {};
    for (const [key, [name, type]] of Object.entries<FieldKind>(fields)) {
      const value = source[name];
      if (typeof value === type) result[key] = value;
    }
    return result as T;
  };
  return asObjects(list)
    .map(read)
    .filter((result) => Object.keys(result).length > 0);
}

/** A list of texts under its own name, or nothing where there is none to show. */
export function listField<K extends string>(source: WireObject, key: K): { [key in K]?: string[] } {
  const values = asTexts(source[key]);
  return values.length > 0 ? ({ [key]: values } as { [key in K]: string[] }) : {};
}
