import { asArray, asObjects, asText, asTexts, type WireObject } from '../json.js';
import type { CoreMetadata, CorePart, ToolTable } from '../spec.js';
import { declaredToolOf, type NativeCalls } from './native-calls.js';
import type { Sources } from './sources.js';
import type { TextBlocks } from './text-blocks.js';

/** What a run's output items are turned into. */
export type OutputItems = {
  /** A complete item, from `output_item.done` or from the final output; each is taken once. */
  done(index: number | undefined, item: WireObject): void;
  /** The final output: what was not seen before is taken now. */
  reconcile(output: readonly unknown[]): void;
  /** Items that have no part of their own, in the order of the output (design decision 19). */
  leftovers(): WireObject[];
  /** Whether a call of a client tool was emitted. */
  readonly hasClientCall: boolean;
  /** Whether any item came. */
  readonly hasItems: boolean;
};

export type OutputContext = {
  tools: ToolTable;
  /** The request continues an earlier one: then `queries: null` marks results that are repeated (`agent-api.md` §4.3). */
  isChained: boolean;
  /** Whom a thought signature belongs to (design decision 13). */
  requestedModel: string | undefined;
  text: TextBlocks;
  sources: Sources;
  native: NativeCalls;
  /** Key of a message by its id and place. */
  messageKey(id: string | undefined, index: number | undefined): string;
  callId(index: number): string;
  metadata(): CoreMetadata;
  /** Called before a client's call. */
  onClientCall(): void;
  emit(part: CorePart): void;
};

export function createOutputItems(context: OutputContext): OutputItems {
  const { tools, text, sources, native } = context;
  /** Items taken from events, by what they are: the final output repeats them, possibly at other places. */
  const taken = new Map<string, number>();
  const takenAt = new Map<number, { identity: string; type: unknown }>();
  const calls = new Set<string>();
  const unplaced: WireObject[] = [];
  let finalLeftovers: WireObject[] | undefined;
  let nextIndex = 0;
  let hasClientCall = false;

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
    const key = context.messageKey(asText(item['id']), index);
    const parts = contentParts(item);
    parts.forEach((part, content) => {
      const whole = asText(part['text']);
      if (whole !== undefined) text.complete(key, content, whole);
      const annotations = asObjects(part['annotations']).filter(({ url }) => asText(url) !== undefined);
      if (annotations.length > 0) sources.add(annotations.map(withoutId), { tool: 'annotation' });
    });
    if (parts.length > 0) text.close(key);
  }

  function takeCall(index: number, item: WireObject): void {
    const toolName = asText(item['name']);
    if (toolName === undefined || !tools.functions.has(toolName)) return;
    const toolCallId = asText(item['call_id']) ?? asText(item['id']) ?? context.callId(index);
    if (calls.has(toolCallId)) return;
    calls.add(toolCallId);
    hasClientCall = true;
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
      providerMetadata: { perplexity: { ...context.metadata().perplexity, ...callMetadata(item) } },
    });
  }

  function callMetadata(item: WireObject) {
    const itemId = asText(item['id']);
    const thoughtSignature = asText(item['thought_signature']);
    return {
      ...(itemId !== undefined && { itemId }),
      ...(thoughtSignature !== undefined && {
        thoughtSignature,
        ...(context.requestedModel !== undefined && { thoughtSignatureModel: context.requestedModel }),
      }),
    };
  }

  const isEarlierTurn = (item: WireObject) =>
    context.isChained && item['type'] === 'search_results' && asArray(item['queries']).length === 0;

  /** Whether events brought an item of the final output already. */
  function wasTaken(item: WireObject, index: number, inOutput: ReadonlySet<string>): boolean {
    const identity = identityOf(item);
    const count = taken.get(identity) ?? 0;
    if (count > 0) {
      taken.set(identity, count - 1);
      return true;
    }
    // The same item, with details that differ between its event and the snapshot.
    const there = takenAt.get(index);
    return there !== undefined && there.type === item['type'] && !inOutput.has(there.identity);
  }

  /** Whether an item needs a place in `metadata.items`, since no part carries it whole. */
  function isLeftover(item: WireObject): boolean {
    if (item['type'] === 'message') return contentParts(item).some((part) => typeof part['text'] !== 'string');
    if (item['type'] === 'function_call') return !tools.functions.has(asText(item['name']) ?? '');
    return isEarlierTurn(item) || declaredToolOf(tools, asText(item['type'])) === undefined;
  }

  return {
    get hasClientCall() {
      return hasClientCall;
    },
    get hasItems() {
      return nextIndex > 0;
    },
    done(index, item) {
      const place = index ?? nextIndex;
      const identity = identityOf(item);
      if (takenAt.get(place)?.identity === identity) return;
      takenAt.set(place, { identity, type: item['type'] });
      taken.set(identity, (taken.get(identity) ?? 0) + 1);
      if (isLeftover(item)) unplaced.push(item);
      take(place, item);
    },
    reconcile(output) {
      const items = asObjects(output);
      finalLeftovers = items.filter(isLeftover);
      const identities = new Set(items.map(identityOf));
      items.forEach((item, index) => {
        // A snapshot may hold more text than the item's own events did; text blocks know what they have sent.
        if (item['type'] === 'message' || !wasTaken(item, index, identities)) take(index, item);
      });
    },
    leftovers() {
      if (finalLeftovers === undefined) return unplaced;
      const inOutput = new Set(finalLeftovers.map(identityOf));
      return [...finalLeftovers, ...unplaced.filter((item) => !inOutput.has(identityOf(item)))];
    },
  };
}

/** The sources that an item names, by its type. */
export function addSources(sources: Sources, item: WireObject, earlierTurn: boolean): void {
  switch (item['type']) {
    case 'search_results':
      return sources.add(asObjects(item['results']), { tool: 'web_search', earlierTurn });
    case 'people_search_results':
      return sources.add(asObjects(item['results']), { tool: 'people_search' });
    case 'fetch_url_results':
      return sources.add(asObjects(item['contents']).map(withoutId), { tool: 'fetch_url' });
    case 'finance_results': {
      // Bare addresses, without titles (`agent-api.md` §4.2).
      const urls = asObjects(item['results']).flatMap(({ sources: found }) => asTexts(found));
      return sources.add(
        urls.map((url) => ({ url })),
        { tool: 'finance_search' },
      );
    }
  }
}

/** A text where the schema wants parts is one part. */
const contentParts = ({ content }: WireObject): WireObject[] =>
  typeof content === 'string' ? [{ type: 'output_text', text: content }] : asObjects(content);

// Annotations and fetched pages are not numbered by result ids.
const withoutId = ({ id: _, ...rest }: WireObject): WireObject => rest;

/** The arguments as a JSON string; none at all are an empty object (`agent-api.md` §8.1). */
function argumentsOf(item: WireObject): string {
  const given = item['arguments'];
  if (typeof given === 'string') return given.trim() === '' ? '{}' : given;
  return JSON.stringify(given ?? {});
}

/**
 * What an item is, for telling whether the final output repeats it. Messages and calls have ids; results have none
 * (`agent-api.md` §4.2) and are known by what they hold.
 */
function identityOf(item: WireObject): string {
  const type = asText(item['type']) ?? '';
  const id = asText(item['call_id']) ?? asText(item['id']);
  if (id !== undefined) return `${type}:${id}`;
  const results = [...asObjects(item['results']), ...asObjects(item['contents'])];
  if (results.length === 0) return `${type}:${JSON.stringify(item)}`;
  const first = results[0] ?? {};
  const last = results.at(-1) ?? {};
  return JSON.stringify([type, item['queries'], results.length, first['id'], first['url'], last['id'], last['url']]);
}
