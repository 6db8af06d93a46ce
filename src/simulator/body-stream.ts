/** Bodies: bytes at a settable pace that end as they are told to. */
import type { BodyEnd } from './types.js';

/** How a body goes out. */
export interface BodySettings {
  /** Milliseconds before each block. */
  delay: number;
  /** One chunk per block, or every so many bytes. */
  chunking: 'event' | number;
  end: BodyEnd;
  /** Cut after so many bytes, default never. */
  afterBytes?: number | undefined;
  signal?: AbortSignal | undefined;
  /** Called once when the client goes away before it has everything. */
  onAbort: () => void;
  /** Called once when the whole body has been handed over and has ended properly. */
  onDone: () => void;
}

/** One event as it stands in the body: a `data:` line and a blank one, no `event:` line (agent-api.md §5.1). A string is passed on as it is. */
export function eventBlock(event: unknown): string {
  return typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`;
}

/** What `fetch` reports of a connection that broke in the middle of a body. */
function terminated(): TypeError {
  return new TypeError('terminated', { cause: new Error('other side closed') });
}

/** A body of these text blocks. Nothing is made before it is read, so a slow reader holds the "server" back. */
export function bodyStream(blocks: readonly string[], settings: BodySettings): ReadableStream<Uint8Array> {
  const chunks = chunksOf(blocks, settings);
  let upcoming = chunks.next();
  let isOver = false;
  let stopWaiting: (() => void) | undefined;
  const abort = () => {
    if (isOver) return;
    isOver = true;
    stopWaiting?.();
    settings.onAbort();
  };
  const finish = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
    if (settings.end === 'stall') {
      await new Promise<void>((resolve) => {
        stopWaiting = resolve;
      });
      return;
    }
    isOver = true;
    if (settings.end === 'reset') {
      controller.error(terminated());
      return;
    }
    settings.onDone();
    controller.close();
  };
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        const { signal } = settings;
        signal?.addEventListener(
          'abort',
          () => {
            if (isOver) return;
            abort();
            controller.error(signal.reason);
          },
          { once: true },
        );
      },
      async pull(controller) {
        const chunk = upcoming;
        if (chunk.done === true) return finish(controller);
        if (chunk.value.isFirst && settings.delay > 0) {
          await pause(settings.delay, (stop) => {
            stopWaiting = stop;
          });
        }
        if (isOver) return undefined;
        upcoming = chunks.next();
        controller.enqueue(chunk.value.bytes);
        // A proper end goes out with the last bytes: who stops reading at the terminal event has not aborted anything.
        return upcoming.done === true && settings.end === 'close' ? finish(controller) : undefined;
      },
      cancel: abort,
    },
    { highWaterMark: 0 },
  );
}

/** Waits; `onStart` gets what cuts the wait short. */
function pause(milliseconds: number, onStart: (stop: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, milliseconds);
    onStart(() => {
      clearTimeout(timer);
      resolve();
    });
  });
}

interface Chunk {
  bytes: Uint8Array;
  /** Whether a block begins in it, which is when the delay falls due. */
  isFirst: boolean;
}

function* chunksOf(blocks: readonly string[], settings: BodySettings): Generator<Chunk, undefined> {
  const encoder = new TextEncoder();
  const size = settings.chunking === 'event' ? undefined : Math.max(1, settings.chunking);
  let left = settings.afterBytes ?? Infinity;
  let pending = new Uint8Array(0);
  let isFirst = false;
  for (const block of blocks) {
    const bytes = encoder.encode(block).subarray(0, left);
    left -= bytes.byteLength;
    if (bytes.byteLength === 0) continue;
    if (size === undefined) {
      yield { bytes, isFirst: true };
      continue;
    }
    isFirst = true;
    pending = joined(pending, bytes);
    while (pending.byteLength >= size) {
      yield { bytes: pending.slice(0, size), isFirst };
      pending = pending.slice(size);
      isFirst = false;
    }
  }
  if (pending.byteLength > 0) yield { bytes: pending, isFirst };
  return undefined;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.byteLength + second.byteLength);
  both.set(first);
  both.set(second, first.byteLength);
  return both;
}
