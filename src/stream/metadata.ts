/** What rides on parts and results under `providerMetadata.perplexity`. */
import type { JSONObject, JSONValue } from '@ai-sdk/provider';

/**
 * Cost of a run in US dollars, rounded by the API to five decimals; small parts may show 0 (`agent-api.md` §7). Parts
 * that the wire leaves out are absent.
 */
export type PerplexityAgentCost = {
  /** Always `USD` so far. */
  currency?: string;
  /** Fresh input tokens. */
  inputCost?: number;
  /** Output tokens, reasoning included. */
  outputCost?: number;
  /** Tokens written into the prompt cache. */
  cacheCreationCost?: number;
  /** Tokens read from the prompt cache. */
  cacheReadCost?: number;
  /** All tool calls. */
  toolCallsCost?: number;
  /** Cost per billing key, such as `search_web`. */
  toolCallsCostDetails?: Record<string, number>;
  /** The whole run. */
  totalCost?: number;
};

/** Use of one native tool, by its billing key (`agent-api.md` §3 and §7). */
export type PerplexityAgentToolUse = {
  /** How often it was called. */
  invocation?: number;
  /** US dollars. */
  costUsd?: number;
  /** Tokens of models inside the tool; they are not part of the run's own token counts. */
  tokenUsage?: JSONObject[];
};

/**
 * `providerMetadata.perplexity` of a finished run: on the `finish` part, on `generateText` results and on each step.
 * All of it is JSON; what the wire did not say is absent.
 */
export type PerplexityAgentMetadata = {
  /** Id of the run, `resp_…`. */
  responseId?: string;
  /** Last status of the run: `completed`, `incomplete`, `failed`, `cancelled`, `requires_action`, … */
  status?: string;
  /** Why an `incomplete` run ended, such as `max_output_tokens`. */
  incompleteReason?: string;
  /** What was asked to answer: the model id, the chain (`a,b`), the effort level or `profile:<id>`. */
  requestedModel?: string;
  /** The model that answered; the wire names it only when the run has ended. */
  servedModel?: string;
  /** The effort level of the request. */
  effort?: string;
  /** The tier that served: `default`, `fast`, `priority`, … */
  serviceTier?: string;
  /** Cost in US dollars. */
  cost?: PerplexityAgentCost;
  /** Calls, cost and inner tokens per native tool, by billing key. */
  toolCallsDetails?: Record<string, PerplexityAgentToolUse>;
  /** Calls of all search tools together. */
  searchCalls?: number;
  /** The wire's `usage` object, verbatim. */
  usage?: JSONObject;
  /** Result id → URL: what `[7]` and `[web:7]` in the text stand for. */
  citations?: Record<string, string>;
  /** Output items that have no part of their own, verbatim. Absent on V4, where they are `custom` parts. */
  items?: JSONObject[];
  /** Files that the run handed out, in the order of the output; absent without any. Their items are in `items`, or `custom` parts, too. */
  files?: PerplexityAgentSharedFile[];
  /** Highest `sequence_number` seen; only on streamed runs. */
  lastSequenceNumber?: number;
  /** See PerplexityAgentPartMetadata. */
  restarted?: boolean;
};

/**
 * `providerMetadata.perplexity` of a part of a stream: whose it is. In the background and on `resume` also what an app has to
 * store to take the run up again.
 */
export type PerplexityAgentPartMetadata = {
  /** Id of the run that it belongs to; `resume` takes it. */
  responseId?: string;
  /** Number of the event that the part came with; `resume` takes it as `startingAfter`. Background and resumed streams only. */
  lastSequenceNumber?: number;
  /**
   * True where `resume` was to go on after a number whose events are gone: this is the whole answer, which replaces what was
   * received before.
   */
  restarted?: boolean;
};

/**
 * A file that a run handed out: a `share_file` item by our names (`agent-api.md` §4.2). With `responseId` and `fileId`,
 * `responses.fileContent` fetches it.
 */
export type PerplexityAgentSharedFile = {
  /** Id among the files of its run. */
  fileId?: string;
  /** Name that the run gave it, such as `out.xlsx`; as it came, so not safe as a path. */
  filename?: string;
  /** Bytes. */
  sizeBytes?: number;
  /** Where it lies; the wire does not say for how long. */
  url?: string;
  /** The call of the model that shared it. */
  callId?: string;
};

/** `providerMetadata.perplexity` of text: on `text-start` and `text-end` parts, and on text in a generate result. */
export type PerplexityAgentTextMetadata = PerplexityAgentPartMetadata & {
  /** Result id → URL, as far as known; complete on `finish` and in a generate result. */
  citations: Record<string, string>;
  /** Only on `text-end`: the whole text, where a piece of it was lost or spoiled on the way and could not be taken back. */
  correctedText?: string;
};

/** `providerMetadata.perplexity` of a `tool-call` part. It goes back with the history, so keep it with the message. */
export type PerplexityAgentToolCallMetadata = PerplexityAgentPartMetadata & {
  /** Id of the call's item, where it has one. */
  itemId?: string;
  /** Opaque proof of a thinking model that wants it back (`agent-api.md` §8.2). */
  thoughtSignature?: string;
  /** Whom the signature belongs to: it is sent back to nobody else. */
  thoughtSignatureModel?: string;
};

/** `providerMetadata.perplexity` of a `custom` part (V4): an output item that has no part of its own. */
export type PerplexityAgentItemMetadata = PerplexityAgentPartMetadata & {
  /** The item as the wire gave it. */
  item: JSONObject;
};

/** `providerMetadata.perplexity` of a `source` part. */
export type PerplexityAgentSourceMetadata = PerplexityAgentPartMetadata & {
  /** Every result id under which the URL was known when the part was sent. */
  resultIds: Array<number | string>;
  /** What found it. */
  tool: PerplexityAgentSourceTool;
  /** Text of the result. */
  snippet?: string;
  /** Date of publication, `YYYY-MM-DD`. */
  date?: string;
  /** Date of the last change, `YYYY-MM-DD`. */
  lastUpdated?: string;
  /** True for a result that a chained reply repeats from an earlier turn. */
  earlierTurn?: boolean;
};

/** What a source was found by: a native tool, or an annotation of the text. */
export type PerplexityAgentSourceTool = 'web_search' | 'fetch_url' | 'people_search' | 'finance_search' | 'annotation';

const camelKey = (key: string) =>
  key.includes('_') ? key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()) : key;

/** snake_case keys → camelCase, at every depth. */
export function camelKeys(value: JSONValue): JSONValue {
  if (Array.isArray(value)) return value.map(camelKeys);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [camelKey(key), camelKeys(entry)]));
}
