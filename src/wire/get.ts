/** GETs: lists, files, and what a run has come to. */
import { InvalidArgumentError } from '@ai-sdk/provider';
import { isAbortError } from '@ai-sdk/provider-utils';
import { brokenOff, describe, httpError, unreadableReply, type ReplyInfo, type RequestInfo } from '../errors.js';
import { asObject, asObjects, parseJson, type WireObject } from '../json.js';
import { untilAborted } from './abort.js';
import {
  mergeHeaders,
  noJsonObject,
  readText,
  redactorOf,
  replyInfo,
  sendingError,
  type GivenHeaders,
  type TransportConfig,
} from './http.js';
import { withRetries } from './retry.js';

export type GetCall = {
  /** Below the base URL; made of `pathSegment`s where a caller has a say in it. */
  path: string;
  accept: string;
  /** Headers of this one call. */
  headers: GivenHeaders;
  abortSignal: AbortSignal | undefined;
};

/** A good reply whose body nobody has read yet. */
export type GetReply = { request: RequestInfo; info: ReplyInfo; response: Response };

/**
 * Sends a GET and reads its reply. Both are repeated where that may help: 408, 409, 429, 5xx, a lost connection. Throws
 * APICallError, or the abort reason.
 */
export type Get = <T>(call: GetCall, read: (reply: GetReply) => T | Promise<T>) => Promise<T>;

const ignore = () => undefined;

export function createGet(config: TransportConfig): Get {
  return async (call, read) => {
    const { abortSignal } = call;
    abortSignal?.throwIfAborted();
    return withRetries(async () => read(await attempt(config, call)), abortSignal);
  };
}

async function attempt(config: TransportConfig, { path, accept, headers, abortSignal }: GetCall): Promise<GetReply> {
  const url = `${config.baseURL()}${path}`;
  const sent = mergeHeaders(config.headers(), { accept }, headers);
  const request: RequestInfo = { url, body: {}, redact: redactorOf(sent) };
  const response = await send(config, url, sent, abortSignal).catch((cause: unknown) => {
    throw sendingError(request, cause, abortSignal);
  });
  const info = replyInfo(response);
  if (response.ok) return { request, info, response };
  const text = await untilAborted(readText(request, info, response), abortSignal, ignore);
  throw httpError(request, { ...info, statusText: response.statusText }, text);
}

/** Gives up at once when the signal fires, also where a `fetch` of the caller's does not listen to it. */
async function send(
  config: TransportConfig,
  url: string,
  headers: Record<string, string>,
  abortSignal: AbortSignal | undefined,
): Promise<Response> {
  const reply = (config.fetch ?? globalThis.fetch)(url, {
    method: 'GET',
    headers,
    ...(abortSignal !== undefined && { signal: abortSignal }),
  });
  return untilAborted(reply, abortSignal, (late) => void late.body?.cancel().catch(ignore));
}

/** The abort, or that the body broke off. */
const bodyError = (
  { request, info }: GetReply,
  what: string,
  cause: unknown,
  signal: AbortSignal | undefined,
): unknown =>
  signal?.aborted === true || isAbortError(cause)
    ? cause
    : brokenOff(request, info, { problem: `${what} broke off: ${describe(cause)}`, cause });

/** Reads a reply that is one JSON object. */
const readJson =
  (abortSignal: AbortSignal | undefined) =>
  async (reply: GetReply): Promise<WireObject> => {
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
  async (reply: GetReply): Promise<WireObject[]> => {
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
  reply: GetReply,
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
  const message = `${argument} must be an id as the API gives it, not ${JSON.stringify(value)}.`;
  throw new InvalidArgumentError({ argument, message });
}
