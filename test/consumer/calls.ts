/** What an app does with the package, against the package's own simulator: no network, no key. */
import {
  createPerplexityAgent,
  totalCost,
  VERSION,
  type PerplexityAgentMetadata,
} from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import {
  createProviderRegistry,
  customProvider,
  generateObject,
  generateText,
  stepCountIs,
  streamText,
  tool,
} from 'ai';
import { z } from 'zod';

function check(condition: boolean, what: string): void {
  if (!condition) throw new Error(`Not true: ${what}`);
}

async function main(): Promise<void> {
  const simulator = createAgentApiSimulator();
  const perplexity = createPerplexityAgent({ apiKey: 'consumer', fetch: simulator.fetch });
  const model = perplexity('openai/gpt-6-luna');
  check(/^\d+\.\d+\.\d+/.test(VERSION), `version ${VERSION}`);

  const generated = await generateText({ model, prompt: 'Why lighthouses?' });
  check(generated.text.includes('control room'), 'generateText: text');
  check(generated.sources.length === 10, 'generateText: ten sources');
  const metadata = generated.providerMetadata?.perplexity as PerplexityAgentMetadata;
  check((metadata.cost?.totalCost ?? 0) > 0, 'generateText: cost');
  check(metadata.citations?.['1'] === 'https://lights.example.org/automation', 'generateText: citations');

  const streamed = streamText({ model: perplexity('fast'), prompt: 'Why lighthouses?' });
  let text = '';
  for await (const delta of streamed.textStream) text += delta;
  check(text.includes('control room[1]'), 'streamText: text');
  check(((await streamed.usage).outputTokens ?? 0) > 0, 'streamText: usage');

  const searched = await generateText({
    model,
    prompt: 'Why lighthouses?',
    tools: { search: perplexity.tools.webSearch({ maxResults: 10 }) },
  });
  const queries: string[] | undefined = searched.staticToolCalls[0]?.input.queries;
  const urls: (string | undefined)[] | undefined = searched.staticToolResults[0]?.output.results.map(({ url }) => url);
  check(queries?.length === 1 && urls?.length === 10, 'webSearch: queries and results');
  check(searched.steps.length === 1, 'webSearch: one step');

  const used = await generateText({
    model,
    prompt: 'Add 1 and 1',
    tools: { add: tool({ inputSchema: z.object({ a: z.number() }), execute: ({ a }) => `sum ${a + 1}` }) },
    stopWhen: stepCountIs(3),
  });
  check((totalCost(used).totalCost ?? 0) > (totalCost(used.steps[0] ?? {}).totalCost ?? 0), 'totalCost: of both steps');
  check(used.steps.length === 2 && used.text.includes('sum'), 'client tool: two steps');

  const { object } = await generateObject({ model, prompt: 'A light', schema: z.object({ name: z.string() }) });
  check(typeof object.name === 'string', 'generateObject: object');

  const registry = createProviderRegistry({ perplexity });
  const custom = customProvider({ languageModels: { answer: perplexity('low') }, fallbackProvider: perplexity });
  for (const each of [
    registry.languageModel('perplexity:fast'),
    registry.languageModel('perplexity:openai/gpt-6-luna'),
    custom.languageModel('answer'),
    custom.languageModel('medium'),
  ]) {
    check((await generateText({ model: each, prompt: 'Why lighthouses?' })).sources.length === 10, 'registry: sources');
  }

  const server = await listen(simulator);
  const overHttp = createPerplexityAgent({ apiKey: 'consumer', baseURL: server.url });
  check((await generateText({ model: overHttp('fast'), prompt: 'Over a socket' })).text !== '', 'simulator/node: text');
  check(
    (await overHttp.models()).some(({ pricing }) => pricing?.unit === 'usd_per_1m_tokens'),
    'models: prices',
  );
  const { response } = await generateText({ model: overHttp('fast'), prompt: 'Over a socket' });
  check((await overHttp.responses.files(response.id)).length === 0, 'responses: files');
  await server.close();

  // oxlint-disable-next-line no-console -- it says what it did, as a process of its own
  console.log(`${simulator.requests.length} requests, all as expected`);
}

void main();
