/**
 * The stream of an Agent API run that searches the web once and answers: events in the order, and with the fields, of the
 * recorded ones (`agent-api.md` §5.3 and §7).
 */
import { textOf, tokenAt } from './text.mjs';

const MESSAGE_ID = 'msg_6f0c1f5e-2b7d-4b0a-9a53-0d4c8a1e7b92';
const CALL = {
  arguments: '{"queries":["When do harbour pilots read the tide tables?"]}',
  call_id: 'call_b3f1d2a4-7c58-4e0f-8f63-1a9e5c7d0b26',
  id: 'fc_92d7a0c3-5e14-4f8b-b6a1-c08e3f5d7a49',
  name: 'search_web',
  status: 'completed',
  type: 'function_call',
};
const QUERIES = JSON.parse(CALL.arguments).queries;
const EVENTS_BEFORE_TEXT = 7;

/** An event as it stands on the wire. */
const block = (event) => `data: ${JSON.stringify(event)}\n\n`;

/**
 * @param {{ results?: number, snippetLength?: number }} [options] How much the search finds. With a `snippetLength` of its own
 *   the results are told once, by the item, so that one event is huge and the others are not.
 */
export function agentWire({ results = 10, snippetLength } = {}) {
  const found = searchResults(results, snippetLength ?? 420);
  const item = { queries: QUERIES, results: found, type: 'search_results' };
  const isToldOnce = snippetLength !== undefined;
  return {
    opening: [
      { response: snapshot({}), type: 'response.created' },
      { response: snapshot({}), type: 'response.in_progress' },
      { item: CALL, output_index: 0, type: 'response.output_item.added' },
      {
        call_id: CALL.call_id,
        queries: QUERIES,
        thought: 'Searching the web...',
        type: 'response.reasoning.search_queries',
      },
      {
        call_id: CALL.call_id,
        results: isToldOnce ? [] : found,
        thought: `Found ${results} results`,
        type: 'response.reasoning.search_results',
      },
      { item, output_index: 0, type: 'response.output_item.done' },
      {
        item: { content: null, id: MESSAGE_ID, role: 'assistant', status: 'completed', type: 'message' },
        output_index: 1,
        type: 'response.output_item.added',
      },
    ].map((event, index) => block({ ...event, sequence_number: index })),

    delta: (index) =>
      block({
        content_index: 0,
        delta: tokenAt(index),
        item_id: MESSAGE_ID,
        output_index: 1,
        sequence_number: EVENTS_BEFORE_TEXT + index,
        type: 'response.output_text.delta',
      }),

    closing(deltas) {
      const text = textOf(deltas);
      const message = {
        content: [{ annotations: [], text, type: 'output_text' }],
        id: MESSAGE_ID,
        role: 'assistant',
        status: 'completed',
        type: 'message',
      };
      const final = {
        completed_at: 1790300102,
        output: isToldOnce ? [message] : [item, message],
        status: 'completed',
        usage: usage(deltas),
      };
      return [
        { content_index: 0, item_id: MESSAGE_ID, output_index: 1, text, type: 'response.output_text.done' },
        { item: message, output_index: 1, type: 'response.output_item.done' },
        { response: snapshot(final), type: 'response.completed' },
      ].map((event, index) => block({ ...event, sequence_number: EVENTS_BEFORE_TEXT + deltas + index }));
    },
  };
}

/** A response with all of its keys. */
function snapshot(facts) {
  return {
    background: false,
    completed_at: null,
    created_at: 1790300100,
    error: null,
    frequency_penalty: 0,
    id: 'resp_0c5b8e7d-93a1-4d26-8e4f-7b1f2a6c9d30',
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    max_tool_calls: null,
    metadata: {},
    model: 'openai/gpt-6-luna',
    object: 'response',
    output: [],
    parallel_tool_calls: true,
    presence_penalty: 0,
    previous_response_id: null,
    prompt_cache_key: null,
    reasoning: null,
    safety_identifier: null,
    service_tier: 'default',
    status: 'in_progress',
    store: true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [{ type: 'web_search' }],
    top_logprobs: 0,
    top_p: 1,
    truncation: '',
    usage: null,
    user: null,
    ...facts,
  };
}

const usage = (outputTokens) => ({
  cost: {
    currency: 'USD',
    input_cost: 0.00021,
    output_cost: 0.00034,
    tool_calls_cost: 0.001,
    tool_calls_cost_details: { search_web: 0.001 },
    total_cost: 0.00155,
  },
  input_tokens: 2816,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: outputTokens,
  output_tokens_details: { reasoning_tokens: 0 },
  tool_calls_details: { search_web: { cost_usd: 0.001, invocation: 1 } },
  total_tokens: 2816 + outputTokens,
});

const SENTENCE =
  'High water at the outer mole comes some ten minutes before it comes at the lock – read “both” columns. ';

function searchResults(count, snippetLength) {
  const snippet = SENTENCE.repeat(Math.ceil(snippetLength / SENTENCE.length)).slice(0, snippetLength);
  return Array.from({ length: count }, (_, index) => ({
    ...(index % 3 === 0 ? {} : { date: '2025-11-03' }),
    id: index + 1,
    last_updated: '2026-10-12',
    snippet,
    source: 'web',
    title: `Tide tables and the pilots who read them, part ${index + 1}`,
    url: `https://tides.example.org/tables/${index + 1}`,
  }));
}
