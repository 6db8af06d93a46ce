/**
 * What is done to a call, and what has to come of it: by its fault and by how it reads its run. Each entry gives
 *   lane    what the server is to do: its scenario, its faults and its pace (`server.mjs`);
 *   act     what the caller does besides reading: waits, gives up, leaves (`call.mjs`);
 *   expect  how it ends, and which requests and which run the server has seen of it (`check.mjs`).
 */
import {
  ALL_OF_IT,
  SILENT,
  brokenJson,
  brokenStream,
  lastsLong,
  placeIn,
  finished,
  refused,
  runOf,
} from './endings.mjs';

/** Lanes travel as JSON, which has no Infinity. */
const ALWAYS = Number.MAX_SAFE_INTEGER;
const always = (fault) => [{ times: ALWAYS, ...fault }];

/** A call that goes well, also where it is hindered. */
const good = {
  stream: () => ({ expect: finished({ requests: ['create 200'], run: runOf('completed', { streams: 1 }) }) }),
  background: () => ({
    expect: finished({ requests: ['create 200'], run: runOf('completed', { background: true, streams: 1 }) }),
  }),
  level: () => ({ expect: finished({ requests: ['create 200'], run: runOf('completed', { streams: 1 }) }) }),
  generate: () => ({ expect: finished({ requests: ['create 200'], run: runOf('completed') }) }),
  // Nobody streams such a run: one poll finds it in progress, the next one over.
  polled: () => ({
    lane: { eventDelay: 0 },
    expect: finished({
      requests: ['create 200', 'poll 200', 'poll 200'],
      run: runOf('completed', { background: true, polls: 2 }),
    }),
  }),
};

const changed = (change) =>
  Object.fromEntries(Object.entries(good).map(([mode, behave]) => [mode, (call) => change(behave(call), call)]));

/** Some of the good ones search, so that there are sources as well. */
const none = changed((behaviour, { random }) => {
  if (!random.chance(0.1)) return behaviour;
  const { lane, expect } = behaviour;
  return { lane: { ...lane, scenario: 'search' }, expect: { ...expect, text: ALL_OF_IT, sources: 10 } };
});

const incomplete = changed(({ lane, expect }) => ({
  lane: { ...lane, scenario: 'incomplete' },
  expect: { ...expect, text: ALL_OF_IT, finishReason: 'length', run: { ...expect.run, status: 'incomplete' } },
}));

const failed = changed(({ lane, expect }, { mode }) => ({
  lane: { ...lane, scenario: 'failed' },
  expect: {
    ...expect,
    text: ALL_OF_IT,
    end: mode === 'stream' || mode === 'background' ? 'failed' : 'thrown',
    finishReason: 'error',
    error: { message: 'upstream unavailable', statusCode: 200, isRetryable: false },
    run: { ...expect.run, status: 'failed' },
  },
}));

/** The stream of a foreground call breaks off; nobody can take such a run up again. */
function broken(end) {
  return (call) => {
    const { place, heard, hasBegun } = placeIn(call);
    const isThrown = call.mode === 'level' || !hasBegun;
    return {
      lane: { faults: always({ on: 'create', fault: end, ...place }) },
      act: end === 'stall' ? { idleTimeout: call.pace.idleTimeout } : {},
      expect: {
        ...brokenStream(end, call.pace.idleTimeout),
        text: heard,
        end: isThrown ? 'thrown' : 'failed',
        error: { ...brokenStream(end, call.pace.idleTimeout).error, isRetryable: heard === 0 },
      },
    };
  };
}

/** The same of a run in the background: it is taken up again, and nobody notices. */
function takenUp(end) {
  return (call) => {
    const { place } = placeIn(call);
    const repeats = call.random.chance(0.5) ? always({ on: 'reconnect', fault: 'duplicate', events: 3 }) : [];
    const first = end === 'stall' ? `create 200 ${SILENT}` : 'create 200';
    return {
      lane: { faults: [...always({ on: 'create', fault: end, ...place }), ...repeats] },
      act: end === 'stall' ? { idleTimeout: call.pace.idleTimeout } : {},
      expect: finished({
        requests: [first, 'attach 200'],
        run: runOf('completed', { background: true, streams: 2 }),
      }),
    };
  };
}

/** A JSON reply breaks off. Its run was over before the reply began. */
const brokenReply = (end) => (call) => {
  const afterBytes = call.random.chance(0.3) ? 0 : call.random.between(1, 900);
  return { lane: { faults: always({ on: 'create', fault: end, afterBytes }) }, expect: brokenJson(end, afterBytes) };
};

/** A poll breaks off, and is asked again; the run has taken notice of it all the same. */
const brokenPoll = (end) => (call) => ({
  lane: { eventDelay: 0, faults: [{ on: 'poll', fault: end, afterBytes: call.random.between(0, 900) }], own: call.id },
  expect: finished({
    requests: ['create 200', 'poll 200', 'poll 200'],
    run: runOf('completed', { background: true, polls: 2 }),
  }),
});

const brokenOff = (end) => ({
  stream: broken(end),
  level: broken(end),
  background: takenUp(end),
  generate: brokenReply(end),
  polled: brokenPoll(end),
});

/** Without an idle timeout, as these modes have none, the caller himself has enough in the end. */
const stall = {
  ...brokenOff('stall'),
  generate: ({ pace }) => ({
    lane: { faults: always({ on: 'create', fault: 'stall' }) },
    act: { abortAfterReplies: 1, leavesAfter: pace.leavesAfter },
    expect: { end: 'aborted', text: 0, requests: [`create 200 ${SILENT}`], run: runOf('completed') },
  }),
  polled: ({ pace }) => ({
    lane: { eventDelay: 0, faults: always({ on: 'poll', fault: 'stall' }) },
    act: { abortAfterReplies: 2, leavesAfter: pace.leavesAfter },
    expect: {
      end: 'aborted',
      text: 0,
      requests: ['create 200', `poll 200 ${SILENT}`, 'cancel 200'],
      run: runOf('cancelled', { background: true, polls: 1, cancelRequests: 1 }),
    },
  }),
};

/** The create call is refused, or, where the run goes on without its connection, a later request is. */
function refusedWith(status) {
  const create = () => ({
    lane: { faults: always({ on: 'create', fault: 'status', status }) },
    expect: refused(status),
  });
  const later = {
    background: (call) => ({
      lane: {
        faults: [
          { on: 'create', fault: 'reset', ...placeIn(call).place },
          { on: 'reconnect', fault: 'status', status },
        ],
        own: call.id,
      },
      expect: finished({
        requests: ['create 200', `attach ${status}`, 'attach 200'],
        run: runOf('completed', { background: true, streams: 2 }),
      }),
    }),
    polled: (call) => ({
      lane: { eventDelay: 0, faults: [{ on: 'poll', fault: 'status', status }], own: call.id },
      expect: finished({
        requests: ['create 200', `poll ${status}`, 'poll 200', 'poll 200'],
        run: runOf('completed', { background: true, polls: 2 }),
      }),
    }),
  };
  const either = (mode) => (call) => (call.random.chance(0.5) ? create() : later[mode](call));
  return {
    stream: create,
    level: create,
    generate: create,
    background: either('background'),
    polled: either('polled'),
  };
}

/** The server could send all of it at once; it is the reader who takes his time. */
const slow = Object.fromEntries(
  ['stream', 'background'].map((mode) => [
    mode,
    (call) => ({ ...good[mode](call), lane: { eventDelay: 0 }, act: { readEvery: call.pace.readEvery } }),
  ]),
);

/** Which of the two the server hears of first, the closed socket or the cancellation that ends the stream, is a matter of timing. */
const ABORTED = { end: 'aborted', mayEndByCancel: true, requests: [`create 200 ${SILENT}`, 'cancel 200'] };

/** The caller leaves in the middle of the flow, in one of two ways. */
const leaves = (run) => (call) => {
  const { fewestHeard } = call.pace;
  const heard = call.random.between(fewestHeard, fewestHeard + 4);
  const way = call.random.pick(['aborted', 'left']);
  return {
    words: lastsLong(call),
    act: way === 'aborted' ? { abortAfterDeltas: heard } : { leaveAfterDeltas: heard },
    expect: { ...ABORTED, end: way, text: heard, run: runOf('cancelled', { streams: 1, cancelRequests: 1, ...run }) },
  };
};

const abort = {
  stream(call) {
    const way = call.random.pick(['in the flow', 'in silence', 'run goes on']);
    if (way === 'in the flow') return leaves({})(call);
    const heard = call.random.between(call.pace.fewestHeard, call.words);
    if (way === 'run goes on') {
      const [requests, run] = [[`create 200 ${SILENT}`], runOf('in_progress', { streams: 1 })];
      const some = Math.min(heard, 5);
      return {
        words: lastsLong(call),
        act: { abortAfterDeltas: some, cancelOnAbort: false },
        expect: { end: 'aborted', text: some, requests, run },
      };
    }
    return {
      lane: { faults: always({ on: 'create', fault: 'stall', ...placeIn(call, heard).place }) },
      act: { abortAfterDeltas: heard },
      expect: { ...ABORTED, text: heard, run: runOf('cancelled', { streams: 1, cancelRequests: 1 }) },
    };
  },
  background: leaves({ background: true }),
  level: (call) => ({
    words: lastsLong(call),
    act: { abortAfterReplies: 1, leavesAfter: call.pace.leavesAfter },
    expect: { ...ABORTED, text: 0, run: runOf('cancelled', { streams: 1, cancelRequests: 1 }) },
  }),
  generate: stall.generate,
  polled: ({ pace }) => ({
    lane: { eventDelay: 0 },
    act: { abortAfterReplies: 1, leavesAfter: pace.leavesAfter, pollInterval: 60_000 },
    expect: {
      end: 'aborted',
      text: 0,
      requests: ['create 200', 'cancel 200'],
      run: runOf('cancelled', { background: true, cancelRequests: 1 }),
    },
  }),
};

export const behaviours = {
  none,
  incomplete,
  failed,
  reset: brokenOff('reset'),
  cut: brokenOff('close'),
  stall,
  429: refusedWith(429),
  500: refusedWith(500),
  slow,
  abort,
};
