/**
 * The core dialect: the vocabulary in which the request side, the event mapper and the faces talk to each other.
 * Its parts have the shape of the newest AI SDK specification (V4); a face only flattens them. Types only, no code.
 */
import type { JSONObject, JSONSchema7, JSONValue } from '@ai-sdk/provider';

/** `providerMetadata` of a part: everything of ours lives under `perplexity`. */
export type CoreMetadata = { perplexity: JSONObject };

/** A neutral warning; each face turns it into the shape of its specification. */
export type CoreWarning =
  | { type: 'setting'; setting: string; details?: string }
  | { type: 'tool'; tool: string; details?: string }
  | { type: 'other'; message: string };

/** What a face has parts for: it is shown there, and else kept in the metadata alone (design decisions 7 and 19). */
export type FaceTraits = {
  /** Native calls that the caller did not declare are parts as well, `dynamic` ones. */
  undeclaredTools: boolean;
  /** Items without a part of their own become `custom` parts. */
  customParts: boolean;
};

/** Finish reason: what the AI SDK acts on, and what the wire said. `interrupted`: the stream was cut off. */
export type CoreFinishReason = {
  unified: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'interrupted' | 'other';
  raw: string | undefined;
};

/** Token counts. A number the wire did not give is undefined, never 0 or NaN (design decision 12). */
export type CoreUsage = {
  inputTokens: {
    total: number | undefined;
    noCache: number | undefined;
    cacheRead: number | undefined;
    cacheWrite: number | undefined;
  };
  outputTokens: { total: number | undefined; text: number | undefined; reasoning: number | undefined };
  /** `total_tokens` of the wire; the V2 face shows it, later specifications recompute it. */
  totalTokens: number | undefined;
  /** The wire's `usage` object, verbatim. */
  raw: JSONObject | undefined;
};

export type CoreSource = {
  type: 'source';
  sourceType: 'url';
  id: string;
  url: string;
  title?: string;
  providerMetadata?: CoreMetadata;
};

/**
 * What a text cites, and where: `text.slice(startIndex, endIndex)`, as in V4. A marker always has its place, an annotation
 * of the wire may have none.
 */
export type CoreCitation = { source: CoreSource; startIndex?: number; endIndex?: number };

export type CoreToolCall = {
  type: 'tool-call';
  toolCallId: string;
  toolName: string;
  /** A JSON string. */
  input: string;
  providerExecuted?: boolean;
  /** The caller declared no such tool. */
  dynamic?: boolean;
  providerMetadata?: CoreMetadata;
};

export type CoreToolResult = {
  type: 'tool-result';
  toolCallId: string;
  toolName: string;
  result: NonNullable<JSONValue>;
  isError?: boolean;
  dynamic?: boolean;
  providerMetadata?: CoreMetadata;
};

/** An item of the output that has no part of its own: `perplexity.<its type>`, and in the metadata the item itself. */
export type CoreCustom = { type: 'custom'; kind: `perplexity.${string}`; providerMetadata: CoreMetadata };

export type CoreFinish = {
  type: 'finish';
  finishReason: CoreFinishReason;
  usage: CoreUsage;
  providerMetadata: CoreMetadata;
};

/** What the event mapper yields, one part at a time. */
export type CorePart =
  | { type: 'stream-start'; warnings: CoreWarning[] }
  | { type: 'response-metadata'; id?: string; timestamp?: Date; modelId?: string }
  | { type: 'text-start'; id: string; providerMetadata?: CoreMetadata }
  | { type: 'text-delta'; id: string; delta: string }
  | { type: 'text-end'; id: string; citations?: CoreCitation[]; providerMetadata?: CoreMetadata }
  | { type: 'reasoning-start'; id: string; providerMetadata?: CoreMetadata }
  | { type: 'reasoning-delta'; id: string; delta: string }
  | { type: 'reasoning-end'; id: string }
  | { type: 'tool-input-start'; id: string; toolName: string; providerExecuted?: boolean; dynamic?: boolean }
  | { type: 'tool-input-delta'; id: string; delta: string }
  | { type: 'tool-input-end'; id: string }
  | CoreToolCall
  | CoreToolResult
  | CoreSource
  | CoreCustom
  | { type: 'raw'; rawValue: unknown }
  | { type: 'error'; error: Error }
  | CoreFinish;

/** Content of a generate result: the parts of a run, folded. */
export type CoreContent =
  | { type: 'text'; text: string; citations?: CoreCitation[]; providerMetadata?: CoreMetadata }
  | { type: 'reasoning'; text: string; providerMetadata?: CoreMetadata }
  | CoreToolCall
  | CoreToolResult
  | CoreSource
  | CoreCustom;

/** Options of one part, message or tool: `{ perplexity: {…}, otherProvider: {…} }`. */
export type CoreProviderOptions = Record<string, Record<string, unknown>> | undefined;

/**
 * A prompt as any of ai 5, 6 and 7 may hand it over, also untranslated (`sdk-matrix.md` §2.4): parts and outputs are
 * read by their `type`, unknown ones are named in a warning and left out.
 */
export type CorePromptPart = { type: string; providerOptions?: CoreProviderOptions; [key: string]: unknown };
export type CoreMessage =
  | { role: 'system'; content: string; providerOptions?: CoreProviderOptions }
  | { role: 'user' | 'assistant' | 'tool'; content: CorePromptPart[]; providerOptions?: CoreProviderOptions };

/** A tool entry as ai 5 (`provider-defined`), ai 6 and 7 (`provider`) and all of them (`function`) send it. */
export type CoreTool =
  | {
      type: 'function';
      name: string;
      description?: string | undefined;
      inputSchema: JSONSchema7;
      strict?: boolean | undefined;
      providerOptions?: CoreProviderOptions;
    }
  | { type: 'provider-defined' | 'provider'; id: string; name: string; args: Record<string, unknown> };

export type CoreToolChoice =
  | { type: 'auto' }
  | { type: 'none' }
  | { type: 'required' }
  | { type: 'tool'; toolName: string };

/** Call options of the superset of V2, V3 and V4. */
export type CoreCallOptions = {
  prompt: CoreMessage[];
  maxOutputTokens?: number | undefined;
  temperature?: number | undefined;
  topP?: number | undefined;
  topK?: number | undefined;
  presencePenalty?: number | undefined;
  frequencyPenalty?: number | undefined;
  stopSequences?: string[] | undefined;
  seed?: number | undefined;
  /** ai 7: `provider-default`, `none`, `minimal`, `low`, `medium`, `high`, `xhigh` or `max`. */
  reasoning?: string | undefined;
  responseFormat?:
    | { type: 'text' }
    | { type: 'json'; schema?: JSONSchema7 | undefined; name?: string | undefined; description?: string | undefined }
    | undefined;
  tools?: CoreTool[] | undefined;
  toolChoice?: CoreToolChoice | undefined;
  includeRawChunks?: boolean | undefined;
  abortSignal?: AbortSignal | undefined;
  headers?: Record<string, string | undefined> | undefined;
  providerOptions?: Record<string, Record<string, unknown>> | undefined;
};

/** A native tool by the `type` that it has in a request (`agent-api.md` §3). */
export type NativeToolType =
  | 'web_search'
  | 'fetch_url'
  | 'people_search'
  | 'finance_search'
  | 'image_search'
  | 'sandbox'
  | 'mcp'
  | 'connector';

/**
 * Which native tool it is: its type, of which a request has one, or `mcp:` and the server label. MCP servers and
 * connectors can be several, and their calls name nothing but the label (§4.2), so the two share it.
 */
export type NativeToolId = Exclude<NativeToolType, 'mcp' | 'connector'> | `mcp:${string}`;

/** What the answer's reader needs to know of the tools that were sent. */
export type ToolTable = {
  /** Names of the client's function tools: only their calls are the client's (design decision 7). */
  functions: ReadonlySet<string>;
  /** Declared native tools: which one → the caller's key. */
  native: ReadonlyMap<NativeToolId, string>;
  /** Every key of the caller's tools, also of those that are not sent: no call of another tool goes by one of them. */
  keys: ReadonlySet<string>;
};
