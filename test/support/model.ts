/** Calls a model the way the AI SDK does and holds every stream against the conformance checker. */
import type { LanguageModelV2, LanguageModelV2CallOptions, LanguageModelV2StreamPart } from '@ai-sdk/provider';
import { createPerplexityAgent, type PerplexityAgentProviderSettings } from 'ai-sdk-provider-perplexity-agent';
import { expect } from 'vitest';
import { checkStream } from './shared.js';
import { stubFetch, type SentRequest } from './wire.js';

export const API_KEY = 'pplx-test-key-1234567890';

export const prompt: LanguageModelV2CallOptions['prompt'] = [
  { role: 'user', content: [{ type: 'text', text: 'Hello?' }] },
];

type Reply = Response | (() => Response | Promise<Response>);

/** A model whose requests are answered by the given replies. */
export function modelWith(
  replies: Reply[],
  { modelId = 'openai/gpt-6-luna', ...settings }: PerplexityAgentProviderSettings & { modelId?: string } = {},
): { model: LanguageModelV2; requests: SentRequest[] } {
  const { fetch, requests } = stubFetch(...replies);
  const provider = createPerplexityAgent({ apiKey: API_KEY, fetch, generateId: () => 'generated', ...settings });
  return { model: provider(modelId), requests };
}

export type CallOptions = Partial<LanguageModelV2CallOptions>;

/** All parts of a stream. The checker must find nothing in them. */
export async function streamParts(
  model: LanguageModelV2,
  options: CallOptions = {},
  { aborted = false } = {},
): Promise<LanguageModelV2StreamPart[]> {
  const { stream } = await model.doStream({ prompt, ...options });
  const parts: LanguageModelV2StreamPart[] = [];
  try {
    for await (const part of stream) parts.push(part);
  } catch (error) {
    if (!aborted) throw error;
  }
  expectConforming(parts, options, aborted);
  return parts;
}

export function expectConforming(parts: LanguageModelV2StreamPart[], options: CallOptions = {}, aborted = false): void {
  const declaredTools = (options.tools ?? []).map(({ name }) => name);
  const includeRawChunks = options.includeRawChunks === true;
  expect(checkStream(parts, { version: 'v2', declaredTools, includeRawChunks, aborted })).toEqual([]);
}

export const generate = async (model: LanguageModelV2, options: CallOptions = {}) =>
  model.doGenerate({ prompt, ...options });

export const partsOf = <T extends LanguageModelV2StreamPart['type']>(parts: LanguageModelV2StreamPart[], type: T) =>
  parts.filter((part): part is Extract<LanguageModelV2StreamPart, { type: T }> => part.type === type);

/** The texts of a stream, block by block. */
export function textsOf(parts: LanguageModelV2StreamPart[]): string[] {
  const texts = new Map<string, string>();
  for (const part of parts) {
    if (part.type === 'text-start') texts.set(part.id, '');
    if (part.type === 'text-delta') texts.set(part.id, `${texts.get(part.id) ?? ''}${part.delta}`);
  }
  return [...texts.values()];
}

export function finishOf(parts: LanguageModelV2StreamPart[]) {
  const finish = parts.at(-1);
  if (finish?.type !== 'finish') throw new Error(`the last part is ${finish?.type}`);
  return { ...finish, metadata: (finish.providerMetadata?.['perplexity'] ?? {}) as Record<string, unknown> };
}

/** What a promise rejects with. */
export async function rejectionOf(promise: PromiseLike<unknown>): Promise<Error & Record<string, unknown>> {
  try {
    await promise;
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error('the promise was fulfilled');
}

type NativeId =
  | 'web_search'
  | 'fetch_url'
  | 'people_search'
  | 'finance_search'
  | 'image_search'
  | 'sandbox'
  | 'mcp'
  | 'connector';

/** A native tool as ai 5 hands one of its `provider-defined` tools to a model. */
export const nativeTool = (id: NativeId, name: string, args: Record<string, unknown> = {}) =>
  ({ type: 'provider-defined', id: `perplexity.${id}`, name, args }) as const;

export const webSearchTool = (name = 'web_search') => nativeTool('web_search', name);
export const fetchUrlTool = (name = 'fetch_url') => nativeTool('fetch_url', name);

export const mcpTool = (name: string, serverLabel: string) =>
  nativeTool('mcp', name, { serverLabel, serverUrl: `https://mcp.example.com/${serverLabel}` });

/** Every native tool under a key of the caller's own, with the servers that the fixtures know. */
export const allNativeTools = () => [
  webSearchTool('search'),
  fetchUrlTool('open'),
  nativeTool('people_search', 'people'),
  nativeTool('finance_search', 'markets'),
  nativeTool('image_search', 'pictures'),
  nativeTool('sandbox', 'run'),
  mcpTool('harbour', 'harbour'),
  mcpTool('forecasts', 'weather'),
  nativeTool('connector', 'documents', { id: 'connector_googledrive', serverLabel: 'drive' }),
];

export const functionTool = (name: string) =>
  ({
    type: 'function',
    name,
    description: `Does ${name}`,
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, additionalProperties: false },
  }) as const;
