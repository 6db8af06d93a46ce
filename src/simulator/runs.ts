/**
 * The runs that a simulator remembers: for GET, cancel, reconnects and `previous_response_id`. The only place that knows what
 * a run shows of itself, and how a cancel goes through.
 */
import { snapshot } from './envelope.js';
import { invalidResponseId, notFound } from './errors.js';
import { objectsIn, type JsonObject } from './json.js';
import type { Course, Life } from './life.js';
import type { AgentApiResponse, AgentApiRunRecord, RunStatus } from './types.js';

/** A run at its beginning. */
export interface RunSeed extends Course {
  requestedModel: string;
  life: Life;
  /** Polls that still find it in progress after a cancel. */
  cancelPolls: number;
}

/** One run. */
export class Run {
  readonly response: AgentApiResponse;
  readonly events: readonly unknown[];
  readonly life: Life;
  /** Bodies of events that were opened. */
  streams = 0;
  private readonly requestedModel: string;
  private readonly cancelListeners = new Set<() => void>();
  private polls = 0;
  private cancelRequests = 0;
  private pollsUntilCancelled: number;
  private showsCancelled = false;

  constructor(seed: RunSeed) {
    this.response = seed.response;
    this.events = seed.events;
    this.life = seed.life;
    this.requestedModel = seed.requestedModel;
    this.pollsUntilCancelled = seed.cancelPolls;
  }

  get id(): string {
    return this.response.id;
  }

  /** Whether a cancel has been accepted. */
  get isCancelled(): boolean {
    return this.cancelRequests > 0;
  }

  /** Whether the run can be continued: it is over, and well (agent-api.md §8.3). */
  get isContinuable(): boolean {
    return this.status === 'completed';
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

  get record(): AgentApiRunRecord {
    const { id, status, cancelRequests, streams, polls } = this;
    return { id, background: this.response.background, status, cancelRequests, streams, polls };
  }

  /** Asks the run to stop; false when it is over already (agent-api.md §10). */
  cancel(): boolean {
    if (this.isCancelled ? this.showsCancelled : this.life.phase === 'done') return false;
    this.cancelRequests += 1;
    if (this.cancelRequests > 1) return true;
    this.life.stop();
    this.showsCancelled = this.pollsUntilCancelled <= 0;
    for (const listener of this.cancelListeners) listener();
    return true;
  }

  /** Calls back when a cancel is accepted. The result ends that. */
  onCancel(listener: () => void): () => void {
    this.cancelListeners.add(listener);
    return () => this.cancelListeners.delete(listener);
  }

  /** What GET shows now. `created_at` moves with every look (agent-api.md §4.1). */
  poll(now: number): AgentApiResponse {
    this.polls += 1;
    const current = this.isCancelled ? this.pollCancelled() : this.pollLiving();
    return { ...current, created_at: now, completed_at: current.completed_at === null ? null : now };
  }

  private pollLiving(): AgentApiResponse {
    this.life.look();
    const { phase } = this.life;
    return phase === 'done' ? this.response : this.opened(phase);
  }

  private pollCancelled(): AgentApiResponse {
    this.pollsUntilCancelled -= 1;
    if (this.pollsUntilCancelled >= 0) return this.opened('in_progress');
    this.showsCancelled = true;
    return this.cancelled();
  }

  /** A snapshot of the run before its end. */
  opened(status: 'queued' | 'in_progress'): AgentApiResponse {
    return snapshot(this.response, this.requestedModel, status, status === 'queued' ? [] : this.life.items);
  }

  /** What a cancelled run ends in: the cancellation, with what it had finished. */
  cancelled(): AgentApiResponse {
    const status: RunStatus = 'cancelled';
    return {
      ...this.opened('in_progress'),
      status,
      error: { code: 'cancelled', message: 'cancelled', type: 'cancelled' },
      incomplete_details: { reason: 'cancelled' },
    };
  }

  private get status(): RunStatus {
    if (this.isCancelled) return 'cancelled';
    return this.life.phase === 'done' ? this.response.status : this.life.phase;
  }
}

/** All runs of one simulator. */
export class RunStore {
  private readonly runs = new Map<string, Run>();

  add(seed: RunSeed): Run {
    const run = new Run(seed);
    this.runs.set(run.id, run);
    return run;
  }

  /** The ledger, oldest first. */
  get records(): AgentApiRunRecord[] {
    return Array.from(this.runs.values(), (run) => run.record);
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
