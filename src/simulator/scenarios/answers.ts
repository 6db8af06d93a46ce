/** Runs that answer: plain, with one search, with several, from a fetched page, as JSON. */
import { asArray } from '../json.js';
import { ANSWERS, AUTOMATION, FETCHED, NAVIGATION, OPTICS } from './corpus.js';
import {
  cite,
  completed,
  earlierResults,
  fetchResults,
  firstFreeId,
  message,
  searchResults,
  structuredText,
  usageFor,
  type RunPlan,
  type ScenarioContext,
} from './plan.js';

/** One message. In a chain the earlier results stand before it. */
export function playPlain(context: ScenarioContext, text: string = ANSWERS.plain): RunPlan {
  return completed([...earlierResults(context), message(context.ids, text)], usageFor(context.view, text));
}

/** One search and an answer that cites its first and third result (the last, where there are fewer); `text` replaces the answer. */
export function playSearch(context: ScenarioContext, text?: string): RunPlan {
  const firstId = firstFreeId(context);
  const item = searchResults(context, AUTOMATION, firstId);
  const lastId = firstId + asArray(item.results).length - 1;
  const answer = text ?? cite(context.view, ANSWERS.search, [firstId, Math.min(firstId + 2, lastId)]);
  return completed(
    [...earlierResults(context), item, message(context.ids, answer)],
    usageFor(context.view, answer, { searches: 1, toolText: JSON.stringify(item) }),
  );
}

/** Three searches of one step whose results come back out of order, then a fetch (agent-api.md §4.3, captures). */
export function playParallelSearches(context: ScenarioContext): RunPlan {
  const firstId = firstFreeId(context);
  const [second, third] = [firstId + 10, firstId + 20];
  const items = [
    searchResults(context, AUTOMATION, second),
    searchResults(context, OPTICS, third),
    searchResults(context, NAVIGATION, firstId),
    fetchResults([FETCHED]),
  ];
  const answer = cite(context.view, ANSWERS.parallel, [second, third, firstId]);
  return completed(
    [...earlierResults(context), ...items, message(context.ids, answer)],
    usageFor(context.view, answer, { searches: 3, fetched: [FETCHED.snippet], toolText: JSON.stringify(items) }),
  );
}

/** One fetched page and no search: the answer says `[web:0]`, though nothing has that id (agent-api.md §4.3). */
export function playFetch(context: ScenarioContext): RunPlan {
  return completed(
    [...earlierResults(context), fetchResults([FETCHED]), message(context.ids, ANSWERS.fetched)],
    usageFor(context.view, ANSWERS.fetched, { fetched: [FETCHED.snippet], toolText: FETCHED.snippet }),
  );
}

/** JSON as plain text, without fences; `{}` when the request has no schema. */
export function playStructured(context: ScenarioContext): RunPlan {
  const text = structuredText(context.view) ?? '{}';
  return context.view.mayUse('web_search') ? playSearch(context, text) : playPlain(context, text);
}
