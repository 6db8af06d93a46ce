/** One question, one answer, with the sources it rests on. */
import { perplexityAgent, splitCitations, type PerplexityAgentMetadata } from 'ai-sdk-provider-perplexity-agent';
import { generateText } from 'ai';

const { text, sources, usage, providerMetadata } = await generateText({
  // An effort level: Perplexity chooses the model and its tools. A model id such as 'openai/gpt-6-luna' works too.
  model: perplexityAgent('fast'),
  prompt: 'When were lighthouses automated?',
});

const { cost, servedModel } = (providerMetadata?.perplexity ?? {}) as PerplexityAgentMetadata;

console.log(text);
console.log(`\n${sources.length} sources; the answer cites:`);
// What the markers in the text stand for, [1] or [web:1]; linkCitations makes Markdown links of them.
const cited = new Map<string, string | undefined>();
for (const segment of splitCitations(text, sources, providerMetadata)) {
  if (segment.type === 'citation') cited.set(segment.marker, segment.source?.url);
}
for (const [marker, url] of cited) console.log(`${marker} ${url}`);
console.log(`\n${servedModel}: ${usage.totalTokens} tokens, $${cost?.totalCost}`);
