/** Holds what came of a call against what had to come of it. */
import { isDeepStrictEqual } from 'node:util';
import { ALL_OF_IT, SILENT } from './endings.mjs';
import { piecesOf } from './words.mjs';

/** What differed, in words; empty where all is as it should be. `response` is the final one as the server tells it. */
export function differencesOf({ id, words, expect }, outcome, seen, response) {
  if (outcome === undefined) return ['it never came to an end'];
  const found = [];
  const compare = (what, got, wanted) => {
    if (!isDeepStrictEqual(got, wanted)) found.push(`${what}: got ${shown(got)}, expected ${shown(wanted)}`);
  };
  found.push(...outcome.problems);
  compare('end', outcome.end, expect.end);
  compare('text', textOf(outcome), textFor(expect.text, id, words, response));
  compare('sources', outcome.sources, expect.end === 'thrown' ? 0 : (expect.sources ?? 0));
  compare('listeners left on the signal', outcome.listeners ?? 0, 0);
  compareError(expect.error, outcome.error, compare);
  compareFinish(expect, outcome, response, compare);
  if (!areExpected(seen?.requests, expect)) compare('requests', seen?.requests, expect.requests);
  compareRun(expect.run, outcome, seen?.runs ?? [], compare);
  return found;
}

/** Whether the server has seen the requests that a call had to make. */
export function areExpected(requests, { requests: wanted, mayEndByCancel = false }) {
  if (isDeepStrictEqual(requests, wanted)) return true;
  const unfinished = `create 200 ${SILENT}`;
  const ended = wanted.map((request) => (request === unfinished ? 'create 200' : request));
  return mayEndByCancel && isDeepStrictEqual(requests, ended);
}

/** What a call of generate had got is in its error. */
const textOf = ({ text, error }) => (text === '' ? (error?.data.text ?? '') : text);

function textFor(wanted, id, words, response) {
  if (wanted === ALL_OF_IT) return response?.text;
  return piecesOf(id, words).slice(0, wanted).join('');
}

function compareError(wanted, error, compare) {
  if (wanted === undefined) return compare('error', error, undefined);
  const { message, statusCode, isRetryable } = error ?? {};
  const isAsWanted = wanted.message instanceof RegExp ? wanted.message.test(message) : message === wanted.message;
  if (!isAsWanted) compare('message', error?.stack ?? message, wanted.message);
  compare('error', { statusCode, isRetryable }, { statusCode: wanted.statusCode, isRetryable: wanted.isRetryable });
}

/** A run that is over has told its usage and cost, in the finish part or, where there is none, in the error. */
function compareFinish({ end, finishReason, hasUsage }, { finish, error }, response, compare) {
  const usage = hasUsage === true ? response?.usage : undefined;
  if (end === 'thrown') {
    compare('usage in the error', error?.data.usage, usage);
    compare('cost in the error', error?.data.cost?.totalCost, usage?.cost.total_cost);
    return;
  }
  if (end === 'aborted' || end === 'left') return compare('finish', finish, undefined);
  compare('finishReason', finish?.finishReason, finishReason);
  compare('usage', finish?.usage, usage);
  compare('total tokens', finish?.totalTokens, usage?.total_tokens);
  compare('cost', finish?.totalCost, usage?.cost.total_cost);
}

function compareRun(wanted, { finish, error, responseId }, runs, compare) {
  const [run, ...others] = runs;
  compare('further runs', others, []);
  if (wanted === undefined || run === undefined) return compare('run', run, wanted);
  const { id, ...rest } = run;
  compare('run', rest, wanted);
  const told = finish?.responseId ?? error?.data.responseId ?? responseId;
  if (told !== undefined) compare('id of the run', told, id);
}

function shown(value) {
  const text = value instanceof RegExp ? String(value) : (JSON.stringify(value) ?? 'nothing');
  return text.length > 400 ? `${text.slice(0, 400)}… (${text.length} characters)` : text;
}

/** How many calls ended in which way, counted by what the callers saw; to be held against the server's own count. */
export function countEnds(outcomes) {
  const counts = { finished: 0, failed: 0, thrown: 0, aborted: 0, left: 0 };
  for (const { end } of outcomes) counts[end] += 1;
  return counts;
}
