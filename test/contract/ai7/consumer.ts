/** What TypeScript must know of each face in an app of ai 7, and what it refuses. Compiled, never run. */
import * as v2 from 'ai-sdk-provider-perplexity-agent';
import * as v3 from 'ai-sdk-provider-perplexity-agent/v3';
import * as v4 from 'ai-sdk-provider-perplexity-agent/v4';
import {
  createProviderRegistry,
  customProvider,
  generateObject,
  generateText,
  Output,
  stepCountIs,
  streamText,
  tool,
  ToolLoopAgent,
  wrapLanguageModel,
  wrapProvider,
  type InferUITools,
  type LanguageModel,
  type UIMessage,
} from 'ai';
import { z } from 'zod';

const provider = v4.createPerplexityAgent({ apiKey: 'k' });
const model = provider('low');
const third = v3.createPerplexityAgent({ apiKey: 'k' });
const older = v2.createPerplexityAgent({ apiKey: 'k' });

export const models: LanguageModel[] = [model, provider.resume('resp_1'), third('low'), older('low')];
export const registry = createProviderRegistry({ perplexity: provider, third }, { languageModelMiddleware: {} });
export const customs = [
  customProvider({ languageModels: { quick: model, third: third('low'), older: older('low') } }),
  customProvider({ fallbackProvider: provider }),
  customProvider({ fallbackProvider: third }),
  customProvider({ fallbackProvider: older }),
];
export const wrapped: LanguageModel[] = [
  wrapLanguageModel({ model, middleware: {} }),
  wrapLanguageModel({ model: third('low'), middleware: {} }),
  wrapLanguageModel({ model: older('low'), middleware: {} }),
];
export const wrappedProviders = [
  wrapProvider({ provider, languageModelMiddleware: {} }),
  wrapProvider({ provider: third, languageModelMiddleware: {} }),
  wrapProvider({ provider: older, languageModelMiddleware: {} }),
];
// @ts-expect-error a V2 provider fits no registry by type, although it works in one
createProviderRegistry({ perplexity: older });

const tools = {
  search: provider.tools.webSearch({ maxResults: 5 }),
  weather: tool({ inputSchema: z.object({ city: z.string() }), execute: ({ city }) => ({ city, celsius: 21 }) }),
};
export const agents = [model, third('low'), older('low')].map(
  (each) => new ToolLoopAgent({ model: each, tools, stopWhen: stepCountIs(3) }),
);
export type Tools = InferUITools<typeof tools>;

/** What an app may export without an annotation. */
export const ask = (prompt: string) => generateText({ model, tools, prompt });
export const stream = (prompt: string) => streamText({ model, tools, prompt });

export async function calls(): Promise<Array<string | number | undefined>> {
  const { staticToolResults, staticToolCalls, providerMetadata } = await generateText({ model, tools, prompt: 'Hi' });
  const { object } = await generateObject({
    model: older('low'),
    schema: z.object({ name: z.string() }),
    prompt: 'Hi',
  });
  const output = Output.object({ schema: z.object({ name: z.string() }) });
  const streamed = streamText({ model, output, prompt: 'Hi', reasoning: 'high' });
  const found = staticToolResults.map((result) => {
    if (result.toolName === 'search') return result.output.results[0]?.url;
    return result.output.celsius;
  });
  // @ts-expect-error a search has no such input
  void staticToolCalls.map((call) => call.toolName === 'search' && call.input.query);
  const metadata = providerMetadata?.['perplexity'] as v4.PerplexityAgentMetadata | undefined;
  return [...found, object.name, (await streamed.output).name, metadata?.cost?.totalCost];
}

/** Of the parts of a message only sources are cited, so a title can be shown. */
export const cited = (message: UIMessage): Array<string | undefined> =>
  message.parts.flatMap((part) => {
    if (part.type !== 'text') return [];
    const segments = v4.splitCitations(part.text, message.parts, part.providerMetadata);
    return segments.map((segment) =>
      segment.type === 'text' ? segment.text : (segment.source?.title ?? segment.source?.url),
    );
  });
