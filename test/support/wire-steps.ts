/** Calls that are aborted at a step of what goes over the wire, on faked timers, and what is left of them. */
import type { LanguageModelV2, LanguageModelV2CallOptions } from '@ai-sdk/provider';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import {
  createAgentApiSimulator,
  type AgentApiSimulator,
  type AgentApiSimulatorOptions,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { afterAll, beforeAll, vi } from 'vitest';
import { settled } from './background.js';
import { API_KEY } from './model.js';

/** `early`: in the turn of the step; `deaf`: the same, and `fetch` takes no notice; `late`: some milliseconds after it. */
export type Timing = 'early' | 'deaf' | 'late';
export type Moment = { step: number; timing: Timing };

/** Milliseconds between two events, and from a step to its late abort. */
export const EVENT_DELAY = 10;
const LATE = 5;
const LATE_READ = 'a read afterwards';

export type World = {
  simulator: AgentApiSimulator;
  provider: ReturnType<typeof createPerplexityAgent>;
  fetch: typeof globalThis.fetch;
};

export type Play = {
  settings: AgentApiSimulatorOptions;
  /** The model to call, in a world made for this call. */
  model(world: World): LanguageModelV2 | Promise<LanguageModelV2>;
};

/** Calls a model. `leave`: from now on nothing more may be asked for, although nothing was aborted. */
export type Caller<T> = (model: LanguageModelV2, abortSignal: AbortSignal, leave: () => void) => Promise<T>;

export type Played<T> = World & {
  result: T;
  /** What went over the wire, cancels excepted: requests, replies and events. */
  steps: string[];
  /** Steps that had been made when the caller gave up. */
  leftAfter: number | undefined;
  /** Cancel calls that reached the simulator. */
  cancels: number;
  /** What should not be: work that went on, things left behind. */
  left: string[];
};

const ignore = () => undefined;
const unhandled: unknown[] = [];
const onUnhandled = (reason: unknown) => void unhandled.push(reason);

/** For the tests of a file: faked timers, and rejections that nobody handles are noted. */
export function watchLeftovers(): void {
  beforeAll(() => {
    process.on('unhandledRejection', onUnhandled);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date'] });
  });
  afterAll(() => {
    vi.useRealTimers();
    process.off('unhandledRejection', onUnhandled);
  });
}

const macrotask = () => new Promise((resolve) => setImmediate(resolve));

/** Makes a call and aborts it at a moment, if any; nothing but the call's own end ends it otherwise. */
export async function play<T>(given: Play, call: Caller<T>, moment?: Moment): Promise<Played<T>> {
  const simulator = createAgentApiSimulator({ seed: 7, ...given.settings });
  const user = new AbortController();
  const steps: string[] = [];
  let leftAfter: number | undefined;
  const leave = () => {
    leftAfter = steps.length;
  };
  const abort = () => {
    leave();
    user.abort();
  };
  const onStep = (name: string) => {
    if (steps.push(name) - 1 !== moment?.step) return;
    if (moment.timing === 'late') setTimeout(abort, LATE);
    else abort();
  };
  const wire = tap(simulator, onStep, moment?.timing === 'deaf', () => leftAfter !== undefined);
  const provider = createPerplexityAgent({ apiKey: API_KEY, fetch: wire.fetch, generateId: () => 'generated' });
  const world = { simulator, provider, fetch: wire.fetch };
  const watched = watchSignal(await given.model({ ...world, fetch: simulator.fetch }));
  const result = await settled(call(watched.model, user.signal, leave));
  // A late abort comes after the end, where the step was the last one.
  await vi.advanceTimersByTimeAsync(2 * EVENT_DELAY);
  await macrotask();
  const left = [
    ...wire.left(),
    ...watched.left(),
    ...unhandled.splice(0).map((reason) => `unhandled: ${String(reason)}`),
    ...simulator.requests.filter(isFailedCancel(simulator)).map(({ status }) => `a cancel was answered ${status}`),
    ...(vi.getTimerCount() > 0 ? [`${vi.getTimerCount()} timers`] : []),
  ];
  vi.clearAllTimers();
  const cancels = simulator.requests.filter(({ path }) => path.endsWith('/cancel')).length;
  return { ...world, result, steps, leftAfter, cancels, left };
}

/** A cancel that is refused, although the run goes on. */
const isFailedCancel =
  ({ runs }: AgentApiSimulator) =>
  ({ path, status }: AgentApiSimulator['requests'][number]) =>
    path.endsWith('/cancel') && status !== 200 && runs[0]?.status !== 'completed';

/** Begins a run in the background whose caller goes away at once. */
export async function beginRun({ simulator }: World): Promise<string> {
  const body = JSON.stringify({ preset: 'fast', input: 'Hello?', background: true, stream: true });
  const headers = { authorization: `Bearer ${API_KEY}`, 'content-type': 'application/json' };
  const reply = await simulator.fetch('https://api.perplexity.ai/v1/agent', { method: 'POST', headers, body });
  await reply.body?.cancel();
  return simulator.runs[0]?.id ?? '';
}

/** A `fetch` that tells of each step and notes what is asked for after the abort. */
function tap(simulator: AgentApiSimulator, onStep: (name: string) => void, isDeaf: boolean, hasLeft: () => boolean) {
  const left: string[] = [];
  let open = 0;

  const fetch: typeof globalThis.fetch = async (input, init) => {
    const url = input instanceof Request ? input.url : input.toString();
    if (url.endsWith('/cancel')) return simulator.fetch(input, init);
    if (hasLeft()) left.push('a request afterwards');
    const { signal, unfollow } = followed((!isDeaf && init?.signal) || undefined);
    const replying = simulator.fetch(input, { ...init, signal: signal ?? null });
    onStep(`${init?.method ?? 'GET'}${url.includes('stream=true') ? ' stream' : ''}`);
    const reply = await replying.catch((error: unknown) => {
      unfollow();
      throw error;
    });
    if (signal?.aborted === true) {
      reply.body?.cancel().catch(ignore);
      throw signal.reason;
    }
    onStep(`reply ${reply.status}`);
    // A JSON text is read in one go.
    const isStream = reply.headers.get('content-type')?.startsWith('text/event-stream') === true;
    return new Response(reply.body && tapBody(reply.body, { signal, unfollow, isStream }), {
      status: reply.status,
      headers: reply.headers,
    });
  };

  function tapBody(body: ReadableStream<Uint8Array>, { signal, unfollow, isStream }: Followed & { isStream: boolean }) {
    const reader = body.getReader();
    let isOver = false;
    const stop = () => {
      if (!isOver) open--;
      isOver = true;
      unfollow();
    };
    open++;
    return new ReadableStream<Uint8Array>(
      {
        start(controller) {
          const onAbort = () => {
            if (isOver) return;
            stop();
            controller.error(signal?.reason);
            reader.cancel().catch(ignore);
          };
          if (signal?.aborted === true) onAbort();
          else signal?.addEventListener('abort', onAbort, { once: true });
        },
        async pull(controller) {
          const isLate = hasLeft() && isStream;
          if (isLate) left.push(LATE_READ);
          const { done, value } = await reader.read().catch((error: unknown) => {
            stop();
            throw error;
          });
          if (isOver) return;
          if (done) {
            // The end of a body that owed nothing more is no byte that was pulled.
            if (isLate) left.splice(left.indexOf(LATE_READ), 1);
            stop();
            controller.close();
            return;
          }
          controller.enqueue(value);
          onStep(nameOf(value));
        },
        cancel(reason) {
          stop();
          return reader.cancel(reason);
        },
      },
      { highWaterMark: 0 },
    );
  }

  return { fetch, left: () => (open > 0 ? [...left, `${open} open bodies`] : left) };
}

type Followed = { signal: AbortSignal | undefined; unfollow(): void };

/** A signal that fires with another one, whose listeners are not counted. */
function followed(signal: AbortSignal | undefined): Followed {
  if (signal === undefined) return { signal, unfollow: () => undefined };
  const controller = new AbortController();
  const { addEventListener, removeEventListener } = Object.getPrototypeOf(signal) as AbortSignal;
  const onAbort = () => controller.abort(signal.reason);
  addEventListener.call(signal, 'abort', onAbort, { once: true });
  return { signal: controller.signal, unfollow: () => removeEventListener.call(signal, 'abort', onAbort) };
}

function nameOf(bytes: Uint8Array): string {
  const text = new TextDecoder().decode(bytes);
  if (text.startsWith('{')) return 'json';
  try {
    return (JSON.parse(text.replace('data: ', '')) as { type: string }).type.replace('response.', '');
  } catch {
    return 'half an event';
  }
}

/** A model that is called with a signal whose listeners are counted. */
function watchSignal(model: LanguageModelV2): { model: LanguageModelV2; left(): string[] } {
  const listeners = new Set<unknown>();
  const withWatched = (options: LanguageModelV2CallOptions): LanguageModelV2CallOptions => {
    const given = options.abortSignal;
    if (given === undefined) throw new Error('the SDK passed no signal on');
    const controller = new AbortController();
    const { signal } = controller;
    const add = signal.addEventListener.bind(signal) as (...args: unknown[]) => void;
    const remove = signal.removeEventListener.bind(signal) as (...args: unknown[]) => void;
    const onAbort = () => {
      // Those that listen once are gone.
      listeners.clear();
      controller.abort(given.reason);
    };
    if (given.aborted) onAbort();
    else given.addEventListener('abort', onAbort, { once: true });
    Object.assign(signal, {
      addEventListener(...args: unknown[]) {
        listeners.add(args[1]);
        add(...args);
      },
      removeEventListener(...args: unknown[]) {
        listeners.delete(args[1]);
        remove(...args);
      },
    });
    return { ...options, abortSignal: signal };
  };
  return {
    model: {
      specificationVersion: 'v2',
      provider: model.provider,
      modelId: model.modelId,
      supportedUrls: model.supportedUrls,
      doGenerate: (options) => model.doGenerate(withWatched(options)),
      doStream: (options) => model.doStream(withWatched(options)),
    },
    left: () => (listeners.size > 0 ? [`${listeners.size} listeners`] : []),
  };
}
