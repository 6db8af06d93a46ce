/** A run as it is consumed: events are pulled from a source, mapped and delivered, until it ends or nobody wants it. */
import type { WireObject } from '../json.js';
import type { CorePart } from '../spec.js';
import type { Emit, EventMapper } from '../stream/event-mapper.js';
import { responseIdIn, type Reply } from '../wire/transport.js';
import type { Source, SourceHandlers } from './source.js';

export type RunOptions = {
  /** The first reply. */
  reply: Reply;
  createMapper(emit: Emit): EventMapper;
  createSource(handlers: SourceHandlers): Source;
  /** The run outlives its connection: it has begun as soon as its id is known, since it can be taken up again then. */
  isAttached: boolean;
  /** Give each event as a `raw` part too. */
  includeRawChunks: boolean;
  /** Join text deltas of one block that came in the same network chunk. */
  coalesceDeltas: boolean;
  abortSignal: AbortSignal | undefined;
  /** Nobody waits for the run any more, and it has not ended. Called at most once. */
  onAbandon(responseId: string | undefined): void;
};

export type Run = {
  /** Where parts go from now on. */
  sendTo(sink: Emit): void;
  /** Reads until at least one part was sent or the run is over. Never rejects. */
  pull(): Promise<void>;
  /** The same; rejects with what `onRejected` tells. */
  read(): Promise<void>;
  /** The consumer wants no more. */
  abandon(): void;
  /** Calls back once, at once, when the signal fires, or when the reply turns out to be no answer. */
  onRejected(callback: (reason: unknown) => void): void;
  /** Whether the run has shown more than that it exists. */
  hasBegun(): boolean;
  /** Whether it failed before it had shown anything. */
  hasFailedAtOnce(): boolean;
  hasEnded(): boolean;
  /** The final snapshot, once it came. */
  response(): WireObject | undefined;
};

// What tells no more than that a run exists: a failure after these alone can still be thrown (design decision 11).
const LIFECYCLE = new Set<unknown>(['response.created', 'response.queued', 'response.in_progress']);

const ignore = () => undefined;

export function createRun(options: RunOptions): Run {
  const { reply, abortSignal, includeRawChunks } = options;
  let sink: Emit = ignore;
  /** Something was sent since the last pull. */
  let isServed = false;
  let hasFailed = false;
  let failedAtOnce = false;
  let isAbandoned = false;
  let rejection: { reason: unknown } | undefined;
  let notify: (reason: unknown) => void = ignore;

  const out = createOutlet(options.coalesceDeltas, (part) => {
    isServed = true;
    sink(part);
    if (part.type === 'error') hasFailed = true;
    if (part.type === 'finish') stopListening();
  });
  const mapper = options.createMapper(out.send);
  const isKnown = () => options.isAttached && mapper.responseId() !== undefined;
  let begun = isKnown();

  function onEvent(event: WireObject): void {
    if (mapper.hasEnded()) return;
    const isShown = includeRawChunks && mapper.hasHad?.(event) !== true;
    if (isShown) out.send({ type: 'raw', rawValue: reply.request.redact(event) });
    mapper.push(event);
    begun ||= isKnown();
    if (begun) return;
    // An event that nobody can tell the kind of shows nothing either.
    const saysLittle = typeof event['type'] !== 'string' || LIFECYCLE.has(event['type']);
    if (saysLittle && !mapper.hasEnded()) return;
    begun = true;
    failedAtOnce = hasFailed;
  }

  /** A payload that is no JSON object is nobody's loss but its own; raw parts show it. */
  function onUnreadable(data: string): void {
    if (includeRawChunks && !mapper.hasEnded()) out.send({ type: 'raw', rawValue: reply.request.redact(data) });
  }

  /** Shown by parts only: a poll is no event of the stream. */
  function onSnapshot(response: WireObject): void {
    if (mapper.hasEnded()) return;
    mapper.push({ type: 'response.in_progress', response });
    begun ||= isKnown();
    out.flush();
  }

  /** The header says the id before any event does, also while the run is queued (`agent-api.md` §1). */
  function announce(): void {
    const id = responseIdIn(reply.headers);
    if (!options.isAttached || mapper.hasEnded() || mapper.responseId() !== undefined || id === undefined) return;
    mapper.announce(id);
    begun = true;
    out.flush();
  }

  function end(cut?: { cause?: unknown; message?: string }): void {
    if (mapper.hasEnded()) return;
    announce();
    failedAtOnce ||= !begun;
    mapper.end({ responseId: responseId(), ...cut });
    out.flush();
  }

  function giveUp(cause: unknown): void {
    end({ cause });
    options.onAbandon(responseId());
  }

  const responseId = () => mapper.responseId() ?? responseIdIn(reply.headers);

  function onAbortSignal(): void {
    if (isOver()) return;
    const reason: unknown = abortSignal?.reason;
    abandon(reason);
    reject(reason);
  }

  function abandon(reason?: unknown): void {
    if (isOver()) return;
    isAbandoned = true;
    stop();
    source.cancel(reason);
    options.onAbandon(responseId());
  }

  /** Nothing that is worth a part: who reads is told otherwise. */
  function reject(reason: unknown): void {
    stop();
    rejection = { reason };
    notify(reason);
  }

  /** No more parts go out. */
  function stop(): void {
    sink = ignore;
    stopListening();
  }

  const stopListening = () => abortSignal?.removeEventListener('abort', onAbortSignal);
  const isOver = () => mapper.hasEnded() || isAbandoned || rejection !== undefined;
  const source = options.createSource({
    onEvent,
    onUnreadable,
    onSnapshot,
    onQuiet: announce,
    end,
    refuse: reject,
    giveUp,
    flush: out.flush,
    isOver,
    isServed: () => isServed,
    responseId,
  });

  abortSignal?.addEventListener('abort', onAbortSignal, { once: true });
  if (abortSignal?.aborted === true) onAbortSignal();

  function pull(): Promise<void> {
    isServed = false;
    return source.read();
  }

  return {
    hasBegun: () => begun,
    hasFailedAtOnce: () => failedAtOnce,
    hasEnded: mapper.hasEnded,
    response: mapper.response,
    sendTo(next) {
      if (!isOver()) sink = next;
    },
    pull,
    async read() {
      await pull();
      if (rejection !== undefined) throw rejection.reason;
    },
    abandon,
    onRejected(callback) {
      notify = callback;
    },
  };
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
