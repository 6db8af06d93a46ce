/** A function of your own: the model asks for it, the AI SDK runs it, the model goes on with what it returned. */
import { perplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { generateText, stepCountIs, tool } from 'ai';
import { z } from 'zod';

const { text, steps } = await generateText({
  model: perplexityAgent('openai/gpt-6-luna'),
  prompt: 'What is the light at Cape Doubtful showing tonight, and how far does it carry?',
  tools: {
    lookUpLight: tool({
      description: 'Looks up the character of a lighthouse in the list of lights.',
      inputSchema: z.object({ station: z.string().describe('Name of the lighthouse') }),
      execute: ({ station }) => ({ station, character: 'Fl(2) W 10s', rangeInMiles: 18 }),
    }),
  },
  stopWhen: stepCountIs(5),
});

for (const [index, step] of steps.entries()) {
  const calls = step.toolCalls.map(({ toolName, input }) => `${toolName}(${JSON.stringify(input)})`);
  console.log(`Step ${index + 1}: ${calls.join(', ') || 'answer'} (${step.finishReason})`);
}
console.log(`\n${text}`);
