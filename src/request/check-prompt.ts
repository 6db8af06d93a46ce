/** A prompt as it has to be to be read. The AI SDK always gives such a one; a caller without it may not. */
import { AISDKError, InvalidPromptError } from '@ai-sdk/provider';
import { describe } from '../errors.js';
import { asObject } from '../json.js';
import type { CoreMessage, CorePromptPart } from '../spec.js';

/** Throws InvalidPromptError where it is no list of messages, or one of them has no content to read. */
export function checkPrompt(prompt: unknown): asserts prompt is CoreMessage[] {
  let index = 0;
  readingPrompt(
    () => `message ${index}`,
    () => {
      if (!Array.isArray(prompt)) throw new InvalidPromptError({ prompt, message: 'it must be a list of messages.' });
      // By index, since holes are messages too.
      for (; index < prompt.length; index++) checkMessage(prompt[index]);
    },
  );
}

/** What `read` makes of a prompt; where that itself is the trouble (a getter, a cycle), the error says what of it. */
export function readingPrompt<T>(what: () => string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (AISDKError.isInstance(cause)) throw cause;
    // Without the prompt: what cannot be read, nobody can log.
    const message = `${what()} of it cannot be read: ${describe(cause)}`;
    throw new InvalidPromptError({ prompt: undefined, message, cause });
  }
}

function checkMessage(message: unknown): void {
  const given = asObject(message);
  if (given === undefined)
    throw new InvalidPromptError({ prompt: message, message: 'each message must be an object.' });
  const { role, content } = given;
  if (typeof content === 'string') return;
  if (role === 'system') {
    throw new InvalidPromptError({ prompt: content, message: 'the content of a system message must be a text.' });
  }
  if (role !== 'user' && role !== 'assistant' && role !== 'tool') return;
  if (Array.isArray(content) && Array.from(content as unknown[]).every((part) => asObject(part) !== undefined)) return;
  const problem = `the content of each ${role} message must be a list of parts such as { type: 'text', text: '…' }.`;
  throw new InvalidPromptError({ prompt: content, message: problem });
}

/** The parts of a message that has passed. */
export const partsOf = ({ content }: Exclude<CoreMessage, { role: 'system' }>): CorePromptPart[] =>
  typeof content === 'string' ? [{ type: 'text', text: content }] : content;
