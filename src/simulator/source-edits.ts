/** Sources that change another one: cut, repeat, rewrite, or add to it. */
import { encoded, type BlockSource, type Due } from './body-source.js';

/** A source that passes on what it does not change. */
abstract class Edit implements BlockSource {
  protected readonly inner: BlockSource;

  constructor(inner: BlockSource) {
    this.inner = inner;
  }

  get isOver(): boolean {
    return this.inner.isOver;
  }

  abstract peek(now: number): Due;

  take(due: Due): void {
    this.inner.take(due);
  }

  onChange(wake: () => void): () => void {
    return this.inner.onChange?.(wake) ?? (() => {});
  }
}

/** Ends after so many blocks, or with half of the bytes of the block after them. */
export class CutAfterBlocks extends Edit {
  private taken = 0;
  private readonly count: number;
  private readonly withHalf: boolean;

  constructor(inner: BlockSource, count: number, withHalf = false) {
    super(inner);
    this.count = count;
    this.withHalf = withHalf;
  }

  override get isOver(): boolean {
    return this.inner.isOver || this.taken >= this.count + (this.withHalf ? 1 : 0);
  }

  override peek(now: number): Due {
    const due = this.inner.peek(now);
    return this.isAtHalf ? { ...due, bytes: due.bytes.slice(0, Math.floor(due.bytes.byteLength / 2)) } : due;
  }

  /** Half an event has not been handed over. */
  override take(due: Due): void {
    if (!this.isAtHalf) this.inner.take(due);
    this.taken += 1;
  }

  private get isAtHalf(): boolean {
    return this.taken >= this.count;
  }
}

/** Ends after so many bytes. */
export class CutAfterBytes extends Edit {
  private left: number;
  private isWhole = true;

  constructor(inner: BlockSource, left: number) {
    super(inner);
    this.left = left;
  }

  override get isOver(): boolean {
    return this.inner.isOver || this.left <= 0;
  }

  override peek(now: number): Due {
    const due = this.inner.peek(now);
    this.isWhole = due.bytes.byteLength <= this.left;
    return { ...due, bytes: due.bytes.subarray(0, this.left) };
  }

  /** A part of a block has not been handed over. */
  override take(due: Due): void {
    if (this.isWhole) this.inner.take(due);
    this.left -= due.bytes.byteLength;
  }
}

/** Sends each of the first blocks twice. */
export class Doubled extends Edit {
  private again: Due | undefined;
  private left: number;

  constructor(inner: BlockSource, left: number) {
    super(inner);
    this.left = left;
  }

  override get isOver(): boolean {
    return this.again === undefined && this.inner.isOver;
  }

  override peek(now: number): Due {
    return this.again ?? this.inner.peek(now);
  }

  override take(due: Due): void {
    if (this.again !== undefined) {
      this.again = undefined;
      return;
    }
    this.inner.take(due);
    this.left -= 1;
    if (this.left >= 0) this.again = { ...due, at: 0 };
  }
}

/** Sends some texts first. */
export class Preceded extends Edit {
  private position = 0;
  private readonly texts: readonly string[];

  constructor(inner: BlockSource, texts: readonly string[]) {
    super(inner);
    this.texts = texts;
  }

  override get isOver(): boolean {
    return this.position >= this.texts.length && this.inner.isOver;
  }

  override peek(now: number): Due {
    const text = this.texts[this.position];
    return text === undefined ? this.inner.peek(now) : { bytes: encoded(text), at: 0 };
  }

  override take(due: Due): void {
    if (this.position >= this.texts.length) this.inner.take(due);
    else this.position += 1;
  }
}

/** Adds one text at the end, made from the last block before it. */
export class Followed extends Edit {
  private last = '';
  private isSaid = false;
  private readonly textAfter: (last: string) => string;

  constructor(inner: BlockSource, textAfter: (last: string) => string) {
    super(inner);
    this.textAfter = textAfter;
  }

  override get isOver(): boolean {
    return this.isSaid;
  }

  override peek(now: number): Due {
    return this.inner.isOver ? { bytes: encoded(this.textAfter(this.last)), at: 0 } : this.inner.peek(now);
  }

  override take(due: Due): void {
    if (this.inner.isOver) {
      this.isSaid = true;
      return;
    }
    this.last = decoded(due.bytes);
    this.inner.take(due);
  }
}

/** Rewrites each block. */
export class Rewritten extends Edit {
  private readonly rewrite: (text: string) => string;

  constructor(inner: BlockSource, rewrite: (text: string) => string) {
    super(inner);
    this.rewrite = rewrite;
  }

  override peek(now: number): Due {
    const due = this.inner.peek(now);
    return { ...due, bytes: encoded(this.rewrite(decoded(due.bytes))) };
  }
}

/** An SSE comment (agent-api.md §5.1). */
const COMMENT = encoded(': keep-alive\n\n');

/** Sends a comment after so many milliseconds of silence. */
export class KeptAlive extends Edit {
  private silentSince: number | undefined;
  private readonly every: number;

  constructor(inner: BlockSource, every: number) {
    super(inner);
    this.every = every;
  }

  override peek(now: number): Due {
    this.silentSince ??= now;
    const next = this.inner.peek(now);
    const at = this.silentSince + this.every;
    // What can go out now is not held up, however long ago somebody asked for it.
    return next.at <= Math.max(at, now) ? next : { bytes: COMMENT, at };
  }

  override take(due: Due): void {
    this.silentSince = Date.now();
    if (due.bytes !== COMMENT) this.inner.take(due);
  }
}

function decoded(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
