/**
 * The official `@ai-sdk/perplexity` 2.1.1 with `ai` 5 against the simulator. Its quirks, as seen here: it sends levels as `preset`,
 * the system prompt as an input item, function tools without `strict`, `strict: true` on every format, takes the
 * undeclared native call of a stream for nothing (it only looks at `.done`), and hands a failed stream's wire object on as the error.
 */
import { createPerplexity } from '@ai-sdk/perplexity';
import { generateObject, generateText, stepCountIs, streamText, tool } from 'ai';
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import { beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod';

const ANSWER =
  'Lighthouses on this coast have been unmanned since 1998 and are watched from a single control room[1]. The lamps had long been able to run alone: gas lamps with a sun valve did so from 1912[3].';
const simulator = createAgentApiSimulator();
const perplexity = createPerplexity({ apiKey: 'test-key', fetch: simulator.fetch });
const lookUp = tool({
  description: 'Lamps of a year',
  inputSchema: z.object({ year: z.number().int() }),
  execute: ({ year }) => Promise.resolve({ lamps: year + 8 }),
});

beforeEach(() => simulator.reset());

describe('@ai-sdk/perplexity 2.1.1', () => {
  it('generates text with sources and usage', async () => {
    const result = await generateText({ model: perplexity('fast'), system: 'Be brief.', prompt: 'How?' });
    expect(result.text).toBe(ANSWER);
    expect(result.finishReason).toBe('stop');
    expect(result.sources).toHaveLength(10);
    expect(result.sources[0]).toMatchObject({
      id: '1',
      url: 'https://lights.example.org/automation',
      title: 'How the lights were automated',
    });
    expect(result.usage).toMatchObject({ outputTokens: 49, cachedInputTokens: 1536, reasoningTokens: 0 });
    expect(result.providerMetadata?.perplexity).toMatchObject({ toolCalls: { search_web: { invocation: 1 } } });
    expect(simulator.requests[0]?.body).toEqual({
      preset: 'fast',
      input: [
        { type: 'message', role: 'system', content: 'Be brief.' },
        { type: 'message', role: 'user', content: 'How?' },
      ],
    });
  });

  it('streams text with sources, from the server too', async () => {
    const server = await listen(simulator);
    try {
      for (const baseURL of ['https://api.perplexity.ai', server.url]) {
        const model = createPerplexity({
          apiKey: 'test-key',
          baseURL,
          ...(baseURL === server.url ? {} : { fetch: simulator.fetch }),
        })('fast');
        const result = streamText({ model, prompt: 'How?' });
        expect(await result.text).toBe(ANSWER);
        expect((await result.sources).map((source) => source.id)).toEqual([
          '1',
          '2',
          '3',
          '4',
          '5',
          '6',
          '7',
          '8',
          '9',
          '10',
        ]);
        expect([await result.finishReason, (await result.usage).outputTokens, await result.toolCalls]).toEqual([
          'stop',
          49,
          [],
        ]);
      }
    } finally {
      await server.close();
    }
  });

  it.each(['generate', 'stream'] as const)('goes round with a client tool: %s', async (mode) => {
    const options = {
      model: perplexity('openai/gpt-6-luna'),
      prompt: 'How?',
      tools: { lookUp },
      stopWhen: stepCountIs(3),
    };
    const text = mode === 'generate' ? (await generateText(options)).text : await streamText(options).text;
    expect(text).toBe('lookUp returned: {"lamps":9}');
    expect(simulator.requests.map(({ status }) => status)).toEqual([200, 200]);
    const { input, tools } = (simulator.requests[1]?.body ?? {}) as {
      input: { type: string; call_id?: string }[];
      tools: unknown[];
    };
    expect(input.map(({ type }) => type)).toEqual(['message', 'function_call', 'function_call_output']);
    expect(input[1]?.call_id).toBe(input[2]?.call_id);
    expect(tools).toHaveLength(1);
  });

  it('keeps the thought signature of a round trip', async () => {
    await generateText({
      model: perplexity('google/gemini-3.8-flash'),
      prompt: 'How?',
      tools: { lookUp },
      stopWhen: stepCountIs(3),
    });
    expect(simulator.requests[1]?.body).toMatchObject({
      input: [{}, { thought_signature: 'c2ltdWxhdGVkLXRob3VnaHQtc2lnbmF0dXJl' }, {}],
    });
  });

  it('gets an object that its schema takes', async () => {
    const schema = z.object({
      town: z.string().min(3),
      lamps: z.array(z.object({ height: z.number().positive(), colour: z.enum(['red', 'white']) })),
      built: z.string().nullable(),
    });
    const { object } = await generateObject({ model: perplexity('fast'), schema, prompt: 'Which light?' });
    expect(object).toEqual({ town: 'town', lamps: [{ height: 1, colour: 'red' }], built: 'built' });
    expect(simulator.requests[0]?.body).toMatchObject({
      response_format: { type: 'json_schema', json_schema: { name: 'response', strict: true } },
    });
  });

  it('maps endings', async () => {
    simulator.use('incomplete');
    expect((await generateText({ model: perplexity('openai/gpt-6-luna'), prompt: 'x' })).finishReason).toBe('length');
    simulator.use('failed');
    await expect(generateText({ model: perplexity('fast'), prompt: 'x', maxRetries: 0 })).rejects.toThrow(
      'upstream unavailable',
    );
    const errors: unknown[] = [];
    const result = streamText({
      model: perplexity('fast'),
      prompt: 'x',
      onError: ({ error }) => void errors.push(error),
    });
    expect(await result.finishReason).toBe('error');
    expect(errors).toMatchObject([{ message: 'upstream unavailable', code: '500' }]);
  });

  it('throws 401, and retries 429', async () => {
    simulator.use('unauthorized');
    await expect(generateText({ model: perplexity('fast'), prompt: 'x' })).rejects.toMatchObject({
      statusCode: 401,
      isRetryable: false,
    });
    simulator.use('rate-limited');
    await expect(generateText({ model: perplexity('fast'), prompt: 'x', maxRetries: 0 })).rejects.toMatchObject({
      statusCode: 429,
      isRetryable: true,
      message: 'rate limit exceeded',
      responseHeaders: { 'x-ratelimit-remaining': '0' },
    });
  });

  it('bears unknown events and nulls', async () => {
    simulator.use('unknown-events');
    expect(await streamText({ model: perplexity('fast'), prompt: 'How?' }).text).toBe(ANSWER);
  });
});
