import type { LanguageModelV2 } from '@ai-sdk/provider';
import { type generateText, type InferUITools, type ToolSet, type TypedToolCall, type TypedToolResult } from 'ai';
import { assertType, describe, expectTypeOf, it } from 'vitest';

import {
  type FetchUrlOutput,
  type FinanceSearchOutput,
  type ImageSearchOutput,
  type McpCallOutput,
  type PeopleSearchOutput,
  perplexityAgentTools,
  type SandboxOutput,
  type WebSearchOutput,
} from '../../src/tools/index.js';

const tools = {
  find: perplexityAgentTools.webSearch({ filters: { searchRecencyFilter: 'week' } }),
  read: perplexityAgentTools.fetchUrl(),
  people: perplexityAgentTools.peopleSearch(),
  markets: perplexityAgentTools.financeSearch(),
  pictures: perplexityAgentTools.imageSearch({ maxResults: 3, filters: { formatFilter: ['png'], safeSearch: true } }),
  run: perplexityAgentTools.sandbox(),
  crm: perplexityAgentTools.mcp({ serverLabel: 'crm', serverUrl: 'https://mcp.example.com', headers: { a: 'b' } }),
  drive: perplexityAgentTools.connector({ id: 'connector_googledrive', serverLabel: 'drive' }),
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
    expectTypeOf<Call<'people'>['input']>().toEqualTypeOf<{ queries?: string[] }>();
    expectTypeOf<Call<'markets'>['input']>().toEqualTypeOf<{ tickers?: string[]; categories?: string[] }>();
    expectTypeOf<Call<'pictures'>['input']>().toEqualTypeOf<{ queries?: string[] }>();
    expectTypeOf<Call<'run'>['input']['code']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Call<'crm'>['input']>().toEqualTypeOf<{ name?: string; arguments?: unknown }>();
    expectTypeOf<Call<'drive'>['input']>().toEqualTypeOf<Call<'crm'>['input']>();
    expectTypeOf<Result<'people'>['output']>().toEqualTypeOf<PeopleSearchOutput>();
    expectTypeOf<Result<'markets'>['output']>().toEqualTypeOf<FinanceSearchOutput>();
    expectTypeOf<Result<'pictures'>['output']>().toEqualTypeOf<ImageSearchOutput>();
    expectTypeOf<Result<'run'>['output']>().toEqualTypeOf<SandboxOutput>();
    expectTypeOf<Result<'crm'>['output']>().toEqualTypeOf<McpCallOutput>();
    expectTypeOf<Result<'drive'>['output']>().toEqualTypeOf<McpCallOutput>();
  });

  it('infer the parts of a chat', () => {
    expectTypeOf<InferUITools<Tools>['find']>().toEqualTypeOf<{
      input: { queries?: string[] };
      output: WebSearchOutput;
    }>();
    expectTypeOf<InferUITools<Tools>['read']['output']['contents'][number]['snippet']>().toEqualTypeOf<
      string | undefined
    >();
    type Parts = InferUITools<Tools>;
    expectTypeOf<Parts['people']['output']['results'][number]['id']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Parts['markets']['output']['results'][number]['content']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Parts['pictures']['output']['results'][number]['width']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Parts['run']['output']['results'][number]['exitCode']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Parts['crm']>().toEqualTypeOf<{
      input: { name?: string; arguments?: unknown };
      output: { output?: string; error?: string };
    }>();
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
    // @ts-expect-error it has no settings
    assertType(() => perplexityAgentTools.peopleSearch({ maxTokens: 3 }));
    // @ts-expect-error not a format
    assertType(() => perplexityAgentTools.imageSearch({ filters: { formatFilter: ['tiff'] } }));
    // @ts-expect-error an address is needed
    assertType(() => perplexityAgentTools.mcp({ serverLabel: 'crm' }));
    // @ts-expect-error an id is needed
    assertType(() => perplexityAgentTools.connector({ serverLabel: 'drive' }));
  });
});
