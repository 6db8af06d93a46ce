/** What each fault does to an answer. */
import type { AgentApiFault, AgentApiFaultStatus } from './fault-types.js';
import { eventBlock, type BlockSource } from './body-source.js';
import { faultRefusal } from './errors.js';
import { exhausted } from './headers.js';
import { isObject, objectsIn, type JsonObject } from './json.js';
import { nativeCall } from './native-calls.js';
import { pageReply, refusalReply, type Reply } from './reply.js';
import { numberOf } from './run-stream.js';
import { CutAfterBlocks, CutAfterBytes, Doubled, Followed, KeptAlive, Preceded, Rewritten } from './source-edits.js';
import type { OutputItem } from './types.js';

type Instead = Extract<AgentApiFault, { fault: 'status' | 'refuse' }>;
type Cut = Extract<AgentApiFault, { fault: 'reset' | 'close' | 'stall' }>;

/** Whether the fault keeps the request from the API. */
export const isInstead = (fault: AgentApiFault): fault is Instead =>
  fault.fault === 'status' || fault.fault === 'refuse';

/** Whether only a stream of events can have the fault. */
export const needsStream = ({ fault }: AgentApiFault): boolean =>
  fault === 'duplicate' || fault === 'error-event' || fault === 'keep-alive';

/**
 * The answer of a request that the API does not get to see.
 *
 * @throws TypeError as `fetch` does, when the connection is to fail.
 */
export function answerInstead(fault: Instead): Reply {
  if (fault.fault === 'refuse') throw connectionReset();
  const { status, resetIn, retryAfter, html } = fault;
  const refusal = faultRefusal(status satisfies AgentApiFaultStatus);
  const more: Partial<Reply> = {
    rateLimit: status === 429 ? exhausted(resetIn) : resetIn === undefined ? undefined : { resetIn },
    headers: retryAfter === undefined ? undefined : { 'retry-after': String(retryAfter) },
  };
  return html === true ? pageReply(refusal, more) : refusalReply(refusal, more);
}

function connectionReset(): TypeError {
  const cause = Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET', syscall: 'read' });
  return new TypeError('fetch failed', { cause });
}

/** What the fault makes of a good answer. */
export function applied(fault: Exclude<AgentApiFault, Instead>, reply: Reply): Reply {
  switch (fault.fault) {
    case 'duplicate':
      return { ...reply, source: duplicated(reply, fault.events) };
    case 'repeat-results':
      return { ...reply, source: new Rewritten(reply.source, inResponse(repeatFirstResult)) };
    case 'unknown-status':
      return {
        ...reply,
        source: new Rewritten(
          reply.source,
          inResponse((response) => ({ ...response, status: fault.status })),
        ),
      };
    case 'error-event':
      return { ...reply, source: brokenByError(reply, fault.afterEvents ?? 0) };
    case 'keep-alive':
      return { ...reply, source: new KeptAlive(reply.source, fault.every) };
    default:
      return { ...reply, source: cut(reply.source, fault), end: fault.fault };
  }
}

function cut(source: BlockSource, fault: Cut): BlockSource {
  if (fault.afterBytes !== undefined) return new CutAfterBytes(source, fault.afterBytes);
  return new CutAfterBlocks(source, fault.afterEvents ?? 0, fault.halfEvent);
}

function duplicated(reply: Reply, count: number): BlockSource {
  if (reply.earlier === undefined) return new Doubled(reply.source, count);
  const from = Math.max(0, reply.earlier.length - count);
  return new Preceded(reply.source, reply.earlier.slice(from).map(eventBlock));
}

/** A bare error (agent-api.md §5.2). */
function brokenByError(reply: Reply, afterEvents: number): BlockSource {
  const before = numberOf(reply.earlier?.at(-1));
  return new Followed(new CutAfterBlocks(reply.source, afterEvents), (last) => {
    const number = last === '' ? before : numberOf(parsedBlock(last));
    return eventBlock({ type: 'error', sequence_number: number + 1, message: 'stream broke' });
  });
}

const TERMINAL = /^response\.(?:completed|incomplete|failed|cancelled)$/u;
const DATA = 'data: ';

/** Changes the response of a JSON answer or of a terminal event; everything else stays as it is. */
function inResponse(change: (response: JsonObject) => JsonObject): (text: string) => string {
  return (text) => {
    const value = parsedBlock(text);
    if (!isObject(value)) return text;
    if (!text.startsWith(DATA)) return JSON.stringify(change(value));
    if (!TERMINAL.test(String(value.type)) || !isObject(value.response)) return text;
    return eventBlock({ ...value, response: change(value.response) });
  };
}

function repeatFirstResult(response: JsonObject): JsonObject {
  const output = objectsIn(response.output);
  const first = output.find((item) => nativeCall(item as OutputItem) !== undefined);
  return first === undefined ? response : { ...response, output: [...output, first] };
}

/** The JSON of a block; undefined when it has none. */
function parsedBlock(text: string): unknown {
  try {
    return JSON.parse(text.startsWith(DATA) ? text.slice(DATA.length) : text) as unknown;
  } catch {
    return undefined;
  }
}
