/** What a scenario decides, and the pieces that several scenarios share. */
import type { IdMaker } from '../ids.js';
import { dataFor } from '../schema-data.js';
import type { JsonObject } from '../json.js';
import type { RequestView } from '../request-view.js';
import type { AgentApiResponse, FailureShape, OutputItem, RunStatus } from '../types.js';
import type { RunUsage } from '../usage.js';
import type { Page, SearchTopic } from './corpus.js';

/** What a scenario may look at. */
export interface ScenarioContext {
  view: RequestView;
  ids: IdMaker;
  /** Results of the turns before, when the request continues one (agent-api.md §4.3). */
  earlier: JsonObject[];
}

/** How a run turns out. */
export interface RunPlan {
  status: RunStatus;
  output: OutputItem[];
  /** Null where the API gives no usage (agent-api.md §2, rule 9). */
  usage: RunUsage | null;
  error?: AgentApiResponse['error'];
  incompleteReason?: string;
  failure?: FailureShape | undefined;
}

/** Usage of a run that wrote `text`; plain models think before they write, levels `fast` to `medium` do not. */
export function usageFor(view: RequestView, text: string, tools: Partial<RunUsage> = {}): RunUsage {
  return { text, reasoning: view.level === undefined ? 32 : 0, searches: 0, fetched: [], toolText: '', ...tools };
}

/** A run that went well. */
export function completed(output: OutputItem[], usage: RunUsage): RunPlan {
  return { status: 'completed', output, usage };
}

/** A message of one text part; `annotations` is empty in every recording (agent-api.md §4.3). */
export function message(ids: IdMaker, text: string, status: 'completed' | 'incomplete' = 'completed'): OutputItem {
  return {
    type: 'message',
    id: ids.message(),
    role: 'assistant',
    status,
    content: [{ type: 'output_text', text, annotations: [] }],
  };
}

/**
 * A `search_results` item whose ids count up from `firstId`: ten results, or fewer when the request's `max_results` says so.
 * Level fast searches with the user's own words (agent-api.md §2.3).
 */
export function searchResults(context: ScenarioContext, topic: SearchTopic, firstId: number): OutputItem {
  const { view } = context;
  const query = view.isFast && view.question !== '' ? view.question : topic.query;
  const most = view.tools.find((tool) => tool.type === 'web_search')?.max_results;
  const pages = topic.pages.slice(0, typeof most === 'number' ? most : undefined);
  return {
    type: 'search_results',
    queries: [query],
    results: pages.map((page, index) => ({ ...page, id: firstId + index, source: 'web' })),
  };
}

/** A `fetch_url_results` item. */
export function fetchResults(pages: Page[]): OutputItem {
  return { type: 'fetch_url_results', contents: pages.map(({ url, title, snippet }) => ({ url, title, snippet })) };
}

/** The earlier turn's results as the API repeats them, none for a first turn. */
export function earlierResults(context: ScenarioContext): OutputItem[] {
  return context.earlier.length === 0 ? [] : [{ type: 'search_results', queries: null, results: context.earlier }];
}

/** The first free result id of this run; a chain goes on counting. */
export function firstFreeId(context: ScenarioContext): number {
  return 1 + Math.max(0, ...context.earlier.map((result) => (typeof result.id === 'number' ? result.id : 0)));
}

/** A text with its marker places filled: `[3]` at level fast, ` [web:3]` everywhere else (agent-api.md §4.3). */
export function cite(view: RequestView, text: string, resultIds: number[]): string {
  return text.replaceAll(/\{(\d)\}/gu, (_place, position: string) => {
    const id = resultIds[Number(position) - 1];
    return view.isFast ? `[${id}]` : ` [web:${id}]`;
  });
}

/** JSON text that fits the schema of `response_format`, or undefined when the request has none. */
export function structuredText(view: RequestView): string | undefined {
  return view.schema === undefined ? undefined : JSON.stringify(dataFor(view.schema));
}
