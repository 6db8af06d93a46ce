/**
 * Follows a run that outlives its connection (`agent-api.md` §10): reads its stream, takes it up again where it dropped, and
 * asks for where the run stands where that cannot be. Nothing is delivered twice, and nothing is left out.
 */
import { APICallError } from '@ai-sdk/provider';
import { describe, secondsToReset } from '../errors.js';
import { asText, type WireObject } from '../json.js';
import { isTerminalStatus } from '../stream/finish.js';
import { askedWait, backoff, pause } from '../wire/retry.js';
import type { EventsReply, Reply, ResponseReply } from '../wire/transport.js';
import { createBody, silenceOf, type Body } from './body.js';
import { createCursor, numberOf } from './cursor.js';
import { createPollWaits, waitWhenLimited, type Patience } from './patience.js';
import { hasFailed, playResponse, type ReadLimits, type Source, type SourceHandlers } from './source.js';
import { untilLate, withTimer } from './timers.js';

export type FollowOptions = ReadLimits &
  Patience & {
    /** The reply that the run began with, or that it was taken up with. */
    reply: Reply;
    /** Whether its events are wanted, or only what it comes to. */
    read: 'stream' | 'poll';
    /** Number of the last event that the caller has had. */
    startingAfter: number | undefined;
    /** The events are asked for from the first one, of a caller who has had those up to this number. */
    replaysUntil: number | undefined;
    attach(run: { responseId: string; startingAfter: number | undefined; abortSignal: AbortSignal }): Promise<Reply>;
    retrieve(run: { responseId: string; abortSignal: AbortSignal }): Promise<ResponseReply>;
  };

/** A connection that held for so long was none that fails: proxies cut silent ones (`agent-api.md` §5.1). */
const STEADY_MS = 30_000;

/** After so many connections without a word the run is asked whether it goes on at all. */
const TRIES_BEFORE_DOUBT = 2;

type Loss = { cause?: unknown };

export function createFollower(options: FollowOptions, handlers: SourceHandlers): Source {
  const stop = new AbortController();
  const deadline = Date.now() + options.timeout;
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

  const silence = silenceOf(options.idleTimeout);

  const isOver = () => handlers.isOver() || stop.signal.aborted;

  /** All events were asked for, and they begin after the number that the caller has: something may be left out. */
  function isTooLate(event: WireObject): boolean {
    if (hasEvents || cursor.number !== undefined || options.replaysUntil === undefined) return false;
    // Runs begin with a snapshot.
    return event['response'] === undefined && (numberOf(event) ?? -1) > options.replaysUntil;
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
      if (isSteady) tries = 0;
      if (isSteady) wasAsked = false;
      wait = isSteady ? 0 : backoff(tries);
      isDoubtful = !hasProgress && tries >= TRIES_BEFORE_DOUBT;
    }

    function onEvent(event: WireObject): void {
      if (connection !== body) return;
      if (cursor.hasHad(event)) return;
      if (isTooLate(event)) {
        cursor.moveTo(options.replaysUntil);
        drop({});
        return body.cancel();
      }
      if (isBareError(event)) {
        // Its number may be that of an event still to come.
        suspicion = event;
        drop({ cause: new Error(asText(event['message']) ?? 'the stream told of an error') });
        isDoubtful = true;
        body.cancel();
        return;
      }
      if (numberOf(event) !== undefined || cursor.number === undefined) hasProgress = true;
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
        onTooLarge: handlers.giveUp,
        onResponse: (response) => {
          drop({});
          takeInstead({ ...reply, kind: 'response', response });
        },
        isOver: () => isOver() || connection !== body,
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
    if (connection !== undefined) return connection.read();
    if (fresh !== undefined) {
      const reply = fresh;
      fresh = undefined;
      if (reply.kind === 'events') return connect(reply);
      if (isPolling) wait = nextPollWait();
      return take(reply);
    }
    const responseId = handlers.responseId();
    // Dropped before its first word: nobody can say which run it was.
    if (responseId === undefined) return handlers.end(loss);
    // Without numbers there is no place to go on from.
    if (cursor.number === undefined && hasEvents) isPolling = true;
    if (tries >= options.maxReconnects + (isPolling ? 1 : 0)) {
      if (isPolling || wasAsked || options.maxReconnects === 0) return giveUpTrying();
      // The last thing that is tried is to ask where the run stands.
      wasAsked = true;
      isDoubtful = true;
    }
    await pause(Math.min(wait, options.timeout), stop.signal);
    return isPolling || isDoubtful ? poll(responseId) : reconnect(responseId);
  }

  async function reconnect(responseId: string): Promise<void> {
    tries++;
    let reply: Reply;
    try {
      const startingAfter = cursor.number;
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
    suspicion = undefined;
    isDoubtful = false;
    if (isPolling) tries = 0;
    wait = isPolling ? nextPollWait() : 0;
    take(reply);
  }

  /** Of a stream, a request that gets no answer is a silence too. */
  async function answered<T extends Reply>(ask: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const limit = options.read === 'stream' ? options.idleTimeout : undefined;
    const reply = await (limit === undefined ? ask(stop.signal) : untilLate(ask, stop.signal, limit, silence));
    limited = 0;
    return reply;
  }

  /** Decides what a failed request means: to try again, or `orElse`. */
  function onFailedTry(error: unknown, orElse: () => void): void {
    if (isOver()) return;
    loss = { cause: error };
    if (error === silence) {
      wait = backoff(tries - 1);
      return;
    }
    if (!APICallError.isInstance(error)) throw error;
    const { statusCode, responseHeaders = {} } = error;
    // Just created, and not yet known everywhere: once (`agent-api.md` §6.2).
    const isEarly = statusCode === 404 && tries <= 1;
    if (!error.isRetryable && !isEarly) {
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
    const last = loss.cause === undefined ? 'the stream ended before the run did' : describe(loss.cause);
    const limit = `${options.maxReconnects} reconnects in a row (providerOptions.perplexity.maxReconnects)`;
    const what = isPolling ? 'The run could not be reached' : 'The stream of the run was lost';
    handlers.end({ ...loss, message: `${what}, and ${limit} brought nothing new: ${last}` });
  }

  function expire(): void {
    if (isOver()) return;
    const limit = `${options.timeout} ms (providerOptions.perplexity.background.timeout)`;
    const last = lastStatus === undefined ? '' : ` Its last status was "${lastStatus}".`;
    handlers.end({ message: `The run did not end within ${limit}.${last}` });
    cancel(undefined);
  }

  function cancel(reason: unknown): void {
    stop.abort(reason);
    connection?.cancel(reason);
    if (fresh !== undefined) discard(fresh);
  }

  async function read(): Promise<void> {
    try {
      await step();
    } catch (error) {
      // What an abort rejects with says nothing new.
      if (!isOver()) handlers.end(lostTouch(error));
    }
  }

  return { read: () => withTimer(read(), deadline - Date.now(), expire), cancel };
}

const lostTouch = (cause: unknown) => ({ cause, message: `The run could not be followed: ${describe(cause)}` });

const discard = (reply: Reply): void => void (reply.kind === 'events' && reply.body.cancel().catch(() => undefined));

/** An error event without a response speaks for the stream, which may be all that failed (`agent-api.md` §5.2). */
function isBareError(event: WireObject): boolean {
  const type = asText(event['type']);
  if (event['response'] !== undefined) return false;
  return type === 'error' || type === 'response.error' || (type === undefined && hasFailed(event));
}
