/** The prompt of ai 5, 6 or 7, also untranslated (`sdk-matrix.md` §2.4) → `instructions` and `input` items. */
import { InvalidPromptError } from '@ai-sdk/provider';

import { textOrEmpty } from '../json.js';
import type { CoreMessage, CorePromptPart } from '../spec.js';
import type { AgentRequestBody, InputItem, InputPart } from '../wire/request-types.js';
import { checkPrompt, partsOf, readingPrompt } from './check-prompt.js';
import { convertFile } from './convert-file.js';
import { createToolTurns, type ToolTurns } from './convert-tool-turns.js';
import { newTurns } from './new-turns.js';
import { unsupported } from './unsupported.js';
import type { Warnings } from './warnings.js';

export type PromptContext = {
  systemMessageMode: 'instructions' | 'input';
  /** Whether system messages without a text become empty instructions, which clear a level's prompt (§2.3). */
  keepsEmptyInstructions: boolean;
  previousResponseId: string | undefined;
  targetKey: string;
  warnings: Warnings;
};

export type ConvertedPrompt = Pick<AgentRequestBody, 'input' | 'instructions'>;

/** `agent-api.md` §2.2. */
const MOST_DOCUMENTS = 30;

export function convertPrompt(prompt: CoreMessage[], context: PromptContext): ConvertedPrompt {
  checkPrompt(prompt);
  const input: InputItem[] = [];
  const system: string[] = [];
  const { tools, messages } = readingPrompt(
    () => 'a message',
    () => ({
      tools: createToolTurns(prompt, input, context),
      messages: context.previousResponseId === undefined ? prompt : newTurns(prompt, context.previousResponseId),
    }),
  );

  const files: InputPart[] = [];

  function convert(message: CoreMessage): void {
    if (message.role !== 'tool') tools.flushDenied();
    switch (message.role) {
      case 'system':
        if (context.systemMessageMode === 'instructions') system.push(message.content);
        else if (message.content !== '') input.push({ type: 'message', role: 'system', content: message.content });
        break;
      case 'user': {
        const content = convertUserContent(partsOf(message), context.warnings);
        if (content.length > 0) input.push({ type: 'message', role: 'user', content });
        if (typeof content !== 'string') files.push(...content.filter(({ type }) => type === 'input_file'));
        break;
      }
      case 'assistant':
        for (const part of partsOf(message)) convertAssistantPart(part, input, tools, context.warnings);
        break;
      case 'tool':
        for (const part of partsOf(message)) convertToolPart(part, tools, context.warnings);
        break;
      default:
        context.warnings.other(
          `A message of the unknown role '${String((message as { role: unknown }).role)}' is left out.`,
        );
    }
  }

  let current: CoreMessage | undefined;
  readingPrompt(
    () => `message ${prompt.indexOf(current as CoreMessage)}`,
    () => {
      for (current of messages) convert(current);
    },
  );
  if (files.length > MOST_DOCUMENTS) {
    const found = `The prompt has ${files.length} documents, and the Agent API takes at most ${MOST_DOCUMENTS} in a request.`;
    throw unsupported('documents', `${found} Leave some out.`);
  }
  tools.flushDenied();

  if (input.length === 0) {
    // The API answers 400 to an empty input (`agent-api.md` §2.1).
    const message = 'nothing in it can be sent as input; give a user message with a text or a file.';
    throw new InvalidPromptError({ prompt, message });
  }
  const instructions = system.filter((content) => content !== '').join('\n\n');
  const isSent = instructions !== '' || (context.keepsEmptyInstructions && system.length > 0);
  return isSent ? { input, instructions } : { input };
}

/** One string where all is text, else parts. Empty where nothing is left. */
function convertUserContent(parts: CorePromptPart[], warnings: Warnings): string | InputPart[] {
  if (parts.every((part) => part.type === 'text')) {
    return parts.reduce((joined, part) => joinTexts(joined, textOrEmpty(part['text'])), '');
  }
  const content: InputPart[] = [];
  for (const part of parts) {
    switch (part.type) {
      case 'text': {
        const text = textOrEmpty(part['text']);
        if (text !== '') content.push({ type: 'input_text', text });
        break;
      }
      case 'file':
      case 'image':
        content.push(convertFile(part));
        break;
      default:
        warnOfPart('A user message', part, warnings);
    }
  }
  return content;
}

/** Texts are put together as they are; only where two words would run into one, a line break keeps them apart. */
function joinTexts(before: string, after: string): string {
  const apart = before === '' || after === '' || /\s$/.test(before) || /^\s/.test(after);
  return apart ? before + after : `${before}\n${after}`;
}

function convertAssistantPart(part: CorePromptPart, input: InputItem[], tools: ToolTurns, warnings: Warnings): void {
  switch (part.type) {
    case 'text': {
      const content = textOrEmpty(part['text']);
      // A string is the proven form of an assistant's message (`agent-api.md` §2.2).
      if (content !== '') input.push({ type: 'message', role: 'assistant', content });
      break;
    }
    // The API gives captions of its progress instead of reasoning and takes neither back (design decision 10).
    case 'reasoning':
      break;
    case 'custom':
      // What an item of an earlier answer came as (design decision 19); there is no input item for it.
      if (!isOwnKind(part['kind'])) warnOfPart('An assistant message', part, warnings);
      break;
    case 'tool-call':
      tools.call(part);
      break;
    case 'tool-result':
      tools.result(part, 'assistant');
      break;
    case 'tool-approval-request':
      tools.approvalRequest(part);
      break;
    default:
      warnOfPart('An assistant message', part, warnings);
  }
}

const isOwnKind = (kind: unknown) => typeof kind === 'string' && kind.startsWith('perplexity.');

function convertToolPart(part: CorePromptPart, tools: ToolTurns, warnings: Warnings): void {
  switch (part.type) {
    case 'tool-result':
      tools.result(part, 'tool');
      break;
    case 'tool-approval-response':
      tools.approvalResponse(part);
      break;
    default:
      warnOfPart('A tool message', part, warnings);
  }
}

function warnOfPart(where: string, part: CorePromptPart, warnings: Warnings): void {
  const kind = typeof part['kind'] === 'string' ? ` (${part['kind']})` : '';
  warnings.other(
    `${where} holds a part of type '${part.type}'${kind}, which the Agent API cannot take; it is left out.`,
  );
}
