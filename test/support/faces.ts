/** Models of the V3 and V4 face, called the way ai 6 and 7 do; every stream is held against the conformance checker. */
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3StreamPart } from 'ai-sdk-provider-v3';
import type { LanguageModelV4, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from 'ai-sdk-provider-v4';
import type { PerplexityAgentProviderSettings } from 'ai-sdk-provider-perplexity-agent';
import * as v3 from 'ai-sdk-provider-perplexity-agent/v3';
import * as v4 from 'ai-sdk-provider-perplexity-agent/v4';
import { expect } from 'vitest';
import { API_KEY } from './model.js';
import { checkStream } from './shared.js';
import { stubFetch, type SentRequest } from './wire.js';

/** Each face by its version. */
export type Faces = {
  v3: { model: LanguageModelV3; options: Partial<LanguageModelV3CallOptions>; part: LanguageModelV3StreamPart };
  v4: { model: LanguageModelV4; options: Partial<LanguageModelV4CallOptions>; part: LanguageModelV4StreamPart };
};
export type FaceVersion = keyof Faces;

type Reply = Response | (() => Response | Promise<Response>);
type Settings = PerplexityAgentProviderSettings & { modelId?: string };

/** A model of a face whose requests are answered by the given replies. */
export function faceModel<V extends FaceVersion>(
  version: V,
  replies: Reply[],
  { modelId = 'openai/gpt-6-luna', ...settings }: Settings = {},
): { model: Faces[V]['model']; requests: SentRequest[] } {
  const { fetch, requests } = stubFetch(...replies);
  const { createPerplexityAgent } = { v3, v4 }[version];
  const provider = createPerplexityAgent({ apiKey: API_KEY, fetch, generateId: () => 'generated', ...settings });
  return { model: provider(modelId), requests };
}

export const facePrompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello?' }] }];

/** All parts of a stream. The checker must find nothing in them. */
export async function faceParts<V extends FaceVersion>(
  version: V,
  model: Faces[V]['model'],
  options: Faces[V]['options'] = {},
): Promise<Faces[V]['part'][]> {
  // Each model takes the options of its own version; the prompt is the same in both.
  const doStream = model.doStream as (options: unknown) => PromiseLike<{ stream: ReadableStream<Faces[V]['part']> }>;
  const { stream } = await doStream({ prompt: facePrompt, ...options });
  const parts: Faces[V]['part'][] = [];
  for await (const part of stream) parts.push(part);
  const declaredTools = (options.tools ?? []).map(({ name }) => name);
  const includeRawChunks = options.includeRawChunks === true;
  expect(checkStream(parts, { version, declaredTools, includeRawChunks })).toEqual([]);
  return parts;
}

/** A native tool as ai 6 and 7 hand one of their `provider` tools to a model. */
export const providerTool = (id: string, name: string, args: Record<string, unknown> = {}) =>
  ({ type: 'provider', id: `perplexity.${id}` as const, name, args }) as const;
