import type { AgentApiFaultStatus } from './fault-types.js';

/** Error body of the API (agent-api.md §6.2). Live, `code` is the HTTP status as a number. */
export interface AgentApiErrorBody {
  error: { message: string; type: string; code: number; param?: string };
}

/** A refusal: thrown inside the simulator, answered as an HTTP error. */
export class Refusal extends Error {
  readonly status: number;
  readonly body: AgentApiErrorBody;

  constructor(status: number, type: string, message: string, param?: string) {
    super(message);
    this.name = 'Refusal';
    this.status = status;
    this.body = { error: { message, type, code: status, ...(param === undefined ? {} : { param }) } };
  }
}

/** 400 `invalid_request` with the message as given. */
export function invalidRequest(message: string, param?: string): Refusal {
  return new Refusal(400, 'invalid_request', message, param);
}

/** 400 `invalid_request` in the form of most recorded validation errors: `validation failed: …`. */
export function validationFailed(message: string): Refusal {
  return invalidRequest(`validation failed: ${message}`);
}

/** The bare 400 that gives no cause: unusable `previous_response_id`, broken inner schema (agent-api.md §2.5, §8.3). */
export function bareInvalidRequest(): Refusal {
  return invalidRequest('invalid request');
}

/** 400 `invalid_parameter`. */
export function invalidParameter(message: string): Refusal {
  return new Refusal(400, 'invalid_parameter', message);
}

/** 401: no key, a blank one, or the wrong one. */
export function invalidApiKey(): Refusal {
  return new Refusal(401, 'invalid_api_key', 'Invalid API key provided. Ensure your API key is correct and active.');
}

/** 403 of the retired Sonar path (agent-api.md §1). */
export function chatCompletionsGone(): Refusal {
  return new Refusal(
    403,
    'chat_completions_not_available',
    'Sonar is now the Agent API. Use /v1/responses instead of /v1/sonar. Migrate here: https://docs.perplexity.ai/docs/agent-api/migrate-from-sonar/overview',
  );
}

/** 404: unknown id, `store: false`, or unknown path. */
export function notFound(): Refusal {
  return new Refusal(404, 'not_found', 'resource not found');
}

/** 400 of a path id that is not well formed; not a 404 (agent-api.md §1, Ids). */
export function invalidResponseId(): Refusal {
  return invalidRequest('invalid response id');
}

/** 400 of a cancel that comes too late or names nothing: both get the same message (agent-api.md §10). */
export function cannotCancel(): Refusal {
  return invalidRequest('the run is already terminal and cannot be cancelled');
}

/** 400 of a reconnect to events that are not kept any more (agent-api.md §10); the message is the simulator's own. */
export function replayOver(): Refusal {
  return invalidRequest('the events of the run can no longer be replayed');
}

/** 413: the body is larger than 32 MiB. The message is the simulator's own; only the type is documented. */
export function payloadTooLarge(): Refusal {
  return new Refusal(413, 'payload_too_large', 'request body exceeds 32 MiB');
}

/** 424: an MCP server or connector that cannot be reached; the run does not begin (agent-api.md §3.6, §12). */
export function connectorFailed(): Refusal {
  return new Refusal(424, 'external_connector_error', 'mcp server unreachable');
}

/** 429 (agent-api.md §12). */
export function rateLimited(): Refusal {
  return new Refusal(429, 'request_rate_limit_exceeded', 'rate limit exceeded');
}

/** Statuses that a `server-error` scenario can answer with. */
export type ServerErrorStatus = 500 | 502 | 503 | 504;

const SERVER_ERRORS: Record<ServerErrorStatus, { type: string; message: string }> = {
  500: { type: 'internal_error', message: 'internal server error' },
  502: { type: 'bad_gateway', message: 'bad gateway' },
  // The document names no type for 503 alone; the closest of its four is used.
  503: { type: 'internal_error', message: 'service unavailable' },
  504: { type: 'gateway_timeout', message: 'gateway timeout' },
};

/** A 5xx with the documented type (agent-api.md §6.2); the messages are the simulator's own. */
export function serverError(status: ServerErrorStatus): Refusal {
  const { type, message } = SERVER_ERRORS[status];
  return new Refusal(status, type, message);
}

/** Errors that nothing but a fault answers with. Types of 408 and 409 are the simulator's own, and so are all messages. */
const FAULTS: Record<400 | 403 | 408 | 409, { type: string; message: string }> = {
  400: { type: 'invalid_request', message: 'invalid request' },
  403: { type: 'forbidden', message: 'forbidden' },
  408: { type: 'request_timeout', message: 'request timeout' },
  409: { type: 'conflict', message: 'conflict' },
};

/** The error of a `status` fault, as the API would write it (agent-api.md §6.2). */
export function faultRefusal(status: AgentApiFaultStatus): Refusal {
  switch (status) {
    case 401:
      return invalidApiKey();
    case 404:
      return notFound();
    case 429:
      return rateLimited();
    case 500:
    case 502:
    case 503:
    case 504:
      return serverError(status);
    default:
      return new Refusal(status, FAULTS[status].type, FAULTS[status].message);
  }
}
