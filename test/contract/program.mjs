/** What any runtime and package manager must be able to run: each face that the installed ai takes, against the simulator. */
import * as ai from 'ai';
import * as v2 from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import * as v3 from 'ai-sdk-provider-perplexity-agent/v3';
import * as v4 from 'ai-sdk-provider-perplexity-agent/v4';
import { z } from 'zod';

globalThis.AI_SDK_LOG_WARNINGS = false;

const prompt = 'Why lighthouses?';
const lines = [];
for (const [face, { createPerplexityAgent }] of Object.entries({ v2, v3, v4 })) {
  const simulator = createAgentApiSimulator({ seed: 7 });
  const provider = createPerplexityAgent({ apiKey: 'any-key', fetch: simulator.fetch });
  try {
    const generated = await ai.generateText({ model: provider('fast'), prompt });
    const streamed = ai.streamText({ model: provider('fast'), prompt });
    let text = '';
    for await (const delta of streamed.textStream) text += delta;
    const weather = ai.tool({ inputSchema: z.object({ city: z.string() }), execute: () => 'sunny' });
    const tools = { weather, search: provider.tools.webSearch() };
    const looped = await ai.generateText({ model: provider('low'), prompt, tools, stopWhen: ai.stepCountIs(3) });
    const { object } = await ai.generateObject({
      model: provider('low'),
      prompt,
      schema: z.object({ city: z.string() }),
    });
    lines.push(
      `${face}: ${generated.sources.length} sources, ${text === generated.text ? 'same' : 'other'} text, ` +
        `${looped.steps.length} steps ${looped.text.includes('sunny') ? 'with' : 'without'} the tool, ` +
        `object with a ${typeof object.city}, ${(await streamed.usage).totalTokens > 0 ? 'usage' : 'no usage'}`,
    );
  } catch (error) {
    lines.push(`${face}: ${error.name}`);
  }
}
// oxlint-disable-next-line no-console -- it says what it did, as a process of its own
console.log(lines.join('\n'));
