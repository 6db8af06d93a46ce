/** Declared native tools under the real ai 5: through generateText, streamText and a chat that goes on. */
import {
  convertToModelMessages,
  generateText,
  readUIMessageStream,
  stepCountIs,
  streamText,
  tool,
  type ToolSet,
  type UIMessage,
} from 'ai';
import { createPerplexityAgent, type PerplexityAgentMetadata } from 'ai-sdk-provider-perplexity-agent';
import {
  createAgentApiSimulator,
  type AgentApiScenario,
  type AgentApiSimulatorOptions,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/v4';
import { fixtureEvents, fixtureResponse } from '../support/fixtures.js';
import { rejectionOf } from '../support/model.js';

const provider = createPerplexityAgent({ apiKey: 'pplx-test-key-1234567890' });
const server = (label: string) =>
  provider.tools.mcp({
    serverLabel: label,
    serverUrl: `https://mcp.example.com/${label}`,
    authorization: 'token-12345',
  });

/** Under keys of the caller's own. */
const tools = {
  people: provider.tools.peopleSearch(),
  markets: provider.tools.financeSearch(),
  pictures: provider.tools.imageSearch({ maxResults: 2 }),
  run: provider.tools.sandbox(),
  crm: server('crm'),
  drive: provider.tools.connector({ id: 'connector_googledrive', serverLabel: 'drive' }),
};
type Key = keyof typeof tools;

function setUp(options: AgentApiSimulatorOptions) {
  const simulator = createAgentApiSimulator(options);
  const model = createPerplexityAgent({ apiKey: 'pplx-test-key-1234567890', fetch: simulator.fetch })('low');
  return { simulator, model };
}

const scenarios: Array<[key: Key, scenario: AgentApiScenario, input: object, output: object]> = [
  ['people', 'people', { queries: [expect.any(String)] }, { results: [{ id: 1 }, { id: 2 }] }],
  ['markets', 'finance', { tickers: ['LAMP'] }, { results: [{ category: 'quote' }] }],
  ['pictures', 'image', { queries: ['lighthouse lens'] }, { results: [{ width: 640 }, { width: 800 }] }],
  ['run', 'sandbox', { language: 'python' }, { status: 'completed', results: [{ stdout: '55\n', exitCode: 0 }] }],
  ['run', { name: 'sandbox', shape: 'flat' }, { code: expect.any(String) }, { results: [{ stdout: '55\n' }] }],
  ['crm', 'mcp', { name: 'find_entries', arguments: { year: 2025 } }, { output: '{"entries":12}' }],
  ['drive', 'connector', { name: 'find_entries', arguments: { year: 2025 } }, { output: '{"entries":12}' }],
];

describe.each(scenarios)('%s', (key, scenario, input, output) => {
  const declared: ToolSet = { [key]: tools[key] };

  it('is a typed call with its result, in one step of generateText', async () => {
    const { model, simulator } = setUp({ scenario });
    const result = await generateText({ model, tools: declared, stopWhen: stepCountIs(4), prompt: 'Go' });
    expect(result.steps).toHaveLength(1);
    expect(result.finishReason).toBe('stop');
    expect(result.toolCalls).toMatchObject([{ toolName: key, providerExecuted: true, input }]);
    expect(result.toolCalls[0]).not.toHaveProperty('invalid');
    expect(result.toolResults).toMatchObject([{ toolName: key, providerExecuted: true, output }]);
    expect(simulator.requests.map(({ status }) => status)).toEqual([200]);
  });

  it('streams its input before its result', async () => {
    const { model } = setUp({ scenario });
    const result = streamText({ model, tools: declared, stopWhen: stepCountIs(4), prompt: 'Go' });
    const types: string[] = [];
    for await (const part of result.fullStream) {
      if (part.type === 'error') throw part.error;
      if (part.type.startsWith('tool-')) types.push(part.type);
    }
    expect(types).toEqual(['tool-input-start', 'tool-input-delta', 'tool-input-end', 'tool-call', 'tool-result']);
    expect(await result.steps).toHaveLength(1);
    expect(await result.toolResults).toMatchObject([{ output }]);
  });

  it('is a finished part of a chat, which goes on', async () => {
    const { model, simulator } = setUp({ scenario });
    const first = streamText({ model, tools: declared, prompt: 'Go' });
    const answer = await lastMessage(first.toUIMessageStream());
    expect(answer.parts.filter(({ type }) => type.startsWith('tool-'))).toMatchObject([
      { type: `tool-${key}`, state: 'output-available', providerExecuted: true, input, output },
    ]);
    const second = await generateText({ model, tools: declared, messages: nextTurn(answer, declared) });
    expect(second.steps).toHaveLength(1);
    expect(simulator.requests.map(({ status }) => status)).toEqual([200, 200]);
    const { input: items } = simulator.requests[1]?.body as { input: Array<{ type: string; role: string }> };
    expect(items.map(({ type, role }) => [type, role])).toEqual([
      ['message', 'user'],
      ['message', 'assistant'],
      ['message', 'user'],
    ]);
  });
});

async function lastMessage(stream: Parameters<typeof readUIMessageStream>[0]['stream']): Promise<UIMessage> {
  let last: UIMessage | undefined;
  for await (const message of readUIMessageStream({ stream })) last = message;
  if (last === undefined) throw new Error('no message');
  return last;
}

const nextTurn = (answer: UIMessage, declared: ToolSet) =>
  convertToModelMessages(
    [
      { role: 'user', parts: [{ type: 'text', text: 'Go' }] },
      answer,
      { role: 'user', parts: [{ type: 'text', text: 'Go on' }] },
    ],
    { tools: declared },
  );

const failures: Array<[Key, AgentApiScenario, string]> = [
  ['pictures', { name: 'image', error: 'image_search_failed' }, 'image_search_failed'],
  ['run', { name: 'sandbox', outcome: 'timed_out' }, 'timed out'],
  ['run', { name: 'sandbox', shape: 'flat', outcome: 'failed' }, 'failed'],
  ['crm', { name: 'mcp', error: 'no rights' }, 'no rights'],
];

it.each(failures)(
  '%s that fails is a tool error, no failed answer, and the chat goes on (%#)',
  async (key, scenario, error) => {
    const { model, simulator } = setUp({ scenario });
    const declared: ToolSet = { [key]: tools[key] };
    const result = await generateText({ model, tools: declared, stopWhen: stepCountIs(4), prompt: 'Go' });
    expect(result.steps).toHaveLength(1);
    expect(result.finishReason).toBe('stop');
    const found = result.content.find(({ type }) => type === 'tool-error');
    expect(found).toMatchObject({ toolName: key, providerExecuted: true });
    expect(JSON.stringify(found)).toContain(error);
    const answer = await lastMessage(streamText({ model, tools: declared, prompt: 'Go' }).toUIMessageStream());
    expect(answer.parts.filter(({ type }) => type.startsWith('tool-'))).toMatchObject([{ state: 'output-error' }]);
    await generateText({ model, tools: declared, messages: nextTurn(answer, declared) });
    expect(simulator.requests.map(({ status }) => status)).toEqual([200, 200, 200]);
  },
);

describe('several tools', () => {
  it('of one step come with a call of the client, whose result goes back', async () => {
    const { model, simulator } = setUp({
      scenario: (body) =>
        JSON.stringify(body['input']).includes('function_call_output')
          ? { name: 'plain', text: 'Booked.' }
          : { events: fixtureEvents('several-tools'), response: fixtureResponse('several-tools') },
    });
    const all = {
      search: provider.tools.webSearch(),
      people: provider.tools.peopleSearch(),
      pictures: provider.tools.imageSearch(),
      book_pilot: tool({ inputSchema: z.object({ name: z.string() }), execute: ({ name }) => `${name} is booked` }),
    };
    const result = await generateText({ model, tools: all, stopWhen: stepCountIs(4), prompt: 'Book a pilot' });
    expect(result.steps.map(({ finishReason }) => finishReason)).toEqual(['tool-calls', 'stop']);
    expect(result.steps[0]?.toolResults.map(({ toolName, providerExecuted }) => [toolName, providerExecuted])).toEqual(
      expect.arrayContaining([
        ['search', true],
        ['people', true],
        ['pictures', true],
        ['book_pilot', undefined],
      ]),
    );
    expect(result.text).toBe('Booked.');
    const { input } = simulator.requests[1]?.body as { input: Array<{ type: string }> };
    expect(input.filter(({ type }) => type !== 'message').map(({ type }) => type)).toEqual([
      'function_call',
      'function_call_output',
    ]);
  });

  it('of several servers are told apart', async () => {
    const { model, simulator } = setUp({ scenario: 'mcp' });
    const both = { first: server('one'), second: server('two') };
    const result = await generateText({ model, tools: both, prompt: 'Go' });
    expect(result.toolCalls.map(({ toolName }) => toolName)).toEqual(['first', 'second']);
    expect(result.toolResults).toHaveLength(2);
    const { tools: sent } = simulator.requests[0]?.body as { tools: object[] };
    expect(sent).toMatchObject([
      { type: 'mcp', server_label: 'one', authorization: 'token-12345' },
      { type: 'mcp', server_label: 'two', authorization: 'token-12345' },
    ]);
    expect(JSON.stringify([result.request, result.response, result.providerMetadata])).not.toContain('token-12345');
  });

  it('that were not declared are no NoSuchToolError', async () => {
    for (const scenario of ['people', 'finance', 'image', 'sandbox', 'mcp', 'connector', 'office-skill'] as const) {
      const { model } = setUp({ scenario });
      const result = await generateText({ model, tools: { search: provider.tools.webSearch() }, prompt: 'Go' });
      expect([result.toolCalls, result.steps.length]).toEqual([[], 1]);
      const { items } = result.providerMetadata?.['perplexity'] as PerplexityAgentMetadata;
      expect(items?.length).toBeGreaterThan(0);
    }
  });
});

it('a call that never finishes is a tool error of a chat that is over', async () => {
  const events = fixtureEvents('image-search').filter(
    ({ type, output_index: index }) => type !== 'response.output_item.done' || index !== 0,
  );
  const last = events.at(-1) as unknown as { response: { output: object[] } };
  const response = { ...last.response, output: last.response.output.slice(1) };
  const { model } = setUp({ scenario: { events: [...events.slice(0, -1), { ...last, response }] } });
  const answer = await lastMessage(
    streamText({ model, tools: { pictures: tools.pictures }, prompt: 'Go' }).toUIMessageStream(),
  );
  expect(answer.parts.filter(({ type }) => type === 'tool-pictures')).toMatchObject([{ state: 'output-error' }]);
});

it('a server that cannot be reached fails the call before it runs', async () => {
  const { model } = setUp({ scenario: { name: 'mcp', unreachable: true } });
  const error = await rejectionOf(generateText({ model, tools: { crm: tools.crm }, prompt: 'Go' }));
  expect(error).toMatchObject({ statusCode: 424, isRetryable: false });
  expect(JSON.stringify(error)).not.toContain('token-12345');
});

it('shared files are in the metadata', async () => {
  const { model } = setUp({ scenario: 'office-skill' });
  const { providerMetadata } = await generateText({ model, prompt: 'A table please' });
  const { files } = providerMetadata?.['perplexity'] as PerplexityAgentMetadata;
  expect(files).toMatchObject([{ fileId: 'file_1', filename: 'lights.xlsx', sizeBytes: 5120 }]);
});
