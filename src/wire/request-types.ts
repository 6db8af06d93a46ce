/**
 * What `POST /v1/agent` takes. Types only. The API refuses every key that it does not know (`agent-api.md` §2.1,
 * "Strictness"), so a body is built from these fields and nothing else; what is absent is left out, never null.
 */
import type { JSONSchema7, JSONValue } from '@ai-sdk/provider';

/** A level (`effort`, formerly `preset`), a model, a chain of models or a profile answers (`agent-api.md` §2.1). */
export type AgentRequestBody = {
  model?: string;
  models?: string[];
  effort?: string;
  preset?: string;
  profile?: WireProfile;
  input: InputItem[];
  instructions?: string;
  language_preference?: string;
  max_output_tokens?: number;
  max_steps?: number;
  max_tool_calls?: number;
  parallel_tool_calls?: boolean;
  tool_choice?: WireToolChoice;
  tools?: WireTool[];
  temperature?: number;
  top_p?: number;
  reasoning?: { effort: string };
  response_format?: WireResponseFormat;
  previous_response_id?: string;
  store?: boolean;
  background?: boolean;
  stream?: boolean;
  skills?: WireSkill[];
  metadata?: Record<string, string>;
  truncation?: string;
  prompt_cache_key?: string;
  service_tier?: string;
  user?: string;
  safety_identifier?: string;
};

export type WireProfile = { type: 'custom'; id: string; version?: string };

export type WireSkill =
  | { type: 'builtin'; name: string }
  | { type: 'inline'; name: string; description: string; instructions: string }
  | { type: 'custom'; id: string; version?: string };

/** `agent-api.md` §2.5. */
export type WireResponseFormat = {
  type: 'json_schema';
  json_schema: { name: string; schema: JSONSchema7; description?: string; strict?: boolean };
};

/** `agent-api.md` §2.2. Only these three kinds are accepted; reasoning and `*_results` items have no input mapping. */
export type InputItem = InputMessage | InputFunctionCall | InputFunctionCallOutput;

export type InputMessage = {
  type: 'message';
  role: 'user' | 'assistant' | 'system';
  content: string | InputPart[];
};

export type InputFunctionCall = {
  type: 'function_call';
  call_id: string;
  name: string;
  /** A JSON string. */
  arguments: string;
  thought_signature?: string;
};

export type InputFunctionCallOutput = {
  type: 'function_call_output';
  call_id: string;
  name: string;
  output: string | OutputPart[];
  thought_signature?: string;
};

export type InputText = { type: 'input_text'; text: string };
export type InputImage = { type: 'input_image'; image_url: string };
export type InputFile = { type: 'input_file'; filename: string } & (
  | { file_data: string; file_url?: never }
  | { file_url: string; file_data?: never }
);
export type InputPart = InputText | InputImage | InputFile;
/** A tool output takes no documents (`agent-api.md` §2.2). */
export type OutputPart = InputText | InputImage;

/** `agent-api.md` §2.4; the form of a named function is open question 20 of §14. */
export type WireToolChoice = 'none' | 'required' | { type: string } | { name: string };

export type WireTool = WireNativeTool | WireFunction;

/** Perplexity's own tools, `agent-api.md` §3. */
export type WireNativeTool =
  | WireWebSearch
  | WireFetchUrl
  | WireMcp
  | WireConnector
  | { type: 'people_search' | 'finance_search' | 'image_search' | 'sandbox'; [setting: string]: JSONValue };

/** `agent-api.md` §3.7: flat, not nested under `function`. */
export type WireFunction = {
  type: 'function';
  name: string;
  description?: string;
  parameters: JSONSchema7;
  strict?: boolean;
};

/** `agent-api.md` §3.1. */
export type WireWebSearch = { type: 'web_search'; [setting: string]: JSONValue };

/** `agent-api.md` §3.3. */
export type WireFetchUrl = { type: 'fetch_url'; [setting: string]: JSONValue };

/** `agent-api.md` §3.6. */
export type WireMcp = { type: 'mcp'; [setting: string]: JSONValue };

/** `agent-api.md` §3.6. */
export type WireConnector = { type: 'connector'; [setting: string]: JSONValue };
