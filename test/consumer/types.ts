/** What the compiler must know, and what it must refuse. Compiled, never run. */
import {
  createPerplexityAgent,
  perplexityAgent,
  type PerplexityAgentCost,
  type PerplexityAgentErrorData,
  type PerplexityAgentFile,
  type PerplexityAgentMetadata,
  type PerplexityAgentModelInfo,
  type PerplexityAgentProvider,
  type PerplexityAgentProviderOptions,
  type PerplexityAgentProviderSettings,
  type PerplexityAgentSourceMetadata,
  totalCost,
} from 'ai-sdk-provider-perplexity-agent';
import type { AgentApiScenario, AgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import * as v3 from 'ai-sdk-provider-perplexity-agent/v3';
import * as v4 from 'ai-sdk-provider-perplexity-agent/v4';
import type { ListeningSimulator } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import { generateText, type LanguageModel, type ToolSet, type UIMessage } from 'ai';

export const settings: PerplexityAgentProviderSettings = { apiKey: 'k', effortField: 'preset', maxEventBytes: 1024 };
export const provider: PerplexityAgentProvider = createPerplexityAgent(settings);
export const model: LanguageModel = perplexityAgent('low');

/** Without the provider packages of ai 6 and 7: the types of V3 and V4 are whole all the same. */
export const later: ['v3', 'v4'] = [
  v3.perplexityAgent('low').specificationVersion,
  v4.perplexityAgent('low').specificationVersion,
];
// @ts-expect-error ai 5 takes no V3 model
export const tooLate: LanguageModel = v3.perplexityAgent('low');

export const options = {
  effort: 'fast',
  webSearch: { maxResults: 5, filters: { searchRecencyFilter: 'week', searchDomainFilter: ['-example.com'] } },
  models: ['openai/gpt-6-luna', 'anthropic/claude-haiku-5-5'],
  background: false,
  metadata: { ticket: '42' },
} satisfies PerplexityAgentProviderOptions;

// @ts-expect-error a level is written as one of the known words, and a number is none
export const badEffort = { effort: 3 } satisfies PerplexityAgentProviderOptions;
// @ts-expect-error not a recency
export const badRecency: PerplexityAgentProviderOptions = { webSearch: { filters: { searchRecencyFilter: 'decade' } } };
// @ts-expect-error unknown options are refused
export const badOption = { webSerch: true } satisfies PerplexityAgentProviderOptions;
// @ts-expect-error wire names are not option names
perplexityAgent.tools.webSearch({ max_results: 3 });
// @ts-expect-error not a setting
createPerplexityAgent({ apikey: 'k' });

export const tools = {
  search: perplexityAgent.tools.webSearch(),
  read: perplexityAgent.tools.fetchUrl(),
} satisfies ToolSet;

export async function typed(): Promise<string[]> {
  const result = await generateText({ model, prompt: '', tools, providerOptions: { perplexity: options } });
  const metadata = (result.providerMetadata?.perplexity ?? {}) as PerplexityAgentMetadata;
  const cost: PerplexityAgentCost | undefined = metadata.cost;
  const found: string[] = [];
  for (const call of result.toolCalls) {
    if (!call.dynamic && call.toolName === 'search') found.push(...(call.input.queries ?? []));
    // @ts-expect-error a search has no such input
    if (!call.dynamic && call.toolName === 'search') found.push(call.input.query);
  }
  for (const { dynamic, toolName, output } of result.toolResults) {
    if (!dynamic && toolName === 'search') found.push(...output.results.map(({ title = '' }) => title));
  }
  for (const source of result.sources) {
    const { resultIds, snippet } = (source.providerMetadata?.perplexity ?? {}) as PerplexityAgentSourceMetadata;
    found.push(`${resultIds.join()} ${snippet ?? ''} ${cost?.totalCost ?? 0}`);
  }
  return found;
}

export async function fetched(chat: UIMessage[], signal: AbortSignal): Promise<Array<string | number | undefined>> {
  const models: PerplexityAgentModelInfo[] = await perplexityAgent.models({ abortSignal: signal });
  const files: PerplexityAgentFile[] = await perplexityAgent.responses.files('resp_1', { headers: { a: undefined } });
  const { stream, size } = await perplexityAgent.responses.fileContent('resp_1', files[0]?.id ?? '');
  const result = await generateText({ model, prompt: '' });
  // @ts-expect-error a file has to be named
  void perplexityAgent.responses.fileContent('resp_1');
  // @ts-expect-error a text has no cost
  totalCost('text');
  const cost: PerplexityAgentCost = totalCost([result, ...result.steps, ...chat]);
  const bytes = (await new Response(stream).arrayBuffer()).byteLength;
  return [
    models[0]?.pricing?.input,
    size,
    bytes,
    cost.totalCost,
    totalCost(result).toolCallsCostDetails?.['search_web'],
  ];
}

export const scenario: AgentApiScenario = { name: 'rate-limited', count: 1 };
// @ts-expect-error no such scenario
export const badScenario: AgentApiScenario = 'serach';
export const parts = (simulator: AgentApiSimulator, server: ListeningSimulator, data: PerplexityAgentErrorData) => [
  simulator.requests[0]?.path,
  server.port,
  data.requestId,
];
