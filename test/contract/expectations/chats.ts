/** Chats: UI message streams, their way back through model messages, and runs that are taken up again. */
import { expect } from 'vitest';
import { all, lastMessage, MODEL, orderOf, pick, userUI, type Row } from '../world.js';

const prompt = 'News?';

/** The input of a second turn: searches, progress and other parts stay out of it. */
const turns = [
  ['message', 'user'],
  ['message', 'assistant'],
  ['message', 'user'],
];

export const chats: Row[] = [
  {
    name: 'UI message stream: sources, reasoning, native tools; its message as a second turn',
    isShort: true,
    async observe(world) {
      const { ai, setUp } = world;
      const { provider, model, bodies, statuses } = setUp({ scenario: 'search' });
      const tools = { search: provider.tools.webSearch() };
      const first = ai.streamText({ model, tools, prompt });
      const answer = await lastMessage(world, first.toUIMessageStream({ sendSources: true }));
      const messages = await ai.convertToModelMessages([userUI(prompt), answer, userUI('More?')], { tools });
      const { steps } = await ai.generateText({ model, tools, messages });
      return {
        order: orderOf(answer.parts),
        sources: answer.parts.filter(({ type }) => type === 'source-url').length,
        tool: pick(
          answer.parts.find(({ type }) => type === 'tool-search'),
          'state',
          'providerExecuted',
        ),
        text: pick(
          answer.parts.find(({ type }) => type === 'text'),
          'state',
        ),
        citations: (answer.parts.find(({ type }) => type === 'text')?.['citations'] as unknown[] | undefined)?.length,
        sent: bodies()[1]?.input.map(({ type, role }) => [type, role]),
        steps: steps.length,
        statuses: statuses(),
      };
    },
    expected: ({ major }) => ({
      order: ['step-start', 'tool-search', 'reasoning', 'source-url', 'text'],
      sources: 10,
      tool: { state: 'output-available', providerExecuted: true },
      text: { state: 'done' },
      citations: major === 7 ? 2 : undefined,
      sent: turns,
      steps: 1,
      statuses: [200, 200],
    }),
  },
  {
    name: 'a second turn of a chat whose tools were not declared',
    async observe(world) {
      const { ai, setUp } = world;
      const { model, bodies } = setUp({ scenario: 'search' });
      const answer = await lastMessage(world, ai.streamText({ model, prompt }).toUIMessageStream());
      const messages = await ai.convertToModelMessages([userUI(prompt), answer, userUI('More?')]);
      const { finishReason, warnings } = await ai.generateText({ model, messages });
      return { finishReason, warnings, sent: bodies()[1]?.input.map(({ type, role }) => [type, role]) };
    },
    expected: () => ({ finishReason: 'stop', warnings: [], sent: turns }),
  },
  {
    name: 'a second turn whose first answer brought custom parts',
    async observe(world) {
      const { ai, setUp } = world;
      const { model, bodies } = setUp({ scenario: 'office-skill' });
      const answer = await lastMessage(world, ai.streamText({ model, prompt }).toUIMessageStream());
      const messages = await ai.convertToModelMessages([userUI(prompt), answer, userUI('More?')]);
      const { finishReason, warnings } = await ai.generateText({ model, messages });
      return { finishReason, warnings, sent: bodies()[1]?.input.map(({ type, role }) => [type, role]) };
    },
    expected: () => ({ finishReason: 'stop', warnings: [], sent: turns }),
  },
  {
    name: 'reasoning in the history: kept by the SDK, not sent to the API',
    async observe({ ai, setUp }) {
      const { provider, bodies } = setUp({ scenario: 'search' });
      const model = provider('fast');
      const first = ai.streamText({ model, prompt });
      await first.consumeStream();
      const { messages } = await first.response;
      const { warnings } = await ai.generateText({
        model,
        messages: [{ role: 'user', content: prompt }, ...messages, { role: 'user', content: 'More?' }],
      });
      const parts = messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content));
      return {
        kept: parts.filter(({ type }) => type === 'reasoning').map((part) => pick(part, 'type', 'providerOptions')),
        sent: bodies()[1]?.input.map(({ type, role }) => [type, role]),
        warnings,
      };
    },
    expected: () => ({
      kept: [{ type: 'reasoning', providerOptions: { perplexity: { responseId: expect.stringMatching(/^resp_/) } } }],
      sent: turns,
      warnings: [],
    }),
  },
  {
    name: 'UI message stream: what it leaves out by default',
    async observe({ ai, setUp }) {
      const { provider } = setUp({ scenario: 'search' });
      const streamed = ai.streamText({ model: provider('fast'), prompt });
      const [plain, bare] = await Promise.all([
        all(streamed.toUIMessageStream()),
        all(streamed.toUIMessageStream({ sendReasoning: false, sendSources: true })),
      ]);
      const count = (chunks: typeof plain, type: string) => chunks.filter((chunk) => chunk.type === type).length;
      return {
        plain: [count(plain, 'reasoning-start'), count(plain, 'source-url')],
        bare: [count(bare, 'reasoning-start'), count(bare, 'source-url')],
      };
    },
    expected: ({ major }) => ({
      plain: [1, 0],
      // ai 5 still sends the part, empty.
      bare: [major === 5 ? 1 : 0, 10],
    }),
  },
  {
    name: 'UI message stream: a client that goes away does not reach the model',
    async observe({ ai, setUp }) {
      const { provider, simulator } = setUp({ scenario: 'plain', eventDelay: 2 });
      const reader = ai
        .streamText({ model: provider('fast'), prompt })
        .toUIMessageStream()
        .getReader();
      await reader.read();
      await reader.cancel();
      await new Promise((resolve) => setTimeout(resolve, 80));
      return simulator.requests.map(({ path, aborted }) => [path.split('/').at(-1), aborted]);
    },
    expected: () => [['agent', false]],
  },
  {
    name: 'metadata of a finished step in the chat',
    async observe(world) {
      const { ai, setUp } = world;
      const { provider } = setUp({ scenario: 'search' });
      const result = ai.streamText({ model: provider('fast'), prompt });
      const chunks = await all(
        result.toUIMessageStream({
          messageMetadata: ({
            part,
          }: {
            part: { type: string; providerMetadata?: { perplexity: { cost: object } } };
          }) => (part.type === 'finish-step' ? Object.keys(part.providerMetadata?.perplexity.cost ?? {}) : undefined),
        }),
      );
      return chunks.filter(({ type }) => type === 'message-metadata').map(({ messageMetadata }) => messageMetadata);
    },
    expected: () => [
      [
        'cacheCreationCost',
        'cacheReadCost',
        'currency',
        'inputCost',
        'outputCost',
        'toolCallsCost',
        'totalCost',
        'toolCallsCostDetails',
      ],
    ],
  },
  {
    name: 'a run in the background, streamed and resumed',
    isShort: true,
    async observe({ ai, setUp }) {
      const { provider, simulator } = setUp({ scenario: 'search', eventDelay: 1 });
      const providerOptions = { perplexity: { background: true } };
      const result = ai.streamText({ model: provider('fast'), prompt, providerOptions });
      await result.consumeStream();
      const text = await result.text;
      const [run] = simulator.runs;
      const again = ai.streamText({ model: provider.resume(run?.id ?? ''), prompt });
      await again.consumeStream();
      const polled = await ai.generateText({ model: provider.resume(run?.id ?? ''), prompt });
      return {
        background: run?.background,
        status: run?.status,
        isSame: (await again.text) === text && polled.text === text && text.length > 20,
        sources: [(await again.sources).length, polled.sources.length],
        finishReason: [await again.finishReason, polled.finishReason],
        requests: simulator.requests.map(({ method, status }) => [method, status]),
      };
    },
    expected: () => ({
      background: true,
      status: 'completed',
      isSame: true,
      sources: [10, 10],
      finishReason: ['stop', 'stop'],
      requests: [
        ['POST', 200],
        ['GET', 200],
        ['GET', 200],
      ],
    }),
  },
  {
    name: 'a run in the background whose connection drops',
    async observe({ ai, setUp }) {
      const { provider, simulator } = setUp({
        scenario: 'plain',
        faults: [{ on: 'create', fault: 'reset', afterEvents: 4 }],
      });
      const providerOptions = { perplexity: { background: true } };
      const result = ai.streamText({ model: provider(MODEL), prompt, providerOptions });
      const parts = await all(result.fullStream);
      return {
        errors: parts.filter(({ type }) => type === 'error').length,
        text: (await result.text).slice(0, 17),
        finishReason: await result.finishReason,
        requests: simulator.requests.map(({ method, status }) => [method, status]),
      };
    },
    expected: () => ({
      errors: 0,
      text: 'A lighthouse lamp',
      finishReason: 'stop',
      requests: [
        ['POST', 200],
        ['GET', 200],
      ],
    }),
  },
];
