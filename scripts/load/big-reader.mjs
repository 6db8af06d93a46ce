/** Reads a stream that is larger than the memory it may take, as slowly as it is told to. */
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { bigPromptOf } from './big-stream.mjs';
import { bigDelta } from './words.mjs';

/** Answers to the parent's questions about one such stream. */
export function createBigReader() {
  let reader;
  let deltas = 0;
  let mostMemory = 0;
  let finish;

  return {
    async bigOpen({ origin, round, lane, count }) {
      const model = createPerplexityAgent({ baseURL: origin, apiKey: 'any' })('openai/gpt-6-luna');
      const { stream } = await model.doStream({
        prompt: [{ role: 'user', content: [{ type: 'text', text: bigPromptOf(count) }] }],
        headers: { 'x-load-id': 'big', 'x-load-round': round, 'x-load-lane': JSON.stringify(lane) },
      });
      reader = stream.getReader();
    },

    /** Reads so many deltas on, or to the end; each has to be the next one. */
    async bigRead({ count = Infinity }) {
      const until = deltas + count;
      while (deltas < until) {
        const { done, value } = await reader.read();
        if (done) break;
        if (value.type === 'finish') finish = value;
        if (value.type === 'error') throw value.error;
        if (value.type !== 'text-delta') continue;
        if (value.delta !== bigDelta(deltas)) throw new Error(`Delta ${deltas} of the big stream is another one.`);
        deltas += 1;
        if (deltas % 16 === 0) mostMemory = Math.max(mostMemory, memoryInUse());
      }
      mostMemory = Math.max(mostMemory, memoryInUse());
      return { deltas, mostMemory };
    },

    bigEnd: () => ({
      deltas,
      finishReason: finish?.finishReason,
      totalTokens: finish?.usage.totalTokens,
      totalCost: finish?.providerMetadata.perplexity.cost?.totalCost,
    }),
  };
}

/** What is really held: collected before it is measured. */
function memoryInUse() {
  globalThis.gc();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
