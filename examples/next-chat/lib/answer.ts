/** What both routes do with a run: stream it to the page, and keep what comes of it. Server only. */
import {
  totalCost,
  type PerplexityAgentCostCarrier,
  type PerplexityAgentPartMetadata,
} from 'ai-sdk-provider-perplexity-agent/v4';
import { consumeStream, type streamText } from 'ai';
import { isUnderWay } from './deep-run';
import { isDeep, type Settings } from './settings';
import { changeChat } from './store';
import type { AnswerMetadata, ChatMessage } from './types';

type Result = Pick<ReturnType<typeof streamText>, 'toUIMessageStreamResponse'>;

export function answerWith(
  result: Result,
  chat: { id: string; messages: ChatMessage[]; messageId: string; settings: Settings },
): Response {
  const { id, messages, messageId, settings } = chat;
  // A message whose tool was confirmed goes on: what its first runs have cost and used stays in it.
  const earlier = messages.at(-1)?.role === 'assistant' ? messages.at(-1)?.metadata : undefined;
  const steps: PerplexityAgentCostCarrier[] = earlier?.cost === undefined ? [] : [{ metadata: earlier }];
  let tokens = earlier?.tokens;
  const isDeepRun = isDeep(settings.effort);
  let run: string | undefined;
  let hasFailed = false;

  return result.toUIMessageStreamResponse<ChatMessage>({
    sendSources: true,
    sendReasoning: true,
    originalMessages: messages,
    generateMessageId: () => messageId,
    // Read to the end here as well, so that the answer is kept when the page is gone.
    consumeSseStream: consumeStream,
    onError: messageOf,

    messageMetadata({ part }): AnswerMetadata | undefined {
      if (part.type === 'start') return { effort: settings.effort };
      if (part.type === 'reasoning-start') {
        const { responseId } = (part.providerMetadata?.['perplexity'] ?? {}) as Partial<PerplexityAgentPartMetadata>;
        if (responseId === undefined) return undefined;
        run = responseId;
        // Stored as soon as it is known: with it the run can be taken up again.
        if (isDeepRun) void remember(id, { responseId, messageId, settings });
        return { responseId };
      }
      if (part.type === 'error') hasFailed = true;
      if (part.type !== 'finish-step') return undefined;
      steps.push(part);
      const used = part.usage.totalTokens;
      if (used !== undefined) tokens = (tokens ?? 0) + used;
      return { cost: totalCost(steps), ...(tokens !== undefined && { tokens }) };
    },

    async onFinish({ messages: all, isAborted }) {
      // Where only the reading has ended, because the page was closed or the line was lost, a deep run goes on: nothing to keep yet.
      const goesOn = isDeepRun && (isAborted || (hasFailed && run !== undefined && (await isUnderWay(run))));
      await changeChat(id, (stored) => (goesOn && stored.active?.isStopped !== true ? stored : { messages: all }));
    },
  });
}

const remember = (id: string, active: { responseId: string; messageId: string; settings: Settings }) =>
  changeChat(id, (chat) => (chat.active?.responseId === active.responseId ? chat : { ...chat, active }));

/** Errors of the package hold no secret and say what to do; so they are shown. */
export const messageOf = (error: unknown): string =>
  error instanceof Error && error.message !== '' ? error.message : 'The answer failed, and nobody knows why.';
