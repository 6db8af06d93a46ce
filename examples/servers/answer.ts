/** What the servers share: the messages of a chat become a run, and its parts a stream of UI messages. */
import { perplexityAgent, totalCost, type PerplexityAgentCostCarrier } from 'ai-sdk-provider-perplexity-agent';
import { convertToModelMessages, streamText, validateUIMessages } from 'ai';

/** An answer to `{ messages }` as `useChat` sends them. The signal stops it, and the run with it. */
export async function answerTo(body: unknown, abortSignal: AbortSignal) {
  // Says what is wrong with messages that are none.
  const messages = await validateUIMessages({ messages: (body as { messages?: unknown } | null)?.messages });
  const steps: PerplexityAgentCostCarrier[] = [];
  const result = streamText({
    model: perplexityAgent('low'),
    // A promise under ai 6 and 7.
    messages: await Promise.resolve(convertToModelMessages(messages)),
    maxRetries: 0, // a retry is a new run and a new bill: the reader decides
    abortSignal,
    onError: () => {}, // told in the stream
  });
  return {
    result,
    options: {
      sendSources: true,
      onError: messageOf,
      // Each step is a run with a cost of its own: the page gets the sum so far.
      messageMetadata({ part }: { part: { type: string } }) {
        if (part.type !== 'finish-step') return undefined;
        steps.push(part as PerplexityAgentCostCarrier);
        return { cost: totalCost(steps) };
      },
    },
  };
}

/** Errors of the package say what to do, and hold no key: they may be shown. */
export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

export const PORT = Number(process.env.PORT ?? 3001);
