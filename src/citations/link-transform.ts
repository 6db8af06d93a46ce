import { asArray, asObject, asText, type WireObject } from '../json.js';
import { createLinker, type Linker } from './links.js';
import { citationOf, citationsOf, factsOf } from './resolve.js';

/** Takes what a stream tells about results on the way; numbers restart with each response. */
function createKnownCitations() {
  let responseId: string | undefined;
  let citations: WireObject = {};
  let ofSources = new Map<string, string>();

  function enter(id: string | undefined): void {
    if (id === responseId) return;
    responseId = id;
    citations = {};
    ofSources = new Map();
  }

  return {
    enter,
    note(part: WireObject): void {
      const metadata = asObject(asObject(part['providerMetadata'])?.['perplexity']);
      if (metadata === undefined) return;
      enter(asText(metadata['responseId']));
      if (part['type'] === 'source') {
        const facts = factsOf(part);
        for (const id of facts?.resultIds ?? []) if (facts !== undefined) ofSources.set(id, facts.url);
      } else {
        citations = citationsOf(metadata).citations;
      }
    },
    urlOf: (resultId: string) => citationOf(citations, resultId) ?? ofSources.get(resultId),
  };
}

type Block = { linker: Linker; lastDelta: WireObject | undefined };

/**
 * `linkCitations` for streams: `streamText({ experimental_transform: linkCitationsTransform() })` in ai 5, 6 and 7. A
 * marker that is cut over several deltas is put together; only what may be part of one is held back, so text flows on.
 * What a number stands for is looked up in what has come by then: `citations` on `text-start`, and `source` parts.
 *
 * Parts other than text deltas pass as they are, but for the spans that ai 7 has on `text-end`, which move along with the
 * text. Goes together with `smoothStream()` in either order: `experimental_transform: [linkCitationsTransform(),
 * smoothStream()]`. The linked text is also what the result and the message history hold.
 */
export function linkCitationsTransform(): <PART extends { type: string }>(
  options?: unknown,
) => TransformStream<PART, PART> {
  return <PART extends { type: string }>() => {
    const known = createKnownCitations();
    const blocks = new Map<string, Block>();
    const asPart = (part: WireObject) => part as unknown as PART;

    /** What a block still holds goes out. */
    function flush(id: string, controller: TransformStreamDefaultController<PART>): Block | undefined {
      const block = blocks.get(id);
      blocks.delete(id);
      const text = block?.linker.end() ?? '';
      if (text !== '') controller.enqueue(asPart({ type: 'text-delta', id, ...block?.lastDelta, text }));
      return block;
    }
    const flushAll = (controller: TransformStreamDefaultController<PART>) => {
      for (const id of blocks.keys()) flush(id, controller);
    };

    return new TransformStream<PART, PART>({
      transform(part, controller) {
        const fields = part as WireObject;
        const id = String(fields['id']);
        switch (part.type) {
          case 'start-step':
          case 'finish-step':
          case 'finish':
          case 'abort':
            flushAll(controller);
            if (part.type === 'start-step') known.enter(undefined);
            break;
          case 'source':
            known.note(fields);
            break;
          case 'text-start':
            known.note(fields);
            flush(id, controller);
            break;
          case 'text-delta': {
            const given = fields['text'];
            if (typeof given !== 'string') break;
            const block = blocks.get(id) ?? { linker: createLinker(known.urlOf), lastDelta: undefined };
            blocks.set(id, block);
            const text = block.linker.push(given);
            block.lastDelta = fields;
            // Where nothing is held or linked, the very part passes.
            if (text !== '') controller.enqueue(text === given ? part : asPart({ ...fields, text }));
            else if (given === '') controller.enqueue(part);
            return;
          }
          case 'text-end': {
            const linker = flush(id, controller)?.linker;
            const citations = fields['citations'];
            if (linker === undefined || !Array.isArray(citations)) break;
            controller.enqueue(asPart({ ...fields, citations: asArray(citations).map(movedBy(linker)) }));
            return;
          }
        }
        controller.enqueue(part);
      },
      flush: flushAll,
    });
  };
}

/** A citation's span, in the linked text. */
const movedBy =
  ({ moved }: Linker) =>
  (citation: unknown): unknown => {
    const span = asObject(citation);
    if (span === undefined) return citation;
    const { startIndex, endIndex } = span;
    return {
      ...span,
      ...(typeof startIndex === 'number' && { startIndex: moved(startIndex) }),
      ...(typeof endIndex === 'number' && { endIndex: moved(endIndex) }),
    };
  };
