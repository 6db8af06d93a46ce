/** Which text a consumer has to get, read off the JSON that arrived whole. Written apart from the package's own reading. */
import { marksIn } from './run-grammar.js';

type Json = Record<string, unknown>;

const asObject = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined;

const TERMINAL = /^(response\.(completed|incomplete|failed|cancelled|requires_action|error)|error)$/;

/** Marks of the deltas that came whole, before their message or the run was said to be over. */
export function owedByEvents(whole: readonly string[]): string[] {
  const owed: string[] = [];
  const over = new Set<unknown>();
  for (const json of whole) {
    const event = asObject(JSON.parse(json));
    if (event === undefined) continue;
    const { type, item_id: id, output_index: index, content_index: content, delta } = event;
    // Nobody can tell what it means, so nothing is owed from here on.
    if (typeof type !== 'string') return owed;
    // What the events did not bring, the final snapshot does.
    if (TERMINAL.test(type)) return [...owed, ...owedByResponse(event['response'])];
    if (type === 'response.output_text.delta' && typeof delta === 'string') {
      const isPlain = typeof id === 'string' && Number.isInteger(index) && content === 0;
      if (over.size === 0 || (isPlain && !over.has(id) && !over.has(index) && !over.has('?')))
        owed.push(...marksIn(delta));
    }
    if (type === 'response.output_text.done') note(over, id, index);
    // Other events with an item end nothing that has text, as long as they say which kind it is.
    const item = asObject(event['item']);
    if (type === 'response.output_item.done' && item !== undefined) {
      if (typeof item['type'] !== 'string' || item['type'] === 'message') note(over, item['id'], index);
    }
  }
  return owed;
}

function note(over: Set<unknown>, id: unknown, index: unknown): void {
  over.add(typeof id === 'string' && id !== '' ? id : '?');
  over.add(Number.isInteger(index) ? index : '?');
}

/** Marks of the messages of a response. */
export function owedByResponse(response: unknown): string[] {
  const output = asObject(response)?.['output'];
  if (!Array.isArray(output)) return [];
  return output.flatMap((item) => {
    const message = asObject(item);
    if (message?.['type'] !== 'message') return [];
    const { content } = message;
    if (typeof content === 'string') return marksIn(content);
    return (Array.isArray(content) ? content : []).flatMap((part) => {
      const text = asObject(part)?.['text'];
      return typeof text === 'string' ? marksIn(text) : [];
    });
  });
}
