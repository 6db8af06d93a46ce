/** Stop of a deep run, which outlives the request that reads it: the run itself is cancelled, so that it costs no more. */
import { APICallError } from 'ai';
import { messageOf } from '@/lib/answer';
import { runOf } from '@/lib/deep-run';
import { perplexity } from '@/lib/perplexity';
import { changeChat, isChatId } from '@/lib/store';

export async function POST(_: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  if (!isChatId(id)) return new Response('This is no id of a chat.', { status: 400 });
  const run = await runOf(id);
  if (run === undefined) return Response.json({ status: 'nothing to stop' });

  const mark = (isStopped: boolean) =>
    changeChat(id, (chat) =>
      chat.active?.responseId === run.responseId ? { ...chat, active: { ...chat.active, isStopped } } : chat,
    );
  // Of several who press Stop at once, one finds the run unmarked.
  const { active } = await mark(true);
  if (active?.responseId !== run.responseId || active.isStopped === true) {
    return Response.json({ status: 'nothing to stop' });
  }
  try {
    const { status } = await perplexity.responses.cancel(run.responseId);
    return Response.json({ status });
  } catch (error) {
    // It has ended a moment before; then its answer is on the way.
    if (APICallError.isInstance(error) && error.statusCode === 400) return Response.json({ status: 'ended' });
    // It goes on and costs: whoever pressed Stop has to know, and can press again.
    await mark(false);
    return new Response(messageOf(error), { status: 502 });
  }
}
