/** Background runs on real sockets, and what they come to whatever happens on the way. */
import { isDeepStrictEqual } from 'node:util';
import type { JSONValue, LanguageModelV2, LanguageModelV2StreamPart } from '@ai-sdk/provider';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import {
  createAgentApiSimulator,
  type AgentApiScenario,
  type AgentApiSimulator,
  type AgentApiSimulatorOptions,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import { vi } from 'vitest';
import { fixtureEvents, fixtureResponse, parseLines, type WireEvent } from './fixtures.js';
import { allNativeTools, functionTool, prompt, type CallOptions } from './model.js';
import { asBackground, metadataOf } from './resume.js';
import { capture } from './shared.js';

export type Part = LanguageModelV2StreamPart;
export type Served = { simulator: AgentApiSimulator; provider: ReturnType<typeof createPerplexityAgent> };

export type Host = {
  /** A simulator of its own behind the shared port, and a provider that talks to it. */
  serve(options?: AgentApiSimulatorOptions, fetch?: typeof globalThis.fetch): Served;
  url: string;
  close(): Promise<void>;
};

/** One listening server for any number of simulators, which the key of a request tells apart. */
export async function host(): Promise<Host> {
  const simulators = new Map<string, AgentApiSimulator>();
  const route = async (input: RequestInfo | URL, init?: RequestInit) => {
    const request = new Request(input, init);
    const simulator = simulators.get(request.headers.get('authorization') ?? '');
    if (simulator === undefined) throw new Error('no simulator has this key');
    return simulator.fetch(request);
  };
  const server = await listen({ ...createAgentApiSimulator(), fetch: route });
  return {
    url: server.url,
    close: server.close,
    serve(options = {}, fetch) {
      const apiKey = `pplx-world-${simulators.size}`;
      const simulator = createAgentApiSimulator({ seed: 7, ...options });
      simulators.set(`Bearer ${apiKey}`, simulator);
      const provider = createPerplexityAgent({
        apiKey,
        baseURL: server.url,
        generateId: () => 'generated',
        ...(fetch !== undefined && { fetch }),
      });
      return { simulator, provider };
    },
  };
}

/** A run to play, and how it is asked for. */
export type Case = { name: string; modelId: string; scenario: AgentApiScenario; options: CallOptions };

const MODEL = 'openai/gpt-6-luna';

/** Client functions that a run calls. */
function functionsOf(output: unknown): NonNullable<CallOptions['tools']> {
  const items = output as Array<Record<string, unknown>>;
  const names = items.filter(({ type }) => type === 'function_call').map(({ name }) => String(name));
  return [...new Set(names)].map(functionTool);
}

/** A fixture as a run in the background. */
export function fixtureCase(name: string, { isDeclared = false } = {}): Case {
  const tools = [...(isDeclared ? allNativeTools() : []), ...functionsOf(fixtureResponse(name)['output'])];
  const scenario = { events: asBackground(fixtureEvents(name)) };
  return { name: isDeclared ? `${name}, tools declared` : name, modelId: MODEL, scenario, options: { tools } };
}

export const scenarioCase = (
  name: string,
  scenario: AgentApiScenario,
  options: CallOptions = {},
  modelId = MODEL,
): Case => ({ name, modelId, scenario, options });

/** The real recording. */
export const captureCase = (): Case => {
  const recorded = parseLines(capture('agent-web-search.chunks.txt'));
  // Recorded for an account that keeps nothing; such a run cannot be asked for again.
  const events = asBackground(recorded).map((event) => {
    const response = event['response'] as Record<string, unknown> | undefined;
    return response === undefined ? event : { ...event, response: { ...response, store: true } };
  });
  return scenarioCase('the recording', { events }, {}, 'fast');
};

export const structured = {
  responseFormat: {
    type: 'json',
    schema: {
      type: 'object',
      properties: { city: { type: 'string' }, count: { type: 'integer' } },
      required: ['city', 'count'],
    },
  },
} satisfies CallOptions;

/** Options of a call in the background. */
export const background = (perplexity: Record<string, JSONValue> = {}) => ({
  providerOptions: { perplexity: { background: true, ...perplexity } },
});

/** All parts of a stream, unchecked. */
export async function read(model: LanguageModelV2, options: CallOptions): Promise<Part[]> {
  const { stream } = await model.doStream({ prompt, ...options });
  const parts: Part[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** As JSON, with errors by what they say. */
const toJson = (value: unknown): string =>
  JSON.stringify(value, (_key, entry: unknown) => {
    if (!(entry instanceof Error)) return entry;
    const { name, message } = entry;
    const { data, isRetryable, statusCode } = entry as unknown as Record<string, unknown>;
    return { name, message, data, isRetryable, statusCode };
  });

export const asJson = (value: unknown): unknown => JSON.parse(toJson(value));

/** The first place where two lists of parts differ; undefined where they are the same. */
export function differenceOf(parts: readonly Part[], expected: readonly Part[]) {
  if (toJson(parts) === toJson(expected)) return undefined;
  const [one, other] = [asJson(parts) as unknown[], asJson(expected) as unknown[]];
  for (let index = 0; index < Math.max(one.length, other.length); index++) {
    if (!isDeepStrictEqual(one[index], other[index])) return { index, is: one[index], expected: other[index] };
  }
  return undefined;
}

/** What a consumer has in the end, whichever way it came. Written apart from the package's own fold. */
export function outcomeOf(parts: readonly Part[]): Record<string, unknown> {
  const texts = new Map<string, string>();
  const sources = new Map<string, unknown>();
  const calls = new Map<string, unknown>();
  const results = new Map<string, unknown>();
  let errors = 0;
  let citations: unknown;
  for (const part of parts) {
    if (part.type === 'text-start') texts.set(part.id, '');
    if (part.type === 'text-delta') texts.set(part.id, (texts.get(part.id) ?? '') + part.delta);
    if (part.type === 'source' && part.sourceType === 'url') {
      const { id, url, title } = part;
      const { tool, snippet, date } = metadataOf(part);
      if (sources.has(url)) throw new Error(`${url} came twice`);
      sources.set(url, { id, title, tool, snippet, date });
    }
    if (part.type === 'tool-call') {
      const { toolName, input, providerExecuted, toolCallId } = part;
      const { thoughtSignature, itemId } = metadataOf(part);
      if (calls.has(toolCallId)) throw new Error(`${toolCallId} was called twice`);
      calls.set(toolCallId, { toolName, input, providerExecuted, thoughtSignature, itemId });
    }
    if (part.type === 'tool-result') {
      const { toolName, result, isError, toolCallId } = part;
      if (results.has(toolCallId)) throw new Error(`${toolCallId} has two results`);
      results.set(toolCallId, { toolName, result, isError });
    }
    if (part.type === 'error') errors++;
    if (part.type === 'finish') ({ citations } = metadataOf(part));
  }
  const finish = parts.filter(({ type }) => type === 'finish');
  const error = parts.find(({ type }) => type === 'error');
  return asJson({
    texts: Object.fromEntries(texts),
    sources: Object.fromEntries(sources),
    calls: Object.fromEntries(calls),
    results: Object.fromEntries(results),
    errors,
    error,
    citations,
    finishes: finish.length,
    finish: withoutPlace(finish[0]),
  }) as Record<string, unknown>;
}

/** A part without the number of the event that it came with. */
function withoutPlace(part: Part | undefined): unknown {
  if (part === undefined || !('providerMetadata' in part) || part.providerMetadata === undefined) return part;
  const { lastSequenceNumber: _, ...perplexity } = metadataOf(part);
  return { ...part, providerMetadata: { perplexity } };
}

/** Does the work for each, so many at a time. */
export async function inParallel<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>) {
  let next = 0;
  const worker = async () => {
    while (next < items.length) await work(items[next++] as T);
  };
  await Promise.all(Array.from({ length: width }, worker));
}

/** Repeatable numbers below 1 (mulberry32). */
export function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}

/** Bytes of a run's stream. */
export const sizeOf = (events: readonly WireEvent[]): number =>
  events.reduce((sum, event) => sum + new TextEncoder().encode(`data: ${JSON.stringify(event)}\n\n`).length, 0);

/** The requests that a simulator had: method, status and, of streams taken up again, the number. */
export const asked = ({ requests }: AgentApiSimulator): string[] =>
  requests.map(({ method, url, status }) => {
    const query = new URL(url).searchParams;
    return `${method} ${status}${query.has('stream') ? ` after ${query.get('starting_after')}` : ''}`;
  });

/** Lets faked time go by until a promise is settled. */
export async function settled<T>(promise: Promise<T>): Promise<T> {
  const state = { isSettled: false };
  const done = () => {
    state.isSettled = true;
  };
  promise.then(done, done);
  for (let turn = 0; !state.isSettled && turn < 20_000; turn++) {
    await vi.advanceTimersByTimeAsync(turn < 200 ? 10 : 500);
  }
  return promise;
}
