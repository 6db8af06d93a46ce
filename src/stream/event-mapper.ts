import { readFailure, type RunFailure } from '../errors.js';
import { asObject, asObjects, asText, type WireObject } from '../json.js';
import type { Redactor } from '../redact.js';
import type { CorePart, FaceTraits, ToolTable } from '../spec.js';
import { customPart } from './custom-part.js';
import { endingOf, finishReasonOf, isTerminalEvent, messageOfCut, usageOf, type Ending } from './finish.js';
import { finishMetadata } from './finish-metadata.js';
import { createFreeNames } from './free-names.js';
import { createNativeCalls } from './native-calls.js';
import { addSources, createOutputItems } from './output-items.js';
import { createProgress } from './progress.js';
import { createRunFacts } from './run-facts.js';
import { createSources } from './sources.js';
import { createTextBlocks } from './text-blocks.js';

/** Takes parts as they come to be, within the call that brought their event. */
export type Emit = (part: CorePart) => void;

/**
 * The one mapping: events in, parts out, for streams, final responses and whatever else brings events. Pure: it knows
 * no HTTP, no clock and no timer.
 */
export type EventMapper = {
  /** Takes the next event. After the terminal one nothing comes any more. */
  push(event: WireObject): void;
  /** No event has come so far, but the reply's header names the run: that is told. */
  announce(responseId: string): void;
  /** The events are over. Without a terminal event before, that is a failure: what cut them off, and what that means. */
  end(cut?: Cut): void;
  /** Whether `finish` was emitted. */
  hasEnded(): boolean;
  /** Id of the run, once known. */
  responseId(): string | undefined;
  /** The final snapshot, once it came. */
  response(): WireObject | undefined;
  /** Whether the caller has had an event before, so that nothing of it is shown. */
  hasHad?(event: WireObject): boolean;
};

/** What cut a run off, what that means in words, and the run's id, should no event have named it. */
export type Cut = { cause?: unknown; message?: string; responseId?: string | undefined };

export type MapperContext = {
  tools: ToolTable;
  traits: FaceTraits;
  /** What was asked to answer; see PerplexityAgentMetadata. Undefined where only the wire can tell. */
  requestedModel: string | undefined;
  effort: string | undefined;
  /** The request names a previous response; undefined where the request is not known. */
  isChained: boolean | undefined;
  /** Show progress as reasoning. */
  showProgress: boolean;
  /** The answer is JSON, as the caller asked. */
  isStructured: boolean;
  /** How the events are come by where the run outlives its connection; undefined for a run that ends with it. */
  attachment: Attachment | undefined;
  /** Prefix of ids where the wire never names the run. */
  generateId(): string;
  /** Takes secrets out of what the service may echo. */
  redact: Redactor;
  /** Makes the Error of an in-run failure. */
  createError(failure: RunFailure): Error;
};

/** A run that can be taken up again. */
export type Attachment = {
  /** Its id, where it is known before any event. */
  responseId: string | undefined;
  /**
   * The events begin after a number that the caller gave: what the run had sent before is known to the caller, and is not
   * sent again.
   */
  startsLate: boolean;
  /** The caller gave a number, but the events of that time are gone: the parts tell the whole run. */
  isRestarted: boolean;
  /**
   * A part shall come as soon as the run is known, so that an app learns its id while it is still queued: a block of
   * progress opens then.
   */
  isAnnounced: boolean;
};

/** Reasoning events that bring results, and the item that repeats them. */
const ITEM_OF_EVENT: Readonly<Record<string, string>> = {
  'response.reasoning.search_results': 'search_results',
  'response.reasoning.fetch_url_results': 'fetch_url_results',
  'response.reasoning.finance_search_results': 'finance_results',
  'response.reasoning.people_search_results': 'people_search_results',
};

/** A place on the wire; anything but a whole number reads as absent. */
const placeOf = (value: unknown) => (Number.isInteger(value) && (value as number) >= 0 ? (value as number) : undefined);
const indexOf = (event: WireObject) => placeOf(event['output_index']);
// null on some events (`agent-api.md` §5.2): the first part then.
const contentIndexOf = (event: WireObject) => placeOf(event['content_index']) ?? 0;

/** An event that carries nothing but an error is an error event, as gateways send it. */
function typeOf(event: WireObject): string | undefined {
  if (typeof event['type'] === 'string') return event['type'];
  return Object.keys(readFailure(event['error'])).length > 0 ? 'error' : undefined;
}

export function createEventMapper(context: MapperContext, deliver: Emit): EventMapper {
  let hasOutput = false;
  const { attachment } = context;
  const emit: Emit = (part) => {
    if (part.type !== 'response-metadata') hasOutput = true;
    deliver(part);
  };

  let finalResponse: WireObject | undefined;
  let ended = false;

  const run = createRunFacts({
    responseId: attachment?.responseId,
    tellsPlace: attachment !== undefined,
    isRestarted: attachment?.isRestarted === true,
    generateId: context.generateId,
    emit,
  });
  const requestedModel = () => context.requestedModel ?? run.namedTarget();
  const { prefix, metadata } = run;
  const callId = (index: number) => `${prefix()}:${index}`;
  const freeId = createFreeNames();

  const sources = createSources({ run, emit });
  const progress = createProgress({
    enabled: context.showProgress,
    blockId: (count) => `${prefix()}:reasoning-${count}`,
    metadata,
    emit,
    redact: context.redact,
  });
  const text = createTextBlocks({
    prefix,
    metadata: () => ({ perplexity: { citations: sources.citations(), ...metadata().perplexity } }),
    sourceOf: sources.sourceOf,
    hasCitations: !context.isStructured,
    startsLate: attachment?.startsLate === true,
    onOpen: progress.close,
    emit,
  });
  const native = createNativeCalls({
    tools: context.tools,
    traits: context.traits,
    redact: context.redact,
    callId,
    freeId,
    metadata,
    emit,
  });
  const items = createOutputItems({
    tools: context.tools,
    isChained: context.isChained,
    issuer: () => requestedModel() ?? run.servedModel(),
    text,
    sources,
    native,
    callId,
    freeId,
    metadata,
    onClientCall: progress.close,
    emit,
  });

  function onDelta(event: WireObject): void {
    const delta = event['delta'];
    if (typeof delta !== 'string') return;
    text.delta(asText(event['item_id']), indexOf(event), contentIndexOf(event), delta);
  }

  function onTextDone(event: WireObject): void {
    const whole = asText(event['text']);
    if (whole === undefined) return;
    text.complete(asText(event['item_id']), indexOf(event), contentIndexOf(event), whole);
  }

  function onItemAdded(event: WireObject): void {
    const item = asObject(event['item']);
    const index = indexOf(event);
    if (item === undefined) return;
    if (item['type'] === 'message') {
      // The research before it is over: said now, the first delta does not wait for its end.
      progress.close();
      text.announce(asText(item['id']), index);
    }
    const isCall = item['type'] === 'function_call';
    const isClientCall = isCall && context.tools.functions.has(asText(item['name']) ?? '');
    if (!isClientCall && index !== undefined) native.begin(index, item);
  }

  function onItemDone(event: WireObject): void {
    const item = asObject(event['item']);
    if (item === undefined) return;
    const isNew = items.done(indexOf(event), item);
    if (isNew && native.shownToolOf(item) === undefined) progress.noteItem(item);
  }

  function onReasoning(event: WireObject): void {
    native.progress(event);
    progress.note(event);
    if (event['type'] === 'response.reasoning.stopped') progress.close();
    // Results come here before their item is done: a source is shown as early as it is known.
    addSources(sources, { ...event, type: ITEM_OF_EVENT[String(event['type'])] }, false);
  }

  /** A snapshot on the way. Those of polls hold what tools have found by then (`agent-api.md` §10). */
  function onSnapshot(response: WireObject | undefined): void {
    run.note(response);
    if (attachment === undefined || run.responseId() === undefined) return;
    if (attachment.isAnnounced) progress.open();
    for (const item of asObjects(response?.['output'])) addSources(sources, item, items.isEarlierTurn(item));
  }

  function onTerminal(event: WireObject): void {
    const response = asObject(event['response']);
    run.note(response);
    finalResponse = response;
    // In an unbroken row of events, what the response holds beyond them came before the first one.
    const isRestKnown = attachment?.startsLate === true && event['sequence_number'] !== undefined;
    items.reconcile(response, isRestKnown);
    const ending = endingOf(event, items.hasClientCall(), items.hasKnownCall());
    finish(ending, response);
  }

  function finish(ending: Ending, response: WireObject | undefined, cut?: Cut): void {
    const hadOutput = hasOutput || items.hasItems();
    ended = true;
    native.settle();
    progress.close();
    text.closeAll();
    const usage = usageOf(context.redact(asObject(response?.['usage'])));
    const leftovers = items.leftovers();
    if (context.traits.customParts)
      for (const item of leftovers) emit(customPart(context.redact(item), run.metadata()));
    const metadata = finishMetadata({
      run,
      ending,
      response,
      usage,
      requestedModel: requestedModel(),
      effort: context.effort,
      citations: sources.citations(),
      leftovers,
      keepsItems: !context.traits.customParts,
    });
    if (ending.kind === 'failed') {
      emit({
        type: 'error',
        error: context.createError({
          responseId: run.responseId() ?? cut?.responseId,
          status: ending.status,
          usage: usage.raw,
          cost: metadata.cost,
          hasOutput: hadOutput,
          isCut: cut !== undefined,
          cause: cut?.cause,
          response,
          ...ending.failure,
        }),
      });
    }
    emit({
      type: 'finish',
      finishReason: finishReasonOf(ending, cut !== undefined),
      usage,
      providerMetadata: { perplexity: context.redact(metadata) },
    });
  }

  return {
    hasEnded: () => ended,
    responseId: run.responseId,
    response: () => finalResponse,
    push(event) {
      if (ended) return;
      const type = typeOf(event);
      if (type === undefined) return;
      run.noteSequence(event);
      switch (type) {
        // Nearly all events.
        case 'response.output_text.delta':
          return onDelta(event);
        case 'response.output_text.done':
          return onTextDone(event);
        case 'response.output_item.added':
          return onItemAdded(event);
        case 'response.output_item.done':
          return onItemDone(event);
        case 'response.skill.loaded':
          return onReasoning(event);
        default:
          if (type.startsWith('response.reasoning.')) onReasoning(event);
          else if (isTerminalEvent(type)) onTerminal({ ...event, type });
          else onSnapshot(asObject(event['response']));
      }
    },
    announce(responseId) {
      run.adopt(responseId);
      if (attachment?.isAnnounced === true) progress.open();
    },
    end(cut) {
      if (ended) return;
      const status = run.status() ?? 'in_progress';
      const message = cut?.message ?? messageOfCut(cut?.cause);
      finish({ kind: 'failed', status, failure: { message } }, undefined, cut ?? {});
    },
  };
}
