/** The package under the real ai 5, against the simulator: what an app sees. */
import {
  APICallError,
  convertToModelMessages,
  createProviderRegistry,
  customProvider,
  generateObject,
  generateText,
  readUIMessageStream,
  RetryError,
  stepCountIs,
  streamObject,
  streamText,
  tool,
  wrapLanguageModel,
  type UIMessage,
} from 'ai';
import { createPerplexityAgent, type PerplexityAgentMetadata } from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator, type AgentApiSimulatorOptions } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod/v4';
import { rejectionOf } from '../support/model.js';

function setUp(options: AgentApiSimulatorOptions = {}) {
  const simulator = createAgentApiSimulator(options);
  const provider = createPerplexityAgent({ apiKey: 'pplx-test-key-1234567890', fetch: simulator.fetch });
  return { simulator, provider };
}

const weather = tool({
  description: 'Weather of a city',
  inputSchema: z.object({ city: z.string() }),
  execute: ({ city }) => ({ city, celsius: 21 }),
});

describe('generateText', () => {
  it('gives a grounded answer with sources, usage and cost', async () => {
    const { provider, simulator } = setUp({ scenario: 'search' });
    const result = await generateText({ model: provider('fast'), prompt: 'What is new?' });
    const metadata = result.providerMetadata?.['perplexity'] as PerplexityAgentMetadata;
    expect(result.finishReason).toBe('stop');
    expect(result.sources).toHaveLength(10);
    const markers = [...result.text.matchAll(/\[(\d+)\]/g)].map(([, id]) => String(id));
    expect(markers.length).toBeGreaterThan(0);
    for (const id of markers)
      expect(result.sources.map(({ id: source }) => source)).toContain(`${metadata.responseId}:${id}`);
    expect(result.usage.totalTokens).toBe((result.usage.inputTokens ?? NaN) + (result.usage.outputTokens ?? NaN));
    expect(metadata.cost?.totalCost).toBeGreaterThan(0);
    expect(metadata.servedModel).toMatch(/\//);
    expect(result.warnings).toEqual([]);
    expect(simulator.requests.map(({ status }) => status)).toEqual([200]);
  });

  it('runs client tools over several steps', async () => {
    const { provider, simulator } = setUp({ scenario: 'tool-call' });
    const result = await generateText({
      model: provider('openai/gpt-6-luna'),
      tools: { weather },
      stopWhen: stepCountIs(4),
      prompt: 'Weather in Rome?',
    });
    expect(result.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(result.steps[0]?.toolResults.map(({ output }) => output)).toMatchObject([{ celsius: 21 }]);
    expect(result.text).toContain('21');
    expect(simulator.requests.map(({ status }) => status)).toEqual([200, 200]);
    const second = simulator.requests[1]?.body as { input: Array<{ type: string; call_id?: string }> };
    expect(second.input.map(({ type }) => type)).toEqual(['message', 'function_call', 'function_call_output']);
  });

  it('shows a declared native tool as provider-executed, in one step, and takes the history back', async () => {
    const { provider, simulator } = setUp({ scenario: 'search' });
    const tools = { search: provider.tools.webSearch({ maxResults: 5 }) };
    const first = await generateText({
      model: provider('openai/gpt-6-luna'),
      tools,
      stopWhen: stepCountIs(3),
      prompt: 'News?',
    });
    expect(first.steps).toHaveLength(1);
    expect(first.toolCalls).toMatchObject([
      { toolName: 'search', providerExecuted: true, input: { queries: [expect.any(String)] } },
    ]);
    const [found] = first.toolResults;
    if (found === undefined || found.dynamic === true) throw new Error('no typed result');
    expect(found.output.results).toHaveLength(5);
    await generateText({
      model: provider('openai/gpt-6-luna'),
      tools,
      messages: [{ role: 'user', content: 'News?' }, ...first.response.messages, { role: 'user', content: 'More?' }],
    });
    const { input } = simulator.requests[1]?.body as { input: Array<{ type: string; role: string; content: string }> };
    expect(input.map(({ type, role }) => [type, role])).toEqual([
      ['message', 'user'],
      ['message', 'assistant'],
      ['message', 'user'],
    ]);
    expect(input[1]?.content).toBe(first.text);
  });

  it('retries a 429 that passes, and no 400', async () => {
    const passing = setUp({ scenario: { name: 'rate-limited', count: 1, resetIn: 0 } });
    const result = await generateText({ model: passing.provider('fast'), prompt: 'Hi' });
    expect(result.text.length).toBeGreaterThan(0);
    expect(passing.simulator.requests.map(({ status }) => status)).toEqual([429, 200]);

    const refused = setUp();
    const error = await rejectionOf(
      generateText({ model: refused.provider('openai/gpt-6-luna'), prompt: 'Hi', tools: { sandbox: weather } }),
    );
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error.message).toContain('is reserved');
    expect(refused.simulator.requests).toHaveLength(1);
  });

  it('gives up on a service that stays down with the last error', async () => {
    const { provider, simulator } = setUp({ scenario: { name: 'server-error', status: 503, html: true } });
    const error = await rejectionOf(generateText({ model: provider('fast'), prompt: 'Hi', maxRetries: 1 }));
    expect(RetryError.isInstance(error)).toBe(true);
    expect((error as unknown as RetryError).lastError).toMatchObject({ statusCode: 503 });
    expect(simulator.requests).toHaveLength(2);
  });

  it('shows a 401 with the message of the API', async () => {
    const { provider } = setUp({ scenario: 'unauthorized' });
    const error = await rejectionOf(generateText({ model: provider('fast'), prompt: 'Hi' }));
    expect(error).toMatchObject({ statusCode: 401, isRetryable: false });
    expect(error.message).toContain('API key');
  });
});

describe('structured output', () => {
  const schema = z.object({ city: z.string(), people: z.number() });

  it('comes from generateObject and streamObject', async () => {
    const { provider, simulator } = setUp();
    const { object } = await generateObject({
      model: provider('openai/gpt-6-luna'),
      schema,
      schemaName: 'city facts',
      prompt: 'Porto?',
    });
    expect(schema.safeParse(object).success).toBe(true);
    const streaming = streamObject({ model: provider('fast'), schema, prompt: 'Porto?' });
    let partial: unknown;
    for await (const value of streaming.partialObjectStream) partial = value;
    expect(schema.safeParse(partial).success).toBe(true);
    const { response_format } = simulator.requests[0]?.body as { response_format: { json_schema: { name: string } } };
    expect(response_format.json_schema.name).toBe('city_facts');
  });

  it('without a schema is refused before anything is sent', async () => {
    const { provider, simulator } = setUp();
    const error = await rejectionOf(generateObject({ model: provider('fast'), output: 'no-schema', prompt: 'Porto?' }));
    expect(error.name).toBe('AI_UnsupportedFunctionalityError');
    expect(simulator.requests).toHaveLength(0);
  });
});

describe('streamText', () => {
  it('streams progress, sources and text, and ends with usage', async () => {
    const { provider } = setUp({ scenario: 'parallel-searches' });
    const result = streamText({ model: provider('medium'), prompt: 'Compare three things' });
    const types: string[] = [];
    for await (const { type } of result.fullStream) types.push(type);
    expect(types.filter((type) => type === 'error')).toEqual([]);
    expect(types.indexOf('source')).toBeLessThan(types.indexOf('text-delta'));
    expect(types).toContain('reasoning-delta');
    expect(await result.finishReason).toBe('stop');
    expect((await result.sources).length).toBeGreaterThan(10);
    expect((await result.totalUsage).inputTokens).toBeGreaterThan(0);
  });

  it.each([
    ['failed', 'error'],
    ['cut', 'error'],
    ['cancelled', 'error'],
  ] as const)('of a run that is %s keeps the text and shows one error', async (scenario, finishReason) => {
    const { provider } = setUp({ scenario });
    const onError = vi.fn();
    const result = streamText({ model: provider('fast'), prompt: 'Hi', onError });
    let text = '';
    for await (const part of result.fullStream) if (part.type === 'text-delta') text += part.text;
    expect(onError).toHaveBeenCalledTimes(1);
    expect(await result.finishReason).toBe(finishReason);
    expect(await result.text).toBe(text);
    if (scenario !== 'cancelled') expect(text.length).toBeGreaterThan(0);
  });

  it('stops on abort, and the run is cancelled', async () => {
    const { provider, simulator } = setUp({ scenario: 'search', eventDelay: 5 });
    const controller = new AbortController();
    const onAbort = vi.fn();
    const result = streamText({ model: provider('fast'), prompt: 'Hi', abortSignal: controller.signal, onAbort });
    const types: string[] = [];
    for await (const { type } of result.fullStream) {
      types.push(type);
      if (type === 'text-delta') controller.abort();
    }
    expect(types.at(-1)).toBe('abort');
    expect(onAbort).toHaveBeenCalledTimes(1);
    await vi.waitFor(() => expect(simulator.requests.map(({ path }) => path)).toHaveLength(2));
    expect(simulator.requests[1]?.path).toMatch(/\/cancel$/);
  });
});

describe('the UI message stream', () => {
  it('carries sources, reasoning and native tools, and its message goes back as a second turn', async () => {
    const { provider, simulator } = setUp({ scenario: 'search' });
    const tools = { search: provider.tools.webSearch() };
    const model = provider('openai/gpt-6-luna');
    const first = streamText({ model, tools, prompt: 'News?' });
    let answer: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream: first.toUIMessageStream({ sendSources: true }) }))
      answer = message;
    expect(answer?.parts.map(({ type }) => type).filter((type) => type !== 'source-url')).toEqual([
      'step-start',
      'tool-search',
      'reasoning',
      'text',
    ]);
    expect(answer?.parts.filter(({ type }) => type === 'source-url')).toHaveLength(10);
    expect(answer?.parts.find(({ type }) => type === 'tool-search')).toMatchObject({
      state: 'output-available',
      providerExecuted: true,
    });
    expect(answer?.parts.find(({ type }) => type === 'text')).toMatchObject({ state: 'done' });
    const messages = convertToModelMessages(
      [
        { role: 'user', parts: [{ type: 'text', text: 'News?' }] },
        answer as UIMessage,
        { role: 'user', parts: [{ type: 'text', text: 'More?' }] },
      ],
      { tools },
    );
    const second = await generateText({ model, tools, messages });
    expect(second.steps).toHaveLength(1);
    expect(simulator.requests.map(({ status }) => status)).toEqual([200, 200]);
  });
});

describe('the provider', () => {
  it('works in a registry, in a custom provider and wrapped', async () => {
    const { provider } = setUp({ scenario: { name: 'plain', text: 'Hello.' } });
    const registry = createProviderRegistry({ perplexity: provider });
    const custom = customProvider({ languageModels: { quick: provider('fast') }, fallbackProvider: provider });
    const models = [
      registry.languageModel('perplexity:openai/gpt-6-luna'),
      registry.languageModel('perplexity:fast'),
      custom.languageModel('quick'),
      custom.languageModel('low' as 'quick'),
      wrapLanguageModel({ model: provider('fast'), middleware: {} }),
    ];
    for (const model of models) expect((await generateText({ model, prompt: 'Hi' })).text).toBe('Hello.');
  });
});
