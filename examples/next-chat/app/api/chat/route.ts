/** A new turn: what the page sends becomes a run, and its parts a stream of the page's message. */
import { convertToModelMessages, generateId, streamText } from 'ai';
import { z } from 'zod';
import { answerWith } from '@/lib/answer';
import { runOf, whenKnown } from '@/lib/deep-run';
import { perplexity } from '@/lib/perplexity';
import { isDeep, settingsSchema } from '@/lib/settings';
import { changeChat, isChatId } from '@/lib/store';
import { takeUp } from '@/lib/take-up';
import { toolsOf } from '@/lib/tools';
import type { ChatMessage } from '@/lib/types';

const messageSchema = z.object({
  id: z.string(),
  role: z.enum(['user', 'assistant']),
  parts: z.array(z.looseObject({ type: z.string() })),
});
const isMessage = (value: unknown) => messageSchema.safeParse(value).success;

const bodySchema = z.object({
  id: z.string().refine(isChatId, { error: 'This is no id of a chat.' }),
  messages: z.array(z.custom<ChatMessage>(isMessage, { error: 'This is no message of a chat.' })).min(1),
  settings: settingsSchema,
  trigger: z.string().optional(),
});

const SYSTEM = 'Answer in Markdown, in the language of the question, and cite what you found.';

export async function POST(request: Request): Promise<Response> {
  const body = bodySchema.safeParse(await request.json().catch(() => undefined));
  if (!body.success) return new Response(z.prettifyError(body.error), { status: 400 });
  const { id, messages, settings, trigger } = body.data;
  if (trigger === 'regenerate-message') {
    // Retry after a lost line: the run may go on, and a second one would be paid as well.
    const run = await runOf(id);
    if (run !== undefined) return takeUp(id, run, request.signal);
  }
  const last = messages.at(-1);
  const messageId = last?.role === 'assistant' ? last.id : generateId();
  const isDeepRun = isDeep(settings.effort);
  await changeChat(id, () => ({ messages, ...(isDeepRun && { active: { messageId, settings } }) }));

  const result = streamText({
    model: perplexity(settings.effort),
    system: SYSTEM,
    messages: await convertToModelMessages(messages),
    tools: toolsOf(settings),
    // A retry is a new run and a new bill: the reader decides.
    maxRetries: 0,
    abortSignal: isDeepRun ? whenKnown(id, request.signal) : request.signal,
    providerOptions: {
      perplexity: {
        // Stop and a closed page end the reading. Of a deep run nothing more: it goes on, and can be taken up again.
        ...(isDeepRun && { background: true, cancelOnAbort: false }),
        // A level searches by itself unless it may call no tool; that ends notes and programs as well.
        ...(!settings.webSearch && { webSearch: false, maxToolCalls: 0 }),
      },
    },
    onError: () => {}, // the page shows it
  });
  return answerWith(result, { id, messages, messageId, settings });
}
