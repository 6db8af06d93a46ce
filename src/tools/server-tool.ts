import type { JSONObject, JSONValue } from '@ai-sdk/provider';

import { asObject, asObjects, asTexts, type WireObject } from '../json.js';
import type { FieldsOf, Schema } from './schemas.js';

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
  inputSchema: Schema<INPUT>;
  outputSchema: Schema<OUTPUT>;
  providerOptions: { perplexity: { serverTool: { id: ServerToolId; args: JSONObject } } };
};

export const serverTool = <INPUT, OUTPUT>({
  id,
  args,
  ...tool
}: Omit<ServerTool<INPUT, OUTPUT>, 'providerOptions'> & {
  id: ServerToolId;
  args: object;
}): ServerTool<INPUT, OUTPUT> => ({
  ...tool,
  providerOptions: { perplexity: { serverTool: { id, args: args as JSONObject } } },
});

/** The marker of a tool made by {@link serverTool}, or undefined for any other. */
export function serverToolMarker(
  providerOptions: Record<string, Record<string, unknown>> | undefined,
): { id: string; args: unknown } | undefined {
  const marker = asObject(providerOptions?.['perplexity']?.['serverTool']);
  return typeof marker?.['id'] === 'string' ? { id: marker['id'], args: marker['args'] } : undefined;
}

/** Our name of a field by that of the wire: camelCase becomes snake_case. */
const wireName = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/** Args by their names on the wire, at every depth. Empty objects are left out. */
export function wireNames(args: object): JSONObject {
  const wire: JSONObject = {};
  for (const [key, value] of Object.entries(args) as [string, JSONValue][]) {
    const object = asObject(value);
    const inner = object === undefined ? value : wireNames(object);
    if (object === undefined || Object.keys(inner as JSONObject).length > 0) wire[wireName(key)] = inner;
  }
  return wire;
}

/** A list of wire objects by our names; fields and entries that are null or malformed are left out. */
export function listOfFields<T extends object>(list: unknown, fields: FieldsOf<T>): T[] {
  const known = Object.entries(fields).map(([key, kind]) => ({ key, name: wireName(key), kind }));
  const read = (source: WireObject) => {
    const result: Record<string, unknown> = {};
    for (const { key, name, kind } of known) {
      const value = source[name];
      if (typeof value === kind) result[key] = value;
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
