import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { API_KEY, rejectionOf } from './support/model.js';
import { captureJson, hasCaptures } from './support/shared.js';
import { jsonReply, stubFetch } from './support/wire.js';

const modelsIn = (body: unknown) =>
  createPerplexityAgent({ apiKey: API_KEY, fetch: stubFetch(jsonReply(body)).fetch }).models();

describe('models', () => {
  it('come with owner and prices', async () => {
    const created = 1_790_000_000;
    const pricing = { input: 4, output: 20, cache_write: 5, cache_read: 0.2, unit: 'usd_per_1m_tokens', new: 1 };
    const data = [{ id: 'a/b', object: 'model', created, owned_by: 'a', pricing, new: 1 }];
    expect(await modelsIn({ object: 'list', data })).toEqual([
      {
        id: 'a/b',
        ownedBy: 'a',
        created: new Date('2026-09-21T14:13:20.000Z'),
        pricing: { input: 4, output: 20, cacheWrite: 5, cacheRead: 0.2, unit: 'usd_per_1m_tokens' },
      },
    ]);
  });

  it('need no more than an id; a free one costs 0, nulls are absent', async () => {
    const data = [
      { id: 'a/b', created: 0, owned_by: null, pricing: null },
      { id: 'a/c', pricing: { input: 0, output: null, unit: 5 } },
      { id: '', owned_by: 'a' },
      { object: 'model' },
      null,
    ];
    expect(await modelsIn({ object: 'list', data })).toEqual([{ id: 'a/b' }, { id: 'a/c', pricing: { input: 0 } }]);
  });

  it('come from the simulator, which wants a key as the service does', async () => {
    const { fetch } = createAgentApiSimulator({ apiKey: API_KEY });
    const models = await createPerplexityAgent({ apiKey: API_KEY, fetch }).models();
    expect(models.find(({ id }) => id === 'anthropic/claude-opus-5-5')).toEqual({
      id: 'anthropic/claude-opus-5-5',
      ownedBy: 'anthropic',
      pricing: { input: 4, output: 20, cacheWrite: 5, cacheRead: 0.4, unit: 'usd_per_1m_tokens' },
    });
    const error = await rejectionOf(createPerplexityAgent({ apiKey: 'another-key', fetch }).models());
    expect(error).toMatchObject({ statusCode: 401, data: { type: 'invalid_api_key' } });
  });

  it.skipIf(!hasCaptures)('of the recording are all read, to the last price', async () => {
    const recorded = captureJson('models.rebuilt.json') as {
      data: Array<{ id: string; owned_by: string; pricing: Record<string, unknown> }>;
    };
    const models = await modelsIn(recorded);
    expect(models).toHaveLength(recorded.data.length);
    expect(
      models.map(({ id, ownedBy, pricing: { cacheWrite, cacheRead, ...pricing } = {} }) => ({
        id,
        owned_by: ownedBy,
        pricing: { ...pricing, ...(cacheWrite !== undefined && { cache_write: cacheWrite }), cache_read: cacheRead },
      })),
    ).toEqual(recorded.data.map(({ id, owned_by, pricing }) => ({ id, owned_by, pricing })));
  });
});
