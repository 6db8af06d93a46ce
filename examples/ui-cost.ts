/**
 * What a chat has cost, as its client sees it: each finished step adds to the metadata of its UI message, and `totalCost`
 * sums over the messages.
 */
import { perplexityAgent, totalCost, type PerplexityAgentCost } from 'ai-sdk-provider-perplexity-agent';
import { convertToModelMessages, readUIMessageStream, stepCountIs, streamText, tool, type UIMessage } from 'ai';
import { z } from 'zod';

type ChatMessage = UIMessage<{ cost?: PerplexityAgentCost }>;

const tools = {
  lookUpLight: tool({
    description: 'Looks up the character of a lighthouse in the list of lights.',
    inputSchema: z.object({ station: z.string().describe('Name of the lighthouse') }),
    execute: ({ station }) => ({ station, character: 'Fl(2) W 10s', rangeInMiles: 18 }),
  }),
};

/** The route of a server: messages in, a stream of UI message chunks out. */
function respond(messages: ChatMessage[]) {
  const result = streamText({
    model: perplexityAgent('low'),
    messages: convertToModelMessages(messages, { tools }),
    tools,
    stopWhen: stepCountIs(5),
  });
  // A message may take several steps, and later metadata replaces earlier: so the sum so far is sent after each.
  const steps: Array<{ providerMetadata: Record<string, unknown> | undefined }> = [];
  return result.toUIMessageStream<ChatMessage>({
    messageMetadata({ part }) {
      if (part.type !== 'finish-step') return undefined;
      steps.push(part);
      return { cost: totalCost(steps) };
    },
    onError: (error) => (error instanceof Error ? error.message : String(error)),
  });
}

/** The client: what `useChat` does. */
const chat: ChatMessage[] = [];
for (const question of ['What is the light at Cape Doubtful showing tonight?', 'And how far does it carry?']) {
  chat.push({ id: `question-${chat.length}`, role: 'user', parts: [{ type: 'text', text: question }] });
  let answer: ChatMessage | undefined;
  for await (const message of readUIMessageStream<ChatMessage>({ stream: respond(chat), terminateOnError: true })) {
    answer = message;
  }
  if (answer === undefined) throw new Error('no answer came');
  chat.push(answer);
  console.log(`${question}  $${answer.metadata?.cost?.totalCost?.toFixed(5)}`);
}

const { totalCost: sum = 0, currency, toolCallsCostDetails = {}, ...parts } = totalCost(chat);
console.log(`\nThe chat so far: $${sum.toFixed(5)} ${currency}`);
for (const [name, cost] of Object.entries({ ...parts, ...toolCallsCostDetails })) {
  console.log(`  ${name.padEnd(17)}  $${cost.toFixed(5)}`);
}
