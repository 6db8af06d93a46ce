/** Lives of background runs by the clock. Time is faked, except where a life has to cost no timer. */
import {
  createAgentApiSimulator,
  type AgentApiResponse,
  type AgentApiSimulator,
  type AgentApiSimulatorOptions,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ask, call, eventsIn, post, stream, textOf, type Event } from './helpers.js';

const level = { effort: 'medium', input: 'How?', background: true };
const options: AgentApiSimulatorOptions = { seed: 1, eventDelay: 10, background: { queueTime: 100 } };

const get = async (simulator: AgentApiSimulator, id: string) =>
  (await (await call(simulator, `/v1/agent/${id}`)).json()) as AgentApiResponse;
const cancel = (simulator: AgentApiSimulator, id: string) =>
  call(simulator, `/v1/agent/${id}/cancel`, { method: 'POST', body: {} });
const reconnect = (simulator: AgentApiSimulator, id: string, startingAfter?: number) =>
  call(
    simulator,
    `/v1/agent/${id}?stream=true${startingAfter === undefined ? '' : `&starting_after=${startingAfter}`}`,
  );
const numbers = (events: Event[]) => events.map((event) => event.sequence_number);
const typesOf = ({ output }: AgentApiResponse) => output.map(({ type }) => type);
const tooLate = {
  error: { message: 'the run is already terminal and cannot be cancelled', type: 'invalid_request', code: 400 },
};
const replayOver = {
  error: { message: 'the events of the run can no longer be replayed', type: 'invalid_request', code: 400 },
};

/** Reads a body in the background; `events` grows. */
function follow(response: Response): { events: Event[]; isOver: boolean } {
  const seen = { events: [] as Event[], isOver: false };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const chunk of response.body ?? []) seen.events.push(...eventsIn(decoder.decode(chunk)));
    seen.isOver = true;
  })();
  return seen;
}

/** The events that such a run has. Ids of calls repeat with the seed. */
let whole: Event[] = [];
let doneAt = 0;

beforeEach(async () => {
  vi.useFakeTimers();
  whole = await stream(createAgentApiSimulator({ seed: 1 }), level);
  doneAt = 100 + 10 * whole.length;
});
afterEach(() => {
  vi.useRealTimers();
});

describe('a run that nobody streams', () => {
  it('is queued, then in progress with what it has finished, then over, by the clock', async () => {
    const simulator = createAgentApiSimulator(options);
    const queued = await ask(simulator, level);
    const born = Date.now();
    const states: unknown[] = [];
    for (const time of [0, 99, 100, 149, 159, 160, doneAt - 1, doneAt]) {
      vi.setSystemTime(born + time);
      const run = await get(simulator, queued.id);
      states.push([time, run.status, typesOf(run), run.model]);
    }
    // The search is done with the sixth event, the message with the last but one.
    expect(whole[5]).toMatchObject({ type: 'response.output_item.done', item: { type: 'search_results' } });
    expect(states).toEqual([
      [0, 'queued', [], 'medium'],
      [99, 'queued', [], 'medium'],
      [100, 'in_progress', [], 'medium'],
      [149, 'in_progress', [], 'medium'],
      [159, 'in_progress', [], 'medium'],
      [160, 'in_progress', ['search_results'], 'medium'],
      [doneAt - 1, 'in_progress', ['search_results', 'message'], 'medium'],
      [doneAt, 'completed', ['search_results', 'message'], 'openai/gpt-6-luna'],
    ]);
  });

  it('shows no usage and no tools before its end, and there the response of its terminal event', async () => {
    const simulator = createAgentApiSimulator(options);
    const { id } = await ask(simulator, level);
    vi.advanceTimersByTime(200);
    expect(await get(simulator, id)).toMatchObject({ usage: null, tools: [], completed_at: null, background: true });
    vi.advanceTimersByTime(doneAt);
    const done = await get(simulator, id);
    const terminal = eventsIn(await (await reconnect(simulator, id)).text()).at(-1);
    const { created_at, completed_at } = done;
    expect(done).toEqual({ ...terminal?.response, created_at, completed_at });
    expect(created_at).toBe(completed_at);
    expect(created_at).not.toBe(terminal?.response?.created_at);
  });

  it('goes on by being looked at when there is nothing to wait for', async () => {
    const simulator = createAgentApiSimulator({ background: { queueTime: 0 } });
    const { id } = await ask(simulator, level);
    expect(simulator.runs[0]?.status).toBe('queued');
    expect([(await get(simulator, id)).status, (await get(simulator, id)).status]).toEqual([
      'in_progress',
      'completed',
    ]);
  });

  it('has everything at once after queueTime without eventDelay', async () => {
    const simulator = createAgentApiSimulator({ background: { queueTime: 50 } });
    const { id } = await ask(simulator, level);
    vi.advanceTimersByTime(49);
    expect((await get(simulator, id)).status).toBe('queued');
    vi.advanceTimersByTime(1);
    expect((await get(simulator, id)).status).toBe('completed');
  });

  it('may stay queued for ever', async () => {
    const simulator = createAgentApiSimulator({ background: { queueTime: Infinity } });
    const { id } = await ask(simulator, level);
    const seen = follow(await reconnect(simulator, id));
    await vi.advanceTimersByTimeAsync(2 ** 32);
    expect([(await get(simulator, id)).status, seen.events]).toEqual(['queued', []]);
  });

  it('can be continued only after its end', async () => {
    const simulator = createAgentApiSimulator(options);
    const { id } = await ask(simulator, level);
    const next = () => post(simulator, { effort: 'fast', input: 'And?', previous_response_id: id });
    expect((await next()).status).toBe(400);
    vi.advanceTimersByTime(doneAt);
    expect((await next()).status).toBe(200);
  });

  it('ends badly where the scenario says so', async () => {
    const simulator = createAgentApiSimulator({ ...options, scenario: 'failed' });
    const { id } = await ask(simulator, level);
    vi.advanceTimersByTime(120);
    expect(await get(simulator, id)).toMatchObject({ status: 'in_progress', error: null });
    vi.advanceTimersByTime(doneAt);
    expect(await get(simulator, id)).toMatchObject({ status: 'failed', error: { code: expect.any(String) } });
  });
});

describe('a stream of a background run', () => {
  it('delivers each event when it happens, and keeps the holes in the numbers', async () => {
    const simulator = createAgentApiSimulator(options);
    const seen = follow(await post(simulator, { ...level, stream: true }));
    await vi.advanceTimersByTimeAsync(109);
    expect(seen.events).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(seen.events).toEqual(whole.slice(0, 1));
    await vi.advanceTimersByTimeAsync(25);
    expect(numbers(seen.events)).toEqual([0, 1, 3]);
    await vi.advanceTimersByTimeAsync(doneAt);
    expect([seen.isOver, seen.events]).toEqual([true, whole]);
  });

  it('may be dropped: the run goes on, and the rest comes after the cursor, at once and then as it happens', async () => {
    const simulator = createAgentApiSimulator(options);
    const response = await post(simulator, { ...level, stream: true });
    const reader = response.body?.getReader();
    const first = reader?.read();
    await vi.advanceTimersByTimeAsync(110);
    await first;
    await reader?.cancel();
    const id = simulator.runs[0]?.id ?? '';
    await vi.advanceTimersByTimeAsync(50);
    const seen = follow(await reconnect(simulator, id, 0));
    await vi.advanceTimersByTimeAsync(0);
    expect(numbers(seen.events)).toEqual([1, 3, 4, 5, 6]);
    await vi.advanceTimersByTimeAsync(doneAt);
    expect([seen.isOver, seen.events]).toEqual([true, whole.slice(1)]);
    expect(simulator.runs).toEqual([
      { id, background: true, status: 'completed', cancelRequests: 0, streams: 2, polls: 0 },
    ]);
  });

  it('has all events at once without a delay, and begins at the first one without a cursor', async () => {
    const simulator = createAgentApiSimulator({ seed: 1 });
    await (await post(simulator, { ...level, stream: true })).body?.cancel();
    const [run] = simulator.runs;
    expect(run?.status).toBe('completed');
    expect(await (await cancel(simulator, run?.id ?? '')).json()).toEqual(tooLate);
    expect(eventsIn(await (await reconnect(simulator, run?.id ?? '')).text())).toEqual(whole);
  });

  it('has nothing to add behind the last event, and wants a cursor that is a number', async () => {
    const simulator = createAgentApiSimulator({ seed: 1 });
    await stream(simulator, level);
    const id = simulator.runs[0]?.id ?? '';
    expect(await (await reconnect(simulator, id, whole.at(-1)?.sequence_number)).text()).toBe('');
    expect((await call(simulator, `/v1/agent/${id}?stream=true&starting_after=x`)).status).toBe(400);
  });

  it('may be read by several at once', async () => {
    const simulator = createAgentApiSimulator({ ...options, chunking: 'event' });
    const created = follow(await post(simulator, { ...level, stream: true }));
    const id = simulator.runs[0]?.id ?? '';
    const again = follow(await reconnect(simulator, id));
    const late = follow(await reconnect(simulator, id, 40));
    await vi.advanceTimersByTimeAsync(doneAt);
    expect([created.events, again.events]).toEqual([whole, whole]);
    expect(late.events).toEqual(whole.filter((event) => event.sequence_number > 40));
  });

  it('leaves no timer behind when nobody reads', async () => {
    const simulator = createAgentApiSimulator(options);
    const response = await post(simulator, { ...level, stream: true });
    const reader = response.body?.getReader();
    await ask(simulator, level);
    expect(vi.getTimerCount()).toBe(0);
    const pending = reader?.read();
    await vi.advanceTimersByTimeAsync(0);
    expect(vi.getTimerCount()).toBe(1);
    await reader?.cancel();
    expect((await pending)?.done).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('of a script lives like any other', async () => {
    const response = { id: 'resp_a', status: 'completed', background: true, output: [{ type: 'x' }] };
    const events = [
      { type: 'response.created', sequence_number: 0 },
      { type: 'response.output_item.done', sequence_number: 5, item: { type: 'x' } },
      { type: 'response.completed', sequence_number: 9, response },
    ];
    const simulator = createAgentApiSimulator({ ...options, scenario: { events } });
    await (await post(simulator, { ...level, stream: true })).body?.cancel();
    vi.advanceTimersByTime(120);
    expect(await get(simulator, 'resp_a')).toMatchObject({ status: 'in_progress', output: [{ type: 'x' }] });
    const seen = follow(await reconnect(simulator, 'resp_a', 0));
    await vi.advanceTimersByTimeAsync(10);
    expect(seen).toEqual({ events: events.slice(1), isOver: true });
  });
});

describe('store: false', () => {
  it('hides a run from polls and reconnects, not from a cancel', async () => {
    const simulator = createAgentApiSimulator(options);
    const { id } = await ask(simulator, { ...level, store: false });
    const answers = [await call(simulator, `/v1/agent/${id}`), await reconnect(simulator, id)];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(await (await cancel(simulator, id)).json()).toEqual({ response_id: id, status: 'cancelling' });
    expect(simulator.runs[0]).toMatchObject({ status: 'cancelled', cancelRequests: 1, streams: 0, polls: 0 });
  });
});

describe('the replay window', () => {
  it('reaches back so many events', async () => {
    const simulator = createAgentApiSimulator({ ...options, background: { queueTime: 0, replayWindow: 3 } });
    const { id } = await ask(simulator, level);
    vi.advanceTimersByTime(60);
    // Happened: 0 1 3 4 5 6. Kept: 4 5 6.
    const statuses = [];
    for (const cursor of [undefined, 0, 1, 2, 3, 4, 6, 30])
      statuses.push((await reconnect(simulator, id, cursor)).status);
    expect(statuses).toEqual([400, 400, 400, 400, 200, 200, 200, 200]);
    expect(await (await reconnect(simulator, id)).json()).toEqual(replayOver);
    const seen = follow(await reconnect(simulator, id, 3));
    await vi.advanceTimersByTimeAsync(0);
    expect(numbers(seen.events)).toEqual([4, 5, 6]);
    expect((await get(simulator, id)).status).toBe('in_progress');
  });

  it('reaches the beginning as long as no event has left it', async () => {
    const simulator = createAgentApiSimulator({ ...options, background: { replayWindow: 3 } });
    const { id } = await ask(simulator, level);
    vi.advanceTimersByTime(30);
    expect((await reconnect(simulator, id)).status).toBe(200);
    vi.advanceTimersByTime(10);
    expect((await reconnect(simulator, id)).status).toBe(400);
  });

  it('closes some time after the end of the run, when it can still be polled', async () => {
    const simulator = createAgentApiSimulator({ ...options, background: { queueTime: 100, replayTime: 500 } });
    const { id } = await ask(simulator, level);
    vi.advanceTimersByTime(doneAt + 500);
    expect((await reconnect(simulator, id, 3)).status).toBe(200);
    vi.advanceTimersByTime(1);
    expect(await (await reconnect(simulator, id, 3)).json()).toEqual(replayOver);
    expect((await get(simulator, id)).status).toBe('completed');
  });

  it('closes after a cancellation, and after an end by polls, alike', async () => {
    const simulator = createAgentApiSimulator({ ...options, background: { queueTime: 100, replayTime: 500 } });
    const cancelled = await ask(simulator, level);
    await cancel(simulator, cancelled.id);
    const looked = createAgentApiSimulator({ background: { replayTime: 500 } });
    const polled = await ask(looked, level);
    vi.advanceTimersByTime(600);
    expect((await reconnect(looked, polled.id)).status).toBe(200);
    await get(looked, polled.id);
    await get(looked, polled.id);
    vi.advanceTimersByTime(501);
    const answers = [await reconnect(simulator, cancelled.id), await reconnect(looked, polled.id)];
    expect(answers.map(({ status }) => status)).toEqual([400, 400]);
  });
});

describe('a cancel', () => {
  it('stops the run where it is; polls notice it late, then say cancelled with partial output', async () => {
    const simulator = createAgentApiSimulator({ ...options, background: { cancelPolls: 3 } });
    const { id } = await ask(simulator, level);
    vi.advanceTimersByTime(60);
    expect(await (await cancel(simulator, id)).json()).toEqual({ response_id: id, status: 'cancelling' });
    vi.advanceTimersByTime(doneAt);
    const states = [];
    for (let poll = 0; poll < 4; poll += 1) states.push((await get(simulator, id)).status);
    expect(states).toEqual(['in_progress', 'in_progress', 'in_progress', 'cancelled']);
    const run = await get(simulator, id);
    expect(run).toMatchObject({
      status: 'cancelled',
      error: { code: 'cancelled', message: 'cancelled', type: 'cancelled' },
      incomplete_details: { reason: 'cancelled' },
      model: 'medium',
      usage: null,
      tools: [],
      completed_at: null,
    });
    expect(typesOf(run)).toEqual(['search_results']);
    expect(await (await cancel(simulator, id)).json()).toEqual(tooLate);
    expect(simulator.runs).toEqual([
      { id, background: true, status: 'cancelled', cancelRequests: 1, streams: 0, polls: 5 },
    ]);
  });

  it('goes through at once with cancelPolls 0, and leaves a queued run empty', async () => {
    const simulator = createAgentApiSimulator({ ...options, background: { queueTime: 100, cancelPolls: 0 } });
    const { id } = await ask(simulator, level);
    await cancel(simulator, id);
    expect(await (await cancel(simulator, id)).json()).toEqual(tooLate);
    expect(await get(simulator, id)).toMatchObject({ status: 'cancelled', output: [] });
  });

  it('ends an open stream at once, with what had happened before', async () => {
    const simulator = createAgentApiSimulator(options);
    const seen = follow(await post(simulator, { ...level, stream: true }));
    await vi.advanceTimersByTimeAsync(165);
    const id = simulator.runs[0]?.id ?? '';
    await cancel(simulator, id);
    await vi.advanceTimersByTimeAsync(0);
    expect([seen.isOver, numbers(seen.events).slice(0, 6)]).toEqual([true, [0, 1, 3, 4, 5, 6]]);
    expect(seen.events).toHaveLength(7);
    const terminal = seen.events[6];
    expect(terminal).toMatchObject({ type: 'response.cancelled', response: { id, status: 'cancelled', usage: null } });
    expect(terminal?.response && typesOf(terminal.response)).toEqual(['search_results']);
    expect(terminal?.sequence_number).toBeGreaterThan(6);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('shows in later streams, behind the events before it, and not behind itself', async () => {
    const simulator = createAgentApiSimulator(options);
    const { id } = await ask(simulator, level);
    vi.advanceTimersByTime(130);
    await cancel(simulator, id);
    const all = eventsIn(await (await reconnect(simulator, id)).text());
    expect(all.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.cancelled',
    ]);
    expect(eventsIn(await (await reconnect(simulator, id, 1)).text())).toEqual(all.slice(2));
    expect(await (await reconnect(simulator, id, all[3]?.sequence_number)).text()).toBe('');
  });

  it('ends a foreground stream that is being read, too', async () => {
    const simulator = createAgentApiSimulator(options);
    const seen = follow(await post(simulator, { ...level, background: false, stream: true }));
    await vi.advanceTimersByTimeAsync(25);
    await cancel(simulator, simulator.runs[0]?.id ?? '');
    await vi.advanceTimersByTimeAsync(0);
    expect(seen.events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.cancelled',
    ]);
    expect(simulator.runs[0]).toMatchObject({ background: false, status: 'cancelled', cancelRequests: 1, streams: 1 });
  });
});

describe('the ledger of runs', () => {
  it('has all runs, oldest first, and forgets them with a reset', async () => {
    const simulator = createAgentApiSimulator();
    const first = await ask(simulator, level);
    const second = await ask(simulator, { effort: 'fast', input: 'How?' });
    await stream(simulator, { effort: 'fast', input: 'How?' });
    await cancel(simulator, first.id);
    await cancel(simulator, first.id);
    await cancel(simulator, second.id);
    await get(simulator, second.id);
    expect(simulator.runs).toEqual([
      { id: first.id, background: true, status: 'cancelled', cancelRequests: 2, streams: 0, polls: 0 },
      { id: second.id, background: false, status: 'completed', cancelRequests: 0, streams: 0, polls: 1 },
      { id: simulator.runs[2]?.id, background: false, status: 'completed', cancelRequests: 0, streams: 1, polls: 0 },
    ]);
    simulator.reset();
    expect(simulator.runs).toEqual([]);
  });
});

describe('many runs at once', () => {
  it('all complete, polled or streamed with drops, and leave nothing behind', async () => {
    vi.useRealTimers();
    const before = process.getActiveResourcesInfo();
    const simulator = createAgentApiSimulator({ eventDelay: 1, background: { queueTime: 20 } });
    const texts = await Promise.all(
      Array.from({ length: 100 }, (_, index) => (index % 2 === 0 ? polledText(simulator) : streamedText(simulator))),
    );
    expect(new Set(texts)).toEqual(new Set([textOf(whole.at(-1)?.response as AgentApiResponse)]));
    expect(simulator.runs.map(({ status }) => status)).toEqual(Array.from({ length: 100 }, () => 'completed'));
    expect(simulator.runs.filter(({ streams }) => streams === 2)).toHaveLength(50);
    // What the test runner has open itself may have gone meanwhile.
    const added = process.getActiveResourcesInfo();
    for (const kind of before) if (added.includes(kind)) added.splice(added.indexOf(kind), 1);
    expect(added).toEqual([]);
  });

  async function polledText(simulator: AgentApiSimulator): Promise<string> {
    const { id } = await ask(simulator, level);
    for (;;) {
      const run = await get(simulator, id);
      if (run.status === 'completed') return textOf(run);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  }

  async function streamedText(simulator: AgentApiSimulator): Promise<string> {
    const response = await post(simulator, { ...level, stream: true });
    const events: Event[] = [];
    for await (const chunk of response.body ?? []) {
      events.push(...eventsIn(new TextDecoder().decode(chunk)));
      if (events.length === 10) break;
    }
    const id = events[0]?.response?.id ?? '';
    events.push(...eventsIn(await (await reconnect(simulator, id, events.at(-1)?.sequence_number)).text()));
    expect(numbers(events)).toEqual(numbers(whole));
    return events.map(({ delta }) => delta ?? '').join('');
  }
});
