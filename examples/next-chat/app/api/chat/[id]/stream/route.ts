/** After a reload: takes up the deep run of a chat, if one goes on, and streams all of its answer. */
import { streamText } from 'ai';
import { answerWith } from '@/lib/answer';
import { runOf } from '@/lib/deep-run';
import { perplexity } from '@/lib/perplexity';
import { isChatId } from '@/lib/store';
import { toolsOf } from '@/lib/tools';

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  if (!isChatId(id)) return new Response('This is no id of a chat.', { status: 400 });
  const run = await runOf(id);
  if (run === undefined) return new Response(null, { status: 204 });

  const { messages, responseId, messageId, settings } = run;
  const result = streamText({
    model: perplexity.resume(responseId),
    prompt: '', // the run has its own
    tools: toolsOf(settings),
    maxRetries: 0,
    abortSignal: request.signal,
    // Here as well, or the next reload would cancel the run.
    providerOptions: { perplexity: { background: true, cancelOnAbort: false } },
    onError: () => {}, // the page shows it
  });
  return answerWith(result, { id, messages, messageId, settings });
}
