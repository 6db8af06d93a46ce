/**
 * Follows a run that outlives its connection (`agent-api.md` §10): reads its stream, takes it up again where it dropped, and
 * asks for where the run stands where that cannot be. Nothing is delivered twice, and nothing is left out.
 */
import { APICallError } from '@ai-sdk/provider';
import { describe, readFailure, secondsToReset, unreadableReply } from '../errors.js';
import { asText, type WireObject } from '../json.js';
import { isBareError, isOpening, isTerminalStatus, sequenceNumberOf } from '../stream/finish.js';
import { askedWait, backoff, pause } from '../wire/retry.js';
import type { EventsReply, Reply, ResponseReply } from '../wire/transport.js';
import { createBody, silenceOf, type Body, type ReadLimits } from './body.js';
import { createCursor } from './cursor.js';
import { createPollWaits, messageOfLoss, messageOfTimeout, waitWhenLimited, type Patience } from './patience.js';
import { hasFailed, playResponse, type Source, type SourceHandlers } from './source.js';
import { untilLate, withTimer } from './timers.js';

export type FollowOptions = ReadLimits &
  Patience & {
    /** The reply that the run began with, or that it was taken up with. */
    reply: Reply;
    /** Whether its events are wanted, or only what it comes to. */
    read: 'stream' | 'poll';
    /** Number of the last event that the caller has had. */
    startingAfter: number | undefined;
    /** The events were asked for from the first one. */
    isReplay: boolean;
    /** The caller has had the events up to this number all the same. */
    replaysUntil: number | undefined;
    /** When all of it has to be over, in milliseconds since 1970. */
    deadline: number;
    attach(run: { responseId: string; startingAfter: number | undefined; abortSignal: AbortSignal }): Promise<Reply>;
    retrieve(run: { responseId: string; abortSignal: AbortSignal }): Promise<ResponseReply>;
  };

/** A connection that held for so long was none that fails: proxies cut silent ones (`agent-api.md` §5.1). */
const STEADY_MS = 10_000;

/** Longest wait for the answer to one of the requests, in milliseconds; a run is asked for again after it. */
const ANSWER_MS = 60_000;

/** After so many connections without a word the run is asked whether it goes on at all. */
const TRIES_BEFORE_DOUBT = 2;

/** After so many milliseconds without an event the run is told of by what is known of it. */
const QUIET_MS = 250;

type Loss = { cause?: unknown };

export function createFollower(options: FollowOptions, handlers: SourceHandlers): Source {
  const stop = new AbortController();
  let connection: Body | undefined;
  /** A reply that nobody has looked at yet. */
  let fresh: Reply | undefined = options.reply;
  let isPolling = options.read === 'poll';
  const cursor = createCursor(options.startingAfter);
  let hasEvents = false;
  /** Tries in a row that brought nothing new. */
  let tries = 0;
  let loss: Loss = {};
  /** Milliseconds to wait before the next request. */
  let wait = 0;
  const nextPollWait = createPollWaits(options.pollInterval);
  /** Refusals in a row for asking too often. */
  let limited = 0;
  /** Before the stream is taken up again, the run is asked whether it goes on at all. */
  let isDoubtful = false;
  /** That was asked as the last thing before giving up. */
  let wasAsked = false;
  /** A failure that the stream told without a response: final only where the run says the same. */
  let suspicion: WireObject | undefined;
  let lastStatus: string | undefined;
  /** The reading of what may be the first event. */
  let first: Promise<void> | undefined;

  const silence = silenceOf(options.idleTimeout);
  const noAnswer = new Error(`The Agent API did not answer within ${ANSWER_MS} ms.`);

  const isOver = () => handlers.isOver() || stop.signal.aborted;

  /** All events of a run were asked for, and these begin later: what is before them is asked for once more. */
  function isTooLate(event: WireObject): boolean {
    if (!options.isReplay || hasEvents || cursor.number() !== undefined) return false;
    return (sequenceNumberOf(event) ?? -1) > (options.replaysUntil ?? (isOpening(event) ? 1 : 0));
  }

  function connect(reply: EventsReply): void {
    const since = Date.now();
    let hasProgress = false;
    cursor.begin();

    function drop(next: Loss, isSilent = false): void {
      if (connection !== body) return;
      connection = undefined;
      loss = next;
      // A silence that the caller found too long is no sign of life, however long it is.
      const isSteady = hasProgress || (!isSilent && Date.now() - since >= STEADY_MS);
      if (isSteady) {
        tries = 0;
        wasAsked = false;
      }
      wait = isSteady ? 0 : backoff(tries);
      isDoubtful = !hasProgress && tries >= TRIES_BEFORE_DOUBT;
    }

    function onEvent(event: WireObject): void {
      if (connection !== body) return;
      if (cursor.hasHad(event)) return;
      if (isTooLate(event)) {
        cursor.moveTo(options.replaysUntil ?? 0);
        drop({});
        return body.cancel();
      }
      if (isBareError(event)) {
        // Its number may be that of an event still to come.
        suspicion = event;
        drop({ cause: new Error(readFailure(event).message ?? 'the stream told of an error') });
        isDoubtful = true;
        body.cancel();
        return;
      }
      if (sequenceNumberOf(event) !== undefined || cursor.number() === undefined) hasProgress = true;
      cursor.take(event);
      hasEvents = true;
      suspicion = undefined;
      handlers.onEvent(event);
    }

    const body = createBody(
      reply,
      {
        ...handlers,
        onEvent,
        // The half of an event that a cut leaves comes again as a whole one.
        onUnreadable: (data, isLast) => (isLast ? undefined : handlers.onUnreadable(data)),
        onEnd: (cause) => drop(cause === undefined ? {} : { cause }),
        onIdle: (cause) => drop({ cause }, true),
        onTooLarge: (cause) => handlers.end({ cause }),
        onResponse: (response) => {
          drop({});
          takeInstead({ ...reply, kind: 'response', response });
        },
        isOver: () => isOver() || connection !== body,
        isServed: () => true,
      },
      options,
    );
    connection = body;
  }

  /** A response object: the end of the run, or where it stands. */
  function take(reply: ResponseReply): void {
    const { response } = reply;
    const status = asText(response['status']);
    lastStatus = status;
    // A body that says nothing is no end of a run.
    const saysNothing = status === undefined && response['output'] === undefined && !hasFailed(response);
    if (saysNothing) return onFailedTry(nothingSaid(reply), giveUpTrying);
    const isRunning = status !== undefined && !isTerminalStatus(status) && !hasFailed(response);
    if (!isRunning) return playResponse(reply, response, handlers);
    handlers.onSnapshot(response);
    if (reply.headers['x-ratelimit-remaining'] === '0') wait = Math.max(wait, secondsToReset(reply.headers) * 1000);
  }

  /** The service says where the run stands where its stream was asked for: so that is what it is asked for from now on. */
  function takeInstead(reply: ResponseReply): void {
    startPolling();
    wait = nextPollWait();
    take(reply);
  }

  async function step(): Promise<void> {
    if (isOver()) return;
    if (connection !== undefined) return hasEvents ? connection.read() : readFirst(connection);
    if (fresh !== undefined) {
      const reply = fresh;
      fresh = undefined;
      if (reply.kind === 'events') return connect(reply);
      if (isPolling) wait = nextPollWait();
      return take(reply);
    }
    const responseId = handlers.responseId();
    // Dropped before its first word: nobody can say which run it was.
    if (responseId === undefined) return suspicion === undefined ? handlers.end(loss) : handlers.onEvent(suspicion);
    // Without numbers there is no place to go on from.
    if (cursor.number() === undefined && hasEvents) isPolling = true;
    if (tries >= options.maxReconnects + (isPolling ? 1 : 0)) {
      if (isPolling || wasAsked || options.maxReconnects === 0) return giveUpTrying();
      // The last thing that is tried is to ask where the run stands.
      wasAsked = true;
      isDoubtful = true;
    }
    // No longer than a timer can wait; the deadline comes before that.
    await pause(Math.min(wait, options.timeout), stop.signal);
    return isPolling || isDoubtful ? poll(responseId) : reconnect(responseId);
  }

  /** The first event may be long in coming: then it is waited for further, but not in silence. */
  function readFirst(body: Body): Promise<void> {
    first ??= body.read().finally(() => (first = undefined));
    return withTimer(first, QUIET_MS, handlers.onQuiet);
  }

  async function reconnect(responseId: string): Promise<void> {
    tries++;
    let reply: Reply;
    try {
      const startingAfter = cursor.number();
      reply = await answered((abortSignal) => options.attach({ responseId, startingAfter, abortSignal }));
    } catch (error) {
      return onFailedTry(error, startPolling);
    }
    if (isOver()) return discard(reply);
    if (reply.kind === 'events') connect(reply);
    else takeInstead(reply);
  }

  async function poll(responseId: string): Promise<void> {
    let reply: ResponseReply;
    try {
      reply = await answered((abortSignal) => options.retrieve({ responseId, abortSignal }));
    } catch (error) {
      tries++;
      return onFailedTry(error, () => {
        if (suspicion === undefined) handlers.end(lostTouch(error));
        else handlers.onEvent(suspicion);
      });
    }
    if (isOver()) return;
    if (asText(reply.response['status']) === undefined) tries++;
    else if (isPolling) tries = 0;
    suspicion = undefined;
    isDoubtful = false;
    if (isPolling) loss = {};
    wait = isPolling ? nextPollWait() : 0;
    take(reply);
  }

  /** A request that gets no answer is a failed one; of a stream it is a silence too. */
  async function answered<T extends Reply>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = Math.min(ANSWER_MS, (options.read === 'stream' ? options.idleTimeout : undefined) ?? Infinity);
    const reply = await untilLate(ask, stop.signal, limit, limit === ANSWER_MS ? noAnswer : silence);
    limited = 0;
    return reply;
  }

  /** Decides what a failed request means: to try again, or `orElse`. */
  function onFailedTry(error: unknown, orElse: () => void): void {
    if (isOver()) return;
    loss = { cause: error };
    if (error === silence || error === noAnswer) {
      wait = backoff(tries - 1);
      return;
    }
    if (!APICallError.isInstance(error)) throw error;
    const { statusCode, responseHeaders = {} } = error;
    // Just created, and not yet known everywhere: once (`agent-api.md` §6.2).
    const isEarly = statusCode === 404 && tries <= 1;
    // A good reply with a bad body is the doing of something in between.
    if (!error.isRetryable && !isEarly && statusCode !== 200) {
      const isForbidden = statusCode === 401 || statusCode === 403;
      return isForbidden ? handlers.end(lostTouch(error)) : orElse();
    }
    if (statusCode !== 429) {
      wait = askedWait(responseHeaders) ?? backoff(tries - 1);
      return;
    }
    // Being told to wait is no failure.
    tries--;
    wait = waitWhenLimited(responseHeaders, ++limited);
  }

  function startPolling(): void {
    isPolling = true;
    tries = 0;
    wait = 0;
  }

  function giveUpTrying(): void {
    if (suspicion !== undefined) return handlers.onEvent(suspicion);
    handlers.end({ message: messageOfLoss(options.maxReconnects, isPolling, loss.cause), ...loss });
  }

  function expire(): void {
    if (isOver()) return;
    handlers.end({ message: messageOfTimeout(options.timeout, lastStatus, loss.cause), ...loss });
    cancel(undefined);
  }

  function cancel(reason: unknown): void {
    stop.abort(reason);
    connection?.cancel(reason);
    if (fresh !== undefined) discard(fresh);
  }

  async function read(): Promise<void> {
    try {
      do await step();
      while (!handlers.isServed() && !isOver());
    } catch (error) {
      // What an abort rejects with says nothing new.
      if (!isOver()) handlers.end(lostTouch(error));
    }
  }

  return { read: () => withTimer(read(), options.deadline - Date.now(), expire), cancel };
}

const lostTouch = (cause: unknown) => ({ cause, message: `The run could not be followed: ${describe(cause)}` });

const discard = (reply: Reply): void => void (reply.kind === 'events' && reply.body.cancel().catch(() => undefined));

const nothingSaid = (reply: ResponseReply) =>
  unreadableReply(reply.request, reply, {
    problem: 'The Agent API sent an object that is no response.',
    bodyText: JSON.stringify(reply.response),
  });
