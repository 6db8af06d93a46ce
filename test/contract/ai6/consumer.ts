/** What TypeScript must know of each face in an app of ai 6, and what it refuses. Compiled, never run. */
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

const provider = v3.createPerplexityAgent({ apiKey: 'k' });
const model = provider('low');
const middleware = { specificationVersion: 'v3' as const };
const older = v2.createPerplexityAgent({ apiKey: 'k' });

export const models: LanguageModel[] = [
  model,
  provider.languageModel('fast'),
  provider.resume('resp_1'),
  older('low'),
  older.resume('resp_1'),
];
// @ts-expect-error ai 6 takes no V4 model
export const fourth: LanguageModel = v4.perplexityAgent('low');

export const registry = createProviderRegistry({ perplexity: provider }, { languageModelMiddleware: middleware });
export const custom = customProvider({ languageModels: { quick: model }, fallbackProvider: provider });
export const wrapped: LanguageModel = wrapLanguageModel({ model, middleware });
export const wrappedProvider = wrapProvider({ provider, languageModelMiddleware: middleware });

// A V2 provider fits where ai 6 asks for one of V2 as well.
export const behind = customProvider({ fallbackProvider: older });
export const wrappedOlder = wrapProvider({ provider: older, languageModelMiddleware: middleware });
// @ts-expect-error it fits no registry
createProviderRegistry({ perplexity: older });
// @ts-expect-error nor do its models fit a custom provider
customProvider({ languageModels: { quick: older('low') } });
// @ts-expect-error nor the wrapper, which would lose the finish reason and the usage
wrapLanguageModel({ model: older('low'), middleware });

const tools = {
  search: provider.tools.webSearch({ maxResults: 5 }),
  weather: tool({ inputSchema: z.object({ city: z.string() }), execute: ({ city }) => ({ city, celsius: 21 }) }),
};
export const agents = [model, older('low')].map(
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
  const streamed = streamText({ model, output, prompt: 'Hi', providerOptions: { perplexity: { effort: 'fast' } } });
  const found = staticToolResults.map((result) => {
    if (result.toolName === 'search') return result.output.results[0]?.url;
    return result.output.celsius;
  });
  // @ts-expect-error a search has no such input
  void staticToolCalls.map((call) => call.toolName === 'search' && call.input.query);
  const metadata = providerMetadata?.['perplexity'] as v3.PerplexityAgentMetadata | undefined;
  return [...found, object.name, (await streamed.output).name, metadata?.cost?.totalCost];
}

/** Of the parts of a message only sources are cited, so a title can be shown. */
export const cited = (message: UIMessage): Array<string | undefined> =>
  message.parts.flatMap((part) => {
    if (part.type !== 'text') return [];
    const segments = v3.splitCitations(part.text, message.parts, part.providerMetadata);
    return segments.map((segment) =>
      segment.type === 'text' ? segment.text : (segment.source?.title ?? segment.source?.url),
    );
  });
