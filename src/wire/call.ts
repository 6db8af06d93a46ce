/** One request and its reply: the single place that calls `fetch`. */
import { httpError, redirectError, type ReplyInfo, type RequestInfo } from '../errors.js';
import type { WireObject } from '../json.js';
import { presentableBody } from '../redact.js';
import { invalid, reading } from '../refusals.js';
import { untilAborted } from './abort.js';
import {
  checkHeaders,
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

/** The body as JSON. What has no JSON (a cycle, a BigInt, a `toJSON` that throws) is named by its field. */
function jsonOf(body: WireObject): string {
  try {
    return JSON.stringify(body);
  } catch {
    for (const [field, value] of Object.entries(body)) {
      reading(`${field} of the request`, () => {
        if (!Array.isArray(value)) return JSON.stringify(value);
        value.forEach((entry, index) => reading(`${field}[${index}] of the request`, () => JSON.stringify(entry)));
      });
    }
    throw invalid('the request', 'cannot be written as JSON');
  }
}

/** What a `fetch` of the caller's comes to, also where it throws at once or gives its reply without a promise. */
async function replyOf(fetch: () => Promise<Response>): Promise<Response> {
  const response: unknown = await fetch();
  if (typeof (response as Response | undefined)?.headers?.get === 'function') return response as Response;
  throw invalid('createPerplexityAgent.fetch', 'gave something that is no Response');
}

export function createSend(config: TransportConfig): Send {
  const fetch: typeof globalThis.fetch = (input, init) => (config.fetch ?? globalThis.fetch)(input, init);

  return async ({ method, path, accept, body, headers, secrets, abortSignal, onLate, goesOn }) => {
    abortSignal?.throwIfAborted();
    checkHeaders(headers, 'headers');
    const url = `${config.baseURL()}${path}`;
    const type = body === undefined ? {} : { 'content-type': 'application/json' };
    const sent = mergeHeaders(config.headers(), { accept, ...type }, headers);
    const text = body === undefined ? undefined : jsonOf(body);
    const request: RequestInfo = { url, body: presentableBody(body ?? {}), redact: redactorOf(sent, secrets) };
    const late = goesOn === true ? new AbortController() : undefined;
    const signal = late?.signal ?? abortSignal;
    const replying = replyOf(() =>
      fetch(url, {
        method,
        headers: sent,
        // The prompt, secrets of MCP servers and headers of the caller's would go wherever it leads.
        redirect: 'manual',
        ...(text !== undefined && { body: text }),
        ...(signal !== undefined && { signal }),
      }),
    );
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
    const errorText = await untilAborted(readText(request, info, response), abortSignal, ignore);
    throw httpError(request, { statusText: response.statusText, ...info }, errorText);
  };
}
