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

/** Declared tools show their calls and results in the chat; without web search only ours is left. */
export function toolsOf(settings: Settings): AllTools {
  const { web_search: _search, fetch_url: _fetch, ...own } = allTools(settings);
  return settings.webSearch ? allTools(settings) : (own as AllTools);
}

export type ChatTools = InferUITools<AllTools>;
