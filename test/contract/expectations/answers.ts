/** Answers: texts, sources, usage, finish reasons, warnings, settings, structured output. */
import type { AgentApiScenario } from 'ai-sdk-provider-perplexity-agent/simulator';
import { expect } from 'vitest';
import * as z from 'zod/v4';
import { message, snapshot, usage } from '../../support/wire.js';
import { all, endOf, isV2, MODEL, orderOf, pick, unsupported, type Row, type World } from '../world.js';

const prompt = 'What is new?';
const quiet = { onError: () => undefined };
const schema = z.object({ city: z.string(), people: z.number() });
const facts = { city: 'Porto', people: 231_800 };

/** A run that answers with these texts, in any mode. */
const saying = (texts: string[], fields: Record<string, unknown> = {}): AgentApiScenario => ({
  response: snapshot({ output: texts.map((text, index) => message(text, `msg_${index}`)), usage, ...fields }),
});

const outputOf = async ({ ai, major, setUp }: World, scenario: AgentApiScenario) => {
  const { model } = setUp({ scenario });
  // The setting lost its prefix in ai 6.
  const key = major === 5 ? 'experimental_output' : 'output';
  const call = async () => (await ai.generateText({ model, prompt, [key]: ai.Output.object({ schema }) }))[key];
  return endOf(call());
};

const progress = 'Searching the web...\n- What is new?\nFound 10 results';

const incomplete = (reason: string) => saying(['Hm.'], { status: 'incomplete', incomplete_details: { reason } });

export const answers: Row[] = [
  {
    name: 'generateText: text, sources, finish, cost',
    isShort: true,
    async observe({ ai, setUp }) {
      const { provider, statuses } = setUp({ scenario: 'search' });
      const result = await ai.generateText({ model: provider('fast'), prompt });
      const { cost, citations } = (result.providerMetadata?.['perplexity'] ?? {}) as Record<
        string,
        Record<string, unknown>
      >;
      return {
        text: result.text.slice(0, 25),
        sources: result.sources.length,
        first: pick(result.sources[0], 'type', 'sourceType', 'url', 'title'),
        finishReason: result.finishReason,
        isPaid: Number(cost?.['totalCost']) > 0,
        cited: Object.keys(citations ?? {}),
        warnings: result.warnings,
        statuses: statuses(),
      };
    },
    expected: () => ({
      text: 'Lighthouses on this coast',
      sources: 10,
      first: {
        type: 'source',
        sourceType: 'url',
        url: 'https://lights.example.org/automation',
        title: 'How the lights were automated',
      },
      finishReason: 'stop',
      isPaid: true,
      cited: ['1', '2', '3', '4', '5', '6', '7', '8', '9', '10'],
      warnings: [],
      statuses: [200],
    }),
  },
  {
    name: 'streamText: order of parts, text, sources, finish',
    isShort: true,
    async observe({ ai, setUp }) {
      const { provider } = setUp({ scenario: 'search' });
      const result = ai.streamText({ model: provider('fast'), prompt, ...quiet });
      const parts = await all(result.fullStream);
      return {
        order: orderOf(parts),
        text: (await result.text).slice(0, 25),
        sources: (await result.sources).length,
        finishReason: await result.finishReason,
      };
    },
    expected: (cell) => ({
      order: [
        'start',
        'start-step',
        // The search that nobody declared.
        ...(isV2(cell) ? [] : ['tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-call']),
        'reasoning-start',
        'reasoning-delta',
        'source',
        ...(isV2(cell) ? [] : ['tool-result']),
        'reasoning-end',
        'text-start',
        'text-delta',
        'text-end',
        'finish-step',
        'finish',
      ],
      text: 'Lighthouses on this coast',
      sources: 10,
      finishReason: 'stop',
    }),
  },
  {
    name: 'reasoning: progress of the research, with its metadata',
    async observe({ ai, setUp }) {
      const { provider } = setUp({ scenario: 'search' });
      const result = ai.streamText({ model: provider('fast'), prompt, ...quiet });
      const parts = await all(result.fullStream);
      const start = parts.find(({ type }) => type === 'reasoning-start');
      const generated = await ai.generateText({ model: provider('fast'), prompt });
      return {
        text: await result.reasoningText,
        metadata: start?.['providerMetadata'],
        ofGenerate: generated.reasoningText,
      };
    },
    expected: () => ({
      text: progress,
      metadata: { perplexity: { responseId: expect.stringMatching(/^resp_/) } },
      ofGenerate: progress,
    }),
  },
  {
    name: 'reasoning: the setting of ai 7',
    only: ({ major }) => major === 7,
    async observe({ ai, setUp }) {
      const { provider, bodies } = setUp();
      const warnings: unknown[] = [];
      for (const reasoning of ['high', 'none', 'provider-default'])
        warnings.push((await ai.generateText({ model: provider(MODEL), prompt, reasoning })).warnings);
      return { sent: bodies().map(({ reasoning }) => reasoning), warnings };
    },
    expected: (cell) => {
      const details = "The API cannot switch reasoning off; 'minimal' is sent, the least that it takes.";
      return {
        sent: [{ effort: 'high' }, { effort: 'minimal' }, undefined],
        warnings: [[], [unsupported(cell, 'reasoning', details)], []],
      };
    },
  },
  {
    name: 'finish reasons and what the API called them',
    async observe({ ai, setUp }) {
      const ends: unknown[] = [];
      for (const scenario of ['plain', 'incomplete', incomplete('content_filter'), incomplete('whatever')] as const) {
        const { model } = setUp({ scenario });
        const { finishReason, rawFinishReason } = await ai.generateText({ model, prompt });
        ends.push([finishReason, rawFinishReason]);
      }
      return ends;
    },
    expected: (cell) => [
      ['stop', isV2(cell) ? undefined : 'completed'],
      ['length', isV2(cell) ? undefined : 'max_output_tokens'],
      ['content-filter', isV2(cell) ? undefined : 'content_filter'],
      ['other', isV2(cell) ? undefined : 'whatever'],
    ],
  },
  {
    name: 'usage: totals and details, also of a stream',
    isShort: true,
    async observe({ ai, setUp }) {
      const { model } = setUp({ scenario: saying(['Hm.'], { usage: { ...usage, total_tokens: 160 } }) });
      const { usage: counted, totalUsage } = await ai.generateText({ model, prompt });
      const streamed = ai.streamText({ model, prompt });
      await streamed.consumeStream();
      return [counted, totalUsage, await streamed.usage, await streamed.totalUsage];
    },
    expected: (cell) => {
      // As ai 5 has them; ai 6 still has these fields too.
      const flat = { reasoningTokens: 5, cachedInputTokens: 20 };
      // The API says 160; ai 6 and 7 add up what they are given.
      const ofMajor5 = { inputTokens: 110, outputTokens: 45, totalTokens: 160, ...flat };
      if (cell.major === 5) return [ofMajor5, ofMajor5, ofMajor5, ofMajor5];
      const ofV2 = cell.isEarly ? undefined : { totalTokens: 160 };
      const counted = {
        inputTokens: 110,
        inputTokenDetails: isV2(cell)
          ? { noCacheTokens: undefined, cacheReadTokens: 20, cacheWriteTokens: undefined }
          : { noCacheTokens: 80, cacheReadTokens: 20, cacheWriteTokens: 10 },
        outputTokens: 45,
        outputTokenDetails: { textTokens: isV2(cell) ? undefined : 40, reasoningTokens: 5 },
        totalTokens: 155,
        ...(cell.major === 6 && flat),
        raw: isV2(cell) ? ofV2 : { ...usage, total_tokens: 160 },
      };
      // Early releases add up steps without what the API said.
      const total = cell.isEarly ? { ...counted, raw: undefined } : counted;
      return [counted, total, counted, total];
    },
  },
  {
    name: 'usage: cached tokens under their older name, also of a stream',
    async observe({ ai, setUp }) {
      const counts = { input_tokens: 110, input_tokens_details: { cached_tokens: 20 }, output_tokens: 45 };
      const { model } = setUp({ scenario: saying(['Hm.'], { usage: counts }) });
      const generated = await ai.generateText({ model, prompt });
      const streamed = ai.streamText({ model, prompt });
      await streamed.consumeStream();
      return [generated.usage, await streamed.usage].map(
        ({ cachedInputTokens, inputTokenDetails: details }) =>
          cachedInputTokens ?? (details as Record<string, unknown>)['cacheReadTokens'],
      );
    },
    expected: () => [20, 20],
  },
  {
    name: 'warnings of a result',
    isShort: true,
    async observe({ ai, setUp }) {
      const { model } = setUp();
      const result = await ai.generateText({ model, prompt, topK: 3 });
      return result.warnings;
    },
    expected: (cell) => [unsupported(cell, 'topK', 'The Agent API has no such setting; it is not sent.')],
  },
  {
    name: 'request and response bodies',
    async observe({ ai, setUp }) {
      const { model } = setUp();
      const shown = ({ request, response }: Awaited<ReturnType<typeof ai.generateText>>) => [
        (request.body as { model?: string } | undefined)?.model,
        (response.body as { object?: string } | undefined)?.object,
      ];
      const include = { requestBody: true, responseBody: true };
      return {
        byDefault: shown(await ai.generateText({ model, prompt })),
        included: shown(await ai.generateText({ model, prompt, include, experimental_include: include })),
      };
    },
    expected: ({ major }) => ({
      byDefault: major === 7 ? [undefined, undefined] : [MODEL, 'response'],
      included: [MODEL, 'response'],
    }),
  },
  {
    name: 'citations of a text',
    async observe({ ai, setUp }) {
      const { provider } = setUp({ scenario: 'search' });
      const { content, text } = await ai.generateText({ model: provider('fast'), prompt });
      const citations = content.find(({ type }) => type === 'text')?.['citations'] as
        | Array<{ source: { url: string }; startIndex: number; endIndex: number }>
        | undefined;
      return citations?.map(({ source, startIndex, endIndex }) => [source.url, text.slice(startIndex, endIndex)]);
    },
    expected: () => [
      ['https://lights.example.org/automation', '[1]'],
      ['https://museum.example.net/timeline', '[3]'],
    ],
  },
  {
    name: 'generateObject and streamObject',
    isShort: true,
    async observe({ ai, setUp }) {
      const { model, bodies } = setUp({ scenario: saying([JSON.stringify(facts)]) });
      const { object } = await ai.generateObject({ model, schema, schemaName: 'city facts', prompt });
      const streamed = ai.streamObject({ model, schema, prompt });
      const partials = await all(streamed.partialObjectStream);
      const { json_schema: sent } = bodies()[0]?.['response_format'] as { json_schema: { name: string } };
      return { object, partial: partials.at(-1), streamed: await streamed.object, name: sent.name };
    },
    expected: () => ({ object: facts, partial: facts, streamed: facts, name: 'city_facts' }),
  },
  {
    name: 'Output.object',
    isShort: true,
    observe: async (world) => outputOf(world, saying([JSON.stringify(facts)])),
    expected: () => facts,
  },
  {
    name: 'Output.object of a stream',
    async observe({ ai, major, setUp }) {
      const { model } = setUp({ scenario: saying([JSON.stringify(facts)]) });
      const output = ai.Output.object({ schema });
      const streamed = ai.streamText({ model, prompt, [major === 5 ? 'experimental_output' : 'output']: output });
      const partials = major === 5 ? streamed.experimental_partialOutputStream : streamed.partialOutputStream;
      return (await all(partials)).at(-1);
    },
    expected: () => facts,
  },
  {
    name: 'Output.object of a run that was cut off after its JSON',
    observe: async (world) =>
      outputOf(
        world,
        saying([JSON.stringify(facts)], { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } }),
      ),
    expected: ({ major }) => (major === 5 ? 'rejected: AI_NoOutputSpecifiedError' : facts),
  },
  {
    name: 'Output.object of a draft and a final text',
    observe: async (world) => outputOf(world, saying(['{"city":"Por', JSON.stringify(facts)])),
    expected: () => facts,
  },
  {
    name: 'Output.object of JSON in a fence',
    observe: async (world) => outputOf(world, saying([`\`\`\`json\n${JSON.stringify(facts)}\n\`\`\``])),
    expected: () => facts,
  },
  {
    name: 'an answer without text',
    async observe({ ai, setUp }) {
      const { model } = setUp({ scenario: { name: 'incomplete', empty: true } });
      const { text, finishReason } = await ai.generateText({ model, prompt });
      const streamed = ai.streamText({ model, prompt, ...quiet });
      await streamed.consumeStream();
      return [text, finishReason, await endOf(streamed.text), await endOf(streamed.finishReason)];
    },
    expected: () => ['', 'length', '', 'length'],
  },
];
