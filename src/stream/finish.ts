import type { JSONObject } from '@ai-sdk/provider';
import { describe, readFailure, type ApiFailure } from '../errors.js';
import { asAmount, asObject, asText, type WireObject } from '../json.js';
import type { CoreFinishReason, CoreUsage } from '../spec.js';

/** How a run ended, by its terminal event and snapshot (design decision 11). */
export type Ending =
  | { kind: 'finished'; status: string; reason: CoreFinishReason }
  | { kind: 'failed'; status: string; failure: ApiFailure & { message: string } };

const STATUS_OF_EVENT: Readonly<Record<string, string>> = {
  'response.completed': 'completed',
  'response.incomplete': 'incomplete',
  'response.failed': 'failed',
  'response.cancelled': 'cancelled',
  'response.requires_action': 'requires_action',
  error: 'failed',
  // Of other services that gateways speak for.
  'response.error': 'failed',
};

/** Events after which nothing comes; exactly one is sent (`agent-api.md` §5.2). */
export const isTerminalEvent = (type: unknown): boolean =>
  typeof type === 'string' && Object.hasOwn(STATUS_OF_EVENT, type);

/** The place of an event in the stream of its run; places have holes (`agent-api.md` §5.1). */
export const sequenceNumberOf = (event: WireObject): number | undefined => asAmount(event['sequence_number']);

/** Whether an event can be the first of a run: a snapshot of it that is not its end (`agent-api.md` §5.3). */
export const isOpening = (event: WireObject): boolean =>
  event['response'] !== undefined && !isTerminalEvent(event['type']);

/** Whether a run of this status has come to its end. */
export const isTerminalStatus = (status: string): boolean => isTerminalEvent(`response.${status}`);

/** An error event without a response speaks for the stream, which may be all that failed (`agent-api.md` §5.2). */
export function isBareError(event: WireObject): boolean {
  const type = asText(event['type']);
  if (event['response'] !== undefined) return false;
  return (
    type === 'error' ||
    type === 'response.error' ||
    (type === undefined && Object.keys(readFailure(event['error'])).length > 0)
  );
}

/** The terminal event that a final response would have come with. */
export function terminalTypeOf(response: WireObject): string {
  const status = asText(response['status']);
  const type = `response.${status ?? 'completed'}`;
  // A response that says neither a terminal status nor anything else is judged by its snapshot.
  return isTerminalEvent(type) ? type : 'response.completed';
}

/**
 * Judges an ending. `hasClientCall`: whether a complete call of one of the client's tools came; `hasKnownCall`: whether
 * the client has one from before.
 */
export function endingOf(event: WireObject, hasClientCall: boolean, hasKnownCall: boolean): Ending {
  const eventStatus = STATUS_OF_EVENT[asText(event['type']) ?? ''] ?? 'failed';
  const isFailureEvent = eventStatus === 'failed' || eventStatus === 'cancelled';
  const response = asObject(event['response']);
  const wireStatus = asText(response?.['status']);
  const failure = failureIn(event, isFailureEvent);
  const status = isFailureEvent ? eventStatus : (wireStatus ?? (failure === undefined ? eventStatus : 'failed'));
  if (isFailureEvent || failure !== undefined || !isGoodStatus(status, hasClientCall || hasKnownCall)) {
    // Of a cancelled run the recorded message is the bare word (`agent-api.md` §6.1).
    const told = failure?.message === status ? undefined : failure?.message;
    return { kind: 'failed', status, failure: { ...failure, message: told ?? defaultMessage(status) } };
  }
  return { kind: 'finished', status, reason: reasonOf(status, incompleteReasonOf(response), hasClientCall) };
}

/** Where the error stands differs by source (`agent-api.md` §14, question 9). */
function failureIn(event: WireObject, isFailureEvent: boolean): ApiFailure | undefined {
  const response = asObject(event['response']);
  const detail = { detail: event['detail'] ?? response?.['detail'] };
  return [event['error'], response?.['error'], isFailureEvent ? event['message'] : undefined, detail]
    .map((place) => readFailure(place))
    .find((failure) => Object.keys(failure).length > 0);
}

const isGoodStatus = (status: string, hasClientCall: boolean) =>
  status === 'completed' || status === 'incomplete' || (status === 'requires_action' && hasClientCall);

function defaultMessage(status: string): string {
  if (status === 'failed') return 'The run failed without a message.';
  if (status === 'cancelled') return 'The run was cancelled.';
  if (status === 'requires_action') return 'The run waits for a client tool that this request did not offer.';
  return `The reply ended while the run had the status "${status}", which is not a final one.`;
}

export const incompleteReasonOf = (response: WireObject | undefined): string | undefined =>
  asText(asObject(response?.['incomplete_details'])?.['reason']);

/** How a run ended that ended well. */
export function reasonOf(
  status: string,
  incompleteReason: string | undefined,
  hasClientCall: boolean,
): CoreFinishReason {
  if (status !== 'incomplete') return { unified: hasClientCall ? 'tool-calls' : 'stop', raw: status };
  const raw = incompleteReason ?? status;
  // A complete call is acted on even where the answer was cut short after it.
  if (hasClientCall) return { unified: 'tool-calls', raw };
  if (raw === 'max_output_tokens') return { unified: 'length', raw };
  return { unified: raw === 'content_filter' ? 'content-filter' : 'other', raw };
}

/** A run that came to no end of its own was interrupted; faces that know no such ending call it an error. */
export function finishReasonOf(ending: Ending, isCut: boolean): CoreFinishReason {
  if (ending.kind === 'finished') return ending.reason;
  return { unified: isCut ? 'interrupted' : 'error', raw: ending.status };
}

/** Token counts of the wire's `usage` (`agent-api.md` §7). */
export function usageOf(usage: WireObject | undefined): CoreUsage {
  const input = asObject(usage?.['input_tokens_details']);
  const inputTotal = asAmount(usage?.['input_tokens']);
  const cacheRead = asAmount(input?.['cache_read_input_tokens']) ?? asAmount(input?.['cached_tokens']);
  const cacheWrite = asAmount(input?.['cache_creation_input_tokens']);
  const outputTotal = asAmount(usage?.['output_tokens']);
  const reasoning = asAmount(asObject(usage?.['output_tokens_details'])?.['reasoning_tokens']);
  return {
    inputTokens: {
      total: inputTotal,
      noCache: inputTotal === undefined ? undefined : Math.max(0, inputTotal - (cacheRead ?? 0) - (cacheWrite ?? 0)),
      cacheRead,
      cacheWrite,
    },
    outputTokens: {
      total: outputTotal,
      text: outputTotal === undefined ? undefined : Math.max(0, outputTotal - (reasoning ?? 0)),
      reasoning,
    },
    totalTokens: asAmount(usage?.['total_tokens']),
    // An empty object counts nothing.
    raw: usage === undefined || Object.keys(usage).length === 0 ? undefined : (usage as JSONObject),
  };
}

/** What it means that the events are over before the run is. */
export const messageOfCut = (cause: unknown) =>
  cause === undefined
    ? 'The stream ended before the run did: no terminal event came, so the answer may be incomplete.'
    : `The stream broke off before the run ended: ${describe(cause)}`;
