import { parseJson } from '../json.js';
import type { CoreContent } from '../spec.js';

/**
 * Structured output has to be one text of bare JSON: the AI SDK joins all texts and parses the whole. Where a run wrote
 * a draft before its searches, or put the JSON in a fence, the last text that is JSON stays and the others go; the
 * whole answer is still in `response.body`. Where none is JSON, nothing is touched.
 */
export function bareJsonText(content: readonly CoreContent[]): CoreContent[] {
  const texts = content.filter((part) => part.type === 'text');
  const answers = texts.flatMap((part) => {
    const json = jsonIn(part.text);
    return json === undefined ? [] : [{ part, json }];
  });
  const answer = answers.at(-1);
  if (answer === undefined) return [...content];
  return content
    .filter((part) => part.type !== 'text' || part === answer.part)
    .map((part) => (part === answer.part ? { ...answer.part, text: answer.json } : part));
}

function jsonIn(text: string): string | undefined {
  const bare = /^\s*```(?:json)?\s*([\s\S]*?)\s*```\s*$/.exec(text)?.[1] ?? text;
  return parseJson(bare) === undefined ? undefined : bare;
}
