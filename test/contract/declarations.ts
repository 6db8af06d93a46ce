/**
 * What an app may export without an annotation, and TypeScript must be able to name in the declarations that it emits: models,
 * providers, tools and what comes back, of each face. Compiled, never run.
 */
import { createPerplexityAgent, linkCitations, perplexityAgent, totalCost } from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import * as v3 from 'ai-sdk-provider-perplexity-agent/v3';
import * as v4 from 'ai-sdk-provider-perplexity-agent/v4';

export const model = perplexityAgent('low');
export const third = v3.perplexityAgent('low');
export const fourth = v4.perplexityAgent('low');

export const provider = createPerplexityAgent();
export const thirdProvider = v3.createPerplexityAgent();
export const fourthProvider = v4.createPerplexityAgent();

export const resumed = () => [
  provider.resume('resp_1'),
  thirdProvider.resume('resp_1'),
  fourthProvider.resume('resp_1'),
];
export function modelOf(level: 'low' | 'high') {
  return { second: provider.languageModel(level), third: thirdProvider(level), fourth: fourthProvider(level) };
}
export class Models {
  second = provider('low');
  third = thirdProvider('low');
  fourth = fourthProvider('low');
}

export const { tools, responses } = provider;
export const chosen = {
  search: thirdProvider.tools.webSearch({ maxResults: 5 }),
  read: fourthProvider.tools.fetchUrl(),
  calls: provider.tools.mcp({ serverLabel: 'files', serverUrl: 'https://mcp.example.com' }),
};
export const helpers = { linkCitations, totalCost };

export const retrieved = () => responses.retrieve('resp_1');
export const cancelled = () => thirdProvider.responses.cancel('resp_1');
export const files = () => fourthProvider.responses.files('resp_1');
export const content = () => provider.responses.fileContent('resp_1', 'file_1');
export const prices = async () => (await fourthProvider.models()).map(({ pricing }) => pricing);

export const simulator = createAgentApiSimulator();
export const server = () => listen(simulator);
