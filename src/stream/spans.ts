import type { CitedPlace } from '../citations/marker-list.js';
import type { CoreCitation, CoreSource } from '../spec.js';

/**
 * The citations of a text in the order of their places: its markers whose source is known, and what of `others` says more
 * than they do.
 */
export function citationsOf(
  markers: Iterable<CitedPlace>,
  sourceOf: (resultId: string) => CoreSource | undefined,
  others: readonly CoreCitation[] = [],
): { citations?: CoreCitation[] } {
  const citations: CoreCitation[] = [];
  for (const { start, end, resultId } of markers) {
    const source = sourceOf(resultId);
    if (source !== undefined) citations.push({ source, startIndex: start, endIndex: end });
  }
  const said = new Set(citations.flatMap(whatItSays));
  // Those without a place last: they only add sources that are cited nowhere else.
  for (const citation of [...others].sort(byPlace)) {
    const [most] = whatItSays(citation);
    if (said.has(most)) continue;
    for (const saying of whatItSays(citation)) said.add(saying);
    citations.push(citation);
  }
  return citations.length === 0 ? {} : { citations: citations.sort(byPlace) };
}

const byPlace = (one: CoreCitation, other: CoreCitation) =>
  placeOf(one) === placeOf(other) ? 0 : placeOf(one) - placeOf(other);

const placeOf = ({ startIndex }: CoreCitation) => startIndex ?? Infinity;

/** The most that a citation says, and the less that is said with it. */
const whatItSays = ({ source, startIndex, endIndex }: CoreCitation): [string, ...string[]] =>
  startIndex === undefined ? [source.url] : [`${startIndex}-${endIndex} ${source.url}`, source.url];

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
