/** Where a run's events come from: the body of a stream, or a response that is complete. */
import { readFailure, unreadableReply } from '../errors.js';
import { asObject, asText, parseJson, type WireObject } from '../json.js';
import { replay } from '../stream/replay.js';
import { createEventDecoder } from '../wire/event-decoder.js';
import type { Reply } from '../wire/transport.js';

export type Source = {
  /** Reads the next chunk. Rejects where the reply as a whole is no answer. */
  read(): Promise<void>;
  cancel(reason: unknown): void;
};

export type SourceHandlers = {
  onEvent(event: WireObject): void;
  /** A `data:` payload that is no JSON object. */
  onUnreadable(data: string): void;
  /** The events are over; `cause` is what cut them off. */
  end(cause?: unknown): void;
  /** The run goes on, but is not waited for any longer. */
  giveUp(cause: unknown): void;
  /** A chunk is over. */
  flush(): void;
  /** Whether nobody wants any more. */
  isOver(): boolean;
};

// How long the end of the body is awaited after the terminal event, so that the connection can be used again.
const LINGER_MS = 1000;

const ignore = () => undefined;

/** A complete response in place of a stream. */
export function createResponseSource(reply: Reply & { kind: 'response' }, handlers: SourceHandlers): Source {
  return {
    async read() {
      if (!handlers.isOver()) playResponse(reply, reply.response, handlers);
    },
    cancel: ignore,
  };
}

function playResponse(reply: Reply, response: WireObject, { onEvent, end }: SourceHandlers): void {
  const status = asText(response['status']);
  const isGood = status === undefined || status === 'completed' || status === 'incomplete';
  const hasFailed = Object.keys(readFailure(response['error'])).length > 0 || response['detail'] !== undefined;
  if (isGood && !hasFailed && !Array.isArray(response['output'])) {
    const bodyText = JSON.stringify(response);
    throw unreadableReply(reply.request, reply, { problem: 'The Agent API sent a response without output.', bodyText });
  }
  for (const event of replay(response)) onEvent(event);
  end();
}

/** The body of a reply. One that turns out to be a JSON response is understood as well (design decision 16). */
export function createBodySource(
  reply: Reply & { kind: 'events' },
  handlers: SourceHandlers,
  { maxEventBytes, idleTimeout }: { maxEventBytes: number; idleTimeout: number | undefined },
): Source {
  const reader = reply.body.getReader();
  const cancel = (reason?: unknown) => void reader.cancel(reason).catch(ignore);
  const decoder = createEventDecoder({ ...handlers, maxEventBytes });
  const text = new TextDecoder();
  /** The pieces of a body that is one JSON text; undefined where it is a stream of events. */
  let json: string[] | undefined;
  let isTold = false;

  function take(bytes: Uint8Array): void {
    if (!isTold) {
      const first = firstVisible(bytes);
      isTold = first !== undefined;
      if (first === '{') json = [];
    }
    if (json === undefined) decoder.push(bytes);
    else json.push(text.decode(bytes, { stream: true }));
  }

  function finish(): void {
    if (json === undefined) {
      try {
        decoder.end();
      } catch (cause) {
        return onUnreadable(cause);
      }
      return handlers.end();
    }
    const response = asObject(parseJson(json.join('') + text.decode()));
    if (response === undefined) handlers.end(new Error('the reply is a JSON text that breaks off'));
    else playResponse(reply, response, handlers);
  }

  function onBroken(cause: unknown): void {
    if (handlers.isOver()) return;
    handlers.end(cause);
    cancel(cause);
  }

  function onUnreadable(cause: unknown): void {
    if (handlers.isOver()) return;
    handlers.giveUp(cause);
    cancel(cause);
  }

  function onChunk({ done, value }: ReadableStreamReadResult<Uint8Array>): void {
    if (handlers.isOver()) return;
    if (done) return finish();
    try {
      take(value);
    } catch (cause) {
      return onUnreadable(cause);
    }
    handlers.flush();
    if (handlers.isOver()) linger(reader, cancel);
  }

  const read = () => reader.read().then(onChunk, onBroken);
  if (idleTimeout === undefined) return { read, cancel };
  const onIdle = () => {
    if (handlers.isOver()) return;
    const waited = `${idleTimeout} ms (providerOptions.perplexity.idleTimeout)`;
    handlers.giveUp(new Error(`Nothing came from the Agent API for ${waited}.`));
    cancel();
  };
  return { read: () => withIdleTimeout(read(), idleTimeout, onIdle), cancel };
}

/** The first character of a chunk that is no white space and no byte order mark. */
function firstVisible(bytes: Uint8Array): string | undefined {
  const byte = bytes.find((value) => value > 0x20 && value !== 0xef && value !== 0xbb && value !== 0xbf);
  return byte === undefined ? undefined : String.fromCharCode(byte);
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
function withIdleTimeout(reading: Promise<void>, idleTimeout: number, onIdle: () => void): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      onIdle();
      resolve();
    }, idleTimeout);
    reading.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}
