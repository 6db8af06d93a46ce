/** Traffic for tests: replies as a `fetch` would give them, and the events they are made of. */
import type { WireEvent } from './fixtures.js';

export const sseText = (events: readonly (object | string)[]) =>
  events.map((event) => (typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`)).join('');

/** A body that gives its chunks one by one, then ends as told. */
export function bodyOf(
  chunks: readonly (string | Uint8Array)[],
  end: 'close' | 'stall' | Error = 'close',
): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  let next = 0;
  return new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks[next++];
      if (chunk !== undefined) controller.enqueue(typeof chunk === 'string' ? encoder.encode(chunk) : chunk);
      else if (end === 'close') controller.close();
      else if (end !== 'stall') controller.error(end);
      else return new Promise(() => undefined);
    },
  });
}

/** An event stream with one event a chunk. */
export const eventReply = (
  events: readonly (object | string)[],
  { end = 'close', headers = {} }: { end?: 'close' | 'stall' | Error; headers?: Record<string, string> } = {},
) =>
  new Response(
    bodyOf(
      events.map((event) => sseText([event])),
      end,
    ),
    { headers: { 'content-type': 'text/event-stream', 'x-request-id': 'req-1', ...headers } },
  );

export const jsonReply = (
  body: unknown,
  { headers, ...init }: Omit<ResponseInit, 'headers'> & { headers?: Record<string, string> } = {},
) =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), {
    ...init,
    headers: { 'content-type': 'application/json', 'x-request-id': 'req-1', ...headers },
  });

export type SentRequest = { url: string; method: string; headers: Headers; body: Record<string, unknown> | undefined };

/** A `fetch` that answers each request in turn (the last answer for all further ones) and keeps what was sent. */
export function stubFetch(...replies: Array<Response | (() => Response | Promise<Response>)>) {
  const requests: SentRequest[] = [];
  let next = 0;
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    requests.push({
      url: String(input instanceof Request ? input.url : input),
      method: init?.method ?? 'GET',
      headers: new Headers(init?.headers),
      body: typeof init?.body === 'string' ? (JSON.parse(init.body) as Record<string, unknown>) : undefined,
    });
    if (init?.signal?.aborted === true) throw init.signal.reason;
    const reply = replies[Math.min(next++, replies.length - 1)];
    if (reply === undefined) throw new Error('no reply was given');
    return typeof reply === 'function' ? reply() : reply;
  };
  return { fetch, requests };
}

/** A response snapshot with the given fields. */
export const snapshot = (fields: Record<string, unknown> = {}) => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1_790_000_000,
  status: 'completed',
  model: 'openai/gpt-6-luna',
  output: [],
  error: null,
  incomplete_details: null,
  usage: null,
  ...fields,
});

export const message = (text: string, id = 'msg_1') => ({
  type: 'message',
  id,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

export const created = (fields: Record<string, unknown> = {}): WireEvent => ({
  type: 'response.created',
  response: snapshot({ status: 'in_progress', ...fields }),
});

export const delta = (text: string, { item = 'msg_1', output = 0, content = 0 } = {}): WireEvent => ({
  type: 'response.output_text.delta',
  item_id: item,
  output_index: output,
  content_index: content,
  delta: text,
});

export const itemAdded = (index: number, item: object): WireEvent => ({
  type: 'response.output_item.added',
  output_index: index,
  item,
});

export const itemDone = (index: number, item: object): WireEvent => ({
  type: 'response.output_item.done',
  output_index: index,
  item,
});

export const completed = (output: object[], fields: Record<string, unknown> = {}): WireEvent => ({
  type: 'response.completed',
  response: snapshot({ output, ...fields }),
});

export const usage = {
  input_tokens: 110,
  input_tokens_details: { cached_tokens: 20, cache_read_input_tokens: 20, cache_creation_input_tokens: 10 },
  output_tokens: 45,
  output_tokens_details: { reasoning_tokens: 5 },
  total_tokens: 155,
  tool_calls_details: { search_web: { invocation: 2, cost_usd: 0.005 }, fetch_url: { invocation: 1, cost_usd: 0.001 } },
  cost: {
    currency: 'USD',
    input_cost: 0.0001,
    output_cost: 0.0002,
    tool_calls_cost: 0.006,
    tool_calls_cost_details: { search_web: 0.005, fetch_url: 0.001 },
    total_cost: 0.0063,
  },
};

export const result = (id: number | undefined, url: string, fields: Record<string, unknown> = {}) => ({
  ...(id !== undefined && { id }),
  url,
  title: `Title of ${url}`,
  snippet: `Snippet of ${url}`,
  source: 'web',
  ...fields,
});

export const searchItem = (queries: string[] | null, results: object[]) => ({
  type: 'search_results',
  queries,
  results,
});

export const nativeCall = (name: string, callId: string, args: unknown) => ({
  type: 'function_call',
  id: `fc_${callId}`,
  call_id: callId,
  name,
  arguments: JSON.stringify(args),
  status: 'completed',
});
