/** The tools of the chat: three of Perplexity's own, and one that the reader has to confirm. */
import { perplexityAgent } from 'ai-sdk-provider-perplexity-agent/v4';
import { tool, type InferUITools } from 'ai';
import { z } from 'zod';
import { isDeep, type Settings } from './settings';

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
  sandbox: perplexityAgent.tools.sandbox(),
  save_note: saveNote,
});

type AllTools = ReturnType<typeof allTools>;

/** An MCP server that the agent may call; MCP_SERVER_URL names it. */
function serverTools() {
  const serverUrl = process.env.MCP_SERVER_URL;
  return serverUrl ? { server: perplexityAgent.tools.mcp({ serverLabel: 'server', serverUrl }) } : {};
}

/**
 * Declared tools show their calls and results in the chat. Without web search those of the web are left out; programs are for
 * deep runs, whose highest levels bring the sandbox along. The types name those that this app knows by name.
 */
export function toolsOf(settings: Settings): AllTools {
  const { web_search, fetch_url, sandbox, save_note } = allTools(settings);
  return {
    ...(settings.webSearch && { web_search, fetch_url }),
    ...(isDeep(settings.effort) && { sandbox }),
    ...serverTools(),
    save_note,
  } as AllTools;
}

export type ChatTools = InferUITools<AllTools>;
