/** The calls of the Agent API: requests go out, replies come back as JSON or as a body of events (`agent-api.md` §1). */
import { unreadableReply, type ReplyInfo, type RequestInfo } from '../errors.js';
import { asObject, asText, parseJson, type WireObject } from '../json.js';
import { untilAborted } from './abort.js';
import { createSend, type CallReply } from './call.js';
import { noJsonObject, readText, type GivenHeaders, type TransportConfig } from './http.js';
import { createRepeatable, pathSegment, readJson, type Repeatable } from './repeatable.js';

/** A good reply: events to read, or a response object. */
export type Reply = EventsReply | ResponseReply;
export type EventsReply = ReplyInfo & { request: RequestInfo; kind: 'events'; body: ReadableStream<Uint8Array> };
export type ResponseReply = ReplyInfo & { request: RequestInfo; kind: 'response'; response: WireObject };

export type CreateCall = {
  body: WireObject;
  /** Headers of this one call. */
  headers: GivenHeaders;
  /** Values besides the key that must never surface. */
  secrets: readonly string[];
  abortSignal: AbortSignal | undefined;
  /** Gets the id of a run that goes on although its caller gave up before he had it. */
  onLateRun?: ((responseId: string) => void) | undefined;
};

/** One run, and how to ask for it. */
export type RunCall = {
  responseId: string;
  headers: GivenHeaders;
  /** Values besides the key that must never surface. */
  secrets?: readonly string[];
  abortSignal: AbortSignal | undefined;
};

export type Transport = {
  /** `POST /v1/agent`, never repeated. */
  create(call: CreateCall): Promise<Reply>;
  /** `GET /v1/agent/{id}?stream=true`: the events of a run, all or those after a number. Asks once. */
  attach(call: RunCall & { startingAfter: number | undefined }): Promise<Reply>;
  /** `GET /v1/agent/{id}`: where a run stands. Asks once. */
  retrieve(call: RunCall): Promise<ResponseReply>;
  /** `POST /v1/agent/{id}/cancel`, repeated where that may help. */
  cancel(call: RunCall): Promise<WireObject>;
  /** The same at best effort: one request, never throws, never waits for longer than the reply. */
  tryCancel(responseId: string, headers: GivenHeaders): Promise<void>;
  repeatable: Repeatable;
};

const ignore = () => undefined;

/** How long a cancellation that nobody waits for may keep a process from ending. */
const CANCEL_MS = 10_000;

/** All calls throw APICallError where there is no good reply, LoadAPIKeyError without a key, and the reason of an abort. */
export function createTransport(config: TransportConfig): Transport {
  const send = createSend(config);
  const repeatable = createRepeatable(send);

  return {
    repeatable,

    async create({ body, headers, secrets, abortSignal, onLateRun }) {
      const isStream = body['stream'] === true;
      const accept = isStream ? 'text/event-stream' : 'application/json';
      const onLate = onLateRun && ((late: CallReply) => void reportRun(late, onLateRun));
      // Let run to its reply: a run in the background would otherwise go on without anybody knowing of it.
      const goesOn = onLateRun !== undefined && body['background'] === true;
      const call = {
        method: 'POST',
        path: '/v1/agent',
        accept,
        body,
        headers,
        secrets,
        abortSignal,
        onLate,
        goesOn,
      } as const;
      const reply = await send(call);
      const onLateText = (text: string) => onLateRun && reportRunOf(reply, text, onLateRun);
      return readReply(reply, isStream, abortSignal, onLateText);
    },

    async attach({ responseId, startingAfter, ...call }) {
      const after = startingAfter === undefined ? '' : `&starting_after=${startingAfter}`;
      const path = `${runPath(responseId)}?stream=true${after}`;
      const reply = await send({ method: 'GET', path, accept: 'text/event-stream', ...call });
      return readReply(reply, true, call.abortSignal);
    },

    async retrieve({ responseId, ...call }) {
      const reply = await send({ method: 'GET', path: runPath(responseId), accept: 'application/json', ...call });
      const response = await readJson(call.abortSignal)(reply);
      return { kind: 'response', request: reply.request, response, ...reply.info };
    },

    cancel({ responseId, headers, abortSignal }) {
      return repeatable(cancelCall({ responseId, headers, abortSignal }), readJson(abortSignal));
    },

    async tryCancel(responseId, headers) {
      try {
        const abortSignal = AbortSignal.timeout(CANCEL_MS);
        const { response } = await send(cancelCall({ responseId, headers, abortSignal }));
        await response.body?.cancel();
      } catch {
        // The run is being abandoned; whether the service heard of it changes nothing for the caller.
      }
    },
  };
}

/** Without a body: both "empty" and `{}` are taken (`agent-api.md` §10.5). */
const cancelCall = ({ responseId, ...call }: RunCall) =>
  ({ method: 'POST', path: `${runPath(responseId)}/cancel`, accept: 'application/json', ...call }) as const;

const runPath = (responseId: string) => `/v1/agent/${pathSegment('responseId', responseId)}`;

/** `x-request-id` is the response id without its prefix (recorded; `agent-api.md` §1). */
export function responseIdIn(headers: Record<string, string>): string | undefined {
  const id = headers['x-request-id'];
  return id !== undefined && /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(id) ? `resp_${id}` : undefined;
}

type Report = (responseId: string) => void;

/** Tells of a run whose reply nobody waits for any more: the header has its id, or a JSON body. */
async function reportRun(late: CallReply, report: Report): Promise<void> {
  const { info, response } = late;
  if (response.ok && mediaTypeOf(info) === 'application/json') {
    return reportRunOf(late, await response.text().catch(() => ''), report);
  }
  response.body?.cancel().catch(ignore);
  const named = responseIdIn(info.headers);
  if (named !== undefined && response.ok) report(named);
}

/** The same of a reply whose JSON has been read; a run that it tells the end of needs no report. */
function reportRunOf({ info }: CallReply, text: string, report: Report): void {
  const body = asObject(parseJson(text));
  const id = responseIdIn(info.headers) ?? asText(body?.['id']);
  if (id !== undefined && !ENDS.has(body?.['status'])) report(id);
}

const ENDS = new Set<unknown>(['completed', 'incomplete', 'failed', 'cancelled']);

const mediaTypeOf = ({ headers }: ReplyInfo) => headers['content-type']?.split(';')[0]?.trim().toLowerCase();

async function readReply(
  { request, info, response }: CallReply,
  isStream: boolean,
  abortSignal: AbortSignal | undefined,
  onLateText: (text: string) => void = ignore,
): Promise<Reply> {
  // Either kind of reply is understood, whatever was asked for (design decision 16).
  const type = mediaTypeOf(info);
  if (response.body !== null && (type === 'text/event-stream' || (isStream && isUntold(type)))) {
    return { kind: 'events', request, body: response.body, ...info };
  }
  const text = await untilAborted(readText(request, info, response), abortSignal, onLateText);
  const parsed = asObject(parseJson(text));
  if (parsed !== undefined) return { kind: 'response', request, response: parsed, ...info };
  const events = /^\s*(data|event|id|retry)?:/.test(text) ? new Response(text).body : null;
  if (events !== null) return { kind: 'events', request, body: events, ...info };
  if (text.trimStart().startsWith('{')) {
    throw unreadableReply(request, info, { problem: 'The reply broke off: its JSON is incomplete.', bodyText: text });
  }
  throw noJsonObject(request, info, text, isStream ? 'an event stream' : 'a JSON response');
}

/** Content types that say nothing of what is inside. */
const isUntold = (type: string | undefined) =>
  type === undefined || type === '' || type === 'text/plain' || type === 'application/octet-stream';
