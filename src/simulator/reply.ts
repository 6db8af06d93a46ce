/** What a route answers, and how that becomes a `Response`. */
import { TextSource, eventBlock, type BlockSource } from './body-source.js';
import { bodyStream } from './body-stream.js';
import type { Refusal } from './errors.js';
import { rateLimitHeaders, requestId, type RateLimitState } from './headers.js';
import type { BodyEnd } from './types.js';

/** An answer before it is bytes. */
export interface Reply {
  status: number;
  contentType: string;
  /** The body in blocks; each is an event of a stream, or there is one for the whole body. */
  source: BlockSource;
  /** The events that stand before the first one of the body, newest last; for a body that takes a run up again. */
  earlier?: readonly unknown[] | undefined;
  end?: BodyEnd | undefined;
  headers?: Record<string, string> | undefined;
  rateLimit?: RateLimitState | undefined;
  responseId?: string | undefined;
}

/** The settings of the simulator and of the request that a body needs. */
export interface Delivery {
  chunking: 'event' | number;
  /** The caller's own: a copy of his request would lose touch with it when it is collected. */
  signal: AbortSignal | undefined;
  /** What the signal lives by. */
  caller: unknown;
  /** `x-request-id` of an answer that belongs to no run. */
  fallbackRequestId: string;
  onAbort: () => void;
}

const EVENT_STREAM = 'text/event-stream';

/** A JSON answer. */
export function jsonReply(value: unknown, more: Partial<Reply> = {}): Reply {
  return { status: 200, contentType: 'application/json', source: new TextSource([JSON.stringify(value)]), ...more };
}

/** The answer of a refused request. */
export function refusalReply(refusal: Refusal, more: Partial<Reply> = {}): Reply {
  return jsonReply(refusal.body, { status: refusal.status, ...more });
}

/** A refusal as an edge in front of the API would send it. */
export function pageReply(refusal: Refusal, more: Partial<Reply> = {}): Reply {
  const page = `<html><head><title>${refusal.status} ${refusal.message}</title></head><body>edge</body></html>`;
  return { status: refusal.status, contentType: 'text/html', source: new TextSource([page]), ...more };
}

/** An answer of events. */
export function streamReply(source: BlockSource, more: Partial<Reply> = {}): Reply {
  return { status: 200, contentType: EVENT_STREAM, source, ...more };
}

/** Events that belong to no run. */
export function scriptedEvents(events: readonly unknown[], delay: number): BlockSource {
  return new TextSource(events.map(eventBlock), delay);
}

/** Whether an answer is a stream of events. */
const isEventStream = (reply: Reply): boolean => reply.contentType === EVENT_STREAM;

/** The `Response` of a reply. */
export function toResponse(reply: Reply, delivery: Delivery): Response {
  const body = bodyStream(reply.source, {
    chunking: isEventStream(reply) ? delivery.chunking : 'event',
    end: reply.end ?? 'close',
    signal: delivery.signal,
    caller: delivery.caller,
    onAbort: delivery.onAbort,
  });
  const headers = new Headers({
    'content-type': reply.contentType,
    'x-request-id': reply.responseId === undefined ? delivery.fallbackRequestId : requestId(reply.responseId),
    ...rateLimitHeaders(reply.rateLimit),
  });
  for (const [name, value] of Object.entries(reply.headers ?? {})) headers.set(name, value);
  return new Response(body, { status: reply.status, headers });
}
