/** Streams in the background that break, on real sockets: the parts are those of a stream that does not. */
import { isDeepStrictEqual } from 'node:util';
import { APICallError, type JSONValue } from '@ai-sdk/provider';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import {
  createAgentApiSimulator,
  type AgentApiFault,
  type AgentApiSimulatorOptions,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { fixtureNames, type WireEvent } from '../support/fixtures.js';
import { API_KEY, expectConforming, finishOf, functionTool, partsOf, textsOf } from '../support/model.js';
import {
  asked,
  differenceOf,
  background,
  captureCase,
  fixtureCase,
  host,
  inParallel,
  outcomeOf,
  randomFrom,
  read,
  scenarioCase,
  settled,
  sizeOf,
  structured,
  type Case,
  type Host,
  type Part,
} from '../support/background.js';
import { hasCaptures } from '../support/shared.js';

// They wait more than they work; on a busy machine 24 of them together take half a minute.
vi.setConfig({ maxConcurrency: 24, testTimeout: 90_000 });

/** Told by the names of the tests. */
const SEED = Number(process.env['RECONNECT_SEED'] ?? Date.now() % 1e6);

let server: Host;
beforeAll(async () => {
  server = await host();
});
afterAll(() => server.close());

type Cut = Extract<AgentApiFault, { fault: 'reset' | 'close' | 'stall' }>;

/** A run read whole while this goes wrong; `raw` parts show whether an event is told twice. */
async function readWith(given: Case, faults: AgentApiFault[], settings: AgentApiSimulatorOptions = {}, options = {}) {
  const { simulator, provider } = server.serve({ ...settings, scenario: given.scenario, faults });
  const call = { ...given.options, ...background(options), includeRawChunks: true };
  const parts = await read(provider(given.modelId), call);
  return { simulator, parts, call };
}

async function uncut(given: Case) {
  const { parts, call } = await readWith(given, []);
  expectConforming(parts, call);
  const events = parts.flatMap((part) => (part.type === 'raw' ? [part.rawValue as WireEvent] : []));
  return { parts, events, size: sizeOf(events) };
}

const cases: Case[] = [
  ...fixtureNames.filter((name) => name !== 'chained').map((name) => fixtureCase(name)),
  ...['several-tools', 'mcp', 'native-and-client', 'tool-failures'].map((name) =>
    fixtureCase(name, { isDeclared: true }),
  ),
  scenarioCase('structured output', 'structured', structured, 'low'),
  scenarioCase('a call after a search', { name: 'tool-call', searchFirst: true }, { tools: [functionTool('weather')] }),
  ...(['both', 'error', 'response', 'bare'] as const).map((shape) =>
    scenarioCase(`failed, told by ${shape}`, { name: 'failed', shape }),
  ),
  scenarioCase('unknown events', 'unknown-events', {}, 'medium'),
  ...(hasCaptures ? [captureCase()] : []),
];

const named = cases.map((given) => [given.name, given] as const);
/** The ones that differ most. */
const chosen = new Set(
  'search|two-messages|client-tool-call|failed-mid-text|incomplete|cancelled|structured output|the recording|mcp, tools declared|a call after a search'.split(
    '|',
  ),
);
/** The one that is cut most often. */
const RICHEST = hasCaptures ? 'the recording' : 'search';
const mixed = named.filter(([name]) => chosen.has(name));
const cutAt = (random: () => number, place: Partial<Cut>): Cut => ({
  on: 'stream',
  fault: random() < 0.5 ? 'reset' : 'close',
  ...place,
});

/** Equal but for the number of the last event; the text is that of the whole one, in blocks that begin as it does. */
function expectSameOutcome(parts: Part[], whole: Part[], where: unknown): void {
  const [is, expected] = [outcomeOf(parts), outcomeOf(whole)];
  if (!isDeepStrictEqual(is, expected)) expect({ where, ...is }).toEqual({ where, ...expected });
}

describe(`a stream that is cut (RECONNECT_SEED=${SEED}) gives the parts of the uncut one`, () => {
  async function expectSameParts(given: Case, whole: Part[], faults: AgentApiFault[], settings = {}) {
    const { parts, simulator, call } = await readWith(given, faults, settings);
    // Two connections in a row without one whole event: then the run is asked, which tells no events.
    if (simulator.runs[0]?.polls !== 0 && faults.length > 1) {
      expectSameOutcome(parts, whole, { faults });
      return expectConforming(parts, call);
    }
    const difference = differenceOf(parts, whole);
    if (difference !== undefined) throw new Error(JSON.stringify({ faults, difference }, undefined, 1));
  }

  it.concurrent.each(named)('where it is cut after every event, and in the middle of it: %s', async (_, given) => {
    const { parts, events } = await uncut(given);
    const random = randomFrom(SEED);
    const cuts = events.flatMap((_, afterEvents) => {
      const half = cutAt(random, { afterEvents, halfEvent: true });
      return [cutAt(random, { afterEvents }), ...(random() < 0.2 ? [half] : [])];
    });
    await inParallel(cuts, 24, async (cut) => {
      await expectSameParts(given, parts, [cut]);
    });
  });

  it.concurrent.each(mixed)('where it is cut at random bytes, once and three times in a row: %s', async (_, given) => {
    const random = randomFrom(SEED);
    const { parts, size } = await uncut(given);
    const anywhere = () => cutAt(random, { afterBytes: Math.floor(random() * size) });
    const once = Array.from({ length: given.name === RICHEST ? 200 : 10 }, () => [anywhere()]);
    const thrice = Array.from({ length: 10 }, () => [anywhere(), anywhere(), anywhere()]);
    await inParallel([...once, ...thrice], 24, async (cuts) => {
      await expectSameParts(given, parts, cuts);
    });
  });

  it.concurrent.each(mixed)(
    'where it goes on by the clock and every connection holds for a few events: %s',
    async (_, given) => {
      const random = randomFrom(SEED);
      const { parts } = await uncut(given);
      const faults = Array.from({ length: 60 }, () =>
        cutAt(random, { afterEvents: 1 + Math.floor(random() * 4), halfEvent: random() < 0.5 }),
      );
      await expectSameParts(given, parts, faults, { eventDelay: 1 });
    },
  );
});

// Its events tell less of the run than the run itself does.
const polled = named.filter(([name]) => name !== 'failed, told by error');

describe(`a stream whose cursor has expired (RECONNECT_SEED=${SEED}) gives what the uncut one does`, () => {
  it.concurrent.each(polled)('%s', async (_, given) => {
    const { parts: whole, events, size } = await uncut(given);
    const random = randomFrom(SEED);
    const share = chosen.has(given.name) ? 1 : 0.25;
    const cuts = [
      ...events.map((_, afterEvents) => cutAt(random, { afterEvents })).filter(() => random() < share),
      ...Array.from({ length: 3 }, () => cutAt(random, { afterBytes: Math.floor(random() * size) })),
    ];
    await inParallel(cuts, 24, async (cut) => {
      const { parts, call } = await readWith(given, [cut], { background: { replayWindow: 0 } });
      expectSameOutcome(parts, whole, { cut });
      expectConforming(parts, call);
    });
  });

  it.concurrent.each(mixed)('while the run goes on, and only the newest events are kept: %s', async (_, given) => {
    const { parts: whole, events } = await uncut(given);
    const random = randomFrom(SEED);
    const cuts = events.map((_, afterEvents) => cutAt(random, { afterEvents }));
    await inParallel(cuts, 24, async (cut) => {
      const patience = { background: { pollInterval: 3 } };
      const settings = { background: { replayWindow: 2 }, eventDelay: 1 };
      const slow: AgentApiFault = { on: 'reconnect', fault: 'status', status: 500, retryAfter: 0.01 };
      const { parts, call } = await readWith(given, [cut, slow], settings, patience);
      expectSameOutcome(parts, whole, { cut });
      expectConforming(parts, call);
    });
  });
});

describe('a stream in the background', () => {
  const search = scenarioCase('search', 'search', {}, 'low');
  const afterFour = { on: 'create', fault: 'reset', afterEvents: 4 } as const;
  let whole: Part[] = [];
  beforeAll(async () => {
    whole = (await uncut(search)).parts;
  });

  it.concurrent.each<[string, AgentApiFault[], string[]]>([
    [
      'repeats nothing that comes a second time',
      [
        { on: 'create', fault: 'duplicate', events: 6 },
        { ...afterFour, on: 'reconnect', times: 2 },
        { on: 'reconnect', fault: 'duplicate', events: 5 },
      ],
      [],
    ],
    [
      'takes two 500s for what they are',
      [afterFour, { on: 'reconnect', fault: 'status', status: 500, times: 2 }],
      ['POST 200', 'GET 500 after 4', 'GET 500 after 4', 'GET 200 after 4'],
    ],
    [
      'takes a refused connection for a try',
      [afterFour, { on: 'reconnect', fault: 'refuse', times: 2 }],
      ['POST 200', 'GET undefined after 4', 'GET undefined after 4', 'GET 200 after 4'],
    ],
    [
      'takes pages of an edge for what their status says',
      [afterFour, { on: 'reconnect', fault: 'status', status: 502, html: true }],
      ['POST 200', 'GET 502 after 4', 'GET 200 after 4'],
    ],
    [
      'asks again where a run that was just created is not known yet',
      [afterFour, { on: 'reconnect', fault: 'status', status: 404 }],
      ['POST 200', 'GET 404 after 4', 'GET 200 after 4'],
    ],
    [
      'asks for all events where the first connection brought none',
      [{ on: 'create', fault: 'close' }],
      ['POST 200', 'GET 200 after null'],
    ],
  ])('%s', async (_name, faults, expected) => {
    const { parts, simulator, call } = await readWith(search, faults);
    expectConforming(parts, call);
    expect(partsOf(parts, 'error')).toEqual([]);
    expect(differenceOf(parts, whole)).toBeUndefined();
    if (expected.length > 0) expect(asked(simulator)).toEqual(expected);
  });

  it('takes an error event for one of the connection while the run goes on', async () => {
    const fault: AgentApiFault = { on: 'create', fault: 'error-event', afterEvents: 7 };
    const { parts, simulator, call } = await readWith(search, [fault], { eventDelay: 20 });
    expectConforming(parts, call);
    expectSameOutcome(parts, whole, fault);
    expect(asked(simulator)).toEqual(['POST 200', 'GET 200', 'GET 200 after 7']);
    const over = await readWith(search, [fault]);
    expectSameOutcome(over.parts, whole, fault);
    expect(asked(over.simulator)).toEqual(['POST 200', 'GET 200']);
  });

  it('that is silent for longer than idleTimeout is taken up again', async () => {
    const { parts, simulator } = await readWith(
      search,
      [
        { on: 'create', fault: 'stall', afterEvents: 5 },
        { on: 'reconnect', fault: 'stall', afterEvents: 3, halfEvent: true },
      ],
      {},
      { idleTimeout: 200 },
    );
    expect(differenceOf(parts, whole)).toBeUndefined();
    expect(asked(simulator)).toEqual(['POST 200', 'GET 200 after 5', 'GET 200 after 8']);
    expect(simulator.runs[0]?.cancelRequests).toBe(0);
  });

  it('that is kept alive by comments is not', async () => {
    const settings = { background: { queueTime: 900 } };
    const alive: AgentApiFault = { on: 'create', fault: 'keep-alive', every: 20 };
    const { parts, simulator } = await readWith(search, [alive], settings, { idleTimeout: 400 });
    expect(differenceOf(parts, whole)).toBeUndefined();
    expect(asked(simulator)).toEqual(['POST 200']);
  });

  it('is taken up again where the service does not answer at all for as long as idleTimeout', async () => {
    let asked = 0;
    const unanswered: typeof fetch = (input, init) => {
      asked += 1;
      if (asked !== 2 && asked !== 3) return fetch(input, init);
      return new Promise((_, reject) => init?.signal?.addEventListener('abort', () => reject(init.signal?.reason)));
    };
    const { provider } = server.serve({ scenario: 'search', faults: [afterFour] }, unanswered);
    const options = { ...background({ idleTimeout: 200 }), includeRawChunks: true };
    expect(differenceOf(await read(provider('low'), options), whole)).toBeUndefined();
    expect(asked).toBe(4);
  });

  it('is followed by polls where its stream is answered with JSON', async () => {
    let attached = 0;
    const plain: typeof fetch = (input, init) => {
      const url = typeof input === 'string' ? input : '';
      if (url.includes('stream=true')) attached += 1;
      return fetch(url.replace(/\?stream=true.*/, ''), init);
    };
    const settings = { scenario: 'search', eventDelay: 12, faults: [afterFour] } as const;
    const { provider, simulator } = server.serve(settings, plain);
    const call = background({ background: { pollInterval: 10 } });
    const parts = await read(provider('low'), call);
    expectSameOutcome(parts, whole, 'JSON');
    expectConforming(parts, call);
    expect(attached).toBe(1);
    expect(simulator.runs[0]?.polls).toBeGreaterThan(2);
  });

  /** A stream whose events were changed on the way. */
  async function renumbered(change: (event: WireEvent) => object, faults: AgentApiFault[]) {
    const { events } = await uncut(search);
    const scenario = { events: events.map(change) };
    const given = scenarioCase('renumbered', scenario, {}, 'low');
    return { ...(await readWith(given, faults)), events };
  }

  it('without numbers is read as it comes, and asked for where it drops', async () => {
    for (const faults of [[], [afterFour], [{ on: 'create', fault: 'close', afterEvents: 12 } as const]]) {
      const { parts, simulator, call } = await renumbered(({ sequence_number: _, ...event }) => event, faults);
      expectConforming(parts, call);
      const numbered = outcomeOf(whole);
      expect({ faults, ...outcomeOf(parts) }).toEqual({ faults, ...numbered });
      expect(asked(simulator)).toEqual(faults.length === 0 ? ['POST 200'] : ['POST 200', 'GET 200']);
    }
  });

  it('whose numbers are all the same is read as it comes, and asked for where it drops', async () => {
    for (const faults of [[], [afterFour], [{ on: 'create', fault: 'close', afterEvents: 12 } as const]]) {
      const { parts, simulator, call } = await renumbered((event) => ({ ...event, sequence_number: 0 }), faults);
      expectConforming(parts, call);
      expect({ faults, ...outcomeOf(parts) }).toEqual({ faults, ...outcomeOf(whole) });
      // Live, and not in one piece at the end.
      if (faults.length === 0) expect(partsOf(parts, 'text-delta')).toHaveLength(partsOf(whole, 'text-delta').length);
      expect(asked(simulator)).toEqual(faults.length === 0 ? ['POST 200'] : ['POST 200', 'GET 200']);
    }
  });
});

describe('a stream in the background that is lost', () => {
  const answer = { name: 'plain', text: 'Seven words are more than enough here.' } as const;

  /** Its end, with the times of all requests. */
  async function lost(faults: AgentApiFault[], perplexity: Record<string, JSONValue> = {}) {
    vi.useFakeTimers();
    const simulator = createAgentApiSimulator({ seed: 7, scenario: answer, faults });
    const times: number[] = [];
    const fetch: typeof globalThis.fetch = (input, init) => {
      times.push(Date.now());
      return simulator.fetch(input, init);
    };
    try {
      const model = createPerplexityAgent({ apiKey: API_KEY, fetch })('low');
      const parts = await settled(read(model, background(perplexity)));
      expectConforming(parts);
      expect(vi.getTimerCount()).toBe(0);
      const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
      const errors = partsOf(parts, 'error').map(({ error }) => error as APICallError);
      return { parts, simulator, gaps, errors, id: simulator.runs[0]?.id };
    } finally {
      vi.useRealTimers();
    }
  }
  const cut = (on: 'create' | 'reconnect', afterEvents: number, times = 1): AgentApiFault => ({
    on,
    fault: 'reset',
    afterEvents,
    times,
  });

  it('waits for as long as a 429 says', async () => {
    const limited = { on: 'reconnect', fault: 'status', status: 429 } as const;
    const { gaps, errors } = await lost([cut('create', 4), { ...limited, resetIn: 20 }, { ...limited, retryAfter: 3 }]);
    expect(errors).toEqual([]);
    expect(gaps.length).toBe(3);
    expect(gaps[0]).toBe(0);
    expect(gaps[1]).toBeGreaterThan(18_900);
    expect(gaps[1]).toBeLessThanOrEqual(20_000);
    expect(gaps[2]).toBe(3000);
  });

  it('does not hammer a service that says 429 without a wait, and does not give up for it', async () => {
    const limited = { on: 'reconnect', fault: 'status', status: 429, retryAfter: 0, times: 12 } as const;
    const { gaps, errors } = await lost([cut('create', 4), limited]);
    expect(errors).toEqual([]);
    expect(gaps.length).toBe(13);
    const waits = gaps.slice(1);
    expect(Math.min(...waits)).toBeGreaterThanOrEqual(375);
    expect(Math.max(...waits)).toBeLessThanOrEqual(8000);
    expect(waits.at(-1)).toBeGreaterThanOrEqual(6000);
  });

  it('fails after maxReconnects tries in a row that bring nothing, and asks the run once before that', async () => {
    const { parts, errors, simulator, gaps, id } = await lost([cut('create', 5), cut('reconnect', 0, 99)], {
      maxReconnects: 2,
    });
    // The run is over by now: asked for, it tells its end.
    expect(errors).toEqual([]);
    expect(textsOf(parts)).toEqual([answer.text]);
    expect(asked(simulator).slice(1)).toEqual(['GET 200 after 5', 'GET 200 after 5', 'GET 200']);
    expect(gaps[1]).toBeGreaterThanOrEqual(750);
    expect(gaps[2]).toBeGreaterThanOrEqual(1500);
    expect(id).toBeDefined();
  });

  it.each([1, 3])('is an error that names maxReconnects: %d and the way back where the run goes on', async (most) => {
    const { parts, errors, simulator, id } = await lost(
      [
        cut('create', 5),
        cut('reconnect', 0, 99),
        { on: 'poll', fault: 'unknown-status', status: 'in_progress', times: 99 },
      ],
      { maxReconnects: most },
    );
    expect(errors.length).toBe(1);
    const [error] = errors;
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error?.message).toMatch(
      new RegExp(`trying again .*perplexity\\.maxReconnects: ${most}\\) brought nothing new`),
    );
    expect(error?.message).toContain(`resume('${id}')`);
    expect(error?.isRetryable).toBe(false);
    expect(error?.data).toMatchObject({ responseId: id, status: 'in_progress' });
    expect(finishOf(parts).finishReason).toBe('error');
    expect(answer.text.startsWith(textsOf(parts)[0] ?? '')).toBe(true);
    const requests = asked(simulator);
    expect(requests.filter((request) => request.includes('after'))).toHaveLength(most);
    expect(simulator.runs[0]?.cancelRequests).toBe(0);
  });

  it('with maxReconnects: 0 is an error at once', async () => {
    const { errors, simulator, id } = await lost([cut('create', 5)], { maxReconnects: 0 });
    expect(errors[0]?.message).toMatch(/perplexity\.maxReconnects: 0/);
    expect(errors[0]?.data).toMatchObject({ responseId: id });
    expect(asked(simulator)).toEqual(['POST 200']);
  });

  it.each([401, 403] as const)('with a %d on the way back is an error at once', async (status) => {
    const { errors, simulator, id } = await lost([cut('create', 5), { on: 'reconnect', fault: 'status', status }]);
    expect(errors).toHaveLength(1);
    expect(errors[0]?.message).toContain(`resume('${id}')`);
    expect(errors[0]).toMatchObject({ isRetryable: false, data: { responseId: id } });
    expect(asked(simulator)).toEqual(['POST 200', `GET ${status} after 5`]);
  });

  it('is asked after, and given up in the end, where silences are long but nothing ever comes', async () => {
    const stall = { fault: 'stall', times: 99 } as const;
    const { errors, gaps, simulator } = await lost(
      [
        { ...stall, on: 'create', afterEvents: 5 },
        { ...stall, on: 'reconnect' },
        { on: 'poll', fault: 'unknown-status', status: 'in_progress', times: 99 },
      ],
      { idleTimeout: 60_000, maxReconnects: 4 },
    );
    expect(errors[0]?.message).toMatch(/maxReconnects: 4\).*Nothing came from the Agent API for 60000 ms/);
    expect(simulator.runs[0]).toMatchObject({ streams: 5, polls: 3, cancelRequests: 0 });
    expect(gaps.reduce((sum, gap) => sum + gap, 0)).toBeLessThan(6 * 60_000);
  });
});
