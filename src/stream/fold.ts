import { citationOf } from '../citations/resolve.js';
import { markersIn } from '../citations/split.js';
import { asObject } from '../json.js';
import type { JSONObject } from '@ai-sdk/provider';
import type { CoreCitation, CoreContent, CoreFinish, CoreMetadata, CorePart, CoreSource } from '../spec.js';
import { citationsOf, citedSource, withoutPlaces } from './spans.js';

/** The parts of a run, folded into what a generate call returns. */
export type Folded = {
  content: CoreContent[];
  finish: CoreFinish | undefined;
  error: Error | undefined;
  response: { id?: string; modelId?: string; timestamp?: Date };
};

type TextContent = Extract<CoreContent, { type: 'text' | 'reasoning' }>;

/** Folds parts in the order in which their blocks began; `isStructured`: the answer is JSON, where nothing cites. */
export function fold(parts: Iterable<CorePart>, isStructured = false): Folded {
  const folded: Folded = { content: [], finish: undefined, error: undefined, response: {} };
  const blocks = new Map<string, TextContent>();

  function open(type: 'text' | 'reasoning', id: string, providerMetadata: CoreMetadata | undefined): void {
    const block: TextContent = { type, text: '', ...(providerMetadata !== undefined && { providerMetadata }) };
    blocks.set(`${type} ${id}`, block);
    folded.content.push(block);
  }
  function extend(type: 'text' | 'reasoning', id: string, delta: string): void {
    const block = blocks.get(`${type} ${id}`);
    if (block !== undefined) block.text += delta;
  }

  for (const part of parts) {
    switch (part.type) {
      case 'text-start':
        open('text', part.id, part.providerMetadata);
        break;
      case 'text-delta':
        extend('text', part.id, part.delta);
        break;
      case 'text-end':
        closeText(blocks.get(`text ${part.id}`), part.providerMetadata, part.citations);
        break;
      case 'reasoning-start':
        open('reasoning', part.id, part.providerMetadata);
        break;
      case 'reasoning-delta':
        extend('reasoning', part.id, part.delta);
        break;
      case 'tool-call':
      case 'tool-result':
      case 'source':
      case 'custom':
        folded.content.push(part);
        break;
      case 'response-metadata': {
        const { type: _, ...response } = part;
        folded.response = { ...folded.response, ...response };
        break;
      }
      case 'error':
        folded.error = part.error;
        break;
      case 'finish':
        folded.finish = part;
        break;
    }
  }
  completeCitations(folded, isStructured);
  return folded;
}

/** A text that was corrected on the way is given as it should have been. */
function closeText(
  block: TextContent | undefined,
  metadata: CoreMetadata | undefined,
  citations: CoreCitation[] | undefined,
): void {
  if (block?.type !== 'text' || metadata === undefined) return;
  const { correctedText, ...perplexity } = metadata.perplexity;
  const isCorrected = typeof correctedText === 'string';
  if (isCorrected) block.text = correctedText;
  // Places are those of the text as it was sent.
  if (citations !== undefined) block.citations = isCorrected ? withoutPlaces(citations) : citations;
  block.providerMetadata = { perplexity };
}

/** A text's own map and spans hold what was known when it ended; the folded ones hold all (design decision 9). */
function completeCitations({ content, finish }: Folded, isStructured: boolean): void {
  const citations = finish?.providerMetadata.perplexity['citations'];
  const urls = asObject(citations);
  if (citations === undefined || urls === undefined) return;
  const sources = new Map<string, CoreSource>();
  for (const part of content) if (part.type === 'source') sources.set(part.url, citedSource(part));
  const sourceOf = (resultId: string) => sources.get(citationOf(urls, resultId) ?? '');
  for (const part of content) {
    if (part.type !== 'text') continue;
    const perplexity: JSONObject = Object.assign({}, part.providerMetadata?.perplexity, { citations });
    part.providerMetadata = { perplexity };
    if (!isStructured) Object.assign(part, citationsOf(markersIn(part.text), sourceOf, part.citations));
  }
}
