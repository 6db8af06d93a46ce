import type { AgentApiResponse, AgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';

export const BASE = 'https://api.perplexity.ai';

/** The captures beside the project; tests that need them are skipped where the folder is absent. */
export const CAPTURES = new URL('../../../shared/captures/', import.meta.url);

export function call(
  simulator: AgentApiSimulator,
  path: string,
  {
    method = 'GET',
    body,
    key = 'test-key',
    signal,
  }: { method?: string; body?: unknown; key?: string | undefined; signal?: AbortSignal } = {},
): Promise<Response> {
  return simulator.fetch(`${BASE}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...(key === '' ? {} : { authorization: `Bearer ${key}` }) },
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    ...(signal === undefined ? {} : { signal }),
  });
}

export function post(simulator: AgentApiSimulator, body: unknown, signal?: AbortSignal): Promise<Response> {
  return call(simulator, '/v1/agent', { method: 'POST', body, ...(signal && { signal }) });
}

export async function ask(simulator: AgentApiSimulator, body: unknown): Promise<AgentApiResponse> {
  const response = await post(simulator, body);
  return (await response.json()) as AgentApiResponse;
}

export type Event = {
  type: string;
  sequence_number: number;
  [field: string]: unknown;
  response?: AgentApiResponse;
  item?: Record<string, unknown>;
  delta?: string;
};

export function eventsIn(body: string): Event[] {
  return body
    .split('\n\n')
    .filter((block) => block !== '')
    .map((block) => JSON.parse(block.replace(/^data: /u, '')) as Event);
}

export async function stream(simulator: AgentApiSimulator, body: Record<string, unknown>): Promise<Event[]> {
  const response = await post(simulator, { ...body, stream: true });
  return eventsIn(await response.text());
}

/** The text of a response's messages. */
export function textOf(response: AgentApiResponse): string {
  return response.output
    .filter((item) => item.type === 'message')
    .flatMap((item) => (item.content as { text: string }[]).map((part) => part.text))
    .join('');
}
