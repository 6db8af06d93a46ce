/** A foreground run: the reply to a create call, read once from its first byte to its terminal event. */
import { unreadableReply } from '../errors.js';
import { asObject, type WireObject } from '../json.js';
import type { CorePart } from '../spec.js';
import type { EventMapper } from '../stream/event-mapper.js';
import { replay } from '../stream/replay.js';
import { createEventDecoder } from '../wire/event-decoder.js';
import type { Reply } from '../wire/transport.js';

export type RunOptions = {
  reply: Reply;
  mapper: EventMapper;
  /** Largest single event that is buffered, in bytes. */
  maxEventBytes: number;
  /** Give each event as a `raw` part too. */
  includeRawChunks: boolean;
  /** Join text deltas of one block that came in the same network chunk. */
  coalesceDeltas: boolean;
  /** Longest silence on the wire, in milliseconds; undefined waits for ever. */
  idleTimeout: number | undefined;
  abortSignal: AbortSignal | undefined;
  /** The caller walked away before the run had ended. Called at most once. */
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

// How long the end of the body is awaited after the terminal event, so that the connection can be used again.
const LINGER_MS = 1000;

const ignore = () => undefined;

export function createRun(options: RunOptions): Run {
  const { reply, mapper, abortSignal, includeRawChunks } = options;
  let deliver: (part: CorePart) => void = ignore;
  let delivered = 0;
  let begun = false;
  let failedAtOnce = false;
  let abandoned = false;
  let notifyAbort: (reason: unknown) => void = ignore;

  const out = createOutlet(options.coalesceDeltas, (part) => {
    delivered++;
    deliver(part);
  });

  function onEvent(event: WireObject): void {
    if (mapper.ended) return;
    if (includeRawChunks) out.send({ type: 'raw', rawValue: event });
    const parts = mapper.push(event);
    for (const part of parts) out.send(part);
    if (begun || LIFECYCLE.has(event['type'])) return;
    begun = true;
    failedAtOnce = parts.some(({ type }) => type === 'error');
  }

  function end(cause?: unknown): void {
    failedAtOnce ||= !begun;
    for (const part of mapper.end(cause)) out.send(part);
    out.flush();
    stopListening();
  }

  function onAbortSignal(): void {
    abandon(abortSignal?.reason);
    notifyAbort(abortSignal?.reason);
  }
  const stopListening = () => abortSignal?.removeEventListener('abort', onAbortSignal);

  function abandon(reason?: unknown): void {
    if (mapper.ended || abandoned) return;
    abandoned = true;
    stopListening();
    source.cancel(reason);
    options.onAbandon(mapper.responseId);
  }

  const source =
    reply.kind === 'response'
      ? createResponseSource(reply, { onEvent, end })
      : createBodySource(reply.body, { ...options, onEvent, end, flush: out.flush, sendRaw: sendUnreadable });

  /** A payload that is no JSON object is nobody's loss but its own; raw parts show it. */
  function sendUnreadable(data: string): void {
    if (includeRawChunks && !mapper.ended) out.send({ type: 'raw', rawValue: data });
  }

  abortSignal?.addEventListener('abort', onAbortSignal, { once: true });
  if (abortSignal?.aborted === true) onAbortSignal();

  const readOn = (before: number): Promise<void> =>
    source.read().then(() => {
      if (abandoned) throw abortSignal?.reason;
      if (mapper.ended) return stopListening();
      // A pull that enqueues nothing is never called again: read on until there is something to show.
      return delivered === before ? readOn(before) : undefined;
    });

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
      deliver = to;
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

type Source = { read(): Promise<void>; cancel(reason: unknown): void };

type SourceHandlers = { onEvent(event: WireObject): void; end(cause?: unknown): void };

/** A complete response in place of a stream. */
function createResponseSource(reply: Reply & { kind: 'response' }, { onEvent, end }: SourceHandlers): Source {
  const { response, request } = reply;
  return {
    async read() {
      const failed = asObject(response['error']) !== undefined || response['status'] === 'failed';
      if (!failed && !Array.isArray(response['output'])) {
        const bodyText = JSON.stringify(response);
        throw unreadableReply(request, reply, { problem: 'The Agent API sent a response without output.', bodyText });
      }
      for (const event of replay(response)) onEvent(event);
      end();
    },
    cancel: ignore,
  };
}

function createBodySource(
  body: ReadableStream<Uint8Array>,
  options: SourceHandlers & {
    maxEventBytes: number;
    idleTimeout: number | undefined;
    mapper: EventMapper;
    flush(): void;
    sendRaw(data: string): void;
  },
): Source {
  const { mapper, end, idleTimeout } = options;
  const reader = body.getReader();
  const cancel = (reason?: unknown) => void reader.cancel(reason).catch(ignore);
  const decoder = createEventDecoder({
    onEvent: options.onEvent,
    onUnreadable: options.sendRaw,
    maxEventBytes: options.maxEventBytes,
  });

  function onBroken(cause: unknown): void {
    if (mapper.ended) return;
    end(cause);
    cancel(cause);
  }

  function onChunk({ done, value }: ReadableStreamReadResult<Uint8Array>): void {
    if (mapper.ended) return;
    try {
      if (done) {
        decoder.end();
        end();
        return;
      }
      decoder.push(value);
    } catch (cause) {
      return onBroken(cause);
    }
    options.flush();
    if (mapper.ended) linger(reader, cancel);
  }

  const read = () => reader.read().then(onChunk, onBroken);
  if (idleTimeout === undefined) return { read, cancel };
  return { read: () => withIdleTimeout(read(), idleTimeout, onBroken), cancel };
}

/** Waits for the end of a body that owes nothing more, but not for long: the socket may stay open (`agent-api.md` §5.2). */
function linger(reader: ReadableStreamDefaultReader<Uint8Array>, cancel: () => void): void {
  const timer = setTimeout(cancel, LINGER_MS);
  // Where timers hold a process open (Node), this one must not.
  (timer as { unref?: () => void }).unref?.();
  reader
    .read()
    .then(({ done }) => (done ? undefined : cancel()))
    .catch(ignore)
    .finally(() => clearTimeout(timer));
}

/** Any byte counts as life, keep-alives too; the silence between two reads of a slow consumer does not count. */
function withIdleTimeout(reading: Promise<void>, idleTimeout: number, onIdle: (cause: Error) => void): Promise<void> {
  return new Promise<void>((resolve) => {
    const timer = setTimeout(() => {
      onIdle(
        new Error(`Nothing came from the Agent API for ${idleTimeout} ms (providerOptions.perplexity.idleTimeout).`),
      );
      resolve();
    }, idleTimeout);
    void reading.finally(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}
