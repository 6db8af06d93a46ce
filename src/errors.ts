/** Wire failure → AI SDK error. */
import { APICallError, type JSONObject } from '@ai-sdk/provider';
import { asArray, asObject, asText, defined, parseJson, type WireObject } from './json.js';
import { presentableAddress, presentableBody, type Redactor } from './redact.js';

/**
 * `data` of the APICallErrors that this package makes: what the API said, and what had arrived before it failed.
 * Fields that are not known are absent.
 */
export type PerplexityAgentErrorData = {
  /** The API's error type, such as `invalid_request` or `request_rate_limit_exceeded` (`agent-api.md` §6.2). */
  type?: string;
  /** The API's error code; a number on the live service, a string in its schema. */
  code?: string | number;
  /** The request field that the API names. */
  param?: string;
  /** `x-request-id` of the reply: what Perplexity's support asks for. */
  requestId?: string;
  /** Id of the run, where it had begun. */
  responseId?: string;
  /** Status of the run when it failed: `failed`, `cancelled`, or the last one seen when the stream was cut. */
  status?: string;
  /** Generate only: the text that had arrived. */
  text?: string;
  /** Generate only: the sources that had arrived. */
  sources?: Array<{ id: string; url: string; title?: string }>;
  /** Token usage as the wire gave it. */
  usage?: JSONObject;
  /** Cost in US dollars as in `providerMetadata.perplexity.cost`. */
  cost?: JSONObject;
};

/** The request an error belongs to. */
export type RequestInfo = { url: string; body: unknown; redact: Redactor };

/** The HTTP reply an error came in. */
export type ReplyInfo = { status: number; headers: Record<string, string> };

/** What the API says of a failure. */
export type ApiFailure = { message?: string; type?: string; code?: string | number; param?: string };

// Errors nested deeper than this are no error bodies.
const DEEPEST = 4;

/** Reads `{ error: { message, type, code, param } }`, `{ error: "…" }`, `{ detail: … }`, `{ message }` or a text. */
export function readFailure(value: unknown, depth = 0): ApiFailure {
  if (typeof value === 'string') return value === '' ? {} : { message: value };
  const body = asObject(value);
  if (body === undefined) return {};
  const nested = asObject(body['error']);
  if (nested !== undefined && depth < DEEPEST) return readFailure(nested, depth + 1);
  return defined<ApiFailure>({
    message: asText(body['message']) ?? asText(body['error']) ?? readDetail(body['detail']),
    type: asText(body['type']),
    code: typeof body['code'] === 'number' ? body['code'] : asText(body['code']),
    param: asText(body['param']),
  });
}

// FastAPI style, as gateways send it: a text, or a list of { msg }.
function readDetail(detail: unknown): string | undefined {
  const first = asObject(asArray(detail)[0]);
  return asText(detail) ?? asText(first?.['msg']) ?? asText(asObject(detail)?.['message']);
}

/** An HTTP error reply, whatever its body (`agent-api.md` §6.2). */
export function httpError(request: RequestInfo, reply: ReplyInfo & { statusText: string }, bodyText: string) {
  const failure = readFailure(parseErrorBody(bodyText));
  const label = [reply.status, reply.statusText].filter(Boolean).join(' ');
  const message = failure.message ?? `The Agent API answered ${label} without a readable error message.`;
  return apiCallError(request, reply, {
    failure,
    message: withHint(withParam(message, failure.param), hintFor(request, reply, failure)),
    isRetryable: isRetryableReply(reply),
    responseBody: bodyText,
    headers: withRetryAfter(reply),
  });
}

/** JSON as the API sends it; an error that a gateway framed as an event; or a few plain words, but no page. */
function parseErrorBody(text: string): unknown {
  const data = /^data:\s*(.+)$/m.exec(text)?.[1];
  const parsed = parseJson(data ?? text);
  const isPlain = text.length <= 300 && text.trim() !== '' && !text.includes('<');
  return parsed === undefined && isPlain ? text.trim() : parsed;
}

/** The API names the field in `param`, often without saying so in the message. */
const withParam = (message: string, param: string | undefined) =>
  param === undefined || message.includes(param) ? message : `${message} (param: ${param})`;

const withHint = (message: string, hint: string | undefined) =>
  hint === undefined ? message : `${message.replace(/[\s.]+$/, '')}. ${hint}`;

/** What the message alone does not tell (`agent-api.md` §6.2; §10.5; §14, questions 1 and 15). */
function hintFor(request: RequestInfo, reply: ReplyInfo, failure: ApiFailure): string | undefined {
  if (reply.status === 404 && /\/v1\/agent\/[^/]+/.test(request.url)) {
    return 'The response or file does not exist, belongs to another account, or the response was made with store: false.';
  }
  if (reply.status !== 400) return undefined;
  if (request.url.endsWith('/cancel')) return 'The run has ended already, or no run has this id.';
  if (failure.message?.includes('unknown field "effort"')) {
    return 'This endpoint wants the older field name: create the provider with effortField: "preset".';
  }
  if (failure.message?.includes('unknown field "preset"')) {
    return 'This endpoint wants the newer field name: create the provider with effortField: "effort".';
  }
  if (failure.message?.includes('is reserved') === true) {
    return 'Perplexity has a tool of its own by that name: rename yours, by its key in `tools`.';
  }
  const level = asText(asObject(request.body)?.['effort']) ?? asText(asObject(request.body)?.['preset']);
  if (level !== undefined && failure.message?.includes(level) === true) {
    return `'${level}' was sent as an effort level, since it has no slash; a model goes by an id such as 'openai/gpt-6-luna'.`;
  }
  if (asObject(request.body)?.['previous_response_id'] !== undefined && failure.message === 'invalid request') {
    return (
      'The request continues previousResponseId: that response must exist, belong to the same account and be completed. ' +
      'If it is gone, send the whole conversation without previousResponseId.'
    );
  }
  return undefined;
}

function isRetryableReply({ status, headers }: ReplyInfo): boolean {
  const told = headers['x-should-retry'];
  if (told === 'true' || told === 'false') return told === 'true';
  return status === 408 || status === 409 || status === 429 || status >= 500;
}

/**
 * The AI SDK waits for `retry-after`; the API says when its window resets in `x-ratelimit-reset`, in epoch seconds
 * (design decision 14). The server's own clock is used where it shows it.
 */
function withRetryAfter({ status, headers }: ReplyInfo): Record<string, string> {
  if (status !== 429 || 'retry-after' in headers || 'retry-after-ms' in headers) return headers;
  const wait = secondsToReset(headers);
  return wait > 0 ? { ...headers, 'retry-after': String(wait) } : headers;
}

/** Seconds until the rate limit's window ends, 0 where the headers do not tell. */
export function secondsToReset(headers: Record<string, string>): number {
  const reset = Number(headers['x-ratelimit-reset']);
  const serverTime = Date.parse(headers['date'] ?? '');
  const now = (Number.isNaN(serverTime) ? Date.now() : serverTime) / 1000;
  // Recorded in epoch seconds; other services mean milliseconds or the seconds to wait by the same name.
  const wait = Math.ceil(reset > 1e11 ? reset / 1000 - now : reset > 1e9 ? reset - now : reset);
  return wait > 0 ? wait : 0;
}

/** A redirect, which is never followed. */
export function redirectError(request: RequestInfo, reply: ReplyInfo): APICallError {
  const location = asText(reply.headers['location']);
  const where = location === undefined ? 'elsewhere' : `to ${presentableAddress(location)}`;
  return apiCallError(request, reply, {
    message:
      `The Agent API redirects ${where}, which is not followed, so that no key and no prompt goes there. ` +
      'If that is the right place, set baseURL to it.',
    isRetryable: false,
  });
}

/** The service could not be reached. */
export function connectionError(request: RequestInfo, cause: unknown): APICallError {
  return apiCallError(request, undefined, {
    message: `Cannot connect to the Agent API: ${describe(cause)}`,
    isRetryable: true,
    cause,
  });
}

/** The body of a reading request broke off. Nothing is billed for it, so it may be read again. */
export function brokenOff(
  request: RequestInfo,
  reply: ReplyInfo,
  { problem, cause }: { problem: string; cause?: unknown },
) {
  return apiCallError(request, reply, { message: problem, isRetryable: true, cause });
}

/** A reply with a good status whose body is not what the API sends. */
export function unreadableReply(
  request: RequestInfo,
  reply: ReplyInfo,
  { problem, bodyText, cause }: { problem: string; bodyText?: string; cause?: unknown },
) {
  return apiCallError(request, reply, { message: problem, isRetryable: false, responseBody: bodyText, cause });
}

/** A run that began and did not end well. */
export type RunFailure = ApiFailure & {
  message: string;
  responseId?: string | undefined;
  /** The last status seen. */
  status?: string | undefined;
  usage?: JSONObject | undefined;
  cost?: JSONObject | undefined;
  /** Whether anything of an answer had come: then a retry would pay twice (design decision 11). */
  hasOutput: boolean;
  /** Whether the connection failed and not the run. */
  isCut: boolean;
  /** Whether the run goes on without its connection, so that it can be taken up again. */
  outlivesConnection?: boolean;
  /** Whether the call began no run, but took one up: to repeat it brings the same again. */
  isResumed?: boolean;
  cause?: unknown;
  /** The failing snapshot. */
  response?: WireObject | undefined;
};

/** An in-run failure: a failed, cancelled or cut run. The HTTP status is that of the reply, mostly 200. */
export function runError(request: RequestInfo, reply: ReplyInfo, failure: RunFailure): APICallError {
  const { responseId, status, usage, cost, response } = failure;
  const goesOn = failure.isCut && failure.outlivesConnection === true;
  const hint =
    goesOn && responseId !== undefined
      ? `The run may still go on: resume('${responseId}') takes it up again.`
      : undefined;
  return apiCallError(request, reply, {
    failure,
    message: withHint(withParam(failure.message, failure.param), hint),
    // A run that goes on is not begun a second time.
    isRetryable:
      !goesOn && failure.isResumed !== true && !failure.hasOutput && usage === undefined && isRetryableFailure(failure),
    responseBody: response === undefined ? undefined : JSON.stringify(presentableBody(response)),
    cause: failure.cause,
    data: { responseId, status, usage, cost },
  });
}

// `agent-api.md` §6.2, last column. What is not known to pass is not tried again: a retry is a new bill.
const RETRYABLE_TYPES = new Set([
  'request_rate_limit_exceeded',
  'internal_error',
  'bad_gateway',
  'gateway_timeout',
  'service_unavailable',
  'upstream_structured_output_failed',
]);

function isRetryableFailure({ type, code, isCut }: RunFailure): boolean {
  if (isCut) return true;
  if (type !== undefined) return RETRYABLE_TYPES.has(type);
  const number = Number(code);
  return Number.isNaN(number) ? RETRYABLE_TYPES.has(String(code)) : number === 429 || number >= 500;
}

type APICallErrorFields = ConstructorParameters<typeof APICallError>[0];

/** The same error, with what had arrived of the answer in its `data`. */
export function withRunData(error: Error, data: PerplexityAgentErrorData): Error {
  if (!APICallError.isInstance(error)) return error;
  return new APICallError(
    defined<APICallErrorFields>({
      message: error.message,
      url: error.url,
      requestBodyValues: error.requestBodyValues,
      statusCode: error.statusCode,
      responseHeaders: error.responseHeaders,
      responseBody: error.responseBody,
      cause: error.cause,
      isRetryable: error.isRetryable,
      data: { ...(error.data as PerplexityAgentErrorData | undefined), ...data },
    }),
  );
}

/** A thrown value in words. */
export function describe(cause: unknown): string {
  // Whatever was thrown: an object without a prototype has no text.
  if (!(cause instanceof Error))
    return typeof cause === 'object' && cause !== null ? 'an object was thrown' : String(cause);
  const inner = cause.cause instanceof Error && cause.cause.message !== '' ? ` (${cause.cause.message})` : '';
  return `${cause.message || cause.name}${inner}`;
}

/** The one place that makes an error: nothing unredacted passes. */
function apiCallError(
  { url, body, redact }: RequestInfo,
  reply: ReplyInfo | undefined,
  details: {
    message: string;
    isRetryable: boolean;
    failure?: ApiFailure;
    headers?: Record<string, string>;
    responseBody?: string | undefined;
    cause?: unknown;
    data?: { [K in keyof PerplexityAgentErrorData]: PerplexityAgentErrorData[K] | undefined };
  },
): APICallError {
  const { type, code, param } = details.failure ?? {};
  const data = { type, code, param, requestId: reply?.headers['x-request-id'], ...details.data };
  return new APICallError(
    defined<APICallErrorFields>({
      message: redact(details.message),
      url,
      requestBodyValues: redact(body),
      statusCode: reply?.status,
      responseHeaders: redact(details.headers ?? reply?.headers),
      responseBody: redact(details.responseBody),
      cause: redact(details.cause),
      isRetryable: details.isRetryable,
      data: redact(defined<PerplexityAgentErrorData>(data)),
    }),
  );
}
