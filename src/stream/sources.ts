import type { JSONObject } from '@ai-sdk/provider';
import { asText, type WireObject } from '../json.js';
import type { CoreMetadata, CorePart, CoreSource } from '../spec.js';
import type { PerplexityAgentSourceMetadata, PerplexityAgentSourceTool } from './metadata.js';
import type { RunFacts } from './run-facts.js';
import { citedSource } from './spans.js';

/** How a batch of results came about. */
export type SourceOrigin = {
  tool: PerplexityAgentSourceTool;
  earlierTurn?: boolean;
  /** The caller has had the sources: no parts, but their numbers count. */
  isKnown?: boolean;
};

/** One `source` part per URL, and the map from result ids to URLs (design decision 9). */
export type Sources = {
  /** Takes the results of one event or item; emits a part for each URL that is new. */
  add(results: readonly WireObject[], origin: SourceOrigin): void;
  /** Result id → URL, as far as known. Replaced, never changed, when something new comes. */
  citations(): Record<string, string>;
  /** The source that a marker's number stands for, as far as known. */
  sourceOf(resultId: string): CoreSource | undefined;
  /** The source of a URL. */
  sourceAt(url: string): CoreSource | undefined;
};

type ResultId = number | string;

// Only web addresses: an app puts a source's URL into a link, where `javascript:` and `data:` would run.
const isWebUrl = (url: string | undefined): url is string => url !== undefined && /^https?:\/\//i.test(url);

const readId = ({ id }: WireObject): ResultId | undefined =>
  typeof id === 'number' && Number.isInteger(id) ? id : asText(id);

export function createSources({ run, emit }: { run: RunFacts; emit(part: CorePart): void }): Sources {
  const idsByUrl = new Map<string, ResultId[]>();
  const urlById = new Map<string, string>();
  const partByUrl = new Map<string, CoreSource>();
  const fetchedUrls = new Set<string>();
  const partIds = new Set<string>();
  let unnumbered = 0;
  let snapshot: Record<string, string> | undefined;

  function register(url: string, id: ResultId | undefined): void {
    const ids = idsByUrl.get(url) ?? [];
    idsByUrl.set(url, ids);
    if (id === undefined || urlById.has(String(id))) return;
    urlById.set(String(id), url);
    ids.push(id);
  }

  /** By the first result id of a URL; without one, or where the wire has used that name, by a number of ours. */
  function freeId(resultId: ResultId | undefined): string {
    let id = `${run.prefix()}:${resultId ?? `u${++unnumbered}`}`;
    while (partIds.has(id)) id = `${run.prefix()}:u${++unnumbered}`;
    partIds.add(id);
    return id;
  }

  function citations(): Record<string, string> {
    snapshot ??= Object.fromEntries(
      // An answer made from a single fetched page marks it `[web:0]`, though nothing has that id (`agent-api.md`
      // §4.3). With several pages nobody says which one 0 is, so it stays open.
      urlById.size === 0 && fetchedUrls.size === 1 ? [['0', [...fetchedUrls][0] ?? '']] : urlById,
    );
    return snapshot;
  }

  return {
    add(results, origin) {
      const found: Array<[string, WireObject]> = [];
      for (const result of results) {
        const url = asText(result['url']);
        if (!isWebUrl(url)) continue;
        if (!idsByUrl.has(url)) found.push([url, result]);
        if (origin.tool === 'fetch_url') fetchedUrls.add(url);
        register(url, readId(result));
      }
      snapshot = undefined;
      // After the whole batch is known, since one batch may name a URL under several ids.
      const common = run.metadata().perplexity;
      for (const [url, result] of found) {
        const ids = idsByUrl.get(url) ?? [];
        const title = asText(result['title']);
        const [first] = ids;
        const part: CoreSource = {
          type: 'source',
          sourceType: 'url',
          id: freeId(first),
          url,
          ...(title !== undefined && { title }),
          providerMetadata: { perplexity: sourceMetadata(common, [...ids], result, origin) },
        };
        partByUrl.set(url, citedSource(part));
        if (origin.isKnown !== true) emit(part);
      }
    },

    citations,
    sourceOf: (resultId) => partByUrl.get(citations()[resultId] ?? ''),
    sourceAt: (url) => partByUrl.get(url),
  };
}

function sourceMetadata(
  common: CoreMetadata['perplexity'],
  resultIds: ResultId[],
  result: WireObject,
  { tool, earlierTurn }: SourceOrigin,
): JSONObject {
  const snippet = asText(result['snippet']);
  const date = asText(result['date']);
  const lastUpdated = asText(result['last_updated']);
  // Field by field: there are many of these, and spreading what may be absent took five times as long.
  const metadata: PerplexityAgentSourceMetadata = { resultIds, tool, ...common };
  if (snippet !== undefined) metadata.snippet = snippet;
  if (date !== undefined) metadata.date = date;
  if (lastUpdated !== undefined) metadata.lastUpdated = lastUpdated;
  if (earlierTurn === true) metadata.earlierTurn = earlierTurn;
  return metadata;
}
