/** A stream far larger than anything that may be held in memory: its deltas are made when they are sent. */
import { BIG_DELTA, bigDelta } from './words.mjs';

const ID = 'resp_00000000-0000-4000-8000-000000000064';
const ITEM = 'msg_big';

export const bigPromptOf = (deltas) => `big ${deltas}`;
export const bigBytes = (deltas) => deltas * BIG_DELTA;

const USAGE = {
  input_tokens: 3,
  output_tokens: 1,
  total_tokens: 4,
  cost: { currency: 'USD', input_cost: 0.25, output_cost: 0.5, total_cost: 0.75 },
};
export const bigTokens = USAGE.total_tokens;
export const bigCost = USAGE.cost.total_cost;

/** The events that answer such a prompt. The terminal one leaves the text out, which would be one event of all of it. */
export function bigEvents(input) {
  const deltas = Number(/big (?<deltas>\d+)/u.exec(input).groups.deltas);
  const response = { id: ID, object: 'response', status: 'in_progress', model: 'openai/gpt-6-luna', output: [] };
  const message = { type: 'message', id: ITEM, role: 'assistant', status: 'completed', content: null };
  const position = { item_id: ITEM, output_index: 0, content_index: 0 };
  return [
    { type: 'response.created', sequence_number: 0, response },
    { type: 'response.output_item.added', sequence_number: 1, output_index: 0, item: message },
    ...Array.from({ length: deltas }, (_, index) => ({
      type: 'response.output_text.delta',
      sequence_number: index + 2,
      ...position,
      get delta() {
        return bigDelta(index);
      },
    })),
    {
      type: 'response.completed',
      sequence_number: deltas + 2,
      response: { ...response, status: 'completed', usage: USAGE },
    },
  ];
}
