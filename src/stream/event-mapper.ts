import type { JSONObject } from '@ai-sdk/provider';
import { describe, type RunFailure } from '../errors.js';
import { asArray, asObject, asText, defined, type WireObject } from '../json.js';
import type { CoreMetadata, CorePart, CoreUsage, ToolTable } from '../spec.js';
import {
  costOf,
  endingOf,
  incompleteReasonOf,
  isTerminalEvent,
  searchCallsOf,
  toolUseOf,
  usageOf,
  type Ending,
} from './finish.js';
import type { PerplexityAgentMetadata } from './metadata.js';
import { createNativeCalls } from './native-calls.js';
import { createMessageKeys } from './message-keys.js';
import { addSources, createOutputItems } from './output-items.js';
import { createProgress } from './progress.js';
import { createSources } from './sources.js';
import { createTextBlocks } from './text-blocks.js';

/**
 * The one mapping: events in, parts out, for streams, final responses and whatever else brings events. Pure: it knows
 * no HTTP, no clock and no timer.
 */
export type EventMapper = {
  /** Takes the next event. After the terminal one nothing comes any more. */
  push(event: WireObject): CorePart[];
  /** The events are over. Without a terminal event before, that is a failure; `cause` is what cut them off. */
  end(cause?: unknown): CorePart[];
  /** Whether `finish` was emitted. */
  readonly ended: boolean;
  /** Id of the run, once known. */
  readonly responseId: string | undefined;
  /** The final snapshot, once it came. */
  readonly response: WireObject | undefined;
};

export type MapperContext = {
  tools: ToolTable;
  /** What was asked to answer; see PerplexityAgentMetadata. */
  requestedModel: string | undefined;
  effort: string | undefined;
  /** The request names a previous response. */
  isChained: boolean;
  /** Show progress as reasoning. */
  showProgress: boolean;
  /** Prefix of ids where the wire never names the run. */
  generateId(): string;
  /** Makes the Error of an in-run failure. */
  createError(failure: RunFailure): Error;
};

/** Reasoning events that bring results, and the item that repeats them. */
const ITEM_OF_EVENT: Readonly<Record<string, string>> = {
  'response.reasoning.search_results': 'search_results',
  'response.reasoning.fetch_url_results': 'fetch_url_results',
};

/** A place on the wire; anything but a whole number reads as absent. */
const placeOf = (value: unknown) => (Number.isInteger(value) ? (value as number) : undefined);
const indexOf = (event: WireObject) => placeOf(event['output_index']);
// null on some events (`agent-api.md` §5.2): the first part then.
const contentIndexOf = (event: WireObject) => placeOf(event['content_index']) ?? 0;

export function createEventMapper(context: MapperContext): EventMapper {
  let out: CorePart[] = [];
  let hasOutput = false;
  const emit = (part: CorePart): void => {
    if (part.type !== 'response-metadata') hasOutput = true;
    out.push(part);
  };

  let responseId: string | undefined;
  let modelId: string | undefined;
  let lastStatus: string | undefined;
  let lastSequenceNumber: number | undefined;
  let fallbackPrefix: string | undefined;
  let finalResponse: WireObject | undefined;
  let ended = false;

  const prefix = () => responseId ?? (fallbackPrefix ??= context.generateId());
  const idMetadata = (): JSONObject => (responseId === undefined ? {} : { responseId });
  const partMetadata = (): CoreMetadata => ({ perplexity: idMetadata() });
  const textMetadata = (): CoreMetadata => ({ perplexity: { ...idMetadata(), citations: sources.citations() } });
  const callId = (index: number) => `${prefix()}:${index}`;

  const sources = createSources({ prefix, responseId: () => responseId, emit });
  const progress = createProgress({
    enabled: context.showProgress,
    blockId: (count) => `${prefix()}:reasoning-${count}`,
    metadata: partMetadata,
    emit,
  });
  const messages = createMessageKeys();
  const text = createTextBlocks({
    blockId: (message, content) => {
      const id = message.startsWith('#') ? `${prefix()}:text-${message.slice(1)}` : message;
      return content === 0 ? id : `${id}:${content}`;
    },
    metadata: textMetadata,
    onOpen: progress.close,
    emit,
  });
  const native = createNativeCalls({ tools: context.tools, callId, metadata: partMetadata, emit });
  const items = createOutputItems({
    tools: context.tools,
    isChained: context.isChained,
    requestedModel: context.requestedModel,
    text,
    sources,
    native,
    messageKey: messages.keyOf,
    callId,
    metadata: partMetadata,
    onClientCall: progress.close,
    emit,
  });

  /** What a snapshot says of the run. */
  function note(response: WireObject | undefined): void {
    if (response === undefined) return;
    const id = responseId ?? asText(response['id']);
    const model = asText(response['model']) ?? modelId;
    lastStatus = asText(response['status']) ?? lastStatus;
    if (id === responseId && model === modelId) return;
    responseId = id;
    modelId = model;
    const createdAt = response['created_at'];
    emit({
      type: 'response-metadata',
      ...(id !== undefined && { id }),
      ...(typeof createdAt === 'number' && Number.isFinite(createdAt) && { timestamp: new Date(createdAt * 1000) }),
      ...(modelId !== undefined && { modelId }),
    });
  }

  function onDelta(event: WireObject): void {
    const delta = event['delta'];
    if (typeof delta !== 'string') return;
    text.delta(messages.keyOf(asText(event['item_id']), indexOf(event)), contentIndexOf(event), delta);
  }

  function onTextDone(event: WireObject): void {
    const whole = asText(event['text']);
    if (whole === undefined) return;
    text.complete(messages.keyOf(asText(event['item_id']), indexOf(event)), contentIndexOf(event), whole);
  }

  function onItemAdded(event: WireObject): void {
    const item = asObject(event['item']);
    const index = indexOf(event);
    if (item === undefined) return;
    if (item['type'] === 'message') messages.keyOf(asText(item['id']), index);
    const isClientCall = context.tools.functions.has(asText(item['name']) ?? '');
    if (item['type'] === 'function_call' && !isClientCall && index !== undefined) native.begin(index, item);
  }

  function onItemDone(event: WireObject): void {
    const item = asObject(event['item']);
    if (item !== undefined) items.done(indexOf(event), item);
  }

  function onReasoning(event: WireObject): void {
    native.progress(event);
    progress.note(event);
    if (event['type'] === 'response.reasoning.stopped') progress.close();
    // Results come here before their item is done: a source is shown as early as it is known.
    addSources(sources, { ...event, type: ITEM_OF_EVENT[String(event['type'])] }, false);
  }

  function onTerminal(event: WireObject): void {
    const response = asObject(event['response']);
    finalResponse = response;
    items.reconcile(asArray(response?.['output']));
    const ending = endingOf(event, items.hasClientCall);
    finish(ending, response);
  }

  function finish(ending: Ending, response: WireObject | undefined, cause?: unknown): void {
    const hadOutput = hasOutput || items.hasItems;
    ended = true;
    native.settle();
    progress.close();
    text.closeAll();
    const wireUsage = asObject(response?.['usage']);
    const usage = usageOf(wireUsage);
    const metadata = metadataOf(ending, response, usage);
    if (ending.kind === 'failed') {
      emit({
        type: 'error',
        error: context.createError({
          ...ending.failure,
          responseId,
          status: ending.status,
          usage: usage.raw,
          cost: metadata.cost,
          hasOutput: hadOutput,
          cause,
          response,
        }),
      });
    }
    emit({
      type: 'finish',
      finishReason: ending.kind === 'failed' ? { unified: 'error', raw: ending.status } : ending.reason,
      usage,
      providerMetadata: { perplexity: metadata },
    });
  }

  function metadataOf(ending: Ending, response: WireObject | undefined, { raw }: CoreUsage): PerplexityAgentMetadata {
    const toolCallsDetails = toolUseOf(raw);
    const fields: PerplexityAgentMetadata = defined({
      responseId,
      status: ending.status,
      incompleteReason: incompleteReasonOf(response),
      requestedModel: context.requestedModel,
      // Until a run has ended the wire names the level here (`agent-api.md` §4.1), which is no model.
      servedModel: modelId?.includes('/') === true ? modelId : undefined,
      effort: context.effort,
      serviceTier: asText(response?.['service_tier']),
      cost: costOf(raw),
      toolCallsDetails,
      searchCalls: searchCallsOf(toolCallsDetails),
      usage: raw,
      citations: sources.citations(),
      lastSequenceNumber,
    });
    const leftovers = items.leftovers();
    return leftovers.length === 0 ? fields : { ...fields, items: leftovers as JSONObject[] };
  }

  const handlers = new Map<string, (event: WireObject) => void>([
    ['response.output_text.delta', onDelta],
    ['response.output_text.done', onTextDone],
    ['response.output_item.added', onItemAdded],
    ['response.output_item.done', onItemDone],
    ['response.skill.loaded', onReasoning],
  ]);

  return {
    get ended() {
      return ended;
    },
    get responseId() {
      return responseId;
    },
    get response() {
      return finalResponse;
    },
    push(event) {
      out = [];
      if (ended) return out;
      const type = event['type'];
      if (typeof type !== 'string') return out;
      const sequenceNumber = event['sequence_number'];
      if (typeof sequenceNumber === 'number') lastSequenceNumber = sequenceNumber;
      const handler = handlers.get(type);
      if (handler !== undefined) {
        handler(event);
      } else if (type.startsWith('response.reasoning.')) {
        onReasoning(event);
      } else {
        note(asObject(event['response']));
        if (isTerminalEvent(type)) onTerminal(event);
      }
      return out;
    },
    end(cause) {
      out = [];
      if (ended) return out;
      const status = lastStatus ?? 'in_progress';
      const message =
        cause === undefined
          ? 'The stream ended before the run did: no terminal event came, so the answer may be incomplete.'
          : `The stream broke off before the run ended: ${describe(cause)}`;
      finish({ kind: 'failed', status, failure: { message } }, undefined, cause);
      return out;
    },
  };
}
