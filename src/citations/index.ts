export { splitCitations, type CitationSegment } from './split.js';
export { linkCitations } from './links.js';
export { linkCitationsTransform } from './link-transform.js';
export type { CitationLookup, CitedSource } from './resolve.js';
