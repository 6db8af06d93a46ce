/** Stop of a deep run, which outlives the request that reads it: the run itself is cancelled, so that it costs no more. */
import { messageOf } from '@/lib/answer';
import { runOf } from '@/lib/deep-run';
import { perplexity } from '@/lib/perplexity';
import { changeChat, isChatId } from '@/lib/store';

export async function POST(_: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  if (!isChatId(id)) return new Response('This is no id of a chat.', { status: 400 });
  const active = await runOf(id);
  if (active === undefined || active.isStopped === true) return Response.json({ status: 'nothing to stop' });
  await changeChat(id, (chat) => ({ ...chat, active: { ...active, isStopped: true } }));
  try {
    const { status } = await perplexity.responses.cancel(active.responseId);
    return Response.json({ status });
  } catch (error) {
    // It has ended a moment before; then its answer is on the way.
    return Response.json({ status: messageOf(error) });
  }
}
