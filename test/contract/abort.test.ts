/** Aborts at every step of a call: what the SDK of this run reports, and that nothing goes on or stays behind. */
import type { JSONValue, LanguageModelV2 } from '@ai-sdk/provider';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { background, host, settled, type Host } from '../support/background.js';
import { prompt } from '../support/model.js';
import {
  beginRun,
  EVENT_DELAY,
  play,
  watchLeftovers,
  type Moment,
  type Play,
  type Played,
} from '../support/wire-steps.js';
import { ai, releases } from './sdk.js';

// ai 6 and 7 say with every call that a V2 model is an older one.
(globalThis as { AI_SDK_LOG_WARNINGS?: boolean }).AI_SDK_LOG_WARNINGS = false;

type Options = { providerOptions: { perplexity: Record<string, JSONValue> } };
type Report = { text: string; end: string; onAbort: number; errors: number };
type Method = (model: LanguageModelV2, abortSignal: AbortSignal, options?: Partial<Options>) => Promise<Report>;

/** What an app that reads a stream sees. */
const stream: Method = async (model, abortSignal, options) => {
  const report: Report = { text: '', end: '', onAbort: 0, errors: 0 };
  const onAbort = () => void report.onAbort++;
  const onError = () => void report.errors++;
  const { fullStream } = ai.streamText({ model, prompt: 'Hello?', abortSignal, onAbort, onError, ...options });
  for await (const { type, text } of fullStream) {
    if (type === 'text-delta') report.text += String(text);
    report.end = type;
  }
  return report;
};

/** What an app that waits for an answer sees. */
const generate: Method = async (model, abortSignal, options) => {
  const report: Report = { text: '', end: 'finish', onAbort: 0, errors: 0 };
  try {
    const { text } = await ai.generateText({ model, prompt: 'Hello?', abortSignal, ...options });
    return { ...report, text };
  } catch (error) {
    return { ...report, end: (error as Error).name };
  }
};

/** Reads a stream and aborts it after so many events. */
async function streamUntil(model: LanguageModelV2, number: number, options: Options) {
  const report = { end: '', onAbort: 0, events: 0 };
  const controller = new AbortController();
  const onAbort = () => void report.onAbort++;
  const onError = () => undefined;
  const call = { model, prompt: 'Hello?', abortSignal: controller.signal, includeRawChunks: true, onAbort, onError };
  for await (const { type } of ai.streamText({ ...call, ...options }).fullStream) {
    if (type === 'raw' && ++report.events === number) controller.abort();
    report.end = type;
  }
  return report;
}

const LEVEL = 'fast';
const plain = { name: 'plain', text: 'Seven words are more than enough.' } as const;
const paced: Play['settings'] = { scenario: plain, eventDelay: EVENT_DELAY };
const polled = background({ background: { pollInterval: 40 } });

const ofModel =
  (modelId: string): Play['model'] =>
  ({ provider }) =>
    provider(modelId);
const ofRun =
  (startingAfter?: number): Play['model'] =>
  async (world) =>
    world.provider.resume(await beginRun(world), { startingAfter });

type Mode = Play & {
  mode: string;
  options?: Options;
  /** Least number of steps, so that none gets lost unnoticed. */
  steps: number;
  /** Whether a call that is given up at this step has to cancel its run; by default always. */
  mustCancel?(moment: Moment): boolean;
};

/** A reply that `fetch` was kept from bringing tells no id. */
const unlessUnanswered = ({ step, timing }: Moment) => step > 0 || timing !== 'early';

const streamed: Mode[] = [
  {
    mode: 'a plain model',
    settings: paced,
    model: ofModel('openai/gpt-6-luna'),
    steps: 15,
    mustCancel: unlessUnanswered,
  },
  {
    mode: 'a level that looks things up',
    settings: { ...paced, scenario: 'fetch' },
    model: ofModel(LEVEL),
    steps: 43,
    mustCancel: unlessUnanswered,
  },
  {
    mode: 'a run in the background',
    settings: { ...paced, background: { queueTime: 50 } },
    model: ofModel(LEVEL),
    options: background(),
    steps: 15,
  },
  {
    mode: 'a run in the background whose stream drops',
    settings: {
      ...paced,
      faults: [
        { on: 'create', fault: 'close', afterEvents: 4 },
        { on: 'reconnect', fault: 'refuse' },
        { on: 'reconnect', fault: 'status', status: 503 },
        { on: 'reconnect', fault: 'reset', afterEvents: 3, halfEvent: true },
      ],
    },
    model: ofModel(LEVEL),
    options: background(),
    steps: 23,
  },
  {
    mode: 'a run in the background whose stream cannot be had again',
    settings: {
      ...paced,
      eventDelay: 60,
      faults: [
        { on: 'create', fault: 'close', afterEvents: 4 },
        { on: 'reconnect', fault: 'status', status: 400 },
        { on: 'poll', fault: 'status', status: 429 },
      ],
    },
    model: ofModel(LEVEL),
    options: polled,
    steps: 15,
  },
  { mode: 'a run that is resumed', settings: paced, model: ofRun(), steps: 15 },
];

const generated: Mode[] = [
  // Its reply comes when the run is over.
  { mode: 'a plain model', settings: paced, model: ofModel('openai/gpt-6-luna'), steps: 3, mustCancel: () => false },
  {
    mode: 'a level that looks things up',
    settings: { ...paced, scenario: 'image' },
    model: ofModel(LEVEL),
    steps: 19,
    mustCancel: unlessUnanswered,
  },
  {
    mode: 'a run in the background',
    settings: {
      ...paced,
      background: { queueTime: 50 },
      faults: [{ on: 'poll', skip: 1, fault: 'status', status: 500 }],
    },
    model: ofModel(LEVEL),
    options: polled,
    steps: 12,
  },
  { mode: 'a run that is resumed', settings: paced, model: ofRun(), options: polled, steps: 12 },
  { mode: 'a run that is resumed after an event', settings: paced, model: ofRun(2), steps: 15 },
];

/** Every step, and all the ways to abort at it. */
const momentsOf = (steps: readonly string[]): Moment[] =>
  steps.flatMap((_, step) => (['early', 'deaf', 'late'] as const).map((timing) => ({ step, timing })));

/** What came of a call that was aborted at a moment. */
const rowOf = ({ step, timing }: Moment, { steps, result, cancels, left }: Played<Report>) => ({
  moment: `${timing} at ${step}, ${steps[step]}`,
  ...result,
  cancels,
  left,
});

/** Aborts a call at every step. */
async function abortEverywhere(mode: Mode, method: Method, options: Options | undefined, aborted: Partial<Report>) {
  const call = (model: LanguageModelV2, signal: AbortSignal) => method(model, signal, options);
  const whole = await play(mode, call);
  const { result: answer, steps } = whole;
  expect(answer).toEqual({ text: answer.text, end: 'finish', onAbort: 0, errors: 0 });
  expect(answer.text).not.toBe('');
  expect(whole).toMatchObject({ cancels: 0, left: [] });
  expect(steps.length).toBeGreaterThanOrEqual(mode.steps);
  const played: Array<Played<Report>> = [];
  const rows: unknown[] = [];
  const expected: unknown[] = [];
  for (const moment of momentsOf(steps)) {
    const one = await play(mode, call, moment);
    played.push(one);
    rows.push(rowOf(moment, one));
    // Late enough, the run has ended.
    const isOver = moment.timing === 'late' && one.leftAfter === steps.length;
    const mustCancel =
      options?.providerOptions.perplexity['cancelOnAbort'] !== false && mode.mustCancel?.(moment) !== false;
    const { text } = one.result;
    const result = isOver ? answer : { ...answer, ...aborted, text };
    if (!answer.text.startsWith(text)) throw new Error(`${text} is no part of the answer`);
    expected.push(rowOf(moment, { ...one, result, cancels: mustCancel && !isOver ? 1 : 0, left: [] }));
  }
  expect(rows).toEqual(expected);
  return { answer, played };
}

describe(`an abort under ai ${releases[0]?.version}`, () => {
  watchLeftovers();

  it.each(streamed)('is reported by the stream of $mode, at every step, and cancels the run once', async (mode) => {
    await abortEverywhere(mode, stream, mode.options, { end: 'abort', onAbort: 1 });
  });

  it.each(generated)('rejects a generate call of $mode, at every step, and cancels the run once', async (mode) => {
    await abortEverywhere(mode, generate, mode.options, { end: 'AbortError' });
  });

  it('with cancelOnAbort: false leaves a run in the background that can be resumed whole', async () => {
    const options = background({ cancelOnAbort: false });
    const mode = { settings: paced, model: ofModel(LEVEL), mode: 'detached', steps: 15 };
    const { answer, played } = await abortEverywhere(mode, stream, options, { end: 'abort', onAbort: 1 });
    const missing: unknown[] = [];
    for (const { simulator, provider } of played) {
      const [run] = simulator.runs;
      // Aborted before its reply, the request may not have arrived.
      if (run === undefined) continue;
      const text = await settled(stream(provider.resume(run.id), new AbortController().signal));
      if (text.text !== answer.text) missing.push(text);
    }
    expect(missing).toEqual([]);
    expect(played.filter(({ simulator }) => simulator.runs.length === 1).length).toBeGreaterThanOrEqual(44);
  });

  it('that came before the call sends nothing', async () => {
    for (const method of [stream, generate]) {
      const { result, simulator } = await play({ settings: paced, model: ofModel(LEVEL) }, (model) =>
        method(model, AbortSignal.abort()),
      );
      expect(result).toMatchObject(method === stream ? { end: 'abort', onAbort: 1 } : { end: 'AbortError' });
      expect(simulator.requests).toEqual([]);
    }
  });
});

describe('a consumer that cancels the stream', () => {
  watchLeftovers();

  /** Reads so many parts, then leaves: at once, or while it waits for the next one. */
  const leaving =
    (parts: number, isWaiting: boolean, options: Options | undefined) =>
    async (model: LanguageModelV2, abortSignal: AbortSignal, leave: () => void) => {
      const { stream } = await model.doStream({ prompt, abortSignal, ...options });
      const reader = stream.getReader();
      let read = 0;
      while (read < parts && !(await reader.read()).done) read++;
      const pending = isWaiting ? reader.read() : undefined;
      if (isWaiting) await new Promise((resolve) => setTimeout(resolve, EVENT_DELAY / 2));
      leave();
      await reader.cancel();
      await pending;
      return read;
    };

  it.each(streamed)('of $mode stops the reading and cancels the run once, after every part', async (mode) => {
    const whole = await play(mode, leaving(Infinity, false, mode.options));
    expect(whole).toMatchObject({ cancels: 0, left: [] });
    expect(whole.result).toBeGreaterThan(5);
    const rows: unknown[] = [];
    const expected: unknown[] = [];
    for (let parts = 0; parts <= whole.result; parts++) {
      for (const isWaiting of [false, true]) {
        const one = await play(mode, leaving(parts, isWaiting, mode.options));
        const { cancels, left, leftAfter } = one;
        rows.push({ parts, isWaiting, cancels, left });
        expected.push({ parts, isWaiting, cancels: leftAfter === whole.steps.length ? 0 : 1, left: [] });
      }
    }
    expect(rows).toEqual(expected);
  });
});

describe(`an abort on a real socket under ai ${releases[0]?.version}`, () => {
  let server: Host;
  beforeAll(async () => {
    server = await host();
  });
  afterAll(() => server.close());

  it.each([
    // The events before the third one say no more than that the run exists, and are held back until there is an answer.
    { mode: 'a foreground run', options: { providerOptions: { perplexity: {} } }, from: 3, cancels: 1 },
    { mode: 'a run in the background', options: background(), from: 1, cancels: 1 },
    { mode: 'a run that is to go on', options: background({ cancelOnAbort: false }), from: 1, cancels: 0 },
  ])(
    'by the reader of $mode, after every event, hangs up and cancels as is wanted',
    async ({ options, from, cancels }) => {
      const whole = await streamUntil(server.serve({ scenario: plain }).provider(LEVEL), Infinity, options);
      expect(whole).toMatchObject({ end: 'finish', onAbort: 0 });
      expect(whole.events).toBeGreaterThanOrEqual(13);
      const rows: unknown[] = [];
      const expected: unknown[] = [];
      for (let number = from; number < whole.events; number++) {
        // Silent after that event, so that nothing but the reader ends it.
        const faults = [{ on: 'create', fault: 'stall', afterEvents: number }] as const;
        const { simulator, provider } = server.serve({ scenario: plain, faults });
        const report = await streamUntil(provider(LEVEL), number, options);
        await vi.waitFor(() => expect(simulator.requests[0]?.aborted).toBe(true), { interval: 2 });
        await vi.waitFor(() => expect(simulator.requests.length).toBe(1 + cancels), { interval: 2 });
        rows.push({ ...report, sent: simulator.requests.map(({ path }) => path.split('/').at(-1)) });
        expected.push({ end: 'abort', onAbort: 1, events: number, sent: ['agent', 'cancel'].slice(0, 1 + cancels) });
      }
      expect(rows).toEqual(expected);
    },
  );
});
