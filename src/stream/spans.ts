import type { Marker } from '../citations/scanner.js';
import type { CoreCitation, CoreSource } from '../spec.js';

/**
 * The citations of a text in the order of their places: its markers whose source is known, and what of `others` says more
 * than they do.
 */
export function citationsOf(
  markers: readonly Marker[],
  sourceOf: (resultId: string) => CoreSource | undefined,
  others: readonly CoreCitation[] = [],
): { citations?: CoreCitation[] } {
  const citations: CoreCitation[] = markers.flatMap(({ start, end, resultId }) => {
    const source = sourceOf(resultId);
    return source === undefined ? [] : [{ source, startIndex: start, endIndex: end }];
  });
  // Those without a place last: they only add sources that are cited nowhere else.
  for (const citation of [...others].sort(byPlace)) {
    if (!citations.some((known) => saysAsMuch(known, citation))) citations.push(citation);
  }
  return citations.length === 0 ? {} : { citations: citations.sort(byPlace) };
}

const byPlace = (one: CoreCitation, other: CoreCitation) =>
  placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other);

const placeOf = ({ startIndex }: CoreCitation) => startIndex ?? Infinity;

const saysAsMuch = (known: CoreCitation, { source, startIndex, endIndex }: CoreCitation) =>
  known.source.url === source.url &&
  (startIndex === undefined || (known.startIndex === startIndex && known.endIndex === endIndex));

/** Citations of a text as those of what is left of it after `start`; a place before that is gone. */
export function citationsAfter(start: number, citations: readonly CoreCitation[]): CoreCitation[] {
  return citations.flatMap((citation) => {
    const { source, startIndex, endIndex } = citation;
    if (startIndex === undefined || endIndex === undefined) return [citation];
    return startIndex < start ? [] : [{ source, startIndex: startIndex - start, endIndex: endIndex - start }];
  });
}

/** Citations whose places in a text cannot be told. */
export const withoutPlaces = (citations: readonly CoreCitation[]): CoreCitation[] =>
  citations.map(({ source }) => ({ source }));

/** A source as it is cited: its metadata is on the `source` part of that id, and would come again with every marker. */
export function citedSource({ type, sourceType, id, url, title }: CoreSource): CoreSource {
  return { type, sourceType, id, url, ...(title !== undefined && { title }) };
}
