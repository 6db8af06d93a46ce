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

export const webSearchTool = (name = 'web_search') =>
  ({ type: 'provider-defined', id: 'perplexity.web_search', name, args: {} }) as const;

export const fetchUrlTool = (name = 'fetch_url') =>
  ({ type: 'provider-defined', id: 'perplexity.fetch_url', name, args: {} }) as const;

export const functionTool = (name: string) =>
  ({
    type: 'function',
    name,
    description: `Does ${name}`,
    inputSchema: { type: 'object', properties: { city: { type: 'string' } }, additionalProperties: false },
  }) as const;
