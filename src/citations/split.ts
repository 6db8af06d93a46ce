import { createResolver, type AnySource, type CitationLookup, type CitedSource } from './resolve.js';
import { createMarkerScanner, type Marker } from './scanner.js';

/** A piece of an answer: text, or a marker such as `[7]` that cites a source. */
export type CitationSegment<SOURCE = AnySource> =
  | { type: 'text'; text: string }
  | {
      type: 'citation';
      /** As it stands in the text: `[7]` or `[web:7]`. */
      marker: string;
      /** The number in it: the `id` of a search result. */
      resultId: string;
      /** Your own source object for the URL, else `{ url }`; absent where nobody says what the number stands for. */
      source?: CitedSource<SOURCE>;
    };

/**
 * Splits an answer at its citations, to show each as you like. The `text`s and `marker`s of the segments join to the
 * answer exactly.
 *
 * `[7]` is a citation if its number is known, else it stays text: it may be an array's element or a year. `[web:7]` is
 * one in any case, without `source` where its number is not known. Brackets in code spans and fenced code, `\[7]`, links
 * and images stay text.
 *
 * A number is looked up in `citations` first, then in `resultIds` of the sources. Numbers restart with each step, so
 * give it the text of one step: of several steps' sources only those of one response count, which is the one that
 * `citations` names or else that of the last source.
 *
 * @param text A text part, or the text of one step.
 * @param sources `sources` of a result or a step, or the parts of a UI message (`source-url` parts are picked out).
 * @param citations `providerMetadata` of the step, the result or the text part, or what it holds under `perplexity`, or
 * the map `citations` in it. Without it, a URL that was found again later is not known by its later numbers.
 */
export function splitCitations<SOURCE extends object>(
  text: string,
  sources: readonly SOURCE[] | undefined,
  citations?: CitationLookup,
): CitationSegment<SOURCE>[] {
  const resolve = createResolver(sources, citations);
  const segments: CitationSegment<SOURCE>[] = [];
  let from = 0;
  const addText = (end: number) => {
    if (end > from) segments.push({ type: 'text', text: text.slice(from, end) });
  };
  for (const { start, end, resultId, isExplicit } of markersIn(text)) {
    const source = resolve(resultId);
    if (source === undefined && !isExplicit) continue;
    addText(start);
    segments.push({
      type: 'citation',
      marker: text.slice(start, end),
      resultId,
      ...(source !== undefined && { source }),
    });
    from = end;
  }
  addText(text.length);
  return segments;
}

/** The markers of a whole text. */
export function markersIn(text: string): Marker[] {
  const markers: Marker[] = [];
  const scanner = createMarkerScanner((marker) => markers.push(marker));
  scanner.push(text);
  scanner.end();
  return markers;
}
