import { APICallError, InvalidArgumentError } from '@ai-sdk/provider';
import { createPerplexityAgent, totalCost, type PerplexityAgentMetadata } from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator, type AgentApiScenario } from 'ai-sdk-provider-perplexity-agent/simulator';
import {
  generateObject,
  generateText,
  readUIMessageStream,
  RetryError,
  stepCountIs,
  streamText,
  tool,
  type UIMessage,
} from 'ai';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/v4';

const step = (cost: unknown) => ({ providerMetadata: { perplexity: { responseId: 'resp_1', cost } } });

describe('totalCost', () => {
  const first = {
    currency: 'USD',
    inputCost: 0.1,
    outputCost: 0.00001,
    toolCallsCost: 0.0075,
    toolCallsCostDetails: { search_web: 0.005, fetch_url: 0.0025 },
    totalCost: 0.10751,
  };
  const second = {
    currency: 'USD',
    inputCost: 0.2,
    cacheReadCost: 0.00002,
    toolCallsCost: 0.0025,
    toolCallsCostDetails: { search_web: 0.0025 },
    totalCost: 0.20252,
  };
  const both = {
    currency: 'USD',
    inputCost: 0.3,
    outputCost: 0.00001,
    cacheReadCost: 0.00002,
    toolCallsCost: 0.01,
    toolCallsCostDetails: { search_web: 0.0075, fetch_url: 0.0025 },
    totalCost: 0.31003,
  };

  it('sums every field, without the errors of floating point', () => {
    expect(0.1 + 0.2).not.toBe(0.3);
    expect(totalCost([step(first), step(second)])).toEqual(both);
  });

  it('takes a step, steps, a result, results, UI messages of either form, and all of them mixed', () => {
    expect(totalCost(step(first))).toEqual(first);
    const result = { steps: [step(first), step(second)], ...step(second), text: 'A' };
    expect(totalCost(result)).toEqual(both);
    expect(totalCost([{ steps: [step(first)] }, { steps: [step(second)] }])).toEqual(both);
    expect(totalCost([{ metadata: { cost: first } }, { metadata: { perplexity: { cost: second } } }])).toEqual(both);
    expect(totalCost([step(first), { metadata: { cost: second } }])).toEqual(both);
  });

  it('takes the error of a run that failed, and those of several attempts', () => {
    const failed = (cost: unknown) =>
      new APICallError({ message: 'failed', url: '', requestBodyValues: {}, data: { responseId: 'resp_1', cost } });
    expect(totalCost(failed(first))).toEqual(first);
    expect(totalCost([step(first), failed(second)])).toEqual(both);
    const errors = [failed(first), new Error('no cost'), failed(undefined), failed(second)];
    expect(totalCost(new RetryError({ message: 'm', reason: 'errorNotRetryable', errors }))).toEqual(both);
    expect(totalCost(new Error('no cost'))).toEqual({});
    expect(totalCost(failed('0.2'))).toEqual({});
  });

  it('passes over what has no cost', () => {
    const without = [
      {},
      { providerMetadata: undefined },
      { providerMetadata: { openai: { cost: second } } },
      { providerMetadata: { perplexity: null } },
      step(undefined),
      step(null),
      step(5),
      step([second]),
      { metadata: undefined },
      { metadata: 'cost' },
      { metadata: { cost: '0.2' } },
    ];
    expect(totalCost([step(first), ...without])).toEqual(first);
    expect(totalCost(without)).toEqual({});
    expect(totalCost([])).toEqual({});
    for (const nothing of [undefined, null, 5, 'cost']) expect(totalCost(nothing as never)).toEqual({});
  });

  it('sums what can be summed of a malformed cost, and fields that are newer than the package', () => {
    const odd = {
      totalCost: '1',
      inputCost: -1,
      outputCost: NaN,
      toolCallsCostDetails: { a: 'x', b: 1 },
      newCost: 0.5,
    };
    expect(totalCost([step(odd), step({ newCost: 1, totalCost: 0, toolCallsCostDetails: null })])).toEqual({
      newCost: 1.5,
      totalCost: 0,
      toolCallsCostDetails: { b: 1 },
    });
  });

  it('does not call a mixture dollars', () => {
    expect(totalCost([step({ currency: 'USD', totalCost: 1 }), step({ currency: 'EUR', totalCost: 1 })])).toEqual({
      totalCost: 2,
    });
  });

  it('is not poisoned by the metadata of a client', () => {
    const hostile = JSON.parse(
      '{"cost":{"__proto__":1,"totalCost":1,"toolCallsCostDetails":{"__proto__":2}}}',
    ) as object;
    const cost = totalCost([{ metadata: hostile }]);
    expect(cost.totalCost).toBe(1);
    expect(Object.getPrototypeOf(cost)).toBe(Object.prototype);
  });

  it('refuses steps that have not come yet', () => {
    for (const early of [{ steps: Promise.resolve([]) }, { providerMetadata: Promise.resolve({}) }]) {
      let error: unknown;
      try {
        totalCost(early as never);
      } catch (thrown) {
        error = thrown;
      }
      expect(InvalidArgumentError.isInstance(error)).toBe(true);
      expect((error as Error).message).toContain('await');
    }
  });

  it('is the same in whatever order and whatever groups', () => {
    const amount = fc.integer({ min: 0, max: 5_000_000 }).map((units) => units / 100_000);
    const cost = fc.record({
      totalCost: amount,
      inputCost: amount,
      toolCallsCostDetails: fc.dictionary(fc.string(), amount),
    });
    fc.assert(
      fc.property(fc.array(cost, { minLength: 2, maxLength: 12 }), fc.nat(), (costs, seed) => {
        const steps = costs.map(step);
        const whole = totalCost(steps);
        const cut = seed % steps.length;
        const parts = [steps.slice(cut), steps.slice(0, cut)].map((some) => step(totalCost(some)));
        expect(totalCost(parts)).toEqual(whole);
        const units = costs.reduce((sum, { totalCost: one }) => sum + Math.round(one * 100_000), 0);
        expect(whole.totalCost).toBe(units / 100_000);
      }),
    );
  });
});

describe('totalCost of real runs under ai 5', () => {
  const setUp = (scenario: AgentApiScenario) => {
    const simulator = createAgentApiSimulator({ scenario, seed: 'cost' });
    return createPerplexityAgent({ apiKey: 'any', fetch: simulator.fetch })('openai/gpt-6-luna');
  };
  const look = tool({ inputSchema: z.object({ at: z.string() }), execute: () => 'seen' });
  const call = { tools: { look }, stopWhen: stepCountIs(4), prompt: 'What is at the cape?' };
  const costOf = ({ providerMetadata }: { providerMetadata?: unknown }) =>
    (providerMetadata as { perplexity: PerplexityAgentMetadata }).perplexity.cost?.totalCost ?? NaN;

  it('is that of all steps, generated or streamed', async () => {
    const model = setUp({ name: 'tool-call', searchFirst: true });
    const result = await generateText({ model, ...call });
    expect(result.steps).toHaveLength(2);
    const [one, two] = result.steps.map(costOf) as [number, number];
    expect(totalCost(result).totalCost).toBeCloseTo(one + two, 10);
    expect(totalCost(result)).toEqual(totalCost(result.steps));
    expect(totalCost(result).toolCallsCostDetails).toEqual({ search_web: 0.0025 });
    const streamed = streamText({ model, ...call });
    await streamed.consumeStream();
    expect(totalCost(await streamed.steps)).toEqual(totalCost(result));
    expect(() => totalCost(streamed as never)).toThrow('await');
  });

  it.each(['openai/gpt-6-luna', 'low'])('is that of a run that failed, by its error or its step: %s', async (id) => {
    const simulator = createAgentApiSimulator({ scenario: { name: 'failed', usage: true }, seed: 'cost' });
    const model = createPerplexityAgent({ apiKey: 'any', fetch: simulator.fetch })(id);
    const thrown = await generateText({ model, prompt: 'Why?' }).catch((error: unknown) => error);
    expect(APICallError.isInstance(thrown)).toBe(true);
    const cost = totalCost(thrown as Error);
    expect(cost.totalCost).toBeGreaterThan(0);
    expect(cost).toEqual((thrown as { data: { cost: object } }).data.cost);
    const streamed = streamText({ model, prompt: 'Why?', onError: () => undefined });
    await streamed.consumeStream();
    expect(totalCost(await streamed.steps)).toEqual(cost);
  });

  it('is that of an object', async () => {
    const result = await generateObject({
      model: setUp('structured'),
      schema: z.object({ a: z.string() }),
      prompt: 'A?',
    });
    expect(totalCost(result).totalCost).toBe(costOf(result));
    expect(totalCost(result).totalCost).toBeGreaterThan(0);
  });

  it('is in a UI message, where each finished step adds to its metadata', async () => {
    const model = setUp({ name: 'tool-call', searchFirst: true });
    const result = streamText({ model, ...call });
    const steps: Array<{ providerMetadata: Record<string, unknown> | undefined }> = [];
    const stream = result.toUIMessageStream({
      messageMetadata({ part }) {
        if (part.type !== 'finish-step') return undefined;
        steps.push(part);
        return { cost: totalCost(steps) };
      },
    });
    let answer: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream })) answer = message;
    const chat: UIMessage[] = [{ id: '1', role: 'user', parts: [] }, answer as UIMessage, answer as UIMessage];
    const once = totalCost(await result.steps);
    expect(totalCost(answer as UIMessage)).toEqual(once);
    expect(totalCost(chat).totalCost).toBeCloseTo(2 * (once.totalCost ?? NaN), 10);
  });
});
