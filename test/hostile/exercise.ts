/** One hostile case: a model of each face reads it on faked timers, and what comes out is judged. */
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import * as v3 from 'ai-sdk-provider-perplexity-agent/v3';
import * as v4 from 'ai-sdk-provider-perplexity-agent/v4';
import { afterAll, beforeAll, vi } from 'vitest';
import { allNativeTools, API_KEY, functionTool, prompt } from '../support/model.js';
import { checkStream } from '../support/shared.js';
import { isPolluted, problemsOf, type AnyPart } from './order.js';

export type FaceName = 'v2' | 'v3' | 'v4';

const PROVIDERS = { v2: createPerplexityAgent, v3: v3.createPerplexityAgent, v4: v4.createPerplexityAgent };

/** How a model is called. */
export type Manner = {
  face: FaceName;
  isDeclared: boolean;
  isStructured: boolean;
  showsRaw: boolean;
  coalesces: boolean;
  perplexity?: Record<string, unknown>;
  /** The run is taken up by its id. */
  resumed?: { startingAfter?: number };
};

export type Outcome = {
  /** All text that came out, whether or not the run failed in the end. */
  text: string;
  parts: AnyPart[];
  /** Why the call rejected, or the error part. */
  error: unknown;
  /** What should not be. */
  problems: string[];
};

const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);

/** For the tests of a file: faked timers, and rejections that nobody handles are noted. */
export function watch(): void {
  beforeAll(() => {
    process.on('unhandledRejection', onUnhandled);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  });
  afterAll(() => {
    vi.useRealTimers();
    process.off('unhandledRejection', onUnhandled);
  });
}

/** The reasons of rejections that nobody has handled since the last time. */
export const takeUnhandled = (): unknown[] => unhandled.splice(0);

const macrotask = () => new Promise((resolve) => setImmediate(resolve));

/** Lets time go by until a promise is settled. A promise that never is, is a hang. */
export async function settled<T>(promise: Promise<T>): Promise<T> {
  const state = { isSettled: false };
  const done = () => {
    state.isSettled = true;
  };
  promise.then(done, done);
  for (let turn = 0; turn < 30 && !state.isSettled; turn++) await macrotask();
  for (let turn = 0; turn < 3000 && !state.isSettled; turn++) {
    await vi.advanceTimersByTimeAsync(turn < 100 ? 20 : 500);
    if (turn % 20 === 0) await macrotask();
  }
  if (!state.isSettled) throw new Error('it hangs');
  return promise;
}

/** A signal whose listeners are counted. */
function countedSignal() {
  const { signal } = new AbortController();
  const listeners = new Set<unknown>();
  const add = signal.addEventListener.bind(signal) as (...args: unknown[]) => void;
  const remove = signal.removeEventListener.bind(signal) as (...args: unknown[]) => void;
  Object.assign(signal, {
    addEventListener(type: string, listener: unknown, ...rest: unknown[]) {
      listeners.add(listener);
      add(type, listener, ...rest);
    },
    removeEventListener(type: string, listener: unknown, ...rest: unknown[]) {
      listeners.delete(listener);
      remove(type, listener, ...rest);
    },
  });
  return { signal, count: () => listeners.size };
}

type AnyModel = {
  doStream(options: object): PromiseLike<{ stream: ReadableStream<AnyPart> }>;
  doGenerate(options: object): PromiseLike<{ content: AnyPart[] }>;
};

/** Makes a call of a model and judges it. Never rejects, unless the call hangs. */
export async function exercise(
  mode: 'stream' | 'generate',
  manner: Manner,
  fetch: typeof globalThis.fetch,
): Promise<Outcome> {
  const provider = PROVIDERS[manner.face]({
    apiKey: API_KEY,
    fetch,
    generateId: () => 'generated',
    coalesceDeltas: manner.coalesces,
  });
  const model = (manner.resumed === undefined
    ? provider('openai/gpt-6-luna')
    : provider.resume('resp_hostile', manner.resumed)) as unknown as AnyModel;
  const { signal, count } = countedSignal();
  const tools = [functionTool('look'), ...(manner.isDeclared ? allNativeTools() : [])];
  const options = {
    prompt,
    tools,
    abortSignal: signal,
    includeRawChunks: manner.showsRaw,
    ...(manner.isStructured && { responseFormat: { type: 'json', schema: { type: 'object', properties: {} } } }),
    ...(manner.perplexity !== undefined && { providerOptions: { perplexity: manner.perplexity } }),
  };
  const parts: AnyPart[] = [];
  const problems: string[] = [];
  let error: unknown;
  const call = async () => {
    if (mode === 'generate') {
      const { content } = await model.doGenerate(options);
      parts.push(...content);
      return;
    }
    const { stream } = await model.doStream(options);
    try {
      for await (const part of stream) parts.push(part);
    } catch (cause) {
      problems.push(`the stream threw: ${String(cause)}`);
    }
    problems.push(...problemsOf(parts));
    const declaredTools = tools.map(({ name }) => name);
    const found = checkStream(parts, { version: manner.face, declaredTools, includeRawChunks: manner.showsRaw });
    // A model may write broken arguments; the AI SDK has a way to repair them, and to tell the model of it.
    problems.push(...found.filter((problem) => !problem.endsWith('tool-call: input is not JSON')));
    error = parts.find(({ type }) => type === 'error')?.['error'];
  };
  // A synchronous throw is none of the ways in which a call may fail.
  let calling: Promise<void> | undefined;
  try {
    calling = call();
  } catch (cause) {
    problems.push(`it threw at once: ${String(cause)}`);
  }
  await settled(
    (calling ?? Promise.resolve()).catch((cause: unknown) => {
      error = cause;
      if (!(cause instanceof Error)) problems.push('it rejected with what is no Error');
      if (!isOfTheSdk(cause)) problems.push(`it rejected with an error of the inside: ${stackOf(cause)}`);
    }),
  );
  // A body that owes nothing more is awaited for a second.
  await vi.advanceTimersByTimeAsync(1100);
  await macrotask();
  if (isInside(error)) problems.push(`an error of the inside: ${stackOf(error)}`);
  if (vi.getTimerCount() > 0) problems.push(`${vi.getTimerCount()} timers are left`);
  if (count() > 0) problems.push(`${count()} listeners are left`);
  if (isPolluted()) problems.push('a prototype is polluted');
  problems.push(...takeUnhandled().map((reason) => `a rejection that nobody handles: ${stackOf(reason)}`));
  vi.clearAllTimers();
  return { text: textOf(parts, error), parts, error, problems: unserializable(parts, error, problems) };
}

const stackOf = (cause: unknown) => (cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));

/** Errors that callers can tell the kind of. */
const isOfTheSdk = (cause: unknown) => cause instanceof Error && cause.name.startsWith('AI_');

/** A fault of the package, whatever it is wrapped into. */
function isInside(error: unknown): boolean {
  const seen = new Set<unknown>();
  for (let cause = error; cause instanceof Error && !seen.has(cause); cause = cause.cause) {
    seen.add(cause);
    if (/^(TypeError|RangeError|ReferenceError|SyntaxError)$/.test(cause.name)) return true;
  }
  return false;
}

/** An app writes what it gets as JSON: a UI stream, a log, a database. */
function unserializable(parts: readonly AnyPart[], error: unknown, problems: string[]): string[] {
  try {
    JSON.stringify(parts);
    JSON.stringify(error);
    return problems;
  } catch (cause) {
    return [...problems, `it cannot be written as JSON: ${String(cause)}`];
  }
}

const textOf = (parts: readonly AnyPart[], error: unknown): string => {
  const texts = parts.flatMap((part) => {
    if (part.type === 'text-delta') return [String(part['delta'])];
    if (part.type === 'text') return [String(part['text'])];
    const { correctedText } =
      (part['providerMetadata'] as Record<string, Record<string, unknown>>)?.['perplexity'] ?? {};
    return part.type === 'text-end' && typeof correctedText === 'string' ? [correctedText] : [];
  });
  const arrived = (error as { data?: { text?: unknown } } | undefined)?.data?.text;
  return [...texts, ...(typeof arrived === 'string' ? [arrived] : [])].join('');
};
