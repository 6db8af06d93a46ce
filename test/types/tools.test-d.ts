import type { LanguageModelV2 } from '@ai-sdk/provider';
import { type generateText, type InferUITools, type ToolSet, type TypedToolCall, type TypedToolResult } from 'ai';
import { assertType, describe, expectTypeOf, it } from 'vitest';

import { type FetchUrlOutput, perplexityAgentTools, type WebSearchOutput } from '../../src/tools/index.js';

const tools = {
  find: perplexityAgentTools.webSearch({ filters: { searchRecencyFilter: 'week' } }),
  read: perplexityAgentTools.fetchUrl(),
};
type Tools = typeof tools;

describe('the tools in ai 5', () => {
  it('are a tool set that generateText takes', () => {
    assertType<ToolSet>(tools);
    assertType<Parameters<typeof generateText<Tools>>[0]>({ model: {} as LanguageModelV2, prompt: 'Hi', tools });
  });

  it('infer inputs and outputs of calls and results', () => {
    type Call<K extends keyof Tools> = Extract<TypedToolCall<Tools>, { toolName: K }>;
    type Result<K extends keyof Tools> = Extract<TypedToolResult<Tools>, { toolName: K }>;
    expectTypeOf<Call<'find'>['input']>().toEqualTypeOf<{ queries?: string[] }>();
    expectTypeOf<Call<'read'>['input']>().toEqualTypeOf<{ urls?: string[] }>();
    expectTypeOf<Result<'find'>['output']>().toEqualTypeOf<WebSearchOutput>();
    expectTypeOf<Result<'read'>['output']>().toEqualTypeOf<FetchUrlOutput>();
  });

  it('infer the parts of a chat', () => {
    expectTypeOf<InferUITools<Tools>['find']>().toEqualTypeOf<{
      input: { queries?: string[] };
      output: WebSearchOutput;
    }>();
    expectTypeOf<InferUITools<Tools>['read']['output']['contents'][number]['snippet']>().toEqualTypeOf<
      string | undefined
    >();
  });

  it('take typed args only', () => {
    perplexityAgentTools.webSearch({
      filters: { searchAfterDateFilter: new Date(), searchBeforeDateFilter: '2026-01-01' },
    });
    // @ts-expect-error not a recency
    assertType(() => perplexityAgentTools.webSearch({ filters: { searchRecencyFilter: 'decade' } }));
    // @ts-expect-error the wire's spelling
    assertType(() => perplexityAgentTools.webSearch({ max_results: 3 }));
    // @ts-expect-error not a number
    assertType(() => perplexityAgentTools.fetchUrl({ maxUrls: '3' }));
  });
});
