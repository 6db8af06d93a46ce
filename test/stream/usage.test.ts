import { describe, expect, it } from 'vitest';
import { finishOf, generate, modelWith, partsOf, streamParts } from '../support/model.js';
import { completed, created, delta, eventReply, jsonReply, message, snapshot, usage } from '../support/wire.js';

const none = {
  inputTokens: undefined,
  outputTokens: undefined,
  totalTokens: undefined,
  reasoningTokens: undefined,
  cachedInputTokens: undefined,
};

describe('usage', () => {
  it('counts input, output, reasoning and cached tokens', async () => {
    const generated = await generate(modelWith([jsonReply(snapshot({ usage }))]).model);
    expect(generated.usage).toEqual({
      inputTokens: 110,
      outputTokens: 45,
      totalTokens: 155,
      reasoningTokens: 5,
      cachedInputTokens: 20,
    });
  });

  it('takes cached_tokens where cache_read_input_tokens is missing', async () => {
    const input_tokens_details = { cached_tokens: 7 };
    const generated = await generate(
      modelWith([jsonReply(snapshot({ usage: { ...usage, input_tokens_details } }))]).model,
    );
    expect(generated.usage.cachedInputTokens).toBe(7);
  });

  it('adds up the total where the wire leaves it out', async () => {
    const counted = { input_tokens: 3, output_tokens: 2 };
    const generated = await generate(modelWith([jsonReply(snapshot({ usage: counted }))]).model);
    expect(generated.usage.totalTokens).toBe(5);
  });

  it.each([null, undefined, 'x', [], {}, { input_tokens: null, output_tokens: 'x', total_tokens: -1, cost: null }])(
    'is undefined where unknown, never NaN or 0: %j',
    async (unknown) => {
      const generated = await generate(modelWith([jsonReply(snapshot({ usage: unknown }))]).model);
      expect(generated.usage).toEqual(none);
      expect(generated.providerMetadata?.['perplexity']).not.toHaveProperty('cost');
    },
  );
});

describe('metadata of a finished run', () => {
  it('tells response, models, level, tier, cost and per-tool detail', async () => {
    const response = { model: 'openai/gpt-6-luna', service_tier: 'fast', usage };
    const { model } = modelWith(
      [
        eventReply([
          { ...created({ model: 'fast' }), sequence_number: 0 },
          { ...completed([message('A')], response), sequence_number: 44 },
        ]),
      ],
      {
        modelId: 'fast',
      },
    );
    const parts = await streamParts(model);
    expect(finishOf(parts).metadata).toEqual({
      responseId: 'resp_1',
      status: 'completed',
      requestedModel: 'fast',
      servedModel: 'openai/gpt-6-luna',
      effort: 'fast',
      serviceTier: 'fast',
      cost: {
        currency: 'USD',
        inputCost: 0.0001,
        outputCost: 0.0002,
        toolCallsCost: 0.006,
        toolCallsCostDetails: { search_web: 0.005, fetch_url: 0.001 },
        totalCost: 0.0063,
      },
      toolCallsDetails: { search_web: { invocation: 2, costUsd: 0.005 }, fetch_url: { invocation: 1, costUsd: 0.001 } },
      searchCalls: 2,
      usage,
      citations: {},
      lastSequenceNumber: 44,
    });
  });

  it('keeps unknown usage fields and inner token usage', async () => {
    const inner = { model: 'openai/gpt-5.6-luna', input_tokens: 9, output_tokens_details: { reasoning_tokens: 1 } };
    const rich = {
      ...usage,
      future_field: { x: 1 },
      tool_calls_details: { fetch_url: { invocation: 1, token_usage: [inner] } },
    };
    const { providerMetadata } = await generate(modelWith([jsonReply(snapshot({ usage: rich }))]).model);
    expect(providerMetadata?.['perplexity']).toMatchObject({
      usage: rich,
      searchCalls: 0,
      toolCallsDetails: {
        fetch_url: {
          invocation: 1,
          tokenUsage: [{ model: 'openai/gpt-5.6-luna', inputTokens: 9, outputTokensDetails: { reasoningTokens: 1 } }],
        },
      },
    });
  });

  it('names no served model while the wire names only the level', async () => {
    const { model } = modelWith([eventReply([created({ model: 'fast' }), delta('A')])], { modelId: 'fast' });
    expect(finishOf(await streamParts(model)).metadata).not.toHaveProperty('servedModel');
  });
});

describe('response metadata', () => {
  it('comes early and names the served model when it is known', async () => {
    const { model } = modelWith([eventReply([created({ model: 'fast' }), delta('A'), completed([message('A')])])], {
      modelId: 'fast',
    });
    expect(partsOf(await streamParts(model), 'response-metadata')).toEqual([
      { type: 'response-metadata', id: 'resp_1', modelId: 'fast', timestamp: new Date(1_790_000_000_000) },
      { type: 'response-metadata', id: 'resp_1', modelId: 'openai/gpt-6-luna', timestamp: new Date(1_790_000_000_000) },
    ]);
  });

  it.each([null, 'soon', -1, 1e300])('leaves a creation time out that is none: %s', async (created_at) => {
    const { response } = await generate(modelWith([jsonReply(snapshot({ created_at }))]).model);
    expect(response).not.toHaveProperty('timestamp');
  });

  it('of generate holds id, model, time, headers and both bodies', async () => {
    const body = snapshot({ output: [message('A')] });
    const { model, requests } = modelWith([jsonReply(body)]);
    const generated = await generate(model);
    expect(generated.response).toEqual({
      id: 'resp_1',
      modelId: 'openai/gpt-6-luna',
      timestamp: new Date(1_790_000_000_000),
      headers: { 'content-type': 'application/json', 'x-request-id': 'req-1' },
      body,
    });
    expect(generated.request?.body).toEqual(requests[0]?.body);
  });
});

describe('raw chunks', () => {
  it('come one per event, unhandled and unreadable ones too, the first right after stream-start', async () => {
    const events = [created(), { type: 'response.unknown', payload: { x: 1 } }, delta('A'), completed([message('A')])];
    const { model } = modelWith([
      eventReply([...events.slice(0, 2), 'data: no json\n\n', ...events.slice(2), delta('late')]),
    ]);
    const parts = await streamParts(model, { includeRawChunks: true });
    expect(partsOf(parts, 'raw').map(({ rawValue }) => rawValue)).toEqual([
      events[0],
      events[1],
      'no json',
      events[2],
      events[3],
    ]);
    expect(parts.slice(0, 3).map(({ type }) => type)).toEqual(['stream-start', 'raw', 'response-metadata']);
  });

  it('come only where they are asked for', async () => {
    const parts = await streamParts(modelWith([eventReply([created(), 'data: no json\n\n', completed([])])]).model);
    expect(partsOf(parts, 'raw')).toEqual([]);
  });
});
