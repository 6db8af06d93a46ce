import type { generateText } from 'ai';
import { assertType, describe, expectTypeOf, it } from 'vitest';

import type { PerplexityAgentProviderOptions } from '../../src/options.js';
import type { PerplexityAgentEffort, PerplexityAgentModelId } from '../../src/request/target.js';

type Options = PerplexityAgentProviderOptions;

describe('provider options', () => {
  it('accept every documented one', () => {
    const options = {
      effort: 'low',
      webSearch: { searchType: 'fast', filters: { searchRecencyFilter: 'day', searchDomainFilter: ['a.org'] } },
      fetchUrl: true,
      models: ['openai/gpt-6-luna', 'new/model'],
      profile: { id: 'p', version: '1' },
      skills: [{ type: 'builtin', name: 'office/xlsx' }],
      maxSteps: 3,
      maxToolCalls: 0,
      parallelToolCalls: true,
      reasoningEffort: 'xhigh',
      languagePreference: 'pt',
      previousResponseId: 'resp_1',
      store: false,
      background: { pollInterval: 1000, timeout: 60_000 },
      cancelOnAbort: false,
      idleTimeout: 600_000,
      maxReconnects: 1,
      metadata: { a: 'b' },
      truncation: 'auto',
      serviceTier: 'priority',
      promptCacheKey: 'k',
      user: 'u',
      safetyIdentifier: 's',
      strictJsonSchema: false,
      systemMessageMode: 'input',
      researchProgress: 'off',
      extraBody: { newer: [1] },
    } satisfies Required<Options>;
    // As an app writes them: checked by `satisfies`, given to the AI SDK.
    type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>;
    assertType<ProviderOptions>({ perplexity: options });
  });

  it('go from a variable of their type into the options of the AI SDK, which take JSON', () => {
    const options: Options = {
      webSearch: { maxResults: 3, filters: { searchAfterDateFilter: '2026-10-01' } },
      maxSteps: 2,
    };
    type ProviderOptions = NonNullable<Parameters<typeof generateText>[0]['providerOptions']>;
    assertType<ProviderOptions>({ perplexity: options });
    // @ts-expect-error a Date is no JSON; the factories of the tools take one
    assertType<Options>({ webSearch: { filters: { searchAfterDateFilter: new Date() } } });
  });

  it('refuse what is not documented', () => {
    // @ts-expect-error not a recency
    assertType<Options>({ webSearch: { filters: { searchRecencyFilter: 'decade' } } });
    // @ts-expect-error the wire's spelling
    assertType<Options>({ max_steps: 3 });
    // @ts-expect-error no reasoning effort of this name
    assertType<Options>({ reasoningEffort: 'none' });
    // @ts-expect-error null is not absent
    assertType<Options>({ store: null });
    // @ts-expect-error an inline skill needs its instructions
    assertType<Options>({ skills: [{ type: 'inline', name: 'a', description: 'd' }] });
  });

  it('leave levels and model ids open, with completion of the known ones', () => {
    expectTypeOf<'low'>().toExtend<PerplexityAgentEffort>();
    expectTypeOf<string>().toExtend<PerplexityAgentEffort>();
    expectTypeOf<string>().toExtend<PerplexityAgentModelId>();
    // Completion lasts as long as the union is not one plain string.
    expectTypeOf<PerplexityAgentModelId>().not.toEqualTypeOf<string>();
    expectTypeOf<PerplexityAgentEffort>().not.toEqualTypeOf<string>();
  });
});
