import { asArray, asObjects, asText, asTexts, parseJson, type WireObject } from '../json.js';
import type { CoreMetadata, CorePart, ToolTable } from '../spec.js';
import { annotatedCitations, isCarried, pagesIn } from './annotations.js';
import type { PerplexityAgentToolCallMetadata } from './metadata.js';
import type { NativeCalls } from './native-calls.js';
import type { Sources } from './sources.js';
import { createTakenItems } from './taken-items.js';
import type { TextBlocks } from './text-blocks.js';

/** What a run's output items are turned into. */
export type OutputItems = {
  /** A complete item of `output_item.done`. False when it was taken before. */
  done(index: number | undefined, item: WireObject): boolean;
  /**
   * The final response: what of its output was not seen before is taken now. `isRestKnown`: the caller has had it, so it
   * is only noted.
   */
  reconcile(response: WireObject | undefined, isRestKnown: boolean): void;
  /** Whether an item repeats what an earlier turn found. */
  isEarlierTurn(item: WireObject): boolean;
  /** Items that have no part of their own, in the order of the output (design decision 19). */
  leftovers(): WireObject[];
  /** Whether a call of a client tool was emitted. */
  hasClientCall(): boolean;
  /** Whether the caller has had a call of a client tool before. */
  hasKnownCall(): boolean;
  /** Whether any item came. */
  hasItems(): boolean;
};

export type OutputContext = {
  tools: ToolTable;
  /**
   * The request continues an earlier one: then `queries: null` marks results that are repeated (`agent-api.md` §4.3).
   * Undefined where nobody knows.
   */
  isChained: boolean | undefined;
  /** Whom a thought signature belongs to (design decision 13). */
  issuer(): string | undefined;
  text: TextBlocks;
  sources: Sources;
  native: NativeCalls;
  callId(index: number): string;
  /** Gives an id of a call out: another where a native call has it. */
  freeId(wanted: string): string;
  metadata(): CoreMetadata;
  /** Called before a client's call. */
  onClientCall(): void;
  emit(part: CorePart): void;
};

/**
 * Items whose results are numbered, which a chained reply repeats without queries. Seen of web searches (`agent-api.md`
 * §4.3); people searches share their form and their numbers.
 */
const NUMBERED = new Set<unknown>(['search_results', 'people_search_results']);

/** A run that ended thus has made its calls whole. */
const GOOD_STATUSES = new Set<unknown>(['completed', 'requires_action']);

export function createOutputItems(context: OutputContext): OutputItems {
  const { tools, text, sources, native } = context;
  const taken = createTakenItems();
  const callIds = new Set<string>();
  /** The items that became calls. */
  const sentCalls = new Set<WireObject>();
  let finalItems: WireObject[] = [];
  /** Items of events that the final response has as well. */
  let repeated: ReadonlySet<WireObject> = new Set();
  let hasEndedWell = false;
  let hasKnownCall = false;
  let nextIndex = 0;

  function take(index: number, item: WireObject): void {
    nextIndex = Math.max(nextIndex, index + 1);
    switch (item['type']) {
      case 'message':
        return takeMessage(index, item);
      case 'function_call':
        return takeCall(index, item);
      default:
        addSources(sources, item, isEarlierTurn(item));
        // Results repeated from an earlier turn are no call of this run.
        if (!isEarlierTurn(item)) native.finish(index, item);
    }
  }

  function takeMessage(index: number, item: WireObject): void {
    const parts = contentParts(item);
    for (const part of parts) {
      const pages = pagesIn(part);
      if (pages.length > 0) sources.add(pages.map(withoutId), { tool: 'annotation' });
    }
    text.message(
      asText(item['id']),
      index,
      parts.map((part) => ({ text: asText(part['text']), citations: annotatedCitations(part, sources.sourceAt) })),
    );
  }

  function takeCall(index: number, item: WireObject): void {
    const toolName = clientToolOf(item);
    if (toolName === undefined) return;
    const wanted = asText(item['call_id']) ?? asText(item['id']) ?? context.callId(index);
    if (callIds.has(wanted)) return;
    callIds.add(wanted);
    const toolCallId = context.freeId(wanted);
    sentCalls.add(item);
    context.onClientCall();
    const input = argumentsOf(item);
    context.emit({ type: 'tool-input-start', id: toolCallId, toolName });
    context.emit({ type: 'tool-input-delta', id: toolCallId, delta: input });
    context.emit({ type: 'tool-input-end', id: toolCallId });
    context.emit({
      type: 'tool-call',
      toolCallId,
      toolName,
      input,
      providerMetadata: {
        perplexity: Object.assign(context.metadata().perplexity, callMetadata(item, context.issuer())),
      },
    });
  }

  /**
   * The client's tool that a function_call asks for. A call that was cut short asks for nothing; broken arguments are
   * the sign of one until the run has ended well.
   */
  function clientToolOf(item: WireObject): string | undefined {
    const name = asText(item['name']);
    if (name === undefined || !tools.functions.has(name) || item['status'] === 'incomplete') return undefined;
    return hasEndedWell || parseJson(argumentsOf(item)) !== undefined ? name : undefined;
  }

  /** An item that the caller has had: nothing is sent, but its numbers keep their meaning. */
  function note(item: WireObject): void {
    addSources(sources, item, isEarlierTurn(item), true);
    if (item['type'] === 'function_call' && clientToolOf(item) !== undefined) hasKnownCall = true;
  }

  function isEarlierTurn(item: WireObject): boolean {
    const { isChained } = context;
    if (isChained === false || !NUMBERED.has(item['type'])) return false;
    return isChained === true ? asArray(item['queries']).length === 0 : item['queries'] === null;
  }

  /** Whether an item needs a place in `metadata.items`, since no part carries it whole. */
  function isLeftover(item: WireObject): boolean {
    if (item['type'] === 'message') return contentParts(item).some((part) => !isCarried(part));
    if (item['type'] === 'function_call') return clientToolOf(item) === undefined;
    return isEarlierTurn(item) || native.shownToolOf(item) === undefined;
  }

  return {
    hasClientCall: () => sentCalls.size > 0,
    hasKnownCall: () => hasKnownCall,
    isEarlierTurn,
    hasItems: () => nextIndex > 0,
    done(index, item) {
      const place = index ?? nextIndex;
      if (!taken.take(place, item)) return false;
      take(place, item);
      return true;
    },
    reconcile(response, isRestKnown) {
      finalItems = asObjects(response?.['output']);
      hasEndedWell = GOOD_STATUSES.has(response?.['status'] ?? 'completed');
      text.beginFinal(
        finalItems.map((item) => (item['type'] === 'message' ? asText(item['id']) : undefined)),
        isRestKnown,
      );
      const pairs = taken.pairWith(finalItems);
      finalItems.forEach((item, index) => {
        const earlier = pairs.get(item);
        // A snapshot may hold more text than the events did, and a call that had to wait; what was sent knows itself.
        const isNew = earlier === undefined;
        if (isNew && isRestKnown && item['type'] !== 'message') note(item);
        else if (isNew || item['type'] === 'message') take(index, item);
        else if (item['type'] === 'function_call' && !sentCalls.has(earlier)) take(index, item);
      });
      // A call with broken arguments that only an event brought: now that the run has ended well, it counts.
      repeated = new Set(pairs.values());
      for (const { index, item } of taken.all) {
        if (item['type'] === 'function_call' && !repeated.has(item) && !sentCalls.has(item)) takeCall(index, item);
      }
    },
    leftovers() {
      const onlyInEvents = taken.all.map(({ item }) => item).filter((item) => !repeated.has(item));
      return [...finalItems, ...onlyInEvents].filter(isLeftover);
    },
  };
}

/** The sources that an item names, by its type. */
export function addSources(sources: Sources, item: WireObject, earlierTurn: boolean, isKnown = false): void {
  switch (item['type']) {
    case 'search_results':
      return sources.add(asObjects(item['results']), { tool: 'web_search', earlierTurn, isKnown });
    case 'people_search_results':
      return sources.add(asObjects(item['results']), { tool: 'people_search', earlierTurn, isKnown });
    case 'fetch_url_results':
      return sources.add(asObjects(item['contents']).map(withoutId), { tool: 'fetch_url', isKnown });
    case 'finance_results': {
      // Bare addresses, without titles (`agent-api.md` §4.2).
      const urls = asObjects(item['results']).flatMap(({ sources: found }) => asTexts(found));
      return sources.add(
        urls.map((url) => ({ url })),
        { tool: 'finance_search', isKnown },
      );
    }
  }
}

/** A text where the schema wants parts is one part. */
const contentParts = ({ content }: WireObject): WireObject[] =>
  typeof content === 'string' ? [{ type: 'output_text', text: content }] : asObjects(content);

// Annotations and fetched pages are not numbered by result ids.
const withoutId = ({ id: _, ...rest }: WireObject): WireObject => rest;

function callMetadata(item: WireObject, issuer: string | undefined): PerplexityAgentToolCallMetadata {
  const itemId = asText(item['id']);
  const thoughtSignature = asText(item['thought_signature']);
  return {
    ...(itemId !== undefined && { itemId }),
    ...(thoughtSignature !== undefined && { thoughtSignature }),
    ...(thoughtSignature !== undefined && issuer !== undefined && { thoughtSignatureModel: issuer }),
  };
}

/** The arguments as a JSON string; none at all are an empty object (`agent-api.md` §8.1). */
function argumentsOf(item: WireObject): string {
  const given = item['arguments'];
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return JSON.stringify(given ?? {});
}
