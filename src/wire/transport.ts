/** HTTP to and from the Agent API: requests go out, replies come back as JSON or as a body of events. */
import { httpError, unreadableReply, type ReplyInfo, type RequestInfo } from '../errors.js';
import { asObject, parseJson, type WireObject } from '../json.js';
import { presentableBody } from '../redact.js';
import { createGet, type Get } from './get.js';
import {
  mergeHeaders,
  noJsonObject,
  readText,
  redactorOf,
  replyInfo,
  sendingError,
  type FetchFunction,
  type GivenHeaders,
  type TransportConfig,
} from './http.js';

/** A good reply: events to read, or a response that is complete. */
export type Reply = ReplyInfo & { request: RequestInfo } & (
    | { kind: 'events'; body: ReadableStream<Uint8Array> }
    | { kind: 'response'; response: WireObject }
  );

export type CreateCall = {
  body: WireObject;
  /** Headers of this one call. */
  headers: GivenHeaders;
  /** Values besides the key that must never surface. */
  secrets: readonly string[];
  abortSignal: AbortSignal | undefined;
};

export type Transport = {
  /** `POST /v1/agent`. Throws APICallError, or the abort reason. */
  create(call: CreateCall): Promise<Reply>;
  /** `POST /v1/agent/{id}/cancel`, best effort: never throws, never waits for longer than the reply. */
  cancel(responseId: string, headers: GivenHeaders): Promise<void>;
  get: Get;
};

export function createTransport(config: TransportConfig): Transport {
  const send: FetchFunction = (input, init) => (config.fetch ?? globalThis.fetch)(input, init);

  return {
    get: createGet(config),

    async create({ body, headers, secrets, abortSignal }) {
      const url = `${config.baseURL()}/v1/agent`;
      const isStream = body['stream'] === true;
      const sent = mergeHeaders(
        config.headers(),
        { 'content-type': 'application/json', accept: isStream ? 'text/event-stream' : 'application/json' },
        headers,
      );
      const request: RequestInfo = { url, body: presentableBody(body), redact: redactorOf(sent, secrets) };
      let response: Response;
      try {
        response = await send(url, {
          method: 'POST',
          headers: sent,
          body: JSON.stringify(body),
          ...(abortSignal !== undefined && { signal: abortSignal }),
        });
      } catch (cause) {
        throw sendingError(request, cause, abortSignal);
      }
      return readReply(request, response, isStream);
    },

    async cancel(responseId, headers) {
      try {
        // Without a body: both "empty" and `{}` are taken (`agent-api.md` §10.5).
        const response = await send(`${config.baseURL()}/v1/agent/${encodeURIComponent(responseId)}/cancel`, {
          method: 'POST',
          headers: mergeHeaders(config.headers(), headers),
        });
        await response.body?.cancel();
      } catch {
        // The run is being abandoned; whether the service heard of it changes nothing for the caller.
      }
    },
  };
}

async function readReply(request: RequestInfo, response: Response, isStream: boolean): Promise<Reply> {
  const reply = replyInfo(response);
  if (!response.ok) {
    const text = await readText(request, reply, response);
    throw httpError(request, { ...reply, statusText: response.statusText }, text);
  }
  // Either kind of reply is understood, whatever was asked for (design decision 16).
  const type = reply.headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  if (response.body !== null && (type === 'text/event-stream' || (isStream && isUntold(type)))) {
    return { ...reply, request, kind: 'events', body: response.body };
  }
  const text = await readText(request, reply, response);
  const parsed = asObject(parseJson(text));
  if (parsed !== undefined) return { ...reply, request, kind: 'response', response: parsed };
  const events = /^\s*(data|event|id|retry)?:/.test(text) ? new Response(text).body : null;
  if (events !== null) return { ...reply, request, kind: 'events', body: events };
  if (text.trimStart().startsWith('{')) {
    throw unreadableReply(request, reply, { problem: 'The reply broke off: its JSON is incomplete.', bodyText: text });
  }
  throw noJsonObject(request, reply, text, isStream ? 'an event stream' : 'a JSON response');
}

/** Content types that say nothing of what is inside. */
const isUntold = (type: string | undefined) =>
  type === undefined || type === '' || type === 'text/plain' || type === 'application/octet-stream';
