import { withRunData, type PerplexityAgentErrorData } from '../errors.js';
import { defined } from '../json.js';
import type { CoreContent } from '../spec.js';
import type { Folded } from './fold.js';

/** The text of an answer, as far as it came. */
export const textOf = (content: readonly CoreContent[]): string =>
  content.map((part) => (part.type === 'text' ? part.text : '')).join('');

/** The pages that an answer rests on, as far as they came. */
export const sourcesOf = (content: readonly CoreContent[]): Array<{ id: string; url: string; title?: string }> =>
  content.flatMap((part) =>
    part.type === 'source'
      ? [{ id: part.id, url: part.url, ...(part.title !== undefined && { title: part.title }) }]
      : [],
  );

/** Nothing is lost: the error keeps the text, sources, usage and cost that had arrived (design decision 11). */
export function withArrived(error: Error | undefined, { content, finish }: Pick<Folded, 'content' | 'finish'>): Error {
  const text = textOf(content);
  const sources = sourcesOf(content);
  const metadata = finish?.providerMetadata.perplexity as PerplexityAgentErrorData | undefined;
  return withRunData(
    error ?? new Error('The run ended without a result.'),
    defined<PerplexityAgentErrorData>({
      text: text === '' ? undefined : text,
      sources: sources.length === 0 ? undefined : sources,
      usage: metadata?.usage,
      cost: metadata?.cost,
    }),
  );
}
