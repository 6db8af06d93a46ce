/** A foreground run: the reply to a create call, read once from its first byte to its terminal event. */
import type { WireObject } from '../json.js';
import type { CorePart } from '../spec.js';
import type { EventMapper } from '../stream/event-mapper.js';
import type { Reply } from '../wire/transport.js';
import { createBodySource, createResponseSource } from './source.js';

export type RunOptions = {
  reply: Reply;
  mapper: EventMapper;
  /** Largest single event that is buffered, in bytes. */
  maxEventBytes: number;
  /** Give each event as a `raw` part too. */
  includeRawChunks: boolean;
  /** Join text deltas of one block that came in the same network chunk. */
  coalesceDeltas: boolean;
  /** Stands between the mapper and the consumer; undefined lets all pass. */
  filter: ((part: CorePart) => readonly CorePart[]) | undefined;
  /** Longest silence on the wire, in milliseconds; undefined waits for ever. */
  idleTimeout: number | undefined;
  abortSignal: AbortSignal | undefined;
  /** Nobody waits for the run any more, and it has not ended. Called at most once. */
  onAbandon(responseId: string | undefined): void;
};

export type Run = {
  /** Reads until at least one part was delivered or the run is over. Rejects with the reason of an abort only. */
  read(deliver: (part: CorePart) => void): Promise<void>;
  /** The consumer wants no more. */
  abandon(): void;
  /** Calls back once, at once, when the signal fires. */
  onAbort(callback: (reason: unknown) => void): void;
  /** Whether the run has shown more than that it exists. */
  readonly begun: boolean;
  /** Whether it failed before it had shown anything. */
  readonly failedAtOnce: boolean;
  readonly ended: boolean;
};

// What tells no more than that a run exists: a failure after these alone can still be thrown (design decision 11).
const LIFECYCLE = new Set<unknown>(['response.created', 'response.queued', 'response.in_progress']);

const ignore = () => undefined;

export function createRun(options: RunOptions): Run {
  const { reply, mapper, abortSignal, includeRawChunks } = options;
  let deliver: (part: CorePart) => void = ignore;
  let delivered = 0;
  let begun = false;
  let failedAtOnce = false;
  let isAbandoned = false;
  let notifyAbort: (reason: unknown) => void = ignore;

  const out = createOutlet(options.coalesceDeltas, (part) => {
    delivered++;
    deliver(part);
  });

  function send(part: CorePart): void {
    if (options.filter === undefined) out.send(part);
    else for (const passed of options.filter(part)) out.send(passed);
  }

  function onEvent(event: WireObject): void {
    if (mapper.ended) return;
    if (includeRawChunks) out.send({ type: 'raw', rawValue: reply.request.redact(event) });
    const parts = mapper.push(event);
    for (const part of parts) send(part);
    // An event that nobody can tell the kind of shows nothing either.
    const saysLittle = typeof event['type'] !== 'string' || LIFECYCLE.has(event['type']);
    if (begun || (saysLittle && !mapper.ended)) return;
    begun = true;
    failedAtOnce = parts.some(({ type }) => type === 'error');
  }

  /** A payload that is no JSON object is nobody's loss but its own; raw parts show it. */
  function onUnreadable(data: string): void {
    if (includeRawChunks && !mapper.ended) out.send({ type: 'raw', rawValue: reply.request.redact(data) });
  }

  function end(cause?: unknown): void {
    if (mapper.ended) return;
    failedAtOnce ||= !begun;
    for (const part of mapper.end(cause)) send(part);
    out.flush();
  }

  function giveUp(cause: unknown): void {
    end(cause);
    options.onAbandon(responseId());
  }

  // The header says it before any event does (`agent-api.md` §1).
  const responseId = () => mapper.responseId ?? responseIdIn(reply.headers);

  function onAbortSignal(): void {
    abandon(abortSignal?.reason);
    notifyAbort(abortSignal?.reason);
  }

  function abandon(reason?: unknown): void {
    if (mapper.ended || isAbandoned) return;
    isAbandoned = true;
    deliver = ignore;
    stopListening();
    source.cancel(reason);
    options.onAbandon(responseId());
  }

  const stopListening = () => abortSignal?.removeEventListener('abort', onAbortSignal);
  const handlers = { onEvent, onUnreadable, end, giveUp, flush: out.flush, isOver: () => mapper.ended || isAbandoned };
  const source =
    reply.kind === 'response' ? createResponseSource(reply, handlers) : createBodySource(reply, handlers, options);

  abortSignal?.addEventListener('abort', onAbortSignal, { once: true });
  if (abortSignal?.aborted === true) onAbortSignal();

  const onUnanswered = (error: unknown): never => {
    stopListening();
    throw error;
  };

  const readOn = (before: number): Promise<void> =>
    source.read().then(() => {
      if (isAbandoned) throw abortSignal?.reason;
      if (mapper.ended) return stopListening();
      // A pull that enqueues nothing is never called again: read on until there is something to show.
      return delivered === before ? untilDelivered(before) : undefined;
    }, onUnanswered);

  /** A loop, since a long silence of keep-alives would chain a promise for each. */
  async function untilDelivered(before: number): Promise<void> {
    for (;;) {
      await source.read().catch(onUnanswered);
      if (isAbandoned) throw abortSignal?.reason;
      if (mapper.ended) return stopListening();
      if (delivered !== before) return;
    }
  }

  return {
    get begun() {
      return begun;
    },
    get failedAtOnce() {
      return failedAtOnce;
    },
    get ended() {
      return mapper.ended;
    },
    read(to) {
      if (!isAbandoned) deliver = to;
      return readOn(delivered);
    },
    abandon,
    onAbort(callback) {
      notifyAbort = callback;
    },
  };
}

/** `x-request-id` is the response id without its prefix (recorded; `agent-api.md` §1). */
function responseIdIn(headers: Record<string, string>): string | undefined {
  const id = headers['x-request-id'];
  return id !== undefined && /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id) ? `resp_${id}` : undefined;
}

/** Passes parts on; joins neighbouring deltas of one block until the chunk is over, where that is wanted. */
function createOutlet(coalesce: boolean, send: (part: CorePart) => void) {
  let held: Extract<CorePart, { type: 'text-delta' }> | undefined;
  const flush = () => {
    if (held === undefined) return;
    const part = held;
    held = undefined;
    send(part);
  };
  if (!coalesce) return { send, flush };
  return {
    flush,
    send(part: CorePart) {
      if (part.type === 'text-delta' && part.id === held?.id) {
        held = { ...held, delta: held.delta + part.delta };
        return;
      }
      flush();
      if (part.type === 'text-delta') held = part;
      else send(part);
    },
  };
}
