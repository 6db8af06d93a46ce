/** A deep run that goes on, read from its beginning once more. Server only. */
import { streamText } from 'ai';
import { answerWith } from './answer';
import type { KnownRun } from './deep-run';
import { perplexity } from './perplexity';
import { toolsOf } from './tools';

export function takeUp(id: string, run: KnownRun, abortSignal: AbortSignal): Response {
  const { messages, responseId, messageId, settings } = run;
  const result = streamText({
    model: perplexity.resume(responseId),
    prompt: '', // the run has its own
    tools: toolsOf(settings),
    maxRetries: 0,
    abortSignal,
    // Here as well, or the next reload would cancel the run.
    providerOptions: { perplexity: { background: true, cancelOnAbort: false } },
    onError: () => {}, // the page shows it
  });
  return answerWith(result, { id, messages, messageId, settings });
}
