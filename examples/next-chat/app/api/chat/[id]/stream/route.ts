/** After a reload: takes up the deep run of a chat, if one goes on, and streams all of its answer. */
import { runOf } from '@/lib/deep-run';
import { isChatId } from '@/lib/store';
import { takeUp } from '@/lib/take-up';

export async function GET(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const { id } = await params;
  if (!isChatId(id)) return new Response('This is no id of a chat.', { status: 400 });
  const run = await runOf(id);
  return run === undefined ? new Response(null, { status: 204 }) : takeUp(id, run, request.signal);
}
