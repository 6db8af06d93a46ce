/** A run as it is consumed: events are pulled from a source, mapped and delivered, until it ends or nobody wants it. */
import type { WireObject } from '../json.js';
import type { CorePart } from '../spec.js';
import type { EventMapper } from '../stream/event-mapper.js';
import { responseIdIn, type Reply } from '../wire/transport.js';
import type { Source, SourceHandlers } from './source.js';

export type RunOptions = {
  /** The first reply. */
  reply: Reply;
  mapper: EventMapper;
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
  const isKnown = () => options.isAttached && mapper.responseId !== undefined;
  let begun = isKnown();
  let failedAtOnce = false;
  let isAbandoned = false;
  let notifyAbort: (reason: unknown) => void = ignore;

  const out = createOutlet(options.coalesceDeltas, (part) => {
    delivered++;
    deliver(part);
  });

  function onEvent(event: WireObject): void {
    if (mapper.ended) return;
    const isShown = includeRawChunks && mapper.hasHad?.(event) !== true;
    if (isShown) out.send({ type: 'raw', rawValue: reply.request.redact(event) });
    const parts = mapper.push(event);
    for (const part of parts) out.send(part);
    begun ||= isKnown();
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

  /** Shown by parts only: a poll is no event of the stream. */
  function onSnapshot(response: WireObject): void {
    if (mapper.ended) return;
    for (const part of mapper.push({ type: 'response.in_progress', response })) out.send(part);
    begun ||= isKnown();
    out.flush();
  }

  /** The header says the id before any event does, also while the run is queued (`agent-api.md` §1). */
  function announce(): void {
    const id = responseIdIn(reply.headers);
    if (!options.isAttached || mapper.ended || mapper.responseId !== undefined || id === undefined) return;
    for (const part of mapper.announce(id)) out.send(part);
    begun = true;
    out.flush();
  }

  function end(cut?: { cause?: unknown; message?: string }): void {
    if (mapper.ended) return;
    announce();
    failedAtOnce ||= !begun;
    for (const part of mapper.end({ ...cut, responseId: responseId() })) out.send(part);
    out.flush();
  }

  function giveUp(cause: unknown): void {
    end({ cause });
    options.onAbandon(responseId());
  }

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
  const isOver = () => mapper.ended || isAbandoned;
  const source = options.createSource({
    onEvent,
    onUnreadable,
    onSnapshot,
    onQuiet: announce,
    end,
    giveUp,
    flush: out.flush,
    isOver,
    responseId,
  });

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
