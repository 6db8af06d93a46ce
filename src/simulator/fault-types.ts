/** What can be set for background lives, and the faults that can be injected. */
/**
 * How background runs live. Such a run goes on by the clock from its create call, whether or not anybody reads: first
 * `queued`, then one event every `eventDelay` milliseconds. With neither `queueTime` nor `eventDelay`, a run that was created
 * without `stream` goes on by being looked at instead: the first poll finds it in progress, the second one finds it over.
 */
export interface AgentApiBackgroundOptions {
  /** Milliseconds that a run stays `queued` (agent-api.md §10, 2), default 0. */
  queueTime?: number;
  /**
   * How many of the newest events of a run can be replayed, default all. A reconnect that would need an older one is
   * answered 400 (agent-api.md §10, 4; how long the real window is, nobody knows). Without `starting_after` a reconnect
   * needs the first event.
   */
  replayWindow?: number;
  /** Milliseconds after a run's end from which reconnects are answered 400 (agent-api.md §10, 4), default never. */
  replayTime?: number;
  /** Polls that still say `in_progress` after a cancel (agent-api.md §10, 5: "some"), default 1. */
  cancelPolls?: number;
}

/** HTTP statuses that a fault can answer with. */
export type AgentApiFaultStatus = 400 | 401 | 403 | 404 | 408 | 409 | 429 | 500 | 502 | 503 | 504;

/**
 * Something that goes wrong on the way; all of it is the simulator's own invention, unless noted. A request meets the first
 * fault that waits for its kind and is not used up. That one hits it or lets it pass (`skip`), so that faults for the same
 * kind come one after the other. Only requests that the API would have answered well count; for `status` and `refuse` those
 * that passed the checks of key and body.
 */
export type AgentApiFault = {
  /**
   * Which requests it waits for: `create`, `reconnect` (a GET with `stream=true`), `stream` (both, where they are answered
   * with events), `poll` (a plain GET of a run) or `cancel`.
   */
  on: 'create' | 'stream' | 'reconnect' | 'poll' | 'cancel';
  /** How many requests it hits, default 1. `Infinity` is allowed. */
  times?: number;
  /** How many requests it lets pass first, default 0. */
  skip?: number;
} & (
  | {
      /**
       * Breaks the body off: with a broken connection (a client sees `TypeError: terminated`), with a clean end, or by
       * silence until the client gives up. The run itself goes on.
       */
      fault: 'reset' | 'close' | 'stall';
      /** Events of this body that still go out, default 0: nothing but headers. A JSON body counts as one event. */
      afterEvents?: number;
      /** Bytes of this body that still go out; instead of `afterEvents`. */
      afterBytes?: number;
      /** After `afterEvents`, half of the next event's bytes too. Default false. */
      halfEvent?: boolean;
    }
  | {
      /** A reconnect begins with so many events before its cursor; a create sends each of its first `events` events twice. */
      fault: 'duplicate';
      events: number;
    }
  | {
      /** The response (of a JSON answer or of the terminal event) repeats its first native result at the end of `output`. */
      fault: 'repeat-results';
    }
  | {
      /** An HTTP error in place of the answer; a create begins no run, a cancel stops none. */
      fault: 'status';
      status: AgentApiFaultStatus;
      /** Seconds from now in `x-ratelimit-reset` (agent-api.md §1, Response headers), default 1. */
      resetIn?: number;
      /** Seconds in `retry-after`, default: no such header, as in all recordings (agent-api.md §1, Response headers). */
      retryAfter?: number;
      /** A page as an edge would send it, in place of the JSON error. Default false. */
      html?: boolean;
    }
  | {
      /**
       * The connection fails before any header: `fetch` rejects with `TypeError: fetch failed`, whose cause has the code
       * `ECONNRESET`. The API takes no notice of the request.
       */
      fault: 'refuse';
    }
  | {
      /** A poll's snapshot says this status, whatever it is. Only with `on: 'poll'`. */
      fault: 'unknown-status';
      status: string;
    }
  | {
      /**
       * A stream ends with a bare `error` event (agent-api.md §5.2: `error`, or just a `message`), numbered after the
       * event before it. The run itself goes on.
       */
      fault: 'error-event';
      /** Events of this body that go out before, default 0. */
      afterEvents?: number;
    }
  | {
      /** SSE comments (agent-api.md §5.1) in a stream while it waits for its next event. */
      fault: 'keep-alive';
      /** Milliseconds of silence before each. */
      every: number;
    }
);
