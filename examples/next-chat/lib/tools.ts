/** The tools of the chat: two of Perplexity's own, and one that the reader has to confirm. */
import { perplexityAgent } from 'ai-sdk-provider-perplexity-agent/v4';
import { tool, type InferUITools } from 'ai';
import { z } from 'zod';
import type { Settings } from './settings';

/** Without `execute`: the page asks first, and answers for the reader. */
const saveNote = tool({
  description: 'Saves a note for the user, who is asked first.',
  inputSchema: z.object({ title: z.string(), text: z.string() }),
  outputSchema: z.object({ saved: z.boolean(), reason: z.string().optional() }),
});

const filtersOf = ({ domains, recency }: Settings) => ({
  ...(domains.length > 0 && { searchDomainFilter: domains }),
  ...(recency !== 'any' && { searchRecencyFilter: recency }),
});

const allTools = (settings: Settings) => ({
  web_search: perplexityAgent.tools.webSearch({ filters: filtersOf(settings) }),
  fetch_url: perplexityAgent.tools.fetchUrl(),
  save_note: saveNote,
});

type AllTools = ReturnType<typeof allTools>;

/** An MCP server that the agent may call; MCP_SERVER_URL names it. */
function serverTools() {
  const serverUrl = process.env.MCP_SERVER_URL;
  return serverUrl ? { server: perplexityAgent.tools.mcp({ serverLabel: 'server', serverUrl }) } : {};
}

/**
 * Declared tools show their calls and results in the chat; without web search those of the web are left out. The types name
 * those that this app knows by name.
 */
export function toolsOf(settings: Settings): AllTools {
  const { web_search, fetch_url, ...others } = allTools(settings);
  const web = settings.webSearch ? { web_search, fetch_url } : {};
  return { ...web, ...serverTools(), ...others } as AllTools;
}

export type ChatTools = InferUITools<AllTools>;
