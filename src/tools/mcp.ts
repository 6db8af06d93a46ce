import type { JSONObject } from '@ai-sdk/provider';

import { asObject } from '../json.js';
import { presentableAddress, REDACTED, redactFields } from '../redact.js';
import { invalid } from '../refusals.js';
import { boolean, type Check, entriesOf, listOf, secretText, strict, text, textSuchAs } from './checks.js';
import { type McpCallInput, mcpCallInputSchema, type McpCallOutput, mcpCallOutputSchema } from './mcp-call.js';
import { type ServerTool, serverTool, wireNames } from './server-tool.js';

/** An MCP server that Perplexity connects to (`agent-api.md` §3.6). At most 16 in a request. */
export type McpArgs = {
  /** Names the server: 1–64 letters, digits, underscores and hyphens, once per request. */
  serverLabel: string;
  /** An https address of the server; only Streamable HTTP is spoken. */
  serverUrl: string;
  /** The raw token, without `Bearer`. Never shown in errors, `request.body` or metadata. Default: none. */
  authorization?: string | undefined;
  /** Headers for the server; their values are kept as secret as `authorization`. Default: none. */
  headers?: Record<string, string> | undefined;
  /** Names of the tools that may be called; none or an empty list means all. */
  allowedTools?: string[] | undefined;
  /** Loads the descriptions of the tools only when they are needed. The API's default is false. */
  deferLoading?: boolean | undefined;
};

const isLabel = (value: string) => /^[a-zA-Z0-9_-]{1,64}$/.test(value);

/** With a host: `URL` makes one of `https:a` and `https:///a` too, which servers do not. */
function isHttps(value: string): boolean {
  if (!/^https:\/\/[^\s/]\S*$/i.test(value) || value.includes(REDACTED)) return false;
  try {
    return new URL(value).protocol === 'https:';
  } catch {
    return false;
  }
}

/** The blanked value is what a copy of the tool through JSON holds: it would only make the server refuse the call. */
const secret = secretText(
  `a text that is not empty, and not '${REDACTED}'`,
  (value) => value !== '' && value !== REDACTED,
);

const checkHeaders: Check<Record<string, string>> = (value, path) => {
  const headers = asObject(value);
  if (headers === undefined) throw invalid(path, 'must be an object of texts');
  return Object.fromEntries(entriesOf(headers).map(([name, text]) => [name, secret(text, `${path}.${name}`)]));
};

/** Args as a user wrote them. */
export const checkMcpArgs = strict<McpArgs>(
  {
    serverLabel: textSuchAs('1–64 letters, digits, underscores and hyphens', isLabel),
    // Its query may hold a key, so no complaint shows it.
    serverUrl: secretText('an https URL', isHttps),
    authorization: secret,
    headers: checkHeaders,
    allowedTools: listOf(text, Infinity, 'names'),
    deferLoading: boolean,
  },
  ['serverLabel', 'serverUrl'],
);

/** The tool as it is sent. Names of headers are the caller's own and stay as they are. */
export function wireMcp({ headers, ...args }: McpArgs): { type: 'mcp' } & JSONObject {
  return {
    type: 'mcp',
    ...wireNames(args),
    ...(headers !== undefined && Object.keys(headers).length > 0 && { headers }),
  };
}

/**
 * The args as the tool object carries them. The AI SDK writes whole tool objects into its telemetry as JSON
 * (`ai.prompt.tools`), so as JSON they show no secret; read or cloned they are what they are.
 */
function discreet(args: McpArgs): JSONObject {
  const shown = () => ({
    ...args,
    serverUrl: presentableAddress(args.serverUrl),
    ...(args.authorization !== undefined && { authorization: REDACTED }),
    ...(args.headers !== undefined && { headers: redactFields(args.headers) }),
  });
  return Object.defineProperties({ ...args } as JSONObject, {
    toJSON: { value: shown },
    // What Node's console shows.
    [Symbol.for('nodejs.util.inspect.custom')]: { value: shown },
  });
}

/**
 * The tools of an MCP server: each call of one of them shows up as provider-executed parts under the key that this has
 * in `tools`, with the name of the tool in its input. No price of its own. The model calls them without asking; a server
 * that cannot be reached fails the whole request before it runs (424). Throws InvalidArgumentError for args out of their
 * limits.
 */
export function mcp(args: McpArgs): ServerTool<McpCallInput, McpCallOutput> {
  return serverTool({
    id: 'perplexity.mcp',
    args: discreet(checkMcpArgs(args, 'tools.mcp')),
    description: 'Tools of an MCP server, called by the servers of Perplexity.',
    inputSchema: mcpCallInputSchema(),
    outputSchema: mcpCallOutputSchema(),
  });
}
