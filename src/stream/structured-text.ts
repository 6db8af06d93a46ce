import { asObject, parseJson } from '../json.js';
import type { CoreContent, CorePart } from '../spec.js';
import type { Emit, EventMapper } from './event-mapper.js';

/**
 * Structured output has to be one text of bare JSON: the AI SDK joins all texts and parses the whole. Where a run wrote
 * a draft before its searches, or put words or a fence around the JSON, the last text with an object in it stays, bare,
 * and the others go; the whole answer is still in `response.body`. Where there is no object, nothing is touched.
 */
export function bareJsonText(content: readonly CoreContent[]): CoreContent[] {
  const answers = content.flatMap((part) => {
    const json = part.type === 'text' ? jsonObjectIn(part.text) : undefined;
    return json === undefined ? [] : [{ part, json }];
  });
  const answer = answers.at(-1);
  if (answer === undefined) return [...content];
  return content
    .filter((part) => part.type !== 'text' || part === answer.part)
    .map((part) => (part === answer.part ? { ...answer.part, text: answer.json } : part));
}

/**
 * The same for a stream, as far as one can tell before its end: a text that does not begin like an object is held back. It
 * goes out bare when an object stands in it, as it is when the run ends without any object, and not at all otherwise.
 */
function createJsonFilter(): { pass(part: CorePart): CorePart[]; forget(): void } {
  const held = new Map<string, { parts: CorePart[]; text: string; isTold: boolean }>();
  const passing = new Set<string>();
  const forgotten = new Set<string>();

  /** What is held when nothing better came. */
  function release(): CorePart[] {
    const parts = passing.size > 0 ? [] : [...held.values()].flatMap((block) => block.parts);
    held.clear();
    return parts;
  }

  function onDelta(part: Extract<CorePart, { type: 'text-delta' }>): CorePart[] {
    const block = held.get(part.id);
    if (block === undefined) return [part];
    block.parts.push(part);
    block.text += part.delta;
    // The first visible character tells, and is looked at once: a long text is not searched again with each piece.
    if (block.isTold || part.delta.trim() === '') return [];
    block.isTold = true;
    if (!part.delta.trimStart().startsWith('{')) return [];
    held.delete(part.id);
    passing.add(part.id);
    return block.parts;
  }

  function onEnd(part: Extract<CorePart, { type: 'text-end' }>): CorePart[] {
    const block = held.get(part.id);
    if (block === undefined) return forgotten.has(part.id) ? [] : [part];
    block.parts.push(part);
    const json = jsonObjectIn(block.text);
    const [start] = block.parts;
    if (json === undefined || start === undefined) return [];
    held.delete(part.id);
    passing.add(part.id);
    return [start, { type: 'text-delta', id: part.id, delta: json }, part];
  }

  function pass(part: CorePart): CorePart[] {
    switch (part.type) {
      case 'text-start':
        held.set(part.id, { parts: [part], text: '', isTold: false });
        return [];
      case 'text-delta':
        return onDelta(part);
      case 'text-end':
        return onEnd(part);
      case 'error':
      case 'finish':
        return [...release(), part];
      default:
        return [part];
    }
  }

  return {
    pass,
    forget() {
      for (const id of held.keys()) forgotten.add(id);
      held.clear();
    },
  };
}

/**
 * A mapper whose parts have passed the filter. `isAttached`: a run that is cut off can be taken up again, and what is held back
 * comes then.
 */
export function withJsonFilter(create: (emit: Emit) => EventMapper, emit: Emit, isAttached: boolean): EventMapper {
  const { pass, forget } = createJsonFilter();
  const mapper = create((part) => pass(part).forEach((passed) => emit(passed)));
  return {
    get ended() {
      return mapper.ended;
    },
    get responseId() {
      return mapper.responseId;
    },
    get response() {
      return mapper.response;
    },
    push: (event) => mapper.push(event),
    announce: (responseId) => mapper.announce(responseId),
    end(cut) {
      if (isAttached) forget();
      mapper.end(cut);
    },
  };
}

const FENCE = '```';

/** The JSON object that a text is, or that stands in its fence; the root of a schema is always an object (§2.5). */
function jsonObjectIn(text: string): string | undefined {
  const start = text.indexOf(FENCE);
  const end = text.lastIndexOf(FENCE);
  // The first line of a fence names the language.
  const inside = end > start ? text.slice(text.indexOf('\n', start) + 1 || end, end).trim() : '';
  return [text, inside].find((candidate) => asObject(parseJson(candidate)) !== undefined);
}
