import type { AgentApiBackgroundOptions, AgentApiFault } from './fault-types.js';
import type { ServerErrorStatus } from './errors.js';
import type { JsonObject } from './json.js';

/** One item of `output`. The API's list of types is open (agent-api.md §4.2). */
export interface OutputItem {
  type: string;
  [field: string]: unknown;
}

/** How a run stands (agent-api.md §6.1). */
export type RunStatus = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled';

/** The response object: the 32 keys that every recording has (agent-api.md §4.1). */
export interface AgentApiResponse {
  background: boolean;
  completed_at: number | null;
  created_at: number;
  error: { message: string; type: string; code: string } | null;
  frequency_penalty: number;
  id: string;
  incomplete_details: { reason: string } | null;
  instructions: string | null;
  max_output_tokens: number | null;
  max_tool_calls: number | null;
  metadata: JsonObject;
  model: string;
  object: 'response';
  output: OutputItem[];
  parallel_tool_calls: boolean;
  presence_penalty: number;
  previous_response_id: null;
  prompt_cache_key: string | null;
  reasoning: unknown;
  safety_identifier: string | null;
  service_tier: string;
  status: RunStatus;
  store: boolean;
  temperature: number;
  text: { format: { type: 'text' } };
  tool_choice: unknown;
  tools: unknown[];
  top_logprobs: number;
  top_p: number;
  truncation: string;
  usage: JsonObject | null;
  user: string | null;
}

/** One event of a stream. */
export interface StreamEvent {
  type: string;
  sequence_number: number;
  [field: string]: unknown;
}

/** How a body ends: properly, by a broken connection, or never (until the client aborts). */
export type BodyEnd = 'close' | 'reset' | 'stall';

/** The scenarios that can be asked for by name. */
export type AgentApiScenarioName = AgentApiScenarioSettings['name'];

/** A named scenario together with its settings. */
export type AgentApiScenarioSettings =
  /**
   * Decided by the request: the native tool that `tool_choice` names, else a client tool call, structured output, one of
   * its native tools, search, or a plain answer.
   */
  | { name: 'auto' }
  /** One message without any search. `text` replaces the built-in answer. */
  | { name: 'plain'; text?: string }
  /** One search of ten results, then an answer with citation markers. */
  | { name: 'search' }
  /** Three searches of one step, whose ids come in the order 11–20, 21–30, 1–10, then a fetch and an answer. */
  | { name: 'parallel-searches' }
  /** One fetched page and an answer that cites it as `[web:0]`. */
  | { name: 'fetch' }
  /** One search for people, cited like a web search. */
  | { name: 'people' }
  /** A finance table; with fewer than 3 steps (the default of a plain model is 1) nothing but a loaded skill, and no error. */
  | { name: 'finance' }
  /** Images; `error` makes the search fail with that word, such as `image_search_failed`. */
  | { name: 'image'; error?: string }
  /** A program in the sandbox. `shape` (default `nested`) is the form of its item, `outcome` (default `completed`) how it ended. */
  | { name: 'sandbox'; shape?: 'flat' | 'nested'; outcome?: 'completed' | 'timed_out' | 'failed' }
  /**
   * A call of each MCP server or connector of the request. `error` makes the calls fail; with `unreachable` (default
   * false) the request is answered 424.
   */
  | { name: 'mcp'; error?: string; unreachable?: boolean }
  | { name: 'connector'; error?: string; unreachable?: boolean }
  /** A skill loads, a program runs and a file is shared. */
  | { name: 'office-skill' }
  /**
   * Calls of client functions; once their outputs are in the input, an answer that quotes them. `calls` defaults to the
   * function that `tool_choice` names, else the first of the request's tools, with arguments made from its schema.
   * `thoughtSignature` defaults to one for `google/*` models and to none for all others. `searchFirst` (default false)
   * puts a native search before the calls.
   */
  | {
      name: 'tool-call';
      calls?: { name: string; arguments?: string }[];
      thoughtSignature?: string;
      searchFirst?: boolean;
    }
  /** JSON that fits the schema of `response_format`, after a search when the request allows one. */
  | { name: 'structured' }
  /** Stopped by `max_output_tokens` in mid-text; with `empty` (default false) before any text. */
  | { name: 'incomplete'; empty?: boolean }
  /**
   * Fails in mid-text with HTTP 200. `shape` says where the stream carries the error, since sources disagree: on top and in
   * the snapshot (`both`, the default), only on top (`error`), only in the snapshot (`response`), or as a bare `error`
   * event (`bare`). The JSON answer is the same for all. Whether failed runs tell what they have cost is unknown
   * (agent-api.md §14 #10): with `usage` (default false) the snapshot does.
   */
  | { name: 'failed'; shape?: FailureShape; usage?: boolean }
  /** Fails before any output, otherwise like `failed`. */
  | { name: 'failed-early'; shape?: FailureShape; usage?: boolean }
  /** Cancelled after a search: partial output, usage null, the level's name as model. */
  | { name: 'cancelled' }
  /** 401, whatever the key. */
  | { name: 'unauthorized' }
  /** 429. `count` (default: always) is after how many failures answers become normal; `resetIn` (seconds, default 1) sets `x-ratelimit-reset`. */
  | { name: 'rate-limited'; count?: number; resetIn?: number }
  /** A 5xx. `status` defaults to 500, `html` (default false) answers with a page as an edge would, `count` as for `rate-limited`. */
  | { name: 'server-error'; status?: ServerErrorStatus; html?: boolean; count?: number }
  /**
   * A reply that breaks off. `end` defaults to `close`. Where: after `afterEvents` events, or after `afterBytes` bytes;
   * with neither, in the middle of the events. A JSON reply is cut at `afterBytes`, else in its middle.
   */
  | { name: 'cut'; afterEvents?: number; afterBytes?: number; end?: BodyEnd }
  /** A good answer among unknown events, unknown items and nulls in place of lists. */
  | { name: 'unknown-events' };

/** Where a failed stream carries its error (agent-api.md §14 #9). */
export type FailureShape = 'both' | 'error' | 'response' | 'bare';

/** Scripted traffic: whatever a test wants the API to have sent. */
export interface CustomScenario {
  /**
   * Events of the stream, written as given: an object becomes a `data:` line, a string goes into the body unchanged.
   * A request without `stream` gets `response`, or the `response` of the last event that has one.
   */
  events?: unknown[];
  /** The JSON answer. A streaming request gets events made from it when `events` is absent. */
  response?: unknown;
  /** HTTP status, default 200. Any other is answered with `body`, not with a stream. */
  status?: number;
  /** Extra response headers; they win over the simulator's own. */
  headers?: Record<string, string>;
  /** The whole body, verbatim: a string as it is, anything else as JSON. Wins over `events` and `response`. */
  body?: unknown;
  /** How the body ends, default `close`. */
  end?: BodyEnd;
}

/** What the simulator is to play: a name, a name with settings, or scripted traffic. */
export type AgentApiScenario = AgentApiScenarioName | AgentApiScenarioSettings | CustomScenario;

/** Chooses the scenario of one create request from its parsed body. */
export type AgentApiScenarioChooser = (body: JsonObject) => AgentApiScenario;

/** How the simulator behaves. */
export interface AgentApiSimulatorOptions {
  /**
   * What to play, default `auto`. Not together with `replay`. A scenario, even one that fails, is played only for a create
   * request that passed the checks of key and body.
   */
  scenario?: AgentApiScenario | AgentApiScenarioChooser;
  /** The only accepted key. Default: any bearer token that is not blank. */
  apiKey?: string;
  /** Milliseconds before each event, default 0. In the background events happen at that pace, whoever reads. */
  eventDelay?: number;
  /** Whether requests are checked as strictly as the API is said to (agent-api.md §2), default true. */
  strict?: boolean;
  /** A recorded stream to play: its text (one JSON event per line, see `parseRecording`) or its events. */
  replay?: string | readonly unknown[];
  /** How bodies of streams are cut into chunks: one per event (default), or every so many bytes. */
  chunking?: 'event' | number;
  /** Makes ids and `created_at` repeatable. Default: random ids and the wall clock. */
  seed?: string | number;
  /** How background runs live (agent-api.md §10). */
  background?: AgentApiBackgroundOptions;
  /** What goes wrong on the way, in this order; see `AgentApiFault`. Default: nothing. */
  faults?: readonly AgentApiFault[];
}

/** One request that the simulator got. The record is filled in further while the answer goes out. */
export interface AgentApiRequestRecord {
  method: string;
  url: string;
  /** Path without the query. */
  path: string;
  /** Lower-case names. `authorization` is kept as it came, so that tests can look at it: never print a ledger that saw a real key. */
  headers: Record<string, string>;
  /** Parsed JSON; the text where it was no JSON; undefined without a body. */
  body: unknown;
  /** HTTP status of the answer; undefined as long as there is none. */
  status: number | undefined;
  /** Whether the client went away before the whole body had been handed over. */
  aborted: boolean;
  /** Id of the run that the request began, read or cancelled. */
  responseId: string | undefined;
}

/** How a run stands. A copy: look again for a newer one. */
export interface AgentApiRunRecord {
  id: string;
  background: boolean;
  /** As of now. `cancelled` from the moment a cancel is accepted, even while polls still say `in_progress`. */
  status: RunStatus;
  /** Cancel calls that were accepted. */
  cancelRequests: number;
  /** Bodies of events that were opened: by the create call and by reconnects. */
  streams: number;
  /** Plain GET calls that the run answered; those that a fault answered in its place do not count. */
  polls: number;
}

/** An offline Agent API. */
export interface AgentApiSimulator {
  /** Answers like the API. Rejects, as any `fetch` does, when the request's signal aborts. */
  fetch: typeof globalThis.fetch;
  /** The requests so far, oldest first. Always the same array. */
  readonly requests: readonly AgentApiRequestRecord[];
  /** The runs so far, oldest first, as they stand now: a new copy with every look. */
  readonly runs: readonly AgentApiRunRecord[];
  /** Plays another scenario from now on; counts of failures begin anew. */
  use(scenario: AgentApiScenario | AgentApiScenarioChooser): void;
  /** Adds faults behind those that are still to come. */
  inject(...faults: AgentApiFault[]): void;
  /** Forgets requests and runs, and goes back to the scenario, faults, ids and clock of the start. */
  reset(): void;
}
