/**
 * Answers to their last field, in one piece and streamed: what no other row looks for is not lost on the way either. The
 * fields that the SDKs drop themselves are named.
 */
import { expect } from 'vitest';
import {
  completed,
  created,
  itemAdded,
  message,
  nativeCall,
  result,
  searchItem,
  snapshot,
  usage,
} from '../../support/wire.js';
import type { Part, Provider, Result, Streamed } from '../sdk.js';
import { all, isV2, lastMessage, MODEL, pick, unsupported, type Cell, type Row, type World } from '../world.js';

const prompt = 'What is new?';
const url = 'https://lights.example.org/automation';
const queries = ['lighthouse automation'];
const dates = { date: '2024-03-18', last_updated: '2026-08-02' };
const loaded = { type: 'skill_loaded', name: 'office' };
const SERVED = 'openai/gpt-6-luna-2026-10-01';

const answer = (fields: Record<string, unknown> = {}) => ({
  response: snapshot({
    output: [searchItem(queries, [result(1, url, dates), result(2, url)]), loaded, message('Unmanned [2].')],
    model: SERVED,
    service_tier: 'flex',
    usage: { ...usage, total_tokens: 160 },
    ...fields,
  }),
});

type Answers = { generated: Result; streamed: Streamed; parts: Part[] };

/** The same call in one piece and streamed. */
async function both(
  { ai, setUp }: World,
  given: (provider: Provider) => object = () => ({}),
  scenario = answer(),
): Promise<Answers> {
  const { provider, model } = setUp({ scenario });
  const call = { model, prompt, ...given(provider) };
  const generated = await ai.generateText(call);
  const streamed = ai.streamText({ ...call, onError: () => undefined });
  return { generated, streamed, parts: joined(await all(streamed.fullStream)) };
}

/** What the model sent, without the frame that the SDK puts around a step; deltas of one block as one. */
function joined(parts: Part[]): Part[] {
  const whole: Part[] = [];
  for (const part of parts) {
    const last = whole.at(-1);
    if (/^(?:start|finish)(?:-step)?$/.test(part.type)) continue;
    if (last?.type !== part.type || !part.type.endsWith('-delta')) whole.push({ ...part });
    else last['text'] = `${String(last['text'])}${String(part['text'])}`;
  }
  return whole;
}

const perplexity = { responseId: 'resp_1' };
const providerMetadata = { perplexity };
const citations = { 1: url, 2: url };

const cited = { type: 'source', sourceType: 'url', id: 'resp_1:1', url, title: `Title of ${url}` };
const source = {
  ...cited,
  providerMetadata: {
    perplexity: {
      ...perplexity,
      resultIds: [1, 2],
      tool: 'web_search',
      snippet: `Snippet of ${url}`,
      date: '2024-03-18',
      lastUpdated: '2026-08-02',
    },
  },
};
const ofText = { providerMetadata: { perplexity: { ...perplexity, citations } } };
const ofTextEnd = { ...ofText, citations: [{ source: cited, startIndex: 9, endIndex: 12 }] };

/** The search as it is shown; nothing where the face does not show it. */
function searchParts(cell: Cell, isDeclared: boolean) {
  const tool = isDeclared ? { toolName: 'search' } : { toolName: 'web_search', dynamic: true };
  const call = { toolCallId: 'resp_1:0', ...tool, input: { queries }, providerExecuted: true, providerMetadata };
  const kept = { title: `Title of ${url}`, url, snippet: `Snippet of ${url}`, source: 'web' };
  const output = {
    queries,
    results: [
      { id: 1, ...kept, date: '2024-03-18', lastUpdated: '2026-08-02' },
      { id: 2, ...kept },
    ],
  };
  // ai 5 has no metadata of results.
  const { providerMetadata: ofResult, ...rest } = call;
  const found = { type: 'tool-result', ...rest, output, ...(cell.major > 5 && { providerMetadata: ofResult }) };
  const isShown = isDeclared || !isV2(cell);
  return {
    input: isShown
      ? [
          // The SDK itself says that a declared tool is not dynamic.
          { type: 'tool-input-start', id: 'resp_1:0', dynamic: false, ...tool, providerExecuted: true },
          { type: 'tool-input-delta', id: 'resp_1:0', delta: JSON.stringify({ queries }) },
          { type: 'tool-input-end', id: 'resp_1:0' },
        ]
      : [],
    call: isShown ? [{ type: 'tool-call', ...call }] : [],
    found: isShown ? [found] : [],
  };
}

/** The item that has no part of its own. */
const customParts = ({ face }: Cell) =>
  face === 'v4'
    ? [
        {
          type: 'custom',
          kind: 'perplexity.skill_loaded',
          providerMetadata: { perplexity: { ...perplexity, item: loaded } },
        },
      ]
    : [];

/** Items that the metadata keeps, since they have no part. */
function itemsOf(cell: Cell): object[] | undefined {
  if (cell.face === 'v4') return undefined;
  return isV2(cell) ? [searchItem(queries, [result(1, url, dates), result(2, url)]), loaded] : [loaded];
}

const declared = (provider: Provider) => ({ tools: { search: provider.tools.webSearch() } });

/** A tool of another provider, in the form of the major. */
const foreign = (major: number) => ({
  type: major === 5 ? 'provider-defined' : 'provider',
  id: 'other.maps',
  name: 'maps',
  args: {},
  isProviderExecuted: true,
  inputSchema: { type: 'object' },
});

export const wholes: Row[] = [
  ...[true, false].flatMap((isDeclared): Row[] => {
    const said = isDeclared ? 'whose search was declared' : 'whose search nobody declared';
    const given = isDeclared ? declared : undefined;
    return [
      {
        name: `all of an answer ${said}`,
        observe: async (world) => (await both(world, given)).generated.content,
        expected: (cell) => {
          const { call, found } = searchParts(cell, isDeclared);
          return [
            source,
            ...call,
            ...found,
            { type: 'text', text: 'Unmanned [2].', ...ofTextEnd },
            ...customParts(cell),
          ];
        },
      },
      {
        name: `all of a stream ${said}`,
        observe: async (world) => (await both(world, given)).parts,
        expected: (cell) => {
          const { input, call, found } = searchParts(cell, isDeclared);
          const id = 'resp_1:reasoning-1';
          return [
            ...input,
            ...call,
            { type: 'reasoning-start', id, providerMetadata },
            { type: 'reasoning-delta', id, text: `Searching the web...\n- ${queries[0]}\nFound 2 results` },
            source,
            ...found,
            { type: 'reasoning-delta', id, text: '\nLoaded skill: office' },
            { type: 'reasoning-end', id },
            { type: 'text-start', id: 'msg_1', ...ofText },
            { type: 'text-delta', id: 'msg_1', text: 'Unmanned [2].' },
            { type: 'text-end', id: 'msg_1', ...ofTextEnd },
            ...customParts(cell),
          ];
        },
      },
    ];
  }),
  {
    name: 'metadata of an answer and of a stream',
    async observe(world) {
      const { generated, streamed } = await both(world);
      return [generated.providerMetadata, await streamed.providerMetadata];
    },
    expected: (cell) => {
      const finished = {
        ...perplexity,
        status: 'completed',
        requestedModel: MODEL,
        servedModel: SERVED,
        serviceTier: 'flex',
        cost: {
          currency: 'USD',
          inputCost: 0.0001,
          outputCost: 0.0002,
          toolCallsCost: 0.006,
          toolCallsCostDetails: { search_web: 0.005, fetch_url: 0.001 },
          totalCost: 0.0063,
        },
        toolCallsDetails: {
          search_web: { invocation: 2, costUsd: 0.005 },
          fetch_url: { invocation: 1, costUsd: 0.001 },
        },
        searchCalls: 2,
        usage: { ...usage, total_tokens: 160 },
        citations,
        items: itemsOf(cell),
      };
      return [{ perplexity: finished }, { perplexity: { ...finished, lastSequenceNumber: expect.any(Number) } }];
    },
  },
  {
    name: 'metadata of an answer that was cut short, and of an effort level',
    async observe({ ai, setUp }) {
      const cut = { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
      const { provider } = setUp({ scenario: answer(cut) });
      const call = { model: provider('low'), prompt };
      const { providerMetadata: generated } = await ai.generateText(call);
      const streamed = ai.streamText(call);
      await streamed.consumeStream();
      return [generated, await streamed.providerMetadata].map((metadata) =>
        pick(metadata?.['perplexity'], 'status', 'incompleteReason', 'requestedModel', 'effort'),
      );
    },
    expected: () => {
      const cut = { status: 'incomplete', incompleteReason: 'max_output_tokens', requestedModel: 'low', effort: 'low' };
      return [cut, cut];
    },
  },
  {
    name: 'warnings of an answer and of a stream: a setting, a tool, another',
    async observe(world) {
      const { generated, streamed } = await both(world, () => ({
        topK: 3,
        temperature: 0.5,
        tools: { maps: foreign(world.major) },
        providerOptions: { perplexity: { extraBody: { temperature: 1 } } },
      }));
      return [generated.warnings, await streamed.warnings];
    },
    expected: (cell) => {
      const details = 'It belongs to another provider and is left out.';
      const ofTool = isV2(cell)
        ? { type: 'unsupported-tool', tool: { type: 'function', name: 'maps', inputSchema: {} }, details }
        : { type: 'unsupported', feature: 'tool maps', details };
      const other = {
        type: 'other',
        message:
          'providerOptions.perplexity.extraBody.temperature replaces the temperature that this call had otherwise.',
      };
      const topK = unsupported(cell, 'topK', 'The Agent API has no such setting; it is not sent.');
      return [
        [ofTool, topK, other],
        [ofTool, topK, other],
      ];
    },
  },
  {
    name: 'request and response of an answer and of a stream',
    async observe(world) {
      const include = { requestBody: true, responseBody: true };
      const { generated, streamed } = await both(world, () => ({ include, experimental_include: include }));
      const shown = ({ request, response }: Pick<Result, 'request' | 'response'>) => ({
        sent: pick(request.body as object, 'model', 'input', 'stream'),
        ...pick(response, 'id', 'modelId', 'timestamp'),
        headers: pick(response['headers'] as object, 'content-type', 'x-request-id'),
        body: pick(response.body as object | undefined, 'id', 'status', 'model'),
      });
      return [shown(generated), shown({ request: await streamed.request, response: await streamed.response })];
    },
    expected: () => {
      const sent = { model: MODEL, input: [{ type: 'message', role: 'user', content: prompt }] };
      const response = { id: 'resp_1', modelId: SERVED, timestamp: new Date(1_790_000_000_000) };
      return [
        {
          sent,
          ...response,
          headers: { 'content-type': 'application/json', 'x-request-id': '1' },
          body: { id: 'resp_1', status: 'completed', model: SERVED },
        },
        {
          sent: { ...sent, stream: true },
          ...response,
          headers: { 'content-type': 'text/event-stream', 'x-request-id': '1' },
          body: {},
        },
      ];
    },
  },
  {
    name: 'a native call that never ends: a tool error, of a stream and of its chat',
    async observe(world) {
      const events = [
        created(),
        itemAdded(0, nativeCall('search_web', 'call_1', { queries })),
        completed([message('Hm.')]),
      ];
      const { model, provider } = world.setUp({ scenario: { events } });
      const call = { model, prompt, ...declared(provider) };
      const parts = await all(world.ai.streamText(call).fullStream);
      const chat = await lastMessage(world, world.ai.streamText(call).toUIMessageStream({ onError: String }));
      return {
        parts: parts
          .filter(({ type }) => type === 'tool-call' || type === 'tool-error')
          .map((part) => pick(part, 'type', 'toolName', 'input', 'error', 'providerExecuted')),
        chat: chat.parts
          .filter(({ type }) => type === 'tool-search')
          .map((part) => pick(part, 'state', 'input', 'providerExecuted')),
      };
    },
    expected: () => {
      const call = { toolName: 'search', input: { queries }, providerExecuted: true };
      return {
        parts: [
          { type: 'tool-call', ...call },
          { type: 'tool-error', ...call, error: { error: 'The run ended before this call had a result.' } },
        ],
        chat: [{ state: 'output-error', input: { queries }, providerExecuted: true }],
      };
    },
  },
  {
    name: 'an answer that simulateStreaming makes a stream of: its native call and result',
    async observe({ ai, setUp }) {
      const { provider, model } = setUp({ scenario: answer() });
      const wrapped = ai.wrapLanguageModel({ model, middleware: ai.simulateStreamingMiddleware() });
      const streamed = ai.streamText({ model: wrapped, prompt, ...declared(provider), onError: () => undefined });
      const parts = await all(streamed.fullStream);
      return parts.filter(({ type }) => type === 'tool-call' || type === 'tool-result');
    },
    expected: (cell) => {
      const { call, found } = searchParts(cell, true);
      return [...call, ...found];
    },
  },
];
