/** Bodies: bytes of a source, when they are due, that end as they are told to. */
import type { BlockSource } from './body-source.js';
import type { BodyEnd } from './types.js';

/** How a body goes out. */
export interface BodySettings {
  /** One chunk per block, or every so many bytes. */
  chunking: 'event' | number;
  end: BodyEnd;
  signal?: AbortSignal | undefined;
  /** What the signal lives by: a Request is told of an abort only as long as it is not collected (Node). */
  caller?: unknown;
  /** Called once when the client goes away before it has everything. */
  onAbort: () => void;
}

/** The longest time that a timer can wait. */
const MAX_WAIT = 2 ** 31 - 1;

/** A body of the blocks of a source. Timers run only while somebody waits for a chunk. */
export function bodyStream(source: BlockSource, settings: BodySettings): ReadableStream<Uint8Array> {
  const body = new Body(source, settings);
  return new ReadableStream<Uint8Array>(
    {
      start: (controller) => body.start(controller),
      pull: (controller) => body.pull(controller),
      cancel: () => body.abort(),
    },
    { highWaterMark: 0 },
  );
}

type Controller = ReadableStreamDefaultController<Uint8Array>;

/**
 * Bodies in which nothing happens any more, but that somebody reads. Like the socket of a real one, this keeps them from being
 * collected: without a timer nothing else does, and then an abort would reach nobody.
 */
const silent = new Set<Body>();

class Body {
  private isOver = false;
  private pending = new Uint8Array(0);
  private stopWaiting: (() => void) | undefined;
  private stopListening = () => {};
  private readonly source: BlockSource;
  private readonly settings: BodySettings;

  constructor(source: BlockSource, settings: BodySettings) {
    this.source = source;
    this.settings = settings;
  }

  start(controller: Controller): void {
    const { signal } = this.settings;
    const onAbort = () => {
      if (this.isOver) return;
      this.abort();
      controller.error(signal?.reason);
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    this.stopListening = () => signal?.removeEventListener('abort', onAbort);
    // It may have fired while the request was read.
    if (signal?.aborted === true) onAbort();
  }

  abort(): void {
    if (this.isOver) return;
    this.end();
    this.stopWaiting?.();
    this.settings.onAbort();
  }

  private end(): void {
    this.isOver = true;
    this.stopListening();
    silent.delete(this);
  }

  async pull(controller: Controller): Promise<void> {
    const chunk = await this.nextChunk();
    if (this.isOver) return undefined;
    if (chunk === undefined) return this.finish(controller);
    controller.enqueue(chunk);
    // A proper end goes out with the last bytes: who stops reading at the terminal event has not aborted anything.
    const isSpent = this.source.isOver && this.pending.byteLength === 0;
    return isSpent && this.settings.end === 'close' ? this.finish(controller) : undefined;
  }

  private async finish(controller: Controller): Promise<void> {
    if (this.settings.end === 'stall') return this.silence();
    this.end();
    if (this.settings.end === 'reset') controller.error(terminated());
    else controller.close();
  }

  private silence(): Promise<void> {
    silent.add(this);
    return new Promise((resolve) => {
      this.stopWaiting = resolve;
    });
  }

  /** Undefined when there is none, and when the client has gone. */
  private async nextChunk(): Promise<Uint8Array | undefined> {
    const { chunking } = this.settings;
    const least = chunking === 'event' ? 1 : Math.max(1, chunking);
    while (this.pending.byteLength < least && !this.source.isOver) {
      const block = await this.nextBlock();
      if (block === undefined) return undefined;
      this.pending = joined(this.pending, block);
    }
    if (this.pending.byteLength === 0) return undefined;
    const size = chunking === 'event' ? this.pending.byteLength : least;
    const chunk = this.pending.slice(0, size);
    this.pending = this.pending.slice(size);
    return chunk;
  }

  /** Undefined when the client went away meanwhile. */
  private async nextBlock(): Promise<Uint8Array | undefined> {
    for (;;) {
      const now = Date.now();
      const due = this.source.peek(now);
      const wait = due.at - now;
      // A timer may ring a little early by the clock; what it was set for is due all the same.
      if (wait <= 0 || (await this.waited(Math.min(wait, MAX_WAIT)))) {
        this.source.take(due);
        return due.bytes;
      }
      if (this.isOver) return undefined;
    }
  }

  /** True when the time is over; false when something came up before. */
  private waited(milliseconds: number): Promise<boolean> {
    return new Promise((resolve) => {
      const stop = (isDue: boolean) => {
        clearTimeout(timer);
        unsubscribe?.();
        resolve(isDue);
      };
      const timer = setTimeout(() => stop(milliseconds < MAX_WAIT), milliseconds);
      const unsubscribe = this.source.onChange?.(() => stop(false));
      this.stopWaiting = () => stop(false);
    });
  }
}

/** What `fetch` reports of a connection that broke in the middle of a body. */
function terminated(): TypeError {
  return new TypeError('terminated', { cause: new Error('other side closed') });
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const both = new Uint8Array(first.byteLength + second.byteLength);
  both.set(first);
  both.set(second, first.byteLength);
  return both;
}
