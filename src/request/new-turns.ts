/**
 * With `previousResponseId` only what is new is sent (`agent-api.md` §8.3). Which part of a prompt that is, the ids
 * say that earlier answers left on their parts; without them it is what follows the last finished turn.
 */
import type { CoreMessage, CorePromptPart } from '../spec.js';

/**
 * The messages to send. System messages are sent again, wherever they stand. Calls whose outputs are new are repeated, as a
 * message of their own before the first new one: whether outputs may come without them is unproven (§8.3).
 */
export function newTurns(prompt: CoreMessage[], previousResponseId: string): CoreMessage[] {
  const start = newFrom(prompt, previousResponseId);
  const messages = prompt.filter((message, index) => index >= start || message.role === 'system');
  const calls = answeredCalls(prompt, start);
  if (calls.length === 0) return messages;
  const first = messages.findIndex(({ role }) => role !== 'system');
  return [...messages.slice(0, first), { role: 'assistant', content: calls }, ...messages.slice(first)];
}

/** Index of the first new message. */
function newFrom(prompt: CoreMessage[], responseId: string): number {
  const answer = lastIndex(prompt, (message) => message.role === 'assistant' && carries(message, responseId));
  if (answer !== -1) return answer + 1;
  const question = lastIndex(prompt, (message) => message.role === 'user');
  return lastIndex(prompt.slice(0, Math.max(question, 0)), (message) => message.role === 'assistant') + 1;
}

function lastIndex(prompt: CoreMessage[], fits: (message: CoreMessage) => boolean): number {
  let index = prompt.length - 1;
  while (index >= 0 && !fits(prompt[index] as CoreMessage)) index--;
  return index;
}

const responseIdOf = (owner: Pick<CorePromptPart, 'providerOptions'>) =>
  owner.providerOptions?.['perplexity']?.['responseId'];

function carries(message: CoreMessage, responseId: string): boolean {
  if (responseIdOf(message) === responseId) return true;
  return typeof message.content !== 'string' && message.content.some((part) => responseIdOf(part) === responseId);
}

function answeredCalls(prompt: CoreMessage[], start: number): CorePromptPart[] {
  const answered = new Set<unknown>();
  for (const message of prompt.slice(start)) {
    if (message.role !== 'tool') continue;
    for (const part of message.content) if (part.type === 'tool-result') answered.add(part['toolCallId']);
  }
  if (answered.size === 0) return [];
  return prompt
    .slice(0, start)
    .flatMap((message) => (message.role === 'assistant' ? message.content : []))
    .filter(
      (part) => part.type === 'tool-call' && answered.has(part['toolCallId']) && part['providerExecuted'] !== true,
    );
}
