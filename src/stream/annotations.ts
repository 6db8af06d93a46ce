/** What the wire says about a text beside it: `url_citation` annotations (`agent-api.md` §4.3). */
import { asObjects, asText, type WireObject } from '../json.js';
import type { CoreCitation, CoreSource } from '../spec.js';

/** The annotations of a content part that name a page. */
export const pagesIn = (part: WireObject): WireObject[] =>
  asObjects(part['annotations']).filter(({ url }) => asText(url) !== undefined);

/** What a content part cites by its annotations. Only places that the text has are told. */
export function annotatedCitations(
  part: WireObject,
  sourceAt: (url: string) => CoreSource | undefined,
): CoreCitation[] {
  const length = asText(part['text'])?.length ?? 0;
  return pagesIn(part).flatMap(({ url, start_index: start, end_index: end }) => {
    const source = sourceAt(String(url));
    if (source === undefined) return [];
    const isPlace = isIndex(start) && isIndex(end) && start <= end && end <= length;
    return [isPlace ? { source, startIndex: start, endIndex: end } : { source }];
  });
}

const isIndex = (value: unknown): value is number => Number.isInteger(value) && (value as number) >= 0;

/** The fields that a source and a citation hold; positions that are none tell nothing. */
const CARRIED: ReadonlySet<string> = new Set(['type', 'url', 'title', 'start_index', 'end_index']);

/** Whether parts carry all of a content part: its text, and what its annotations cite. */
export const isCarried = (part: WireObject): boolean =>
  typeof part['text'] === 'string' &&
  asObjects(part['annotations']).every((note) => Object.keys(note).every((key) => CARRIED.has(key)));
