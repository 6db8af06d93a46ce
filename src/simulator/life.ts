/** Where a run stands in its life: by the clock, or by how often it was looked at. */
import { isObject, objectsIn } from './json.js';
import type { AgentApiResponse, OutputItem } from './types.js';

/** What is known of a run from its beginning. */
export interface Course {
  /** What it ends in, unless it is cancelled. */
  response: AgentApiResponse;
  /** All of its events. */
  events: readonly unknown[];
}

/** Where a run stands. A stopped life stays where it is. */
export interface Life {
  readonly phase: 'queued' | 'in_progress' | 'done';
  /** How many of the run's events have happened. */
  readonly happened: number;
  /** What the run has finished so far. */
  readonly items: OutputItem[];
  /** When it ended or will end, in milliseconds of `Date.now()`; Infinity when that is open. */
  readonly endsAt: number;
  /** When an event happens; undefined when streams are not bound to a time. */
  dueAt(index: number): number | undefined;
  /** Somebody polls. */
  look(): void;
  /** A stream has handed over so many of the run's events. */
  reach(count: number): void;
  stop(): void;
}

/** A life that goes on by itself: queued for a while, then one event after the other. It needs no timer. */
export class ClockLife implements Life {
  private readonly begin: number;
  private stoppedAt: number | undefined;
  private stoppedWith = 0;
  private reached = 0;
  private readonly course: Course;
  private readonly eventDelay: number;

  constructor(course: Course, queueTime: number, eventDelay: number) {
    this.course = course;
    this.eventDelay = eventDelay;
    this.begin = Date.now() + queueTime;
  }

  get phase(): Life['phase'] {
    if (this.reached === 0 && Date.now() < this.begin) return 'queued';
    return this.happened < this.course.events.length ? 'in_progress' : 'done';
  }

  get happened(): number {
    if (this.stoppedAt !== undefined) return this.stoppedWith;
    const total = this.course.events.length;
    const elapsed = Date.now() - this.begin;
    if (elapsed < 0) return this.reached;
    const byClock = this.eventDelay > 0 ? Math.floor(elapsed / this.eventDelay) : total;
    return Math.min(total, Math.max(this.reached, byClock));
  }

  get items(): OutputItem[] {
    if (this.phase === 'done') return this.course.response.output;
    return doneItems(this.course.events.slice(0, this.happened));
  }

  get endsAt(): number {
    return this.stoppedAt ?? this.dueAt(this.course.events.length - 1);
  }

  dueAt(index: number): number {
    return this.begin + this.eventDelay * (index + 1);
  }

  look(): void {}

  /** What has been seen has happened, even when a timer rang a little early. */
  reach(count: number): void {
    this.reached = Math.max(this.reached, count);
  }

  stop(): void {
    this.stoppedWith = this.happened;
    this.stoppedAt = Date.now();
  }
}

function doneItems(events: readonly unknown[]): OutputItem[] {
  return objectsIn(events)
    .filter(({ type, item }) => type === 'response.output_item.done' && isObject(item))
    .map(({ item }) => item as OutputItem);
}

/** Polls after which a run that nobody streams is over: one finds it in progress, the next finds it done. */
const POLLS_UNTIL_DONE = 2;

/** A life without a clock: every poll moves it, and a stream that has been handed over whole ends it. */
export class PolledLife implements Life {
  private polls = 0;
  private isStopped = false;
  private endedAt = Infinity;
  private readonly course: Course;
  private current: Life['phase'];

  constructor(course: Course, current: Life['phase']) {
    this.course = course;
    this.current = current;
    if (current === 'done') this.endedAt = Date.now();
  }

  get phase(): Life['phase'] {
    return this.current;
  }

  /** A stream gets all events without waiting; a stopped run has none to add. */
  get happened(): number {
    return this.isStopped ? 0 : this.course.events.length;
  }

  /** Snapshots in progress already hold the results of finished tools, but no text (agent-api.md §10). */
  get items(): OutputItem[] {
    if (this.current === 'queued') return [];
    return this.course.response.output.filter(({ type }) => type !== 'message' && type !== 'function_call');
  }

  get endsAt(): number {
    return this.endedAt;
  }

  dueAt(): undefined {
    return undefined;
  }

  look(): void {
    if (this.current === 'done') return;
    this.polls += 1;
    if (this.polls >= POLLS_UNTIL_DONE) this.end();
    else this.current = 'in_progress';
  }

  reach(count: number): void {
    if (!this.isStopped && count >= this.course.events.length) this.end();
  }

  stop(): void {
    this.isStopped = true;
    this.current = 'in_progress';
    this.endedAt = Date.now();
  }

  private end(): void {
    if (this.current !== 'done') this.endedAt = Date.now();
    this.current = 'done';
  }
}
