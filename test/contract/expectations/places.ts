/** Where models go: registries, custom providers, middleware, agents, the default provider; what is refused; the console. */
import { vi } from 'vitest';
import * as z from 'zod/v4';
import { message, snapshot } from '../../support/wire.js';
import { faces, type Face, type Model } from '../sdk.js';
import { all, endOf, isV2, MODEL, pick, type Cell, type Row, type World } from '../world.js';

const prompt = 'Hi';
const hello = { scenario: { name: 'plain', text: 'Hello.' } } as const;

/** What of an answer arrives through something that stands between. */
async function arrives({ ai }: World, model: Model, tools?: object) {
  const { text, finishReason, usage, steps } = await ai.generateText({
    model,
    prompt,
    ...(tools && { tools, stopWhen: ai.stepCountIs(3) }),
  });
  return { text, finishReason, hasUsage: Number(usage.totalTokens) > 0, steps: steps.length };
}

/** A call with a client tool through something that stands between. */
async function loops(world: World, through: (model: Model) => Model) {
  const { model } = world.setUp({ scenario: 'tool-call' });
  let ran = 0;
  const weather = world.ai.tool({ inputSchema: z.object({ city: z.string() }), execute: () => `ran ${++ran}` });
  const { steps, finishReason } = await arrives(world, through(model), { weather });
  return { steps, finishReason, ran };
}

const whole = { text: 'Hello.', finishReason: 'stop', hasUsage: true, steps: 1 };

/** What ai 6 loses of a V2 model by its `wrapLanguageModel`. */
const isLossy = (cell: Cell) => cell.major === 6 && isV2(cell);
const lost = { finishReason: undefined, hasUsage: false };

export const places: Row[] = [
  {
    name: 'createProviderRegistry',
    isShort: true,
    async observe(world) {
      const { provider } = world.setUp(hello);
      const registry = world.ai.createProviderRegistry({ perplexity: provider });
      const model = registry.languageModel(`perplexity:${MODEL}`);
      return {
        label: (provider as { specificationVersion?: string }).specificationVersion,
        ...pick(model, 'specificationVersion', 'provider', 'modelId'),
        ...(await arrives(world, model)),
      };
    },
    expected: ({ major, face }) => ({
      label: face === 'v2' ? undefined : face,
      specificationVersion: major === 7 ? 'v4' : face,
      provider: 'perplexity.agent',
      modelId: MODEL,
      ...whole,
    }),
  },
  {
    name: 'customProvider: own names and the provider behind',
    isShort: true,
    async observe(world) {
      const { provider } = world.setUp(hello);
      const custom = world.ai.customProvider({
        languageModels: { quick: provider('fast') },
        fallbackProvider: provider,
      });
      return [await arrives(world, custom.languageModel('quick')), await arrives(world, custom.languageModel('low'))];
    },
    expected: () => [whole, whole],
  },
  {
    name: 'the default provider of model strings',
    async observe(world) {
      const { provider } = world.setUp(hello);
      const scope = globalThis as { AI_SDK_DEFAULT_PROVIDER?: unknown };
      scope.AI_SDK_DEFAULT_PROVIDER = provider;
      try {
        return await arrives(world, MODEL as unknown as Model);
      } finally {
        delete scope.AI_SDK_DEFAULT_PROVIDER;
      }
    },
    expected: () => whole,
  },
  {
    name: 'wrapLanguageModel: an answer',
    isShort: true,
    async observe(world) {
      const { model } = world.setUp(hello);
      return arrives(world, world.ai.wrapLanguageModel({ model, middleware: {} }));
    },
    expected: (cell) => (isLossy(cell) ? { ...whole, ...lost } : whole),
  },
  {
    name: 'wrapLanguageModel: client tools',
    observe: async (world) => loops(world, (model) => world.ai.wrapLanguageModel({ model, middleware: {} })),
    expected: (cell) =>
      isLossy(cell) ? { steps: 1, finishReason: undefined, ran: 0 } : { steps: 2, finishReason: 'stop', ran: 1 },
  },
  {
    name: 'the middleware of a registry',
    async observe(world) {
      const { provider } = world.setUp(hello);
      const registry = world.ai.createProviderRegistry({ perplexity: provider }, { languageModelMiddleware: {} });
      return arrives(world, registry.languageModel('perplexity:fast'));
    },
    expected: (cell) => (isLossy(cell) ? { ...whole, ...lost } : whole),
  },
  {
    name: 'wrapProvider',
    async observe(world) {
      if (world.ai.wrapProvider === undefined) return 'there is none';
      const { provider } = world.setUp(hello);
      return arrives(world, world.ai.wrapProvider({ provider, languageModelMiddleware: {} }).languageModel('fast'));
    },
    expected: () => whole,
  },
  {
    name: 'middleware: extractReasoning, defaultSettings, simulateStreaming',
    async observe(world) {
      const { ai, setUp } = world;
      const { model, bodies } = setUp({ scenario: { name: 'plain', text: '<think>Hm.</think>Hello.' } });
      const settings = { temperature: 0.5, providerOptions: { perplexity: { metadata: { from: 'default' } } } };
      const wrapped = ai.wrapLanguageModel({
        model,
        middleware: [ai.extractReasoningMiddleware({ tagName: 'think' }), ai.defaultSettingsMiddleware({ settings })],
      });
      const { text, reasoningText, finishReason } = await ai.generateText({ model: wrapped, prompt });
      const simulated = ai.wrapLanguageModel({ model, middleware: ai.simulateStreamingMiddleware() });
      const streamed = ai.streamText({ model: simulated, prompt, onError: () => undefined });
      await streamed.consumeStream();
      return {
        text,
        reasoningText,
        finishReason,
        sent: pick(bodies()[0], 'temperature', 'metadata'),
        streamed: [await streamed.text, await endOf(streamed.finishReason)],
      };
    },
    expected: (cell) => ({
      text: 'Hello.',
      reasoningText: 'Hm.',
      finishReason: isLossy(cell) ? undefined : 'stop',
      sent: { temperature: 0.5, metadata: { from: 'default' } },
      streamed: ['<think>Hm.</think>Hello.', isLossy(cell) ? 'other' : 'stop'],
    }),
  },
  {
    name: 'structuredOutputText: JSON stays JSON when middleware adds words',
    async observe(world) {
      const { ai, setUp, major } = world;
      const response = snapshot({ output: [message('{"name":"A"}')] });
      const { model } = setUp({ scenario: { response } });
      const wrapGenerate = async ({ doGenerate }: { doGenerate: Model['doGenerate'] }) => {
        const given = await (doGenerate as unknown as () => ReturnType<Model['doGenerate']>)();
        return { ...given, content: [...given.content, { type: 'text', text: ' Bye!' }] };
      };
      const wrapped = ai.wrapLanguageModel({ model, middleware: { wrapGenerate } });
      const key = major === 5 ? 'experimental_output' : 'output';
      const output = ai.Output.object({ schema: z.object({ name: z.string() }) });
      const call = async () => (await ai.generateText({ model: wrapped, prompt, [key]: output }))[key];
      return endOf(call());
    },
    expected: (cell) => {
      if (cell.face === 'v4') return { name: 'A' };
      // The wrapper of ai 6 hands the whole V2 finish reason on as if it were one of V3.
      return isLossy(cell) ? 'rejected: TypeError' : 'rejected: AI_NoObjectGeneratedError';
    },
  },
  {
    name: 'agents: generate with a client tool, and stream',
    async observe(world) {
      const { ai, setUp } = world;
      const { model } = setUp({ scenario: 'tool-call' });
      const tools = { weather: ai.tool({ inputSchema: z.object({ city: z.string() }), execute: () => 'sunny' }) };
      const Agent = ai.ToolLoopAgent ?? ai.Experimental_Agent;
      const agent = new Agent({ model, tools, stopWhen: ai.stepCountIs(3) });
      const { steps, text } = await agent.generate({ prompt });
      const streamed = await agent.stream({ prompt });
      await all(streamed.fullStream);
      return {
        reasons: steps.map(({ finishReason }) => finishReason),
        isQuoted: text.includes('sunny'),
        streamed: (await streamed.steps).length,
      };
    },
    expected: () => ({ reasons: ['tool-calls', 'stop'], isQuoted: true, streamed: 2 }),
  },
  {
    name: 'faces that a major does not take',
    only: ({ face }) => face === 'v2',
    async observe({ ai, setUp }) {
      const { simulator } = setUp(hello);
      const ends: Partial<Record<Face, unknown>> = {};
      for (const face of ['v2', 'v3', 'v4'] as const) {
        const model = faces[face].createPerplexityAgent({ apiKey: 'pplx-key', fetch: simulator.fetch })('fast');
        ends[face] = await endOf(ai.generateText({ model, prompt }).then(({ text }) => text));
      }
      return ends;
    },
    expected: ({ major }) => {
      const refused = 'rejected: AI_UnsupportedModelVersionError';
      return { v2: 'Hello.', v3: major >= 6 ? 'Hello.' : refused, v4: major >= 7 ? 'Hello.' : refused };
    },
  },
  {
    name: "the console: what an app's own logger of warnings is given",
    async observe({ ai, setUp }) {
      const { model } = setUp(hello);
      const scope = globalThis as { AI_SDK_LOG_WARNINGS?: unknown };
      const before = scope.AI_SDK_LOG_WARNINGS;
      const given: unknown[] = [];
      scope.AI_SDK_LOG_WARNINGS = (log: unknown[] | { warnings: unknown[] }) => void given.push(log);
      try {
        await ai.generateText({ model, prompt });
        await ai.generateText({ model, prompt, topK: 3 });
      } finally {
        scope.AI_SDK_LOG_WARNINGS = before;
      }
      return given;
    },
    expected: (cell) => {
      const details = 'The Agent API has no such setting; it is not sent.';
      if (cell.major === 5) return [[{ type: 'unsupported-setting', setting: 'topK', details }]];
      const log = (warning: object) => ({ warnings: [warning], provider: 'perplexity.agent', model: MODEL });
      if (!isV2(cell)) return [log({ type: 'unsupported', feature: 'topK', details })];
      const older = {
        type: 'compatibility',
        feature: 'specificationVersion',
        details: 'Using v2 specification compatibility mode. Some features may not be available.',
      };
      return [log(older), log(older), log({ type: 'unsupported-setting', setting: 'topK', details })];
    },
  },
  {
    name: 'the console: two calls with a setting that the API lacks',
    async observe({ ai, setUp }) {
      const { model } = setUp(hello);
      const scope = globalThis as { AI_SDK_LOG_WARNINGS?: unknown };
      const before = scope.AI_SDK_LOG_WARNINGS;
      delete scope.AI_SDK_LOG_WARNINGS;
      const lines: string[] = [];
      // The one about switching them off is said once, with the first warning of all.
      const note = (line: unknown) => void (/Warning System/.test(String(line)) || lines.push(String(line)));
      const spies = [
        vi.spyOn(console, 'warn').mockImplementation(note),
        vi.spyOn(console, 'info').mockImplementation(() => undefined),
        vi.spyOn(process, 'emitWarning').mockImplementation(note),
      ];
      try {
        await ai.generateText({ model, prompt, topK: 3 });
        await ai.generateText({ model, prompt });
      } finally {
        for (const spy of spies) spy.mockRestore();
        scope.AI_SDK_LOG_WARNINGS = before;
      }
      return lines;
    },
    expected: (cell) => {
      const details = 'The Agent API has no such setting; it is not sent.';
      if (cell.major === 5) return [`AI SDK Warning: The "topK" setting is not supported by this model - ${details}`];
      const prefix = `AI SDK Warning (perplexity.agent / ${MODEL}): `;
      if (!isV2(cell)) return [`${prefix}The feature "topK" is not supported. ${details}`];
      const older =
        `${prefix}The feature "specificationVersion" is used in a compatibility mode. ` +
        'Using v2 specification compatibility mode. Some features may not be available.';
      const asJson = JSON.stringify({ type: 'unsupported-setting', setting: 'topK', details }, null, 2);
      return [older, prefix + asJson, older];
    },
  },
];
