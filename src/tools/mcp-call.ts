/** What MCP servers and connectors share: both are called by `mcp_call` items (`agent-api.md` §3.6, §4.2). */
import { asText, defined, parseJson, type WireObject } from '../json.js';
import { lazySchema } from './schemas.js';

/** Which tool of the server the model calls, and with what. */
export type McpCallInput = {
  /** Name of the tool on its server. */
  name?: string;
  /** Its arguments: whatever their JSON holds, or the text itself where it is no JSON. */
  arguments?: unknown;
};

/** What the server answered. */
export type McpCallOutput = {
  /** The text of the answer; JSON where the server gave something else than a text. */
  output?: string;
  /** Why the call failed; such a result has `isError`. */
  error?: string;
};

export const mcpCallInputSchema = lazySchema<McpCallInput>({ name: 'string', arguments: 'any' });

export const mcpCallOutputSchema = lazySchema<McpCallOutput>({ output: 'string', error: 'string' });

/** The call of an `mcp_call` item. */
export const mcpCallInput = (item: WireObject): McpCallInput =>
  defined<McpCallInput>({ name: asText(item['name']), arguments: argumentsOf(item['arguments']) });

/** The wire has a JSON string; none at all, an empty one and null are no arguments. */
function argumentsOf(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? undefined;
  return given.trim() === '' ? undefined : (parseJson(given) ?? given);
}

/** The answer of an `mcp_call` item; its error is added by whoever knows how errors look. */
export function mcpCallResult(item: WireObject): McpCallOutput {
  const output = item['output'];
  if (output === undefined || output === null) return {};
  return { output: typeof output === 'string' ? output : JSON.stringify(output) };
}
