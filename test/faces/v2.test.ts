import { describe, expect, it } from 'vitest';
import { faceV2 } from '../../src/faces/v2.js';
import type { AgentModel } from '../../src/model.js';
import type { CoreWarning } from '../../src/spec.js';
import { functionTool, generate, modelWith, streamParts, type CallOptions } from '../support/model.js';
import { jsonReply, message, snapshot } from '../support/wire.js';

const answer = () => jsonReply(snapshot({ output: [message('A')] }));

describe('warnings of the V2 face', () => {
  const modelWarning = (...warnings: CoreWarning[]) =>
    faceV2.toModel(
      {
        modelId: 'm',
        supportedUrls: {},
        generate: async () => ({
          content: [],
          finish: {
            type: 'finish',
            finishReason: { unified: 'stop', raw: 'completed' },
            usage: {
              inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
              outputTokens: { total: 2, text: 2, reasoning: undefined },
              totalTokens: 3,
              raw: undefined,
            },
            providerMetadata: { perplexity: {} },
          },
          warnings,
          request: { url: 'https://api.example/v1/agent', body: {} },
          response: { headers: {}, body: {} },
        }),
        stream: () => Promise.reject(new Error('not used')),
      } satisfies AgentModel,
      'perplexity.agent',
    );

  it('have the shapes that ai 5 prints as sentences', async () => {
    const { warnings } = await generate(
      modelWarning(
        { type: 'setting', setting: 'topK' },
        { type: 'setting', setting: 'reasoning', details: 'why' },
        { type: 'tool', tool: 'other.tool' },
        { type: 'tool', tool: 'odd', details: 'why' },
        { type: 'other', message: 'm' },
      ),
    );
    expect(warnings).toEqual([
      { type: 'unsupported-setting', setting: 'topK' },
      { type: 'unsupported-setting', setting: 'reasoning', details: 'why' },
      { type: 'unsupported-tool', tool: { type: 'function', name: 'other.tool', inputSchema: {} } },
      { type: 'unsupported-tool', tool: { type: 'function', name: 'odd', inputSchema: {} }, details: 'why' },
      { type: 'other', message: 'm' },
    ]);
  });

  it('are the same in generate and in stream-start', async () => {
    const options: CallOptions = { topK: 4, seed: 7, tools: [functionTool('sandbox')] };
    const { warnings } = await generate(modelWith([answer]).model, options);
    const [start] = await streamParts(modelWith([answer]).model, options);
    expect(start).toEqual({ type: 'stream-start', warnings });
    const names = warnings.map((warning) => (warning.type === 'unsupported-setting' ? warning.setting : warning.type));
    expect(names.map(String).sort()).toEqual(['other', 'seed', 'topK']);
  });
});

describe('supportedUrls', () => {
  it('lets https images and documents pass as URLs', async () => {
    const supported = await modelWith([answer]).model.supportedUrls;
    const matches = (mediaType: string, url: string) =>
      Object.entries(supported).some(
        ([pattern, urls]) =>
          (pattern === '*/*' ||
            pattern === mediaType ||
            (pattern.endsWith('/*') && mediaType.startsWith(pattern.slice(0, -1)))) &&
          urls.some((regexp) => regexp.test(url)),
      );
    expect(matches('image/png', 'https://a.example/b.png')).toBe(true);
    expect(matches('application/pdf', 'https://a.example/b.pdf')).toBe(true);
    expect(matches('image/png', 'http://a.example/b.png')).toBe(false);
  });
});
