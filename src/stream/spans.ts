import type { Marker } from '../citations/scanner.js';
import type { CoreCitation, CoreSource } from '../spec.js';

/** The spans of the markers whose source is known. */
export function citationsOf(
  markers: readonly Marker[],
  sourceOf: (resultId: string) => CoreSource | undefined,
): { citations?: CoreCitation[] } {
  const citations = markers.flatMap(({ start, end, resultId }) => {
    const source = sourceOf(resultId);
    return source === undefined ? [] : [{ source, startIndex: start, endIndex: end }];
  });
  return citations.length === 0 ? {} : { citations };
}

/** A source as it is cited: its metadata is on the `source` part of that id, and would come again with every marker. */
export function citedSource({ type, sourceType, id, url, title }: CoreSource): CoreSource {
  return { type, sourceType, id, url, ...(title !== undefined && { title }) };
}
