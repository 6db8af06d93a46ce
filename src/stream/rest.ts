import type { JSONObject } from '@ai-sdk/provider';
import { asText, type WireObject } from '../json.js';
import type { CoreFinish, CoreMetadata, CorePart, CoreToolCall } from '../spec.js';
import type { Emit, EventMapper } from './event-mapper.js';
import { isOpening, reasonOf, sequenceNumberOf } from './finish.js';
import { citationsAfter } from './spans.js';

type Part<Type extends CorePart['type']> = Extract<CorePart, { type: Type }>;

/** What was going on when the caller left. */
type Pending = {
  texts: Map<string, { start: Part<'text-start'>; length: number }>;
  reasonings: Map<string, Part<'reasoning-start'>>;
  /** Native calls without a result, with the parts of their input. */
  calls: Map<string, CorePart[]>;
};

/**
 * The mapping of a run for a caller who has had its beginning: all events are mapped, and the parts of those after the number
 * are delivered. Only so nothing comes twice, since the later events do not tell what the earlier ones brought: the results of
 * a search come once with an event and once with its item, and two tools find the same page.
 *
 * Where the number cannot be found again, since the events are lost halfway, the whole run is delivered from its beginning,
 * `restarted` on its parts.
 */
export function createRestMapper(
  startingAfter: number,
  create: (startsLate: boolean, emit: Emit) => EventMapper,
  emit: Emit,
): EventMapper {
  /** What the mapping has made so far of what it was last given. */
  let made: CorePart[] = [];
  const collect: Emit = (part) => made.push(part);
  function partsOf(give: () => void): CorePart[] {
    made = [];
    give();
    return made;
  }

  let mapper = create(false, collect);
  let hasBegun = false;
  let isPast = false;
  let isRestarted = false;
  let hasClientCall = false;
  /** What the caller has had, as long as it may have to be told again. */
  let held: CorePart[] = [];
  let pending: Pending = pendingIn([]);
  /** Text of open blocks that the caller has had: positions are counted without it. */
  const lengths = new Map<string, number>();

  const hasHad = (event: WireObject) =>
    !isPast && !isSnapshot(event) && (sequenceNumberOf(event) ?? -1) <= startingAfter;

  function hold(parts: readonly CorePart[]): CorePart[] {
    held.push(...parts);
    if (!mapper.hasEnded()) return parts.filter(({ type }) => type === 'response-metadata');
    return endOf(parts);
  }

  /** The number cannot be found again: all of the run is told. */
  function restart(parts: readonly CorePart[]): CorePart[] {
    const told = held.filter(({ type }) => type !== 'response-metadata');
    isPast = true;
    isRestarted = true;
    held = [];
    return [...told, ...parts].map(asRestarted);
  }

  /** Of a run that was over for the caller: how it ended, once more. */
  function endOf(parts: readonly CorePart[]): CorePart[] {
    isPast = true;
    held = [];
    return parts
      .filter(({ type }) => type === 'response-metadata' || type === 'error' || type === 'finish')
      .flatMap(goOn);
  }

  function goOn(part: CorePart): CorePart[] {
    switch (part.type) {
      case 'text-delta':
        return [...reopenText(part.id), part];
      case 'text-end':
        return endText(part);
      case 'reasoning-delta': {
        const start = pending.reasonings.get(part.id);
        pending.reasonings.delete(part.id);
        return start === undefined ? [part] : [here(start), part];
      }
      case 'reasoning-end':
        return pending.reasonings.delete(part.id) ? [] : [part];
      case 'tool-call':
        hasClientCall ||= part.providerExecuted !== true;
        return [part];
      case 'tool-result': {
        const call = pending.calls.get(part.toolCallId) ?? [];
        pending.calls.delete(part.toolCallId);
        return [...call.map(here), part];
      }
      case 'finish':
        return [finishOf(part)];
      default:
        return [part];
    }
  }

  function reopenText(id: string): CorePart[] {
    const text = pending.texts.get(id);
    if (text === undefined) return [];
    pending.texts.delete(id);
    lengths.set(id, text.length);
    return [here(text.start)];
  }

  function endText(part: Part<'text-end'>): CorePart[] {
    const isCorrected = part.providerMetadata?.perplexity['correctedText'] !== undefined;
    // All of it was there before, and it was right.
    if (!isCorrected && pending.texts.delete(part.id)) return [];
    const before = reopenText(part.id);
    const shift = lengths.get(part.id) ?? 0;
    if (shift === 0 || part.citations === undefined) return [...before, part];
    const citations = citationsAfter(shift, part.citations);
    const { citations: _, ...rest } = part;
    return [...before, citations.length === 0 ? rest : { ...rest, citations }];
  }

  /** A call that the caller has had is not acted on a second time. */
  function finishOf(part: CoreFinish): CoreFinish {
    if (hasClientCall || part.finishReason.unified !== 'tool-calls') return part;
    const { status, incompleteReason } = part.providerMetadata.perplexity;
    return { ...part, finishReason: reasonOf(asText(status) ?? 'completed', asText(incompleteReason), false) };
  }

  let number: number | undefined;
  /** What is opened again stands at the event that goes on with it. */
  const here = <P extends CorePart>(part: P): P =>
    number === undefined ? part : withMetadata(part, { lastSequenceNumber: number });

  /** What the caller lacks of an event's parts. */
  function restOf(event: WireObject, parts: readonly CorePart[], isKnown: boolean): CorePart[] {
    // The number is beyond the end: it was not one of this run.
    if (isKnown && mapper.hasEnded() && sequenceNumberOf(event) !== startingAfter) return restart(parts);
    if (isKnown) return hold(parts);
    if (isPast) return isRestarted ? parts.map(asRestarted) : parts.flatMap(goOn);
    if (isSnapshot(event)) return restart(parts);
    isPast = true;
    pending = pendingIn(held);
    held = [];
    return parts.flatMap(goOn);
  }

  return {
    hasEnded: () => mapper.hasEnded(),
    responseId: () => mapper.responseId(),
    response: () => mapper.response(),
    hasHad,
    announce(responseId) {
      partsOf(() => mapper.announce(responseId)).forEach(emit);
    },
    push(event) {
      // These events begin later than the run, and nobody knows what was before.
      if (!hasBegun && !isOpening(event) && !isSnapshot(event)) mapper = create(true, collect);
      hasBegun = true;
      number = sequenceNumberOf(event) ?? number;
      const isKnown = hasHad(event);
      const parts = partsOf(() => mapper.push(event));
      restOf(event, parts, isKnown).forEach(emit);
    },
    end(cut) {
      const parts = partsOf(() => mapper.end(cut));
      const rest = isRestarted ? parts.map(asRestarted) : isPast ? parts.flatMap(goOn) : endOf(parts);
      rest.forEach(emit);
    },
  };
}

/** Where a run stands, asked for: no event of its stream. */
const isSnapshot = (event: WireObject) => sequenceNumberOf(event) === undefined && event['response'] !== undefined;

function withMetadata<P extends CorePart>(part: P, fields: JSONObject): P {
  const given = 'providerMetadata' in part ? part.providerMetadata : undefined;
  if (given === undefined) return part;
  const providerMetadata: CoreMetadata = { perplexity: { ...given.perplexity, ...fields } };
  return { ...part, providerMetadata };
}

const asRestarted = (part: CorePart): CorePart => withMetadata(part, { restarted: true });

function pendingIn(parts: readonly CorePart[]): Pending {
  const pending: Pending = { texts: new Map(), reasonings: new Map(), calls: new Map() };
  const inputs = new Map<string, CorePart[]>();
  const addInput = (id: string, part: CorePart) => inputs.set(id, [...(inputs.get(id) ?? []), part]);
  for (const part of parts) {
    switch (part.type) {
      case 'text-start':
        pending.texts.set(part.id, { start: part, length: 0 });
        break;
      case 'text-delta': {
        const text = pending.texts.get(part.id);
        if (text !== undefined) text.length += part.delta.length;
        break;
      }
      case 'text-end':
        pending.texts.delete(part.id);
        break;
      case 'reasoning-start':
        pending.reasonings.set(part.id, part);
        break;
      case 'reasoning-end':
        pending.reasonings.delete(part.id);
        break;
      case 'tool-input-start':
      case 'tool-input-delta':
      case 'tool-input-end':
        addInput(part.id, part);
        break;
      case 'tool-call':
        if (isNative(part)) pending.calls.set(part.toolCallId, [...(inputs.get(part.toolCallId) ?? []), part]);
        break;
      case 'tool-result':
        pending.calls.delete(part.toolCallId);
        break;
    }
  }
  return pending;
}

const isNative = ({ providerExecuted }: CoreToolCall) => providerExecuted === true;
