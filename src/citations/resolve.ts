/** What a marker's number stands for (design decision 9). */
import { asArray, asObject, asText, type WireObject } from '../json.js';

/** What all sources have in common. */
export type AnySource = { url: string; type?: string | undefined; title?: string | undefined };

/** The types of what has a URL and is a source, in results and in UI messages. */
type SourceType = 'source' | 'source-url' | undefined;

/** What of a union can be a source. Other parts of a message have URLs too: files, files of reasoning, parts of an app. */
type SourceIn<PART> = PART extends { url: string }
  ? PART extends { type: infer TYPE }
    ? [TYPE & SourceType] extends [never]
      ? never
      : PART
    : PART
  : never;

/** A source as it is cited: the caller's own object where there is one for the URL, else `{ url }`. */
export type CitedSource<SOURCE> = SourceIn<SOURCE> | { url: string; type?: undefined; title?: undefined };

/**
 * Where markers are looked up first: `providerMetadata` of a result, a step or a part, its `perplexity` object
 * (`{ citations, responseId }`), or the map itself (`{ '7': 'https://…' }`).
 */
export type CitationLookup = { readonly [key: string]: unknown };

export type Resolve<SOURCE> = (resultId: string) => CitedSource<SOURCE> | undefined;

/** What is known of one source. */
type SourceFacts = { url: string; responseId: string | undefined; resultIds: string[] };

export function createResolver<SOURCE extends object>(
  sources: readonly SOURCE[] | undefined,
  lookup: CitationLookup | undefined,
): Resolve<SOURCE> {
  const { citations, responseId: given } = citationsOf(lookup);
  const known = (sources ?? []).flatMap((source) => {
    const facts = factsOf(source);
    return facts === undefined ? [] : [{ ...facts, source: source as CitedSource<SOURCE> }];
  });
  // Ids restart with each step, so they count within one response only.
  const responseId = given ?? known.flatMap((facts) => facts.responseId ?? []).at(-1);
  const urls = new Map<string, string>();
  const byUrl = new Map<string, CitedSource<SOURCE>>();
  for (const facts of known) {
    const isOfResponse = facts.responseId === responseId;
    if (isOfResponse) for (const id of facts.resultIds) if (!urls.has(id)) urls.set(id, facts.url);
    if (isOfResponse || !byUrl.has(facts.url)) byUrl.set(facts.url, facts.source);
  }
  return (resultId) => {
    const url = citationOf(citations, resultId) ?? urls.get(resultId);
    return url === undefined ? undefined : (byUrl.get(url) ?? { url });
  };
}

/** The map and the response that it belongs to. */
export function citationsOf(lookup: unknown): { citations: WireObject; responseId: string | undefined } {
  const given = asObject(lookup) ?? {};
  const metadata = asObject(given['perplexity']) ?? given;
  return { citations: asObject(metadata['citations']) ?? metadata, responseId: asText(metadata['responseId']) };
}

export const citationOf = (citations: WireObject, resultId: string): string | undefined =>
  Object.hasOwn(citations, resultId) ? asText(citations[resultId]) : undefined;

/** Reads a source of the AI SDK or a `source-url` part of a UI message; undefined for anything else. */
export function factsOf(source: object): SourceFacts | undefined {
  const { type, sourceType, url, id, sourceId, providerMetadata } = source as WireObject;
  const isSource = type === undefined || type === 'source-url' || (type === 'source' && sourceType !== 'document');
  const address = asText(url);
  if (!isSource || address === undefined) return undefined;
  const metadata = asObject(asObject(providerMetadata)?.['perplexity']) ?? {};
  // An app may have stored no metadata: the id says as much of the first result (`<response id>:<result id>`).
  const [, idResponse, idResult] = /^(.+):(\d+)$/s.exec(asText(sourceId) ?? asText(id) ?? '') ?? [];
  const resultIds = asArray(metadata['resultIds']).map(String);
  return {
    url: address,
    responseId: asText(metadata['responseId']) ?? idResponse,
    resultIds: resultIds.length > 0 || idResult === undefined ? resultIds : [idResult],
  };
}
