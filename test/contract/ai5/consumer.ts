/** What TypeScript must know of each face in an app of ai 5, and what it refuses. Compiled, never run. */
import * as v2 from 'ai-sdk-provider-perplexity-agent';
import * as v3 from 'ai-sdk-provider-perplexity-agent/v3';
import * as v4 from 'ai-sdk-provider-perplexity-agent/v4';
import {
  createProviderRegistry,
  customProvider,
  Experimental_Agent as Agent,
  generateObject,
  generateText,
  stepCountIs,
  streamText,
  tool,
  wrapLanguageModel,
  type InferUITools,
  type LanguageModel,
  type UIMessage,
} from 'ai';
import { z } from 'zod';

const provider = v2.createPerplexityAgent({ apiKey: 'k' });
const model = provider('low');

export const models: LanguageModel[] = [model, provider.languageModel('fast'), provider.resume('resp_1')];
// @ts-expect-error ai 5 takes no V3 model
export const third: LanguageModel = v3.perplexityAgent('low');
// @ts-expect-error ai 5 takes no V4 model
export const fourth: LanguageModel = v4.perplexityAgent('low');

export const registry = createProviderRegistry({ perplexity: provider }, { languageModelMiddleware: {} });
export const custom = customProvider({ languageModels: { quick: model }, fallbackProvider: provider });
export const wrapped: LanguageModel = wrapLanguageModel({ model, middleware: {} });

// @ts-expect-error a V3 provider fits no registry of ai 5
createProviderRegistry({ perplexity: v3.perplexityAgent });
// @ts-expect-error nor its wrapper
wrapLanguageModel({ model: v3.perplexityAgent('low'), middleware: {} });

const tools = {
  search: provider.tools.webSearch({ maxResults: 5 }),
  weather: tool({ inputSchema: z.object({ city: z.string() }), execute: ({ city }) => ({ city, celsius: 21 }) }),
};
export const agent = new Agent({ model, tools, stopWhen: stepCountIs(3) });
export type Tools = InferUITools<typeof tools>;

/** What an app may export without an annotation. */
export const ask = (prompt: string) => generateText({ model, tools, prompt });
export const stream = (prompt: string) => streamText({ model, tools, prompt });

export async function calls(): Promise<Array<string | number | undefined>> {
  const { staticToolResults, staticToolCalls, providerMetadata } = await generateText({ model, tools, prompt: 'Hi' });
  const { object } = await generateObject({ model, schema: z.object({ name: z.string() }), prompt: 'Hi' });
  const streamed = streamText({ model, tools, prompt: 'Hi', providerOptions: { perplexity: { effort: 'fast' } } });
  const found = staticToolResults.map((result) => {
    if (result.toolName === 'search') return result.output.results[0]?.url;
    return result.output.celsius;
  });
  // @ts-expect-error a search has no such input
  void staticToolCalls.map((call) => call.toolName === 'search' && call.input.query);
  const metadata = providerMetadata?.['perplexity'] as v2.PerplexityAgentMetadata | undefined;
  return [...found, object.name, await streamed.text, metadata?.cost?.totalCost];
}

/** Of the parts of a message only sources are cited, so a title can be shown. */
export const cited = (message: UIMessage): Array<string | undefined> =>
  message.parts.flatMap((part) => {
    if (part.type !== 'text') return [];
    const segments = v2.splitCitations(part.text, message.parts, part.providerMetadata);
    return segments.map((segment) =>
      segment.type === 'text' ? segment.text : (segment.source?.title ?? segment.source?.url),
    );
  });
