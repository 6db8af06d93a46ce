/** Where the bytes of a body come from: blocks, each with the time when it is due. */

/** A block that comes next. */
export interface Due {
  bytes: Uint8Array;
  /** When it can go out, in milliseconds of `Date.now()`; what lies in the past is due. */
  at: number;
}

/** Blocks in their order. Made one by one: a slow reader holds the "server" back. */
export interface BlockSource {
  /** Whether no block comes any more. Looking does not start anything. */
  readonly isOver: boolean;
  /** The next block, looked at now; only while the source is not over. Who waits for it looks again when it has changed. */
  peek(now: number): Due;
  /** The block of `peek` has gone out. */
  take(due: Due): void;
  /** Calls back when the next block is another one than before. The result ends that. */
  onChange?(wake: () => void): () => void;
}

const encoder = new TextEncoder();

/** The bytes of a text. */
export const encoded = (text: string): Uint8Array => encoder.encode(text);

/** One event as it stands in the body: a `data:` line and a blank one, no `event:` line (agent-api.md §5.1). A string is passed on as it is. */
export function eventBlock(event: unknown): string {
  return typeof event === 'string' ? event : `data: ${JSON.stringify(event)}\n\n`;
}

/** Gives each block its time: so many milliseconds after somebody began to wait for it. */
export class Pace {
  private due: number | undefined;
  private readonly delay: number;

  constructor(delay: number) {
    this.delay = delay;
  }

  at(now: number): number {
    this.due ??= now + this.delay;
    return this.due;
  }

  next(): void {
    this.due = undefined;
  }
}

/** Texts that are there from the start, sent so many milliseconds apart. */
export class TextSource implements BlockSource {
  private position = 0;
  private readonly pace: Pace;
  private readonly texts: readonly string[];

  constructor(texts: readonly string[], delay = 0) {
    this.texts = texts;
    this.pace = new Pace(delay);
  }

  get isOver(): boolean {
    return this.position >= this.texts.length;
  }

  peek(now: number): Due {
    return { bytes: encoded(this.texts[this.position] ?? ''), at: this.pace.at(now) };
  }

  take(): void {
    this.position += 1;
    this.pace.next();
  }
}
