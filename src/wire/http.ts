/** What every call to the Agent API shares, whatever its method: where to, as whom, and reading a reply as text. */
import { InvalidArgumentError } from '@ai-sdk/provider';
import { isAbortError } from '@ai-sdk/provider-utils';
import { connectionError, describe, unreadableReply, type ReplyInfo, type RequestInfo } from '../errors.js';
import { asObject } from '../json.js';
import { createRedactor, type Redactor } from '../redact.js';
import { invalid, reading } from '../refusals.js';

export type FetchFunction = typeof globalThis.fetch;

/** Headers as a caller gives them; undefined ones are left out. */
export type GivenHeaders = Record<string, string | undefined> | undefined;

/** Options of a request that is no model call. */
export type PerplexityAgentRequestOptions = {
  /** Stops the request and its retries; the promise, or the stream that it gave, fails with the signal's reason. */
  abortSignal?: AbortSignal | undefined;
  /** Headers of this request; they win over those of the provider. */
  headers?: Record<string, string | undefined> | undefined;
};

/** Where and as whom to call. */
export type TransportConfig = {
  /** Without a trailing slash and without `/v1`; read at each call, since it may come from the environment late. */
  baseURL(): string;
  /** Lower-case names; read at each call as well. */
  headers(): Record<string, string>;
  fetch: FetchFunction | undefined;
};

/** Refuses what no header can be. `argument` is where they stand. */
export function checkHeaders(headers: unknown, argument: string): void {
  if ((headers ?? undefined) === undefined) return;
  const given = reading(argument, () => asObject(headers));
  if (given === undefined) throw invalid(argument, 'must be an object of texts');
  for (const name of reading(argument, () => Object.keys(given))) {
    const place = `${argument}.${name}`;
    const value = reading(place, () => given[name]) ?? undefined;
    if (value === undefined) continue;
    // The value may be a key, so the message does not show it.
    if (typeof value !== 'string') throw invalid(place, 'must be a text');
    // Names and values as `fetch` takes them (RFC 9110; a value may hold what is above ASCII up to a byte).
    if (/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name) && /^[^\0\r\n\u0100-\uffff]*$/.test(value)) continue;
    throw invalid(place, 'holds a character that no header may have');
  }
}

/** Later headers win, whatever their case; undefined ones are left out. User agents add up, the caller's first. */
export function mergeHeaders(...sets: GivenHeaders[]): Record<string, string> {
  const merged: Record<string, string> = {};
  for (const set of sets) {
    for (const name in set) {
      const value = set[name];
      const key = name.toLowerCase();
      if (value === undefined) continue;
      const agent = key === 'user-agent' ? merged[key] : undefined;
      merged[key] = agent === undefined ? value : `${value} ${agent}`;
    }
  }
  return merged;
}

/**
 * Takes the key that a request is sent with, and further secrets, out of what is shown of it. Made when first used, since the
 * request need not wait for it.
 */
export function redactorOf(sent: Record<string, string>, secrets: readonly string[] = []): Redactor {
  let redactor: Redactor | undefined;
  const key = sent['authorization'];
  return (value) => (redactor ??= createRedactor([key, key?.replace(/^\S+\s+/, ''), ...secrets]))(value);
}

/** A body that is no JSON object where one was wanted. */
export function noJsonObject(request: RequestInfo, reply: ReplyInfo, text: string, expected: string) {
  const type = reply.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const got = text === '' ? 'an empty body' : `a body of type "${type ?? 'unknown'}" that is no JSON object`;
  const problem = `The Agent API sent ${got} with status ${reply.status} instead of ${expected}.`;
  return unreadableReply(request, reply, { problem, bodyText: text });
}

/** What a request that got no reply throws: its abort, or that the service could not be reached. */
export const sendingError = (request: RequestInfo, cause: unknown, signal: AbortSignal | undefined): unknown =>
  signal?.aborted === true || isAbortError(cause) || InvalidArgumentError.isInstance(cause)
    ? cause
    : connectionError(request, cause);

export const replyInfo = (response: Response): ReplyInfo => ({
  status: response.status,
  headers: Object.fromEntries(response.headers),
});

export async function readText(request: RequestInfo, reply: ReplyInfo, response: Response): Promise<string> {
  try {
    return await response.text();
  } catch (cause) {
    if (isAbortError(cause)) throw cause;
    // An error reply stays what it is even when its body breaks off.
    if (!response.ok) return '';
    // A JSON reply begins when its run is over, so the run is billed: nothing to repeat lightly (design decision 11).
    throw unreadableReply(request, reply, { problem: `The reply broke off: ${describe(cause)}`, cause });
  }
}
