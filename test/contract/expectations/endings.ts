/** How calls go wrong and end: refusals, retries, failures in mid-stream, aborts. */
import { all, endOf, isV2, orderOf, type Cell, type Row, type World } from '../world.js';

const prompt = 'What is new?';

/** A stream to its end, and what its promises come to. */
async function endings({ ai, setUp }: World, scenario: Parameters<World['setUp']>[0], call: object = {}) {
  const { provider, statuses } = setUp(scenario);
  let errors = 0;
  const streamed = ai.streamText({ model: provider('fast'), prompt, onError: () => void errors++, ...call });
  const parts = await all(streamed.fullStream);
  const types = orderOf(parts);
  const error = parts.find(({ type }) => type === 'error')?.['error'] as Error | undefined;
  return {
    end: types.slice(types.includes('error') ? types.indexOf('error') - 1 : -2),
    error: error?.name,
    isApiError: ai.APICallError.isInstance(error),
    errors,
    hasText: typeof (await endOf(streamed.text)) === 'string' && String(await endOf(streamed.text)).length > 20,
    finishReason: await endOf(streamed.finishReason),
    raw: await endOf(Promise.resolve(streamed.rawFinishReason)),
    statuses: statuses(),
  };
}

/** What all majors make of a run that failed after it had said something. */
const failed = {
  end: ['text-end', 'error', 'finish-step', 'finish'],
  error: 'AI_APICallError',
  isApiError: true,
  errors: 1,
  hasText: true,
  finishReason: 'error',
  statuses: [200],
};

const brokenOff = (cell: Cell) => ({
  ...failed,
  finishReason: cell.face === 'v4' ? 'interrupted' : 'error',
  raw: isV2(cell) ? undefined : 'in_progress',
});

export const endingRows: Row[] = [
  {
    name: 'a refusal before the answer: 401 is thrown, once',
    async observe({ ai, setUp }) {
      const { model, statuses } = setUp({ scenario: 'unauthorized' });
      const error = await ai.generateText({ model, prompt }).catch((reason: unknown) => reason);
      const streamed = ai.streamText({ model, prompt, onError: () => undefined });
      const parts = await all(streamed.fullStream);
      const { name, statusCode, isRetryable } = error as Error & { statusCode: number; isRetryable: boolean };
      return {
        generated: [name, statusCode, isRetryable, ai.APICallError.isInstance(error)],
        streamed: orderOf(parts),
        statuses: statuses(),
      };
    },
    expected: () => ({
      generated: ['AI_APICallError', 401, false, true],
      streamed: ['start', 'error'],
      statuses: [401, 401],
    }),
  },
  {
    name: 'retries: 429, then good',
    isShort: true,
    async observe({ ai, setUp }) {
      const faults = [{ on: 'create', fault: 'status', status: 429, retryAfter: 0 }] as const;
      const generated = setUp({ faults });
      const { finishReason } = await ai.generateText({ model: generated.model, prompt });
      const streamed = setUp({ faults });
      const result = ai.streamText({ model: streamed.model, prompt });
      await result.consumeStream();
      return [finishReason, generated.statuses(), await result.finishReason, streamed.statuses()];
    },
    expected: () => ['stop', [429, 200], 'stop', [429, 200]],
  },
  {
    name: 'retries: a service that stays down',
    async observe({ ai, setUp }) {
      const { model, statuses } = setUp({
        faults: [{ on: 'create', fault: 'status', status: 503, retryAfter: 0, times: 2 }],
      });
      const error = await ai.generateText({ model, prompt, maxRetries: 1 }).catch((reason: unknown) => reason);
      return [
        ai.RetryError.isInstance(error),
        (error as { lastError: { statusCode: number } }).lastError.statusCode,
        statuses(),
      ];
    },
    expected: () => [true, 503, [503, 503]],
  },
  {
    name: 'mid-stream: the run fails',
    isShort: true,
    observe: async (world) => endings(world, { scenario: 'failed' }),
    expected: (cell) => ({ ...failed, raw: isV2(cell) ? undefined : 'failed' }),
  },
  {
    name: 'mid-stream: the connection breaks',
    isShort: true,
    observe: async (world) => endings(world, { scenario: { name: 'cut', end: 'reset' } }),
    expected: brokenOff,
  },
  {
    name: 'mid-stream: the stream ends too early',
    observe: async (world) => endings(world, { scenario: 'cut' }),
    expected: brokenOff,
  },
  {
    name: 'mid-stream: streamRetries of ai 7 ask again',
    only: ({ major }) => major === 7,
    observe: async (world) =>
      endings(world, { faults: [{ on: 'create', fault: 'reset', afterEvents: 4 }] }, { streamRetries: 1 }),
    expected: (cell) => ({
      ...failed,
      end: ['finish-step', 'finish'],
      error: undefined,
      isApiError: false,
      finishReason: 'stop',
      raw: isV2(cell) ? undefined : 'completed',
      statuses: [200, 200],
    }),
  },
  {
    name: 'mid-stream: the UI message stream after a failure',
    async observe({ ai, setUp }) {
      const { model } = setUp({ scenario: 'failed' });
      const streamed = ai.streamText({ model, prompt, onError: () => undefined });
      const chunks = await all(streamed.toUIMessageStream());
      return [orderOf(chunks), chunks.find(({ type }) => type === 'error')?.['errorText']];
    },
    expected: () => [
      ['start', 'start-step', 'text-start', 'text-delta', 'text-end', 'error', 'finish-step', 'finish'],
      'An error occurred.',
    ],
  },
  {
    name: 'abort of a stream',
    isShort: true,
    async observe({ ai, setUp }) {
      const { provider, simulator } = setUp({ scenario: 'search', eventDelay: 5 });
      const controller = new AbortController();
      let aborts = 0;
      const { signal: abortSignal } = controller;
      const result = ai.streamText({ model: provider('fast'), prompt, abortSignal, onAbort: () => void aborts++ });
      const types: string[] = [];
      for await (const { type } of result.fullStream) {
        types.push(type);
        if (type === 'text-delta') controller.abort();
      }
      const text = await endOf(result.text);
      await new Promise((resolve) => setTimeout(resolve, 30));
      return [types.at(-1), aborts, text, simulator.requests.map(({ path }) => path.split('/').at(-1))];
    },
    expected: ({ major, isEarly }) => [
      'abort',
      1,
      major === 5 || isEarly ? 'rejected: AI_NoOutputGeneratedError' : 'rejected: AbortError',
      ['agent', 'cancel'],
    ],
  },
  {
    name: 'abort of generateText',
    isShort: true,
    async observe({ ai, setUp }) {
      const { provider, simulator } = setUp({ scenario: 'search', eventDelay: 20 });
      const end = await endOf(
        ai.generateText({ model: provider('fast'), prompt, abortSignal: AbortSignal.timeout(60) }),
      );
      await new Promise((resolve) => setTimeout(resolve, 30));
      return [end, simulator.requests.map(({ path }) => path.split('/').at(-1))];
    },
    expected: () => ['rejected: TimeoutError', ['agent', 'cancel']],
  },
];
