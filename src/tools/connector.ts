import type { JSONObject } from '@ai-sdk/provider';
import type * as z from 'zod/v4';

import { lazy, listOf, parseStrict, strict, text } from './checks.js';
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

const argsSchema: () => z.ZodType<ConnectorArgs> = lazy(() =>
  strict({
    id: text(),
    serverLabel: text(),
    serverDescription: text().optional(),
    allowedTools: listOf(text(), Infinity, 'names').optional(),
  }),
);

/** Args as a user wrote them at `path`, checked. */
export function checkConnectorArgs(args: unknown, path: string): ConnectorArgs {
  return parseStrict(argsSchema(), args, path);
}

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
    args: checkConnectorArgs(args, 'tools.connector') as JSONObject,
    description: 'Tools of a connector, called by the servers of Perplexity.',
    inputSchema: mcpCallInputSchema(),
    outputSchema: mcpCallOutputSchema(),
  });
}
