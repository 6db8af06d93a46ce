/** One request and its reply: the single place that calls `fetch`. */
import { httpError, redirectError, type ReplyInfo, type RequestInfo } from '../errors.js';
import type { WireObject } from '../json.js';
import { presentableBody } from '../redact.js';
import { untilAborted } from './abort.js';
import {
  mergeHeaders,
  readText,
  redactorOf,
  replyInfo,
  sendingError,
  type GivenHeaders,
  type TransportConfig,
} from './http.js';

export type Call = {
  method: 'GET' | 'POST';
  /** Below the base URL; made of `pathSegment`s where a caller has a say in it. */
  path: string;
  accept: string;
  body?: WireObject;
  /** Headers of this one call. */
  headers: GivenHeaders;
  /** Values besides the key that must never surface. */
  secrets?: readonly string[];
  abortSignal: AbortSignal | undefined;
  /** Gets the reply that comes after the abort, and has to dispose of it. */
  onLate?: ((late: CallReply) => void) | undefined;
  /** The request goes on after the abort: the signal does not reach `fetch`, since a request that is cut off tells nothing. */
  goesOn?: boolean;
};

/** A good reply whose body nobody has read yet. */
export type CallReply = { request: RequestInfo; info: ReplyInfo; response: Response };

/** Sends a request. Throws APICallError where there is no good reply, and the reason of an abort at once. */
export type Send = (call: Call) => Promise<CallReply>;

const ignore = () => undefined;

/** A browser hides where to, and even that it is one, behind a type of its own. */
const isRedirect = ({ status, type }: Response) =>
  type === 'opaqueredirect' || (status >= 301 && status <= 308 && status !== 304);

/** How long a request that goes on after the abort may take to be answered. */
const LATE_MS = 30_000;

/** Nobody waits for the reply any more, and it must not keep a process from ending for long. */
function endLate(late: AbortController, replying: Promise<Response>): void {
  const timer = setTimeout(() => late.abort(), LATE_MS);
  replying.catch(ignore).finally(() => clearTimeout(timer));
}

export function createSend(config: TransportConfig): Send {
  const fetch: typeof globalThis.fetch = (input, init) => (config.fetch ?? globalThis.fetch)(input, init);

  return async ({ method, path, accept, body, headers, secrets, abortSignal, onLate, goesOn }) => {
    abortSignal?.throwIfAborted();
    const url = `${config.baseURL()}${path}`;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = mergeHeaders(config.headers(), { accept, ...type }, headers);
    const request: RequestInfo = { url, body: presentableBody(body ?? {}), redact: redactorOf(sent, secrets) };
    const late = goesOn === true ? new AbortController() : undefined;
    const signal = late?.signal ?? abortSignal;
    const replying = fetch(url, {
      method,
      headers: sent,
      // The prompt, secrets of MCP servers and headers of the caller's would go wherever it leads.
      redirect: 'manual',
      ...(body !== undefined && { body: JSON.stringify(body) }),
      ...(signal !== undefined && { signal }),
    });
    // Gives up at once, also where a `fetch` of the caller's does not listen to the signal.
    const response = await untilAborted(replying, abortSignal, (late) => {
      if (onLate === undefined) late.body?.cancel().catch(ignore);
      else onLate({ request, info: replyInfo(late), response: late });
    }).catch((cause: unknown) => {
      if (late !== undefined) endLate(late, replying);
      throw sendingError(request, cause, abortSignal);
    });
    const info = replyInfo(response);
    if (response.ok) return { request, info, response };
    if (isRedirect(response)) {
      response.body?.cancel().catch(ignore);
      throw redirectError(request, info);
    }
    const text = await untilAborted(readText(request, info, response), abortSignal, ignore);
    throw httpError(request, { statusText: response.statusText, ...info }, text);
  };
}
