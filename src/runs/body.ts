/** Reads the body of a reply: a stream of events, or a JSON text where that was not asked for (design decision 16). */
import { asObject, parseJson, type WireObject } from '../json.js';
import { createEventDecoder } from '../wire/event-decoder.js';
import type { EventsReply } from '../wire/transport.js';
import { withTimer } from './timers.js';

export type BodyHandlers = {
  onEvent(event: WireObject): void;
  /** A `data:` payload that is no JSON object. `isLast`: the body ended in the middle of it. */
  onUnreadable(data: string, isLast: boolean): void;
  /** The body is one JSON object. */
  onResponse(response: WireObject): void;
  /** The body is over; `cause` is what cut it off. */
  onEnd(cause?: unknown): void;
  /** Nothing came for as long as `idleTimeout`. */
  onIdle(cause: Error): void;
  /** An event outgrew `maxEventBytes`. */
  onTooLarge(cause: unknown): void;
  /** A chunk is over. */
  flush(): void;
  /** Whether nobody wants any more. */
  isOver(): boolean;
  /** Whether what was read is enough for now. */
  isServed(): boolean;
};

/** How a body is read. */
export type ReadLimits = {
  /** Largest single event that is buffered, in bytes. */
  maxEventBytes: number;
  /** Longest silence on the wire, in milliseconds; undefined waits for ever. */
  idleTimeout: number | undefined;
  /** Events are handed on to the app as they are. */
  showsEvents: boolean;
};

export type Body = {
  /** Reads on, a chunk at least, until that is enough. */
  read(): Promise<void>;
  cancel(reason?: unknown): void;
};

// How long the end of the body is awaited after the terminal event, so that the connection can be used again.
const LINGER_MS = 1000;

const ignore = () => undefined;

export function createBody(reply: EventsReply, handlers: BodyHandlers, { idleTimeout, ...limits }: ReadLimits): Body {
  const reader = reply.body.getReader();
  const cancel = (reason?: unknown) => void reader.cancel(reason).catch(ignore);
  let isEnding = false;
  const decoder = createEventDecoder({
    onEvent: handlers.onEvent,
    onUnreadable: (data) => handlers.onUnreadable(data, isEnding),
    ...limits,
  });
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
      isEnding = true;
      try {
        decoder.end();
      } catch (cause) {
        return onTooLarge(cause);
      }
      return handlers.onEnd();
    }
    const response = asObject(parseJson(json.join('') + text.decode()));
    if (response === undefined) handlers.onEnd(new Error('the reply is a JSON text that breaks off'));
    else handlers.onResponse(response);
  }

  function onBroken(cause: unknown): void {
    if (handlers.isOver()) return;
    handlers.onEnd(cause);
    cancel(cause);
  }

  function onTooLarge(cause: unknown): void {
    if (handlers.isOver()) return;
    handlers.onTooLarge(cause);
    cancel(cause);
  }

  function onChunk({ done, value }: ReadableStreamReadResult<Uint8Array>): void {
    if (handlers.isOver()) return;
    if (done) return finish();
    try {
      take(value);
    } catch (cause) {
      return onTooLarge(cause);
    }
    handlers.flush();
    if (handlers.isOver()) linger(reader, cancel);
  }

  function onIdle(): void {
    if (handlers.isOver()) return;
    handlers.onIdle(silenceOf(idleTimeout));
    cancel();
  }

  function readChunk(): Promise<void> {
    const chunk = reader.read().then(onChunk, onBroken);
    // Any byte counts as life, keep-alives too; the silence between two reads of a slow consumer does not count.
    return idleTimeout === undefined ? chunk : withTimer(chunk, idleTimeout, onIdle);
  }

  /** A loop, since a long silence of keep-alives would chain a promise for each. */
  async function readOn(): Promise<void> {
    do await readChunk();
    while (!isEnough());
  }

  const isEnough = () => handlers.isServed() || handlers.isOver();

  // Nearly every chunk brings something. Then the read is over in the turn in which the chunk came: two more turns,
  // and the next delta waits for them.
  const onFirstChunk = (result: ReadableStreamReadResult<Uint8Array>) => {
    onChunk(result);
    return isEnough() ? undefined : readOn();
  };
  const read = idleTimeout === undefined ? () => reader.read().then(onFirstChunk, onBroken) : readOn;
  return { read, cancel };
}

/** What a silence of that many milliseconds ends in. */
export const silenceOf = (idleTimeout: number | undefined): Error =>
  new Error(`Nothing came from the Agent API for ${idleTimeout} ms (providerOptions.perplexity.idleTimeout).`);

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
