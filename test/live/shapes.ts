/** The shapes of call that the package serves, each with what must be true of its answer. */
import assert from 'node:assert/strict';
import {
  createPerplexityAgent,
  type PerplexityAgentMetadata,
  type PerplexityAgentProvider,
} from 'ai-sdk-provider-perplexity-agent';
import { APICallError, generateObject, generateText, stepCountIs, streamText, tool, type LanguageModelUsage } from 'ai';
import { z } from 'zod';

export type Access = { apiKey: string; baseURL: string | undefined; fetch: typeof globalThis.fetch };

export type Outcome = {
  /** What was found to be true, in words. */
  checked: string;
  /** US dollars; undefined where the API names none. */
  cost: number | undefined;
};

export type Shape = {
  name: string;
  /** Throws where something is not as it must be. */
  call(access: Access): Promise<Outcome>;
};

/** A cheap model without hidden extras; the same one throughout, so that costs can be compared. */
const MODEL = 'openai/gpt-6-luna';
const NO_SEARCH = { perplexity: { webSearch: false } };

const shape = (name: string, call: (provider: PerplexityAgentProvider, access: Access) => Promise<Outcome>): Shape => ({
  name,
  call: (access) => call(createPerplexityAgent(access), access),
});

export const shapes: Shape[] = [
  shape('plain', async (provider) => {
    const result = await generateText({
      model: provider(MODEL),
      prompt: 'Name one colour of the rainbow, in one word.',
      providerOptions: NO_SEARCH,
    });
    assertText(result.text);
    assertFinished(result.finishReason, 'stop');
    assert.equal(result.sources.length, 0, 'sources without a search');
    return outcome(`${assertUsage(result.usage)}, no sources`, result.providerMetadata);
  }),

  shape('stream', async (provider) => {
    const { deltas, ...end } = await streamed(provider(MODEL), 'Count from one to five in words.', NO_SEARCH);
    assert.ok(deltas.length > 1, `one text delta only: ${JSON.stringify(deltas)}`);
    assertText(deltas.join(''));
    assertFinished(end.finishReason, 'stop');
    return outcome(`${deltas.length} text deltas, ${assertUsage(end.usage)}`, end.providerMetadata);
  }),

  shape('search', async (provider) => {
    const result = await generateText({
      model: provider(MODEL),
      prompt: 'Search the web: what is the current LTS version of Node.js? Cite your sources.',
    });
    assertText(result.text);
    assertFinished(result.finishReason, 'stop');
    const urls = assertSources(result.sources);
    const { citations = {} } = metadataOf(result.providerMetadata);
    for (const url of Object.values(citations)) assert.ok(urls.includes(url), `${url} is cited, but no source`);
    return outcome(`${urls.length} sources, ${Object.keys(citations).length} result ids`, result.providerMetadata);
  }),

  shape('tool', async (provider) => {
    const given: unknown[] = [];
    const result = await generateText({
      model: provider(MODEL),
      prompt: 'Use the tool to look up the code word of the station Lindesnes, then tell me the code word.',
      tools: {
        lookUpCodeWord: tool({
          description: 'Looks up the code word of a station.',
          inputSchema: z.object({ station: z.string() }),
          execute: (input) => {
            given.push(input.station);
            return { codeWord: 'marigold-42' };
          },
        }),
      },
      providerOptions: NO_SEARCH,
      stopWhen: stepCountIs(4),
    });
    assert.equal(typeof given[0], 'string', 'the tool was not called');
    assertFinished(result.steps[0]?.finishReason, 'tool-calls');
    assertFinished(result.finishReason, 'stop');
    assert.match(result.text, /marigold-42/, 'the answer does not hold what the tool returned');
    const cost = sum(result.steps.map((step) => metadataOf(step.providerMetadata).cost?.totalCost));
    return { checked: `${result.steps.length} steps, ${given.length} call(s), result in the answer`, cost };
  }),

  shape('structured', async (provider) => {
    const result = await generateObject({
      model: provider(MODEL),
      prompt: 'The planet Mars: its name, its number of moons and whether it has rings.',
      schemaName: 'planet',
      schema: z.object({ name: z.string().min(1), moons: z.number().int().min(0), hasRings: z.boolean() }),
      providerOptions: NO_SEARCH,
    });
    assertFinished(result.finishReason, 'stop');
    return outcome(`object ${JSON.stringify(result.object)}`, result.providerMetadata);
  }),

  shape('level', async (provider) => {
    const end = await streamed(provider('fast'), 'What is the current LTS version of Node.js?');
    assertText(end.deltas.join(''));
    assertFinished(end.finishReason, 'stop');
    const urls = assertSources(end.sources);
    const { requestedModel, servedModel, effort } = metadataOf(end.providerMetadata);
    assert.deepEqual({ requestedModel, effort }, { requestedModel: 'fast', effort: 'fast' });
    assert.match(servedModel ?? '', /^[^/]+\/.+/, 'no served model');
    return outcome(`served by ${servedModel}, ${urls.length} sources`, end.providerMetadata);
  }),

  shape('incomplete', async (provider) => {
    const result = await generateText({
      model: provider(MODEL),
      prompt: 'Write an essay of a thousand words on lighthouses.',
      maxOutputTokens: 16,
      providerOptions: NO_SEARCH,
    });
    assertFinished(result.finishReason, 'length');
    const { status, incompleteReason } = metadataOf(result.providerMetadata);
    assert.deepEqual({ status, incompleteReason }, { status: 'incomplete', incompleteReason: 'max_output_tokens' });
    return outcome(`length, ${assertUsage(result.usage)}`, result.providerMetadata);
  }),

  shape('unauthorized', async (_, access) => {
    const provider = createPerplexityAgent({ ...access, apiKey: 'pplx-not-a-key' });
    const error = await generateText({ model: provider(MODEL), prompt: 'Hello', providerOptions: NO_SEARCH }).then(
      () => assert.fail('a wrong key was accepted'),
      (thrown: unknown) => thrown,
    );
    assert.ok(APICallError.isInstance(error), `no APICallError: ${String(error)}`);
    assert.equal(error.statusCode, 401);
    assert.equal(error.isRetryable, false, 'a wrong key must not be tried again');
    assert.doesNotMatch(JSON.stringify(error), /pplx-not-a-key/, 'the key is in the error');
    return { checked: `401, not retried: ${error.message}`, cost: undefined };
  }),
];

type Model = ReturnType<PerplexityAgentProvider>;

async function streamed(model: Model, prompt: string, providerOptions = {}) {
  const result = streamText({ model, prompt, providerOptions, onError: () => undefined });
  const deltas: string[] = [];
  for await (const part of result.fullStream) {
    if (part.type === 'text-delta') deltas.push(part.text);
    if (part.type === 'error') throw part.error;
  }
  return {
    deltas,
    finishReason: await result.finishReason,
    usage: await result.usage,
    sources: await result.sources,
    providerMetadata: await result.providerMetadata,
  };
}

function metadataOf(providerMetadata: Record<string, unknown> | undefined): PerplexityAgentMetadata {
  return providerMetadata?.['perplexity'] ?? {};
}

function outcome(checked: string, providerMetadata: Record<string, unknown> | undefined): Outcome {
  const { responseId, cost } = metadataOf(providerMetadata);
  assert.match(responseId ?? '', /^resp_/, 'no response id');
  assert.ok((cost?.totalCost ?? 0) > 0, `no cost: ${JSON.stringify(cost)}`);
  return { checked, cost: cost?.totalCost };
}

function assertText(text: string): void {
  assert.notEqual(text.trim(), '', 'the text is empty');
}

function assertFinished(reason: string | undefined, expected: string): void {
  assert.equal(reason, expected, `finish reason ${reason} instead of ${expected}`);
}

function assertUsage({ inputTokens, outputTokens }: LanguageModelUsage): string {
  for (const count of [inputTokens, outputTokens]) {
    assert.ok(Number.isInteger(count) && Number(count) > 0, `no token count: ${inputTokens} in, ${outputTokens} out`);
  }
  return `${inputTokens} tokens in, ${outputTokens} out`;
}

function assertSources(sources: { sourceType: string; url?: string }[]): string[] {
  const urls = sources.map(({ url = '' }) => url);
  assert.notEqual(urls.length, 0, 'no sources');
  for (const url of urls) assert.match(url, /^https?:\/\/[^/]+/, 'a source without a web address');
  assert.equal(new Set(urls).size, urls.length, 'a URL is named by two sources');
  return urls;
}

function sum(values: (number | undefined)[]): number | undefined {
  const known = values.filter((value) => value !== undefined);
  return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
}
