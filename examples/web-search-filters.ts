/** Web search with filters, declared as a tool so that its calls and results can be seen. */
import { perplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { generateText } from 'ai';

const { text, sources, toolCalls, toolResults } = await generateText({
  model: perplexityAgent('openai/gpt-6-luna'),
  prompt: 'When were lighthouses automated?',
  tools: {
    search: perplexityAgent.tools.webSearch({
      maxResults: 10,
      filters: {
        searchDomainFilter: ['-pinterest.com', '-forum.example.net'],
        searchAfterDateFilter: '2015-01-01',
      },
      userLocation: { country: 'PT' },
    }),
  },
});

// Perplexity ran the tool: nothing is left for this program to do, and the answer is already there.
for (const call of toolCalls) {
  if (call.toolName === 'search' && !call.dynamic) console.log(`Searched for: ${call.input.queries?.join('; ')}`);
}
for (const result of toolResults) {
  if (result.toolName === 'search' && !result.dynamic) console.log(`Found: ${result.output.results.length} results`);
}
console.log(`\n${text}\n`);
for (const source of sources) if (source.sourceType === 'url') console.log(`- ${source.title ?? ''} ${source.url}`);
