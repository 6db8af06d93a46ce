import type { JSONObject } from '@ai-sdk/provider';

import { listOf, strict, text } from './checks.js';
import { type McpCallInput, mcpCallInputSchema, type McpCallOutput, mcpCallOutputSchema } from './mcp-call.js';
import { type ServerTool, serverTool, wireNames } from './server-tool.js';

/** A connector that your organisation has set up at Perplexity (`agent-api.md` §3). */
export type ConnectorArgs = {
  /** Such as `'connector_googledrive'`. */
  id: string;
  /** Names it; no other connector or MCP server of the request may have the same label. */
  serverLabel: string;
  /** Tells the model what it is good for. Default: none. */
  serverDescription?: string | undefined;
  /** Names of the tools that may be called. Default: all. */
  allowedTools?: string[] | undefined;
};

/** Args as a user wrote them. */
export const checkConnectorArgs = strict<ConnectorArgs>(
  { id: text, serverLabel: text, serverDescription: text, allowedTools: listOf(text, Infinity, 'names') },
  ['id', 'serverLabel'],
);

/** The tool as it is sent. */
export function wireConnector(args: ConnectorArgs): { type: 'connector' } & JSONObject {
  return { type: 'connector', ...wireNames(args) };
}

/**
 * The tools of a connector, such as a drive: each call of one of them shows up as provider-executed parts under the key
 * that this has in `tools`, with the name of the tool in its input. No price of its own. A connector that cannot be
 * reached fails the whole request before it runs (424). Throws InvalidArgumentError for args out of their limits.
 */
export function connector(args: ConnectorArgs): ServerTool<McpCallInput, McpCallOutput> {
  return serverTool({
    id: 'perplexity.connector',
    args: checkConnectorArgs(args, 'tools.connector'),
    description: 'Tools of a connector, called by the servers of Perplexity.',
    inputSchema: mcpCallInputSchema(),
    outputSchema: mcpCallOutputSchema(),
  });
}
