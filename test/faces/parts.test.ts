/** What an older face does with parts and endings of a later one, should the core ever send them. */
import { describe, expect, it } from 'vitest';
import { faceV2 } from '../../src/faces/v2.js';
import { faceV3 } from '../../src/faces/v3.js';
import type { AgentModel } from '../../src/model.js';
import type { CoreCustom, CoreFinish } from '../../src/spec.js';
import { facePrompt } from '../support/faces.js';

const custom: CoreCustom = { type: 'custom', kind: 'perplexity.x', providerMetadata: { perplexity: { item: {} } } };
const finish: CoreFinish = {
  type: 'finish',
  finishReason: { unified: 'interrupted', raw: 'in_progress' },
  usage: {
    inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { total: 2, text: 2, reasoning: undefined },
    totalTokens: 3,
    raw: undefined,
  },
  providerMetadata: { perplexity: {} },
};

const core: AgentModel = {
  modelId: 'm',
  supportedUrls: {},
  generate: async () => ({
    content: [custom, { type: 'text', text: 'A' }],
    finish,
    warnings: [],
    request: { url: 'https://api.example/v1/agent', body: {} },
    response: { headers: {}, body: {} },
  }),
  stream: async (_, toPart) => ({
    stream: new ReadableStream({
      start(controller) {
        for (const part of [custom, finish].map(toPart)) if (part !== undefined) controller.enqueue(part);
        controller.close();
      },
    }),
    request: { url: 'https://api.example/v1/agent', body: {} },
    response: { headers: {} },
  }),
};

async function partsOf<Part>(stream: ReadableStream<Part>): Promise<Part[]> {
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

describe('custom parts and interrupted endings', () => {
  it('have no place on V2', async () => {
    const model = faceV2.toModel(core, 'perplexity.agent');
    const { content, finishReason } = await model.doGenerate({ prompt: facePrompt });
    expect([content, finishReason]).toEqual([[{ type: 'text', text: 'A' }], 'error']);
    const { stream } = await model.doStream({ prompt: facePrompt });
    expect(await partsOf(stream)).toMatchObject([{ type: 'finish', finishReason: 'error', usage: { totalTokens: 3 } }]);
  });

  it('have no place on V3', async () => {
    const model = faceV3.toModel(core, 'perplexity.agent');
    const { content, finishReason } = await model.doGenerate({ prompt: facePrompt });
    expect([content, finishReason]).toEqual([[{ type: 'text', text: 'A' }], { unified: 'error', raw: 'in_progress' }]);
    const { stream } = await model.doStream({ prompt: facePrompt });
    const parts = await partsOf(stream);
    expect(parts).toMatchObject([{ type: 'finish', finishReason: { unified: 'error', raw: 'in_progress' } }]);
    expect(parts[0]).not.toHaveProperty('usage.totalTokens');
  });
});
