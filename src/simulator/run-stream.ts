/** The events of one run as one body sends them: what has happened at once, the rest as it happens. */
import { encoded, eventBlock, Pace, type BlockSource, type Due } from './body-source.js';
import { isObject } from './json.js';
import type { Run } from './runs.js';

/** The `sequence_number` of an event; -1 when it has none. */
export function numberOf(event: unknown): number {
  return isObject(event) && typeof event.sequence_number === 'number' ? event.sequence_number : -1;
}

/** Where the events after a number begin; without a number, at the first event. */
export function positionAfter(events: readonly unknown[], startingAfter: number | undefined): number {
  if (startingAfter === undefined) return 0;
  const position = events.findIndex((event) => numberOf(event) > startingAfter);
  return position === -1 ? events.length : position;
}

/** Sends a run's events from a position on. A cancelled run sends what had happened, then `response.cancelled`. */
export class RunSource implements BlockSource {
  private readonly pace: Pace;
  private saidCancelled: boolean;
  private readonly run: Run;
  private position: number;

  constructor(
    run: Run,
    position: number,
    /** Milliseconds before each event of a run whose events have no time of their own. */
    delay: number,
    startingAfter?: number,
  ) {
    this.run = run;
    this.position = position;
    this.pace = new Pace(delay);
    this.saidCancelled = startingAfter !== undefined && startingAfter >= cancelledNumber(run);
  }

  get isOver(): boolean {
    return this.isCutShort ? this.saidCancelled : this.position >= this.run.events.length;
  }

  peek(now: number): Due {
    if (this.isCutShort) return { bytes: encoded(eventBlock(cancelledEvent(this.run))), at: 0 };
    const at = this.run.life.dueAt(this.position) ?? this.pace.at(now);
    return { bytes: encoded(eventBlock(this.run.events[this.position])), at };
  }

  take(): void {
    if (this.isCutShort) {
      this.saidCancelled = true;
      return;
    }
    this.position += 1;
    this.pace.next();
    this.run.life.reach(this.position);
  }

  onChange(wake: () => void): () => void {
    return this.run.onCancel(wake);
  }

  /** Whether the next event never happens. */
  private get isCutShort(): boolean {
    return this.run.isCancelled && this.position >= this.run.life.happened;
  }
}

/** After all numbers that the run would have used: numbers have holes anyway (agent-api.md §5.1). */
function cancelledNumber(run: Run): number {
  return numberOf(run.events.at(-1)) + 1;
}

function cancelledEvent(run: Run): unknown {
  return { type: 'response.cancelled', sequence_number: cancelledNumber(run), response: run.cancelled() };
}
