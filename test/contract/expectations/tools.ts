/** Tools: of the client, native ones declared and not, failures, choices. */
import * as z from 'zod/v4';
import { all, endOf, isV2, lastMessage, pick, user, type Row, type World } from '../world.js';
import type { Part } from '../sdk.js';

const prompt = 'Weather in Rome?';

const weather = ({ ai }: World, ran: string[] = []) =>
  ai.tool({
    description: 'Weather of a city',
    inputSchema: z.object({ city: z.string() }),
    execute: ({ city }: { city: string }) => {
      ran.push(city);
      return { city, celsius: 21 };
    },
  });

const shown = (part: Part) => pick(part, 'type', 'toolName', 'providerExecuted', 'dynamic', 'invalid');

export const tools: Row[] = [
  {
    name: 'client tools: loop of generateText',
    isShort: true,
    async observe(world) {
      const { model, bodies } = world.setUp({ scenario: 'tool-call' });
      const ran: string[] = [];
      const { steps, text } = await world.ai.generateText({
        model,
        prompt,
        tools: { weather: weather(world, ran) },
        stopWhen: world.ai.stepCountIs(4),
      });
      return {
        reasons: steps.map(({ finishReason }) => finishReason),
        ran: ran.length,
        output: steps[0]?.toolResults.map(({ output }) => Object.keys(output as object)),
        isQuoted: text.includes('21'),
        sent: bodies()[1]?.input.map(({ type }) => type),
      };
    },
    expected: () => ({
      reasons: ['tool-calls', 'stop'],
      ran: 1,
      output: [['city', 'celsius']],
      isQuoted: true,
      sent: ['message', 'function_call', 'function_call_output'],
    }),
  },
  {
    name: 'client tools: loop of streamText, and its limit',
    async observe(world) {
      const { model, statuses } = world.setUp({ scenario: 'tool-call' });
      const call = { model, prompt, tools: { weather: weather(world) } };
      const result = world.ai.streamText({ ...call, stopWhen: world.ai.stepCountIs(4) });
      const parts = await all(result.fullStream);
      const limited = world.ai.streamText({ ...call, stopWhen: world.ai.stepCountIs(1) });
      await limited.consumeStream();
      return {
        tools: parts.map(({ type }) => type).filter((type) => type.startsWith('tool-') && type !== 'tool-input-delta'),
        steps: (await result.steps).map(({ finishReason }) => finishReason),
        limited: [(await limited.steps).length, await limited.finishReason],
        requests: statuses(),
      };
    },
    expected: () => ({
      tools: ['tool-input-start', 'tool-input-end', 'tool-call', 'tool-result'],
      steps: ['tool-calls', 'stop'],
      limited: [1, 'tool-calls'],
      requests: [200, 200, 200],
    }),
  },
  {
    name: 'native tools, declared: parts and steps',
    isShort: true,
    async observe({ ai, setUp }) {
      const { provider, model, statuses } = setUp({ scenario: 'search' });
      const call = { model, prompt, tools: { search: provider.tools.webSearch() }, stopWhen: ai.stepCountIs(3) };
      const { steps, toolCalls, toolResults } = await ai.generateText(call);
      const streamed = ai.streamText(call);
      const parts = await all(streamed.fullStream);
      return {
        steps: steps.length,
        calls: toolCalls.map(shown),
        results: toolResults.map((part) => [shown(part), (part['output'] as { results: unknown[] }).results.length]),
        streamed: parts.filter(({ type }) => type === 'tool-call' || type === 'tool-result').map(shown),
        finishReason: await streamed.finishReason,
        statuses: statuses(),
      };
    },
    expected: () => {
      const call = { type: 'tool-call', toolName: 'search', providerExecuted: true };
      const found = { ...call, type: 'tool-result' };
      return {
        steps: 1,
        calls: [call],
        results: [[found, 10]],
        streamed: [call, found],
        finishReason: 'stop',
        statuses: [200, 200],
      };
    },
  },
  {
    name: 'native tools, declared with a schema that their input does not fit',
    async observe({ ai, setUp }) {
      const { provider, model, statuses } = setUp({ scenario: 'search' });
      const search = { ...provider.tools.webSearch(), inputSchema: z.object({ never: z.string() }) };
      const result = await ai.generateText({ model, prompt, tools: { search }, stopWhen: ai.stepCountIs(3) });
      const { steps, toolCalls, finishReason } = result;
      return { steps: steps.length, calls: toolCalls.map(shown), finishReason, requests: statuses().length };
    },
    expected: ({ major }) => {
      const call = { type: 'tool-call', toolName: 'search', dynamic: true, invalid: true };
      // ai 5 takes it for a mistake of the model's, and asks again until it may not any more.
      if (major === 5) return { steps: 3, calls: [call], finishReason: 'stop', requests: 3 };
      return { steps: 1, calls: [{ ...call, providerExecuted: true }], finishReason: 'stop', requests: 1 };
    },
  },
  {
    name: 'native tools, undeclared: parts, steps, UI',
    isShort: true,
    async observe(world) {
      const { ai, setUp } = world;
      const { model, statuses } = setUp({ scenario: 'search' });
      const call = { model, prompt, stopWhen: ai.stepCountIs(4) };
      const { steps, toolCalls, toolResults, providerMetadata } = await ai.generateText(call);
      const streamed = ai.streamText(call);
      const answer = await lastMessage(world, streamed.toUIMessageStream());
      const { items } = (providerMetadata?.['perplexity'] ?? {}) as { items?: Part[] };
      return {
        steps: steps.length,
        parts: [...toolCalls, ...toolResults].map(shown),
        items: items?.map(({ type }) => type),
        ui: answer.parts
          .filter(({ type }) => type.includes('tool'))
          .map((part) => pick(part, 'type', 'toolName', 'state')),
        statuses: statuses(),
      };
    },
    expected: (cell) => {
      const call = { type: 'tool-call', toolName: 'web_search', providerExecuted: true, dynamic: true };
      const statuses = [200, 200];
      if (isV2(cell)) return { steps: 1, parts: [], items: ['search_results'], ui: [], statuses };
      return {
        steps: 1,
        parts: [call, { ...call, type: 'tool-result' }],
        items: undefined,
        ui: [{ type: 'dynamic-tool', toolName: 'web_search', state: 'output-available' }],
        statuses,
      };
    },
  },
  {
    name: 'native tools that fail: tool error, not a failed answer',
    async observe(world) {
      const { ai, setUp } = world;
      const { provider, model } = setUp({ scenario: { name: 'image', error: 'image_search_failed' } });
      const call = { model, prompt, tools: { pictures: provider.tools.imageSearch() }, stopWhen: ai.stepCountIs(3) };
      const { content, steps, finishReason } = await ai.generateText(call);
      const answer = await lastMessage(world, ai.streamText(call).toUIMessageStream());
      return {
        parts: content.filter(({ type }) => type.startsWith('tool-')).map(shown),
        steps: steps.length,
        finishReason,
        ui: answer.parts
          .filter(({ type }) => type.startsWith('tool-'))
          .map((part) => pick(part, 'type', 'state', 'errorText')),
      };
    },
    expected: ({ major }) => {
      const call = { type: 'tool-call', toolName: 'pictures', providerExecuted: true };
      const error = { queries: ['lighthouse lens'], results: [], error: 'image_search_failed' };
      // ai 5 shows no text of errors, unless `onError` does.
      const errorText = major === 5 ? 'An error occurred.' : JSON.stringify(error);
      return {
        parts: [call, { ...call, type: 'tool-error' }],
        steps: 1,
        finishReason: 'stop',
        ui: [{ type: 'tool-pictures', state: 'output-error', errorText }],
      };
    },
  },
  {
    name: 'toolChoice none: no tool parts, whatever the run did',
    async observe({ ai, setUp }) {
      const { provider, model } = setUp({ scenario: 'search' });
      const tools = { search: provider.tools.webSearch() };
      const { toolCalls, finishReason, sources } = await ai.generateText({ model, prompt, tools, toolChoice: 'none' });
      return [toolCalls.length, finishReason, sources.length];
    },
    expected: () => [0, 'stop', 10],
  },
  {
    name: 'toolChoice required, and the run calls nothing',
    async observe(world) {
      const { model } = world.setUp({ scenario: 'plain' });
      const call = { model, prompt, tools: { weather: weather(world) }, toolChoice: 'required' };
      const generated = endOf(world.ai.generateText(call).then(({ finishReason }) => finishReason));
      const streamed = world.ai.streamText({ ...call, onError: () => undefined });
      const parts = await all(streamed.fullStream);
      return [
        await generated,
        parts.filter(({ type }) => type === 'error').map(({ error }) => (error as Error).name),
        await endOf(streamed.finishReason),
      ];
    },
    expected: ({ major }) => [
      major === 5 ? 'stop' : 'rejected: AI_ToolChoiceViolationError',
      major === 7 ? ['AI_ToolChoiceViolationError'] : [],
      major === 7 ? 'error' : 'stop',
    ],
  },
  {
    name: 'toolChoice required, satisfied by a native tool',
    async observe({ ai, setUp }) {
      const { provider, model } = setUp({ scenario: 'search' });
      const tools = { search: provider.tools.webSearch() };
      const { toolCalls, finishReason } = await ai.generateText({ model, prompt, tools, toolChoice: 'required' });
      return [toolCalls.length, finishReason];
    },
    expected: () => [1, 'stop'],
  },
  {
    name: 'a client tool without its result, then a question',
    async observe(world) {
      const { model, bodies } = world.setUp();
      const call = { type: 'tool-call', toolCallId: 'call_1', toolName: 'weather', input: { city: 'Rome' } };
      const messages = [user(prompt), { role: 'assistant', content: [call] }, user('Never mind.')];
      const end = await endOf(
        world.ai
          .generateText({ model, messages, tools: { weather: weather(world) } })
          .then(({ finishReason }) => finishReason),
      );
      return [end, bodies()[0]?.input.map(({ type }) => type)];
    },
    expected: ({ major }) =>
      major === 5
        ? ['tool-calls', ['message', 'function_call', 'message']]
        : ['rejected: AI_MissingToolResultsError', undefined],
  },
  {
    name: 'tool messages one after the other',
    async observe(world) {
      const { model, bodies } = world.setUp({ scenario: 'plain' });
      const calls = ['call_1', 'call_2'].map((toolCallId) => ({
        type: 'tool-call',
        toolCallId,
        toolName: 'weather',
        input: { city: 'Rome' },
      }));
      const results = calls.map(({ toolCallId, toolName }) => ({
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName, output: { type: 'text', value: toolCallId } }],
      }));
      const messages = [user(prompt), { role: 'assistant', content: calls }, ...results];
      await world.ai.generateText({ model, messages, tools: { weather: weather(world) } });
      return bodies()[0]?.input.map(({ type, call_id: id }) => [type, id]);
    },
    expected: () => [
      ['message', undefined],
      ['function_call', 'call_1'],
      ['function_call', 'call_2'],
      ['function_call_output', 'call_1'],
      ['function_call_output', 'call_2'],
    ],
  },
  {
    name: 'other items of the output: custom parts',
    async observe(world) {
      const { ai, setUp } = world;
      const { model } = setUp({ scenario: 'office-skill' });
      const { content, providerMetadata } = await ai.generateText({ model, prompt });
      const { items, files } = (providerMetadata?.['perplexity'] ?? {}) as { items?: Part[]; files?: unknown[] };
      const answer = await lastMessage(world, ai.streamText({ model, prompt }).toUIMessageStream());
      return {
        custom: content.filter(({ type }) => type === 'custom').map(({ kind }) => kind),
        items: items?.map(({ type }) => type),
        files: files?.length,
        ui: answer.parts.filter(({ type }) => type.includes('custom')).map(({ kind }) => kind),
      };
    },
    expected: (cell) => {
      const items = ['skill_loaded', 'sandbox_write_file', 'share_file'];
      const kinds = items.map((type) => `perplexity.${type}`);
      if (cell.face === 'v4') return { custom: kinds, items: undefined, files: 1, ui: kinds };
      // The sandbox is a dynamic tool of V3.
      const ofV2 = ['skill_loaded', 'sandbox_write_file', 'sandbox_results', 'share_file'];
      return { custom: [], items: isV2(cell) ? ofV2 : items, files: 1, ui: [] };
    },
  },
];
