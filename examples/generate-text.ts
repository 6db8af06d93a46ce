/** One question, one answer, with the sources it rests on. */
import { perplexityAgent, type PerplexityAgentMetadata } from 'ai-sdk-provider-perplexity-agent';
import { generateText } from 'ai';

const { text, sources, usage, providerMetadata } = await generateText({
  // An effort level: Perplexity chooses the model and its tools. A model id such as 'openai/gpt-6-luna' works too.
  model: perplexityAgent('fast'),
  prompt: 'When were lighthouses automated?',
});

// Result id → URL: what the markers in the text stand for, [1] or [web:1].
const { citations = {}, cost, servedModel } = (providerMetadata?.perplexity ?? {}) as PerplexityAgentMetadata;

console.log(text);
console.log(`\n${sources.length} sources; the answer cites:`);
const cited = new Set(Array.from(text.matchAll(/\[(?:web:)?(\d+)\]/g), ([, id]) => id ?? ''));
for (const id of cited) console.log(`[${id}] ${citations[id]}`);
console.log(`\n${servedModel}: ${usage.totalTokens} tokens, $${cost?.totalCost}`);
