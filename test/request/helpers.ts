import type { CoreCallOptions, CoreMessage, CorePromptPart } from '../../src/spec.js';
import type { PerplexityAgentProviderOptions } from '../../src/options.js';
import { buildRequest, type BuiltRequest } from '../../src/request/build-request.js';

export const user = (...content: (string | CorePromptPart)[]): CoreMessage => ({
  role: 'user',
  content: content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
});

export const assistant = (...content: (string | CorePromptPart)[]): CoreMessage => ({
  role: 'assistant',
  content: content.map((part) => (typeof part === 'string' ? { type: 'text', text: part } : part)),
});

export const toolMessage = (...content: CorePromptPart[]): CoreMessage => ({ role: 'tool', content });

export const system = (content: string): CoreMessage => ({ role: 'system', content });

export const call = (toolCallId: string, more: object = {}): CorePromptPart => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'look',
  input: { at: 1 },
  ...more,
});

export const result = (toolCallId: string, output: unknown, more: object = {}): CorePromptPart => ({
  type: 'tool-result',
  toolCallId,
  toolName: 'look',
  output,
  ...more,
});

export type Call = Partial<CoreCallOptions> & {
  modelId?: string | undefined;
  effortField?: 'effort' | 'preset';
  perplexity?: PerplexityAgentProviderOptions | Record<string, unknown>;
};

/** Builds a request for a plain model that does not search, unless told otherwise. */
export function build({ modelId, effortField, perplexity, ...options }: Call = {}): BuiltRequest {
  return buildRequest({
    modelId: modelId ?? 'openai/gpt-6-luna',
    effortField,
    callOptions: {
      prompt: [user('Hi')],
      providerOptions: {
        perplexity: { webSearch: modelId?.includes('/') === false ? undefined : false, ...perplexity },
      },
      ...options,
    },
  });
}

/** The items that a prompt becomes, with the warnings. */
export function convert(prompt: CoreMessage[], more: Call = {}) {
  const { body, warnings } = build({ prompt, ...more });
  return { input: body.input, instructions: body.instructions, warnings };
}

export function caught(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
