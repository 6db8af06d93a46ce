import { asObject, parseJson } from '../json.js';
import type { CoreContent, CorePart } from '../spec.js';
import type { Emit, EventMapper } from './event-mapper.js';

/**
 * Structured output has to be one text of bare JSON: the AI SDK joins all texts and parses the whole. Where a run wrote
 * a draft before its searches, or put words or a fence around the JSON, the last text with an object in it stays, bare,
 * and the others go; the whole answer is still in `response.body`. Where there is no object, nothing is touched.
 */
export function bareJsonText(content: readonly CoreContent[]): CoreContent[] {
  const texts = content.filter((part) => part.type === 'text');
  const spread = spreadObject(texts);
  if (spread.length > 0) return content.filter((part) => part.type !== 'text' || spread.includes(part));
  const answer = answersIn(texts).at(-1);
  if (answer === undefined) return [...content];
  return content
    .filter((part) => part.type !== 'text' || part === answer.owner)
    .map((part) => (part === answer.owner ? { ...answer.owner, text: answer.json } : part));
}

type Answer<Owner> = { owner: Owner; json: string };

/** What has an object in its text, with the JSON of that. */
function answersIn<Owner extends { text: string }>(owners: readonly Owner[]): Answer<Owner>[] {
  return owners.flatMap((owner) => {
    const json = jsonObjectIn(owner.text);
    return json === undefined ? [] : [{ owner, json }];
  });
}

/** The texts that are an object only together: the content parts of one message may cut it anywhere. */
function spreadObject<Text extends { text: string }>(texts: readonly Text[]): Text[] {
  const first = texts.findIndex(({ text }) => beginningOf(text, '') === 'object');
  const spread: Text[] = [];
  let joined = '';
  for (const part of first === -1 ? [] : texts.slice(first)) {
    spread.push(part);
    joined += part.text;
    if (isObject(joined)) return spread.length > 1 ? spread : [];
  }
  return [];
}

/** A text that waits. */
type Block = { parts: CorePart[]; text: string; beginning: Beginning };

/**
 * The same for a stream, as far as one can tell before its end: a text that does not begin like an object is held back. Of
 * several the last one with an object in it goes out bare when the run ends, and all as they are when it ends without any.
 *
 * A text that begins like an object goes out as it comes, and what waited before it goes. What comes after it belongs to
 * it until it is whole. Then it can be dropped, unless it has another object: which one is meant nobody can tell any more,
 * and a text that cannot be parsed is better than a draft that can.
 */
function createJsonFilter(): { pass(part: CorePart): CorePart[]; forget(): void } {
  const held = new Map<string, Block>();
  const dropped = new Set<string>();
  let sent = '';

  function drop(): void {
    for (const id of held.keys()) dropped.add(id);
    held.clear();
  }

  function onStart(part: Extract<CorePart, { type: 'text-start' }>): CorePart[] {
    if (sent !== '' && !isObject(sent)) return [part];
    held.set(part.id, { parts: [part], text: '', beginning: '' });
    return [];
  }

  function onDelta(part: Extract<CorePart, { type: 'text-delta' }>): CorePart[] {
    if (dropped.has(part.id)) return [];
    const block = held.get(part.id);
    if (block === undefined) {
      sent += part.delta;
      return [part];
    }
    block.parts.push(part);
    block.text += part.delta;
    // Each piece is looked at once: a long text is not searched again with each.
    block.beginning = beginningOf(part.delta, block.beginning);
    if (block.beginning !== 'object' || sent !== '') return [];
    held.delete(part.id);
    drop();
    sent = block.text;
    return block.parts;
  }

  function onEnd(part: Extract<CorePart, { type: 'text-end' }>): CorePart[] {
    const block = held.get(part.id);
    if (block === undefined) return dropped.has(part.id) ? [] : [part];
    block.parts.push(part);
    const corrected = part.providerMetadata?.perplexity['correctedText'];
    if (typeof corrected === 'string') block.text = corrected;
    return [];
  }

  /** What is held, when nothing better came. */
  function release(): CorePart[] {
    const blocks = [...held.values()];
    held.clear();
    const answers = answersIn(blocks);
    if (sent !== '') return answers.filter(({ json }) => !isSameJson(json, sent)).flatMap(bareParts);
    const answer = answers.at(-1);
    return answer === undefined ? blocks.flatMap(({ parts }) => parts) : bareParts(answer);
  }

  return {
    pass(part) {
      switch (part.type) {
        case 'text-start':
          return onStart(part);
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
    },
    forget: drop,
  };
}

/** The parts of a text, with nothing but its JSON in it. */
function bareParts({ owner, json }: Answer<Block>): CorePart[] {
  return owner.parts.flatMap((part): CorePart[] => {
    if (part.type === 'text-start') return [part, { type: 'text-delta', id: part.id, delta: json }];
    if (part.type !== 'text-end' || part.providerMetadata === undefined)
      return part.type === 'text-delta' ? [] : [part];
    const { correctedText: _, ...perplexity } = part.providerMetadata.perplexity;
    return [{ ...part, providerMetadata: { perplexity } }];
  });
}

/**
 * A mapper whose parts have passed the filter. `isAttached`: a run that is cut off can be taken up again, and what is held back
 * comes then.
 */
export function withJsonFilter(create: (emit: Emit) => EventMapper, emit: Emit, isAttached: boolean): EventMapper {
  const { pass, forget } = createJsonFilter();
  const mapper = create((part) => pass(part).forEach((passed) => emit(passed)));
  return {
    ...mapper,
    end(cut) {
      if (isAttached) forget();
      mapper.end(cut);
    },
  };
}

const FENCE = '```';

const isObject = (text: string) => asObject(parseJson(text)) !== undefined;

const isSameJson = (one: string, other: string) => JSON.stringify(parseJson(one)) === JSON.stringify(parseJson(other));

/** The JSON object that a text is, or that stands in its fence; the root of a schema is always an object (§2.5). */
function jsonObjectIn(text: string): string | undefined {
  const start = text.indexOf(FENCE);
  const end = text.lastIndexOf(FENCE);
  // The first line of a fence names the language.
  const inside = end > start ? text.slice(text.indexOf('\n', start) + 1 || end, end).trim() : '';
  return [text, inside].find(isObject);
}

/** How a text begins: with nothing yet, with a brace, with a brace and what follows it in an object, or otherwise. */
type Beginning = '' | '{' | 'object' | 'other';

/** How a text begins, by how it began so far and its next piece. */
function beginningOf(piece: string, before: Beginning): Beginning {
  if (before === 'object' || before === 'other') return before;
  const rest = piece.trimStart();
  if (before === '{') return rest === '' ? '{' : /^["}]/.test(rest) ? 'object' : 'other';
  if (rest === '') return '';
  return rest.startsWith('{') ? beginningOf(rest.slice(1), '{') : 'other';
}
