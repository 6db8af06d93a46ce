/** One call of the load, as an app makes it, and what came of it. Nothing is judged here. */
import { getEventListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { createGrammar } from './grammar.mjs';
import { promptOf } from './words.mjs';

const MODELS = { level: 'low' };

/** Makes the call; resolves with what came, whatever that is. */
export async function makeCall({ id, mode, words, lane, act }, { origin, round, shared }) {
  const caller = new AbortController();
  const leaves = act.abortAfterDeltas !== undefined || act.abortAfterReplies !== undefined;
  const signal = leaves ? caller.signal : shared;
  const reason = new Error(`The caller of ${id} has enough.`);
  const fetch = act.abortAfterReplies === undefined ? undefined : countingFetch(act.abortAfterReplies, giveUp);
  const model = createPerplexityAgent({ baseURL: origin, apiKey: 'any', fetch })(MODELS[mode] ?? 'openai/gpt-6-luna');
  const options = {
    prompt: [{ role: 'user', content: [{ type: 'text', text: promptOf(id, words) }] }],
    headers: { 'x-load-id': id, 'x-load-round': round, 'x-load-lane': JSON.stringify(lane) },
    abortSignal: signal,
    providerOptions: { perplexity: optionsOf(mode, act) },
  };

  async function giveUp() {
    await pause(act.leavesAfter);
    caller.abort(reason);
  }

  const outcome = { id, end: undefined, text: '', sources: 0, problems: [] };
  try {
    if (mode === 'stream' || mode === 'background') {
      await readStream(model, options, act, outcome, () => caller.abort(reason));
    } else takeResult(await model.doGenerate(options), outcome);
  } catch (error) {
    outcome.end = error === reason ? 'aborted' : 'thrown';
    if (error !== reason) outcome.error = presented(error);
  }
  // Nobody may be left listening to a signal that has fired. The shared one is looked at in the end.
  if (leaves) outcome.listeners = listenersOf(caller.signal);
  return outcome;
}

/** How many listeners a signal has. */
export const listenersOf = (signal) => getEventListeners(signal, 'abort').length;

function optionsOf(mode, { idleTimeout, cancelOnAbort, pollInterval = 50 }) {
  return {
    ...(mode === 'background' && { background: true }),
    ...(mode === 'polled' && { background: { pollInterval } }),
    ...(idleTimeout !== undefined && { idleTimeout }),
    ...(cancelOnAbort !== undefined && { cancelOnAbort }),
  };
}

/** Calls back when so many replies have begun. */
function countingFetch(replies, onReply) {
  let count = 0;
  return async (...given) => {
    const response = await globalThis.fetch(...given);
    count += 1;
    if (count === replies) void onReply();
    return response;
  };
}

async function readStream(model, options, { readEvery, abortAfterDeltas, leaveAfterDeltas }, outcome, abort) {
  const { stream } = await model.doStream(options);
  const reader = stream.getReader();
  const grammar = createGrammar();
  let deltas = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    grammar.take(value);
    take(value, outcome);
    if (value.type === 'text-delta') deltas += 1;
    if (deltas === abortAfterDeltas) abort();
    if (deltas === leaveAfterDeltas) {
      await reader.cancel();
      outcome.end = 'left';
      return;
    }
    if (readEvery !== undefined) await pause(readEvery);
  }
  outcome.problems.push(...grammar.end());
  outcome.end = outcome.error === undefined ? 'finished' : 'failed';
}

function take(part, outcome) {
  switch (part.type) {
    case 'text-delta':
      outcome.text += part.delta;
      break;
    case 'source':
      outcome.sources += 1;
      break;
    case 'response-metadata':
      outcome.responseId ??= part.id;
      break;
    case 'error':
      outcome.error = presented(part.error);
      break;
    case 'finish':
      outcome.finish = presentedFinish(part);
      break;
  }
}

function takeResult(result, outcome) {
  for (const part of result.content) {
    if (part.type === 'text') outcome.text += part.text;
    if (part.type === 'source') outcome.sources += 1;
  }
  outcome.responseId = result.response.id;
  outcome.finish = presentedFinish(result);
  outcome.end = 'finished';
}

const presentedFinish = ({ finishReason, usage, providerMetadata: { perplexity } }) => ({
  finishReason,
  totalTokens: usage.totalTokens,
  usage: perplexity.usage,
  totalCost: perplexity.cost?.totalCost,
  responseId: perplexity.responseId,
});

/** What of an error can be sent to another process. */
function presented({ name, message, statusCode, isRetryable, data = {}, stack }) {
  const isOurs = name === 'AI_APICallError';
  return { name, message, statusCode, isRetryable, data: { ...data }, ...(!isOurs && { stack }) };
}
