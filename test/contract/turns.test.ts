/** Turns under the real ai 5, against the simulator: what goes out again of what came back (`agent-api.md` §8). */
import {
  APICallError,
  convertToModelMessages,
  generateText,
  readUIMessageStream,
  stepCountIs,
  streamText,
  tool,
  type ModelMessage,
  type ToolSet,
  type UIMessage,
} from 'ai';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import {
  createAgentApiSimulator,
  type AgentApiScenario,
  type AgentApiSimulatorOptions,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/v4';
import { rejectionOf } from '../support/model.js';

type Input = Array<Record<string, unknown> & { type: string }>;
type Provider = ReturnType<typeof createPerplexityAgent>;
type Model = ReturnType<Provider>;
type AssistantPart = { type: string; providerOptions?: Record<string, Record<string, unknown>> };
type Turn = { messages: ModelMessage[]; responseId: string };

function setUp(options: AgentApiSimulatorOptions = {}) {
  const simulator = createAgentApiSimulator(options);
  const provider = createPerplexityAgent({ apiKey: 'any', fetch: simulator.fetch });
  const bodies = () => simulator.requests.map(({ body }) => body as Record<string, unknown> & { input: Input });
  /** The last request, which the simulator must have taken. */
  const last = () => {
    expect(simulator.requests.at(-1)?.status).toBe(200);
    return bodies().at(-1) as Record<string, unknown> & { input: Input };
  };
  return { simulator, provider, bodies, last };
}

const user = (content: string): ModelMessage => ({ role: 'user', content });
const sentUser = (content: string) => ({ type: 'message', role: 'user', content });
const from = (previousResponseId: string) => ({ providerOptions: { perplexity: { previousResponseId } } });

const weather = tool({ inputSchema: z.object({ city: z.string() }), execute: ({ city }) => `21 °C in ${city}` });
/** One that the app answers itself, later. */
const confirm = tool({ inputSchema: z.object({ what: z.string() }), outputSchema: z.string() });

/** The ways in which an answer comes back into a prompt. */
const WAYS: Record<string, (call: { model: Model; tools?: ToolSet; messages: ModelMessage[] }) => Promise<Turn>> = {
  async generateText(call) {
    const result = await generateText(call);
    return { messages: result.response.messages, responseId: result.response.id };
  },
  async streamText(call) {
    const result = streamText(call);
    await result.consumeStream();
    return { messages: (await result.response).messages, responseId: (await result.response).id };
  },
  async 'UI messages'(call) {
    const result = streamText(call);
    let answer: UIMessage | undefined;
    const stream = result.toUIMessageStream({ sendSources: true });
    for await (const message of readUIMessageStream({ stream })) answer = message;
    // As an app stores them.
    const stored = JSON.parse(JSON.stringify([answer])) as UIMessage[];
    const messages = convertToModelMessages(stored, call.tools && { tools: call.tools });
    return { messages, responseId: (await result.response).id };
  },
};

describe.each(Object.entries(WAYS))('the id of a response, through %s', (_way, play) => {
  const idsIn = (messages: ModelMessage[], type: string) =>
    messages
      .flatMap(({ role, content }) => (role === 'assistant' ? (content as AssistantPart[]) : []))
      .filter((part) => part.type === type)
      .map(({ providerOptions }) => providerOptions?.['perplexity']?.['responseId']);

  it('stays on each text', async () => {
    const { provider } = setUp({ scenario: 'search' });
    const { messages, responseId } = await play({ model: provider('low'), messages: [user('A?')] });
    expect(responseId).toMatch(/^resp_/);
    expect(idsIn(messages, 'text')).toEqual([responseId]);
  });

  it('stays on each call of a tool, of ours and of the app', async () => {
    const calls = [{ name: 'confirm' }, { name: 'confirm' }];
    const { provider } = setUp({ scenario: { name: 'tool-call', calls, searchFirst: true } });
    const tools = { confirm, search: provider.tools.webSearch() };
    const { messages, responseId } = await play({ model: provider('low'), tools, messages: [user('A?')] });
    const ids = idsIn(messages, 'tool-call');
    expect(ids).toEqual([responseId, responseId, responseId]);
  });

  it('lets the next turn send only what is new, though the conversation went on', async () => {
    const { provider, last } = setUp({ scenario: 'search' });
    const model = provider('low');
    const first = await play({ model, messages: [user('A?')] });
    const messages = [user('A?'), ...first.messages, user('B?')];
    await generateText({ model, messages, system: 'Be brief.', ...from(first.responseId) });
    expect(last()).toMatchObject({
      previous_response_id: first.responseId,
      input: [{ type: 'message', role: 'system', content: 'Be brief.' }, sentUser('B?')],
    });
    // Another branch: back to the first answer, with two questions and a foreign answer after it.
    const foreign: ModelMessage = { role: 'assistant', content: 'From elsewhere.' };
    await generateText({ model, messages: [...messages, foreign, user('C?')], ...from(first.responseId) });
    expect(last().input).toEqual([
      sentUser('B?'),
      { type: 'message', role: 'assistant', content: 'From elsewhere.' },
      sentUser('C?'),
    ]);
  });

  it('leads a third turn on from the second', async () => {
    const { provider, last } = setUp({ scenario: 'search' });
    const model = provider('openai/gpt-6-luna');
    const history: ModelMessage[] = [user('A?')];
    const first = await play({ model, messages: history });
    history.push(...first.messages, user('B?'));
    const second = await generateText({ model, messages: history, ...from(first.responseId) });
    history.push(...second.response.messages, user('C?'));
    await generateText({ model, messages: history, ...from(second.response.id) });
    expect(last()).toMatchObject({ previous_response_id: second.response.id, input: [sentUser('C?')] });
    // And from the first again: then the second turn is new.
    await generateText({ model, messages: history, ...from(first.responseId) });
    expect(last().input.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });
});

describe('without the id on any part', () => {
  const stripped = (messages: ModelMessage[]) =>
    JSON.parse(
      JSON.stringify(messages, (key, value: unknown) => (key === 'providerOptions' ? undefined : value)),
    ) as ModelMessage[];

  it('what follows the last answer before the last question is new', async () => {
    const { provider, last } = setUp({ scenario: 'search' });
    const model = provider('low');
    const { response } = await generateText({ model, messages: [user('A?')] });
    await generateText({
      model,
      messages: [user('A?'), ...stripped(response.messages), user('B?')],
      ...from(response.id),
    });
    expect(last().input).toEqual([sentUser('B?')]);
  });

  it('the loop of tools that is under way is sent whole, with its question', async () => {
    const { provider, bodies } = setUp();
    const model = provider('openai/gpt-6-luna');
    const first = await generateText({ model, messages: [user('A?')] });
    const messages = [user('A?'), ...stripped(first.response.messages), user('B?')];
    await generateText({ model, tools: { weather }, stopWhen: stepCountIs(3), messages, ...from(first.response.id) });
    expect(bodies().map(({ input }) => input.map(({ type }) => type))).toEqual([
      ['message'],
      ['message'],
      ['message', 'function_call', 'function_call_output'],
    ]);
    for (const { previous_response_id } of bodies().slice(1)) expect(previous_response_id).toBe(first.response.id);
  });
});

describe.each(Object.entries(WAYS))('outputs of tools in a chain, through %s', (_way, play) => {
  it('repeat the calls that they answer and no other, with nothing else of that turn', async () => {
    const calls = ['x', 'y'].map((what) => ({ name: 'confirm', arguments: JSON.stringify({ what }) }));
    const { provider, simulator, last } = setUp({ scenario: { name: 'tool-call', calls, searchFirst: true } });
    const tools = { confirm, search: provider.tools.webSearch() };
    const model = provider('low');
    const asked = await generateText({ model, tools, messages: [user('A?')] });
    const answersOf = (answered: typeof asked.toolCalls): ModelMessage => ({
      role: 'tool',
      content: answered.map(({ toolCallId, toolName }) => ({
        type: 'tool-result',
        toolCallId,
        toolName,
        output: { type: 'text', value: 'yes' },
      })),
    });
    const own = asked.toolCalls.filter(({ toolName }) => toolName === 'confirm');
    expect(own).toHaveLength(2);
    const itemsOf = (call: (typeof own)[number]) => [
      { type: 'function_call', call_id: call.toolCallId, name: 'confirm', arguments: JSON.stringify(call.input) },
      { type: 'function_call_output', call_id: call.toolCallId, name: 'confirm', output: 'yes' },
    ];
    const messages = [
      user('A?'),
      ...asked.response.messages.filter(({ role }) => role === 'assistant'),
      answersOf(own),
    ];
    simulator.use('auto');
    const answered = await play({
      model: withOptions(provider, asked.response.id),
      tools,
      messages,
    });
    const [one, two] = own.map(itemsOf);
    expect(last()).toMatchObject({ previous_response_id: asked.response.id });
    expect(last().input).toEqual([one?.[0], two?.[0], one?.[1], two?.[1]]);
    // The next question sends none of it again.
    await generateText({
      model,
      tools,
      messages: [...messages, ...answered.messages, user('B?')],
      ...from(answered.responseId),
    });
    expect(last().input).toEqual([sentUser('B?')]);
    // Only one of the calls was answered after that response.
    await generateText({
      model,
      tools,
      messages: [...messages.slice(0, -1), answersOf(own.slice(1))],
      ...from(asked.response.id),
    });
    expect(last().input).toEqual(two);
  });
});

/** A model that always continues from a response, so that every way of playing can be the same call. */
function withOptions(provider: Provider, previousResponseId: string): Model {
  const model = provider('low');
  const extend = (options: Parameters<Model['doStream']>[0]) => ({ ...options, ...from(previousResponseId) });
  return {
    ...model,
    doGenerate: (options) => model.doGenerate(extend(options)),
    doStream: (options) => model.doStream(extend(options)),
  };
}

describe('UI messages of several steps', () => {
  it('carry the id of each step on its own parts, and continue from the last', async () => {
    const { provider, last } = setUp();
    const model = provider('openai/gpt-6-luna');
    const tools = { weather };
    const result = streamText({ model, tools, stopWhen: stepCountIs(3), messages: [user('A?')] });
    let answer: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream: result.toUIMessageStream() })) answer = message;
    const ids = (await result.steps).map(({ response }) => response.id);
    expect(new Set(ids).size).toBe(2);
    const messages = [user('A?'), ...convertToModelMessages([answer as UIMessage], { tools }), user('B?')];
    expect(messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool', 'assistant', 'user']);
    await generateText({ model, tools, messages, ...from(ids[1] ?? '') });
    expect(last().input).toEqual([sentUser('B?')]);
    await generateText({ model, tools, messages, ...from(ids[0] ?? '') });
    expect(last().input.map(({ type, role }) => role ?? type)).toEqual([
      'function_call',
      'function_call_output',
      'assistant',
      'user',
    ]);
  });
});

describe('a response that cannot be continued', () => {
  it.each(['low', 'openai/gpt-6-luna'])('is answered 400, and %s says what that means', async (modelId) => {
    const { provider, simulator } = setUp();
    const unknown = 'resp_00000000-0000-4000-8000-000000000000';
    for (const call of [
      generateText({ model: provider(modelId), prompt: 'A?', ...from(unknown) }),
      firstError(streamText({ model: provider(modelId), prompt: 'A?', onError: () => undefined, ...from(unknown) })),
    ]) {
      const error = await rejectionOf(call);
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({
        statusCode: 400,
        isRetryable: false,
        data: { type: 'invalid_request', code: 400 },
      });
      expect(error.message).toBe(
        'invalid request. The request continues previousResponseId: that response must exist, belong to the same account ' +
          'and be completed. If it is gone, send the whole conversation without previousResponseId.',
      );
    }
    expect(simulator.requests).toHaveLength(2);
  });

  it('may be one that was cut off by its limit', async () => {
    const { provider, simulator } = setUp({ scenario: 'incomplete' });
    const model = provider('openai/gpt-6-luna');
    const { response } = await generateText({ model, prompt: 'A?' });
    simulator.use('plain');
    const error = await rejectionOf(generateText({ model, prompt: 'B?', ...from(response.id) }));
    expect(error.message).toContain('be completed');
  });

  it('without previousResponseId means something else, and is not explained so', async () => {
    const body = { error: { message: 'invalid request', type: 'invalid_request', code: 400 } };
    const { provider } = setUp({ scenario: { status: 400, body } });
    expect((await rejectionOf(generateText({ model: provider('low'), prompt: 'A?' }))).message).toBe('invalid request');
  });
});

async function firstError({ fullStream }: { fullStream: AsyncIterable<{ type: string; error?: unknown }> }) {
  for await (const part of fullStream) if (part.type === 'error') throw part.error;
}

describe.each(Object.entries(WAYS))('a thought signature, through %s', (_way, play) => {
  const thoughtSignature = 'c2lnbmF0dXJl';
  const scenario: AgentApiScenario = { name: 'tool-call', thoughtSignature, calls: [{ name: 'confirm' }] };
  const call = (options: object, perplexity: Record<string, never> | object = {}) => ({ options, perplexity });

  const cases: Array<[string, ReturnType<typeof call>, ReturnType<typeof call>, boolean]> = [
    ['the same model', call(['google/gemini-3.8-flash']), call(['google/gemini-3.8-flash']), true],
    ['another model', call(['google/gemini-3.8-flash']), call(['google/gemini-3.1-pro-preview']), false],
    ['the same level', call(['low']), call(['low']), true],
    ['another level', call(['low']), call(['medium']), false],
    ['a pinned level for a moving one', call(['low']), call(['low@2026-10-16.0']), false],
    [
      'the same model with a level',
      call(['google/gemini-3.8-flash'], { effort: 'low' }),
      call(['google/gemini-3.8-flash'], { effort: 'low' }),
      true,
    ],
    [
      'the same model without the level',
      call(['google/gemini-3.8-flash'], { effort: 'low' }),
      call(['google/gemini-3.8-flash']),
      true,
    ],
    [
      'the same chain',
      call([], { models: ['google/gemini-3.8-flash', 'openai/gpt-5'] }),
      call([], { models: ['google/gemini-3.8-flash', 'openai/gpt-5'] }),
      true,
    ],
    [
      'another chain',
      call([], { models: ['google/gemini-3.8-flash', 'openai/gpt-5'] }),
      call([], { models: ['openai/gpt-5'] }),
      false,
    ],
    ['the same profile', call([], { profile: { id: 'p1' } }), call([], { profile: { id: 'p1' } }), true],
    ['another profile', call([], { profile: { id: 'p1' } }), call([], { profile: { id: 'p2' } }), false],
  ];

  it.each(cases)('goes back to %s', async (_name, issuer, next, isReplayed) => {
    const { provider, last } = setUp({ scenario });
    const tools = { confirm };
    const asked = await play({ model: modelOf(provider, issuer), tools, messages: [user('A?')] });
    const toolCallId = toolCallIdIn(asked.messages);
    const messages: ModelMessage[] = [
      user('A?'),
      ...asked.messages.filter(({ role }) => role === 'assistant'),
      {
        role: 'tool',
        content: [{ type: 'tool-result', toolCallId, toolName: 'confirm', output: { type: 'text', value: 'yes' } }],
      },
    ];
    await generateText({ model: modelOf(provider, next), tools, messages });
    const signatures = last()
      .input.filter(({ type }) => type.startsWith('function_call'))
      .map(({ thought_signature }) => thought_signature);
    const signature = isReplayed ? thoughtSignature : undefined;
    expect(signatures).toEqual([signature, signature]);
  });

  function modelOf(provider: Provider, { options, perplexity }: ReturnType<typeof call>): Model {
    const model = provider(...(options as [string?]));
    const extend = (given: Parameters<Model['doStream']>[0]) => ({
      ...given,
      providerOptions: { perplexity } as never,
    });
    return {
      ...model,
      doGenerate: (given) => model.doGenerate(extend(given)),
      doStream: (given) => model.doStream(extend(given)),
    };
  }

  function toolCallIdIn(messages: ModelMessage[]): string {
    for (const { content } of messages) {
      if (typeof content === 'string') continue;
      for (const part of content) if (part.type === 'tool-call') return part.toolCallId;
    }
    throw new Error('there is no call');
  }
});

describe('a signed loop', () => {
  it('goes round in one call: the second step sends the signature on call and output', async () => {
    const { provider, bodies } = setUp();
    const { steps } = await generateText({
      model: provider('google/gemini-3.8-flash'),
      tools: { weather },
      stopWhen: stepCountIs(3),
      prompt: 'A?',
    });
    expect(steps).toHaveLength(2);
    const [, call, output] = bodies()[1]?.input ?? [];
    expect(call).toMatchObject({ type: 'function_call', thought_signature: expect.stringMatching(/^[\w+/]+=*$/) });
    expect(output).toMatchObject({ type: 'function_call_output', thought_signature: call?.['thought_signature'] });
  });
});

describe('images in the result of a tool', () => {
  const png = 'iVBORw0KGgo=';
  const camera = tool({
    inputSchema: z.object({}),
    execute: () => ({ caption: 'The light, seen from the sea', data: png }),
    toModelOutput: ({ caption, data }: { caption: string; data: string }) => ({
      type: 'content' as const,
      value: [
        { type: 'text' as const, text: caption },
        { type: 'media' as const, mediaType: 'image/png', data },
      ],
    }),
  });

  it.each(['generateText', 'streamText'])('are sent as images: %s', async (way) => {
    const { provider, last } = setUp();
    const call = { model: provider('low'), tools: { camera }, stopWhen: stepCountIs(3), prompt: 'What is there?' };
    if (way === 'generateText') await generateText(call);
    else await streamText(call).consumeStream();
    expect(last().input.at(-1)).toEqual({
      type: 'function_call_output',
      call_id: expect.stringMatching(/^call_/),
      name: 'camera',
      output: [
        { type: 'input_text', text: 'The light, seen from the sea' },
        { type: 'input_image', image_url: `data:image/png;base64,${png}` },
      ],
    });
  });

  it('survive the way through UI messages', async () => {
    const { provider, last } = setUp();
    const tools = { camera };
    const model = provider('low');
    const result = streamText({ model, tools, stopWhen: stepCountIs(3), prompt: 'What is there?' });
    let answer: UIMessage | undefined;
    for await (const message of readUIMessageStream({ stream: result.toUIMessageStream() })) answer = message;
    const history = convertToModelMessages([answer as UIMessage], { tools });
    await generateText({ model, tools, messages: [user('What is there?'), ...history, user('And now?')] });
    const output = last().input.find(({ type }) => type === 'function_call_output');
    expect(output?.['output']).toEqual([
      { type: 'input_text', text: 'The light, seen from the sea' },
      { type: 'input_image', image_url: `data:image/png;base64,${png}` },
    ]);
  });
});
