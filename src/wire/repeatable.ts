/** Requests that may be repeated, and reading what they bring: lists, files, what a run has come to. */
import { InvalidArgumentError } from '@ai-sdk/provider';
import { isAbortError } from '@ai-sdk/provider-utils';
import { brokenOff, describe, unreadableReply } from '../errors.js';
import { asObject, asObjects, parseJson, type WireObject } from '../json.js';
import { shownValue } from '../refusals.js';
import { untilAborted } from './abort.js';
import type { Call, CallReply, Send } from './call.js';
import { noJsonObject } from './http.js';
import { withRetries } from './retry.js';

/** A request that changes nothing, or nothing more when it is repeated. */
export type RepeatableCall = Omit<Call, 'body' | 'secrets' | 'onLate' | 'goesOn'>;

/**
 * Sends a request and reads its reply. Both are repeated where that may help: 408, 409, 429, 5xx, a lost connection. Throws
 * APICallError, or the abort reason.
 */
export type Repeatable = <T>(call: RepeatableCall, read: (reply: CallReply) => T | Promise<T>) => Promise<T>;

const ignore = () => undefined;

export function createRepeatable(send: Send): Repeatable {
  return (call, read) => withRetries(async () => read(await send(call)), call.abortSignal);
}

/** The abort, or that the body broke off. */
const bodyError = (
  { request, info }: CallReply,
  what: string,
  cause: unknown,
  signal: AbortSignal | undefined,
): unknown =>
  signal?.aborted === true || isAbortError(cause)
    ? cause
    : brokenOff(request, info, { problem: `${what} broke off: ${describe(cause)}`, cause });

/** Reads a reply that is one JSON object. */
export const readJson =
  (abortSignal: AbortSignal | undefined) =>
  async (reply: CallReply): Promise<WireObject> => {
    const { request, info, response } = reply;
    const text = await untilAborted(response.text(), abortSignal, ignore).catch((cause: unknown) => {
      throw bodyError(reply, 'The reply', cause, abortSignal);
    });
    const parsed = asObject(parseJson(text));
    if (parsed !== undefined) return parsed;
    throw noJsonObject(request, info, text, 'a JSON object');
  };

/** Reads a list, `{ object: 'list', data: […] }`: its entries that are objects. */
export const readList =
  (abortSignal: AbortSignal | undefined) =>
  async (reply: CallReply): Promise<WireObject[]> => {
    const body = await readJson(abortSignal)(reply);
    const { data = null } = body;
    // Nulls stand in for empty lists on this wire (`agent-api.md` §5.2).
    if (Array.isArray(data) || (data === null && body['object'] === 'list')) return asObjects(data);
    const problem = 'The Agent API sent a reply that is no list.';
    throw unreadableReply(reply.request, reply.info, { problem, bodyText: JSON.stringify(body) });
  };

/**
 * The body as a stream that cannot end too early unnoticed: a lost connection, or fewer bytes than were announced, is an
 * APICallError, an abort its reason. Nothing is read before it is asked for.
 */
export function readStream(
  reply: CallReply,
  size: number | undefined,
  abortSignal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const reader = (reply.response.body ?? new Blob([]).stream()).getReader();
  let received = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await untilAborted(reader.read(), abortSignal, ignore).catch((cause: unknown) => {
          reader.cancel(cause).catch(ignore);
          throw bodyError(reply, 'The file', cause, abortSignal);
        });
        if (!done) {
          received += value.byteLength;
          return controller.enqueue(value);
        }
        if (size !== undefined && received < size) {
          throw brokenOff(reply.request, reply.info, {
            problem: `The file broke off after ${received} of ${size} bytes.`,
          });
        }
        controller.close();
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

/** A part of a path that a caller gives: encoded, and refused where it would lead elsewhere. */
export function pathSegment(argument: string, value: unknown): string {
  const isPlain = typeof value === 'string' && value.trim() !== '' && value !== '.' && value !== '..';
  // Half of a surrogate pair cannot be encoded.
  if (isPlain && !/\p{Cs}/u.test(value)) return encodeURIComponent(value);
  const message = `${argument} must be an id as the API gives it, not ${shownValue(value) ?? 'an object'}.`;
  throw new InvalidArgumentError({ argument, message });
}
