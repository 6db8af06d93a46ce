/** The same question at three effort levels: who answered, how much was read, what it cost. */
import { perplexityAgent, type PerplexityAgentMetadata } from 'ai-sdk-provider-perplexity-agent';
import { generateText } from 'ai';

const prompt = 'When were lighthouses automated?';

for (const level of ['fast', 'low', 'medium'] as const) {
  const { usage, sources, providerMetadata } = await generateText({ model: perplexityAgent(level), prompt });
  const { servedModel, cost } = (providerMetadata?.perplexity ?? {}) as PerplexityAgentMetadata;
  console.log(
    `${level.padEnd(6)}  ${servedModel}  ${sources.length} sources  ` +
      `${usage.inputTokens} tokens in, ${usage.outputTokens} out  $${cost?.totalCost?.toFixed(5)}`,
  );
}
