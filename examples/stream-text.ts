/** Shows progress, sources and text in the order in which they come. */
import { perplexityAgent, type PerplexityAgentMetadata } from 'ai-sdk-provider-perplexity-agent';
import { streamText } from 'ai';

const result = streamText({
  model: perplexityAgent('openai/gpt-6-luna'), // a plain model searches the web unless told otherwise
  prompt: 'When were lighthouses automated?',
  onError: () => {}, // handled below, as a part of the stream
});

let sources = 0;
for await (const part of result.fullStream) {
  switch (part.type) {
    case 'reasoning-delta': // what the agent is doing: "Searching the web…", queries, URLs
      process.stdout.write(part.text);
      break;
    case 'reasoning-end':
      process.stdout.write('\n\n');
      break;
    case 'source':
      sources += 1;
      break;
    case 'text-delta':
      process.stdout.write(part.text);
      break;
    case 'finish-step': {
      const { cost } = (part.providerMetadata?.perplexity ?? {}) as PerplexityAgentMetadata;
      console.log(`\n\n${part.finishReason}; ${sources} sources, $${cost?.totalCost}`);
      break;
    }
    case 'error': // a run can fail in mid-answer; what came before stays shown
      console.error('\nThe answer is not complete:', part.error instanceof Error ? part.error.message : part.error);
      process.exitCode = 1;
      break;
  }
}
