/** The same answer as OpenRouter streams it: chunks of a chat completion, ended by `[DONE]`. */
import { tokenAt } from './text.mjs';

const chunk = (delta, rest) =>
  `data: ${JSON.stringify({
    id: 'gen-1790300100-Qm3vT8sLxW2yBd6KpZ9r',
    provider: 'Perplexity',
    model: 'openai/gpt-6-luna',
    object: 'chat.completion.chunk',
    created: 1790300100,
    choices: [
      {
        index: 0,
        delta: { role: 'assistant', ...delta },
        finish_reason: null,
        native_finish_reason: null,
        logprobs: null,
        ...rest?.choice,
      },
    ],
    ...rest?.chunk,
  })}\n\n`;

/** @param {{ results?: number }} [options] How many pages the answer cites. */
export function chatWire({ results = 10 } = {}) {
  const annotations = Array.from({ length: results }, (_, index) => ({
    type: 'url_citation',
    url_citation: {
      url: `https://tides.example.org/tables/${index + 1}`,
      title: `Tide tables and the pilots who read them, part ${index + 1}`,
      content: 'High water at the outer mole comes some ten minutes before it comes at the lock.',
      start_index: 0,
      end_index: 7,
    },
  }));
  return {
    opening: [': OPENROUTER PROCESSING\n\n', chunk({ content: '', annotations })],
    delta: (index) => chunk({ content: tokenAt(index) }),
    closing: (deltas) => [
      chunk({ content: '' }, { choice: { finish_reason: 'stop', native_finish_reason: 'stop' } }),
      chunk({ content: '' }, { chunk: { usage: usage(deltas) } }),
      'data: [DONE]\n\n',
    ],
  };
}

const usage = (completionTokens) => ({
  prompt_tokens: 2816,
  completion_tokens: completionTokens,
  total_tokens: 2816 + completionTokens,
  cost: 0.00155,
  is_byok: false,
  prompt_tokens_details: { cached_tokens: 0 },
  cost_details: { upstream_inference_cost: null },
  completion_tokens_details: { reasoning_tokens: 0 },
});
