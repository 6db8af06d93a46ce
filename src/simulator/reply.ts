/** What a route answers, and how that becomes a `Response`. */
import { bodyStream } from './body-stream.js';
import type { Refusal } from './errors.js';
import { rateLimitHeaders, requestId, type RateLimitState } from './headers.js';
import type { BodyEnd } from './types.js';

/** An answer before it is bytes. */
export interface Reply {
  status: number;
  contentType: string;
  /** The body in blocks; each is an event of a stream, or there is one for the whole body. */
  blocks: readonly string[];
  end?: BodyEnd | undefined;
  /** Cut the body after so many bytes. */
  afterBytes?: number | undefined;
  headers?: Record<string, string> | undefined;
  rateLimit?: RateLimitState | undefined;
  responseId?: string | undefined;
  /** Called when all of the body went out. */
  onDone?: (() => void) | undefined;
}

/** The settings of the simulator and of the request that a body needs. */
export interface Delivery {
  delay: number;
  chunking: 'event' | number;
  signal: AbortSignal;
  /** `x-request-id` of an answer that belongs to no run. */
  fallbackRequestId: string;
  onAbort: () => void;
}

/** A JSON answer. */
export function jsonReply(value: unknown, more: Partial<Reply> = {}): Reply {
  return { status: 200, contentType: 'application/json', blocks: [JSON.stringify(value)], ...more };
}

/** The answer of a refused request. */
export function refusalReply(refusal: Refusal, more: Partial<Reply> = {}): Reply {
  return jsonReply(refusal.body, { status: refusal.status, ...more });
}

/** The `Response` of a reply. Only a stream of events is paced. */
export function toResponse(reply: Reply, delivery: Delivery): Response {
  const isStream = reply.contentType === 'text/event-stream';
  const body = bodyStream(reply.blocks, {
    delay: isStream ? delivery.delay : 0,
    chunking: isStream ? delivery.chunking : 'event',
    end: reply.end ?? 'close',
    afterBytes: reply.afterBytes,
    signal: delivery.signal,
    onAbort: delivery.onAbort,
    onDone: () => reply.onDone?.(),
  });
  const headers = new Headers({
    'content-type': reply.contentType,
    'x-request-id': reply.responseId === undefined ? delivery.fallbackRequestId : requestId(reply.responseId),
    ...rateLimitHeaders(reply.rateLimit),
  });
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers.set(name, value);
  return new Response(body, { status: reply.status, headers });
}
