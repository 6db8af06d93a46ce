/** The numbered sources of an answer, and its text with numbers that lead to them. */
import { splitCitations, type PerplexityAgentSourceMetadata } from 'ai-sdk-provider-perplexity-agent/v4';
import type { ChatMessage } from './types';

export type NumberedSource = {
  /** From 1, in the order in which the pages were found. */
  number: number;
  url: string;
  title: string;
  /** Host of the page. */
  site: string;
  date?: string;
  snippet?: string;
};

const siteOf = (url: string) => (URL.canParse(url) ? new URL(url).hostname.replace(/^www\./, '') : url);

export function sourcesOf({ parts }: ChatMessage): NumberedSource[] {
  return parts
    .filter((part) => part.type === 'source-url')
    .map(({ url, title, providerMetadata }, index) => {
      const { date, snippet } = (providerMetadata?.['perplexity'] ?? {}) as Partial<PerplexityAgentSourceMetadata>;
      const site = siteOf(url);
      return { number: index + 1, url, title: title ?? site, site, ...(date && { date }), ...(snippet && { snippet }) };
    });
}

/** Where a citation leads to on the page. */
export const CITATION = '#source-';

/**
 * A text part as Markdown whose markers are links to the numbers of `sources`. Two result numbers of one page become the
 * same; a marker that nobody knows stays as the model wrote it.
 */
export function markdownOf(
  part: Extract<ChatMessage['parts'][number], { type: 'text' }>,
  { parts }: ChatMessage,
  sources: readonly NumberedSource[],
): string {
  return splitCitations(part.text, parts, part.providerMetadata)
    .map((segment) => {
      if (segment.type === 'text') return segment.text;
      const number = sources.find(({ url }) => url === segment.source?.url)?.number;
      return number === undefined ? segment.marker : `[\\[${number}\\]](${CITATION}${number})`;
    })
    .join('');
}
