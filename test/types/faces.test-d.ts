/** What each face's models and provider are to the AI SDK of its major. */
import type { LanguageModelV2, ProviderV2 } from '@ai-sdk/provider';
import type { LanguageModelV3, ProviderV3 } from 'ai-sdk-provider-v3';
import type { LanguageModelV3 as LanguageModelV3At4, LanguageModelV4, ProviderV4 } from 'ai-sdk-provider-v4';
import * as v2 from 'ai-sdk-provider-perplexity-agent';
import * as v3 from 'ai-sdk-provider-perplexity-agent/v3';
import * as v4 from 'ai-sdk-provider-perplexity-agent/v4';
import { describe, expectTypeOf, it } from 'vitest';

describe('models', () => {
  it('are those of their specification', () => {
    expectTypeOf(v2.perplexityAgent('low')).toEqualTypeOf<LanguageModelV2>();
    expectTypeOf(v3.perplexityAgent('low')).toExtend<LanguageModelV3>();
    expectTypeOf(v4.perplexityAgent('low')).toExtend<LanguageModelV4>();
    expectTypeOf<LanguageModelV3>().toExtend<ReturnType<typeof v3.perplexityAgent>>();
    expectTypeOf<LanguageModelV4>().toExtend<ReturnType<typeof v4.perplexityAgent>>();
  });

  it('have a type that the entry exports, so that declarations can name it', () => {
    expectTypeOf(v2.perplexityAgent('low')).toEqualTypeOf<v2.LanguageModelV2>();
    expectTypeOf(v3.perplexityAgent('low')).toEqualTypeOf<v3.LanguageModelV3>();
    expectTypeOf(v4.perplexityAgent('low')).toEqualTypeOf<v4.LanguageModelV4>();
  });

  it('of V3 are taken by ai 7 as well', () => {
    expectTypeOf(v3.perplexityAgent('low')).toExtend<LanguageModelV3At4>();
  });

  it('of resume are the same', () => {
    expectTypeOf(v3.perplexityAgent.resume('resp_1')).toEqualTypeOf<ReturnType<typeof v3.perplexityAgent>>();
    expectTypeOf(v4.perplexityAgent.resume('resp_1')).toEqualTypeOf<ReturnType<typeof v4.perplexityAgent>>();
  });
});

describe('providers', () => {
  it('fit into registries and customProvider', () => {
    expectTypeOf(v2.perplexityAgent).toExtend<ProviderV2>();
    expectTypeOf(v3.perplexityAgent).toExtend<ProviderV3>();
    expectTypeOf(v4.perplexityAgent).toExtend<ProviderV4>();
    expectTypeOf(v3.createPerplexityAgent()).toEqualTypeOf<v3.PerplexityAgentProvider>();
    expectTypeOf(v4.createPerplexityAgent()).toEqualTypeOf<v4.PerplexityAgentProvider>();
  });

  it('are told apart by their label', () => {
    expectTypeOf(v3.perplexityAgent.specificationVersion).toEqualTypeOf<'v3'>();
    expectTypeOf(v4.perplexityAgent.specificationVersion).toEqualTypeOf<'v4'>();
    expectTypeOf(v2.perplexityAgent).not.toHaveProperty('specificationVersion');
  });

  it('share their tools and types', () => {
    expectTypeOf(v3.perplexityAgent.tools).toEqualTypeOf(v2.perplexityAgent.tools);
    expectTypeOf(v4.perplexityAgent.tools).toEqualTypeOf(v2.perplexityAgent.tools);
    expectTypeOf<v4.PerplexityAgentMetadata>().toEqualTypeOf<v2.PerplexityAgentMetadata>();
  });
});
