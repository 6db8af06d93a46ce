/**
 * The runs that a simulator remembers: for GET, cancel, reconnects and `previous_response_id`. The only place that knows how a
 * run goes on between two requests.
 */
import { snapshot } from './envelope.js';
import { invalidResponseId, notFound } from './errors.js';
import { objectsIn, type JsonObject } from './json.js';
import type { AgentApiResponse, OutputItem, RunStatus } from './types.js';

/** A run at its beginning. */
export interface RunSeed {
  /** What the run ends in. */
  response: AgentApiResponse;
  /** Its events, for reconnects. */
  events: readonly unknown[];
  requestedModel: string;
  /** Where the run stands when its create call is answered. */
  phase: 'queued' | 'in_progress' | 'done';
}

/** Polls after which a run that nobody streams is over: one finds it in progress, the next finds it done. */
const POLLS_UNTIL_DONE = 2;

/** One run and its life. */
export class Run {
  readonly response: AgentApiResponse;
  readonly events: readonly unknown[];
  private readonly requestedModel: string;
  private phase: RunSeed['phase'];
  private polls = 0;
  private isCancelled = false;

  constructor(seed: RunSeed) {
    this.response = seed.response;
    this.events = seed.events;
    this.requestedModel = seed.requestedModel;
    this.phase = seed.phase;
  }

  get id(): string {
    return this.response.id;
  }

  /** Whether the run can be continued: it is over, and well (agent-api.md §8.3). */
  get isContinuable(): boolean {
    return this.phase === 'done' && !this.isCancelled && this.response.status === 'completed';
  }

  get cancelRequested(): boolean {
    return this.isCancelled;
  }

  /** What it has finished so far, apart from its answer. */
  get finishedItems(): OutputItem[] {
    return this.phase === 'queued' ? [] : finishedItems(this.response);
  }

  /** All results of its searches, each id once. */
  get results(): JsonObject[] {
    const byId = new Map<unknown, JsonObject>();
    for (const item of objectsIn(this.response.output)) {
      if (item.type !== 'search_results') continue;
      for (const result of objectsIn(item.results)) byId.set(result.id, result);
    }
    const results = [...byId.values()];
    results.sort((one, other) => Number(one.id) - Number(other.id));
    return results;
  }

  /** The stream has been handed over whole. A cancelled run stays with its cancellation. */
  finish(): void {
    if (!this.isCancelled) this.phase = 'done';
  }

  /** Asks the run to stop; false when it is over already (agent-api.md §10). */
  cancel(): boolean {
    if (this.phase === 'done') return false;
    if (!this.isCancelled) this.polls = 0;
    this.isCancelled = true;
    return true;
  }

  /** What GET shows now. Every look moves a run that nobody streams forward, and `created_at` with it (agent-api.md §4.1). */
  poll(now: number): AgentApiResponse {
    if (this.phase !== 'done') {
      this.polls += 1;
      this.phase = this.polls >= POLLS_UNTIL_DONE ? 'done' : 'in_progress';
    }
    const current = this.phase === 'done' ? this.ended() : this.opened('in_progress', finishedItems(this.response));
    return { ...current, created_at: now, completed_at: current.completed_at === null ? null : now };
  }

  /** A snapshot of the run before its end. */
  opened(status: 'queued' | 'in_progress', output: OutputItem[] = []): AgentApiResponse {
    return snapshot(this.response, this.requestedModel, status, output);
  }

  /** What the run ended in: its own end, or the cancellation. */
  ended(): AgentApiResponse {
    if (!this.isCancelled) return this.response;
    const status: RunStatus = 'cancelled';
    return {
      ...this.opened('in_progress', finishedItems(this.response)),
      status,
      error: { code: 'cancelled', message: 'cancelled', type: 'cancelled' },
      incomplete_details: { reason: 'cancelled' },
    };
  }
}

/** Snapshots in progress already hold the results of finished tools, but no text (agent-api.md §10). */
function finishedItems(response: AgentApiResponse): OutputItem[] {
  return response.output.filter((item) => item.type !== 'message' && item.type !== 'function_call');
}

/** All runs of one simulator. */
export class RunStore {
  private readonly runs = new Map<string, Run>();

  add(seed: RunSeed): Run {
    const run = new Run(seed);
    this.runs.set(run.id, run);
    return run;
  }

  /** Any run, also one with `store: false`: those can be continued and cancelled all the same (agent-api.md §2.1). */
  find(id: string): Run | undefined {
    return this.runs.get(id);
  }

  /**
   * A run that GET may show.
   *
   * @throws Refusal 404 when unknown or not stored, 400 when the id is not well formed.
   */
  retrieve(id: string): Run {
    const run = this.runs.get(id);
    if (run === undefined && !isWellFormed(id)) throw invalidResponseId();
    if (run === undefined || !run.response.store) throw notFound();
    return run;
  }
}

function isWellFormed(id: string): boolean {
  return /^resp_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/u.test(id);
}
