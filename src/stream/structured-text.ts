import { asObject, parseJson } from '../json.js';
import type { CoreContent } from '../spec.js';

/**
 * Structured output has to be one text of bare JSON: the AI SDK joins all texts and parses the whole. Where a run wrote
 * a draft before its searches, or put words or a fence around the JSON, the last text with an object in it stays, bare,
 * and the others go; the whole answer is still in `response.body`. Where there is no object, nothing is touched.
 */
export function bareJsonText(content: readonly CoreContent[]): CoreContent[] {
  const answers = content.flatMap((part) => {
    const json = part.type === 'text' ? jsonObjectIn(part.text) : undefined;
    return json === undefined ? [] : [{ part, json }];
  });
  const answer = answers.at(-1);
  if (answer === undefined) return [...content];
  return content
    .filter((part) => part.type !== 'text' || part === answer.part)
    .map((part) => (part === answer.part ? { ...answer.part, text: answer.json } : part));
}

const FENCE = '```';

/** The JSON object that a text is, or that stands in its fence; the root of a schema is always an object (§2.5). */
function jsonObjectIn(text: string): string | undefined {
  const start = text.indexOf(FENCE);
  const end = text.lastIndexOf(FENCE);
  // The first line of a fence names the language.
  const inside = end > start ? text.slice(text.indexOf('\n', start) + 1 || end, end).trim() : '';
  return [text, inside].find((candidate) => asObject(parseJson(candidate)) !== undefined);
}
