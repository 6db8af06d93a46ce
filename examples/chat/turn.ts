/** One turn of the chat: asks, prints while the answer comes, and tells sources and cost. */
import {
  splitCitations,
  totalCost,
  type PerplexityAgentCost,
  type PerplexityAgentProvider,
} from 'ai-sdk-provider-perplexity-agent';
import { streamText, type ModelMessage } from 'ai';
import { createMarkdownPrinter } from './markdown.js';

export type Turn = {
  /** What the history gets; empty where nothing came. */
  messages: ModelMessage[];
  cost: PerplexityAgentCost;
  /** Why the answer is not whole. */
  error?: unknown;
};

type Source = { url: string; title?: string | undefined };

export async function takeTurn(turn: {
  provider: PerplexityAgentProvider;
  effort: string;
  history: ModelMessage[];
  abortSignal: AbortSignal;
  print(text: string): void;
  hasColours: boolean;
}): Promise<Turn> {
  const { print, hasColours } = turn;
  const dim = (text: string) => (hasColours ? `\u001b[2m${text}\u001b[22m` : text);
  const markdown = createMarkdownPrinter(print, hasColours);
  const result = streamText({
    model: turn.provider(turn.effort),
    messages: turn.history,
    maxRetries: 0,
    abortSignal: turn.abortSignal,
    onError: () => {}, // told below, as a part of the stream
  });

  let text = '';
  let cost: PerplexityAgentCost = {};
  let tokens: number | undefined;
  let error: unknown;
  const sources: Source[] = [];
  let metadata: Parameters<typeof splitCitations>[2];
  for await (const part of result.fullStream) {
    if (part.type === 'reasoning-delta') print(dim(part.text));
    if (part.type === 'reasoning-end') print('\n\n');
    if (part.type === 'source' && part.sourceType === 'url') sources.push(part);
    if (part.type === 'text-delta') {
      text += part.text;
      markdown.push(part.text);
    }
    if (part.type === 'error') ({ error } = part);
    if (part.type === 'abort') error = new Error('Stopped.');
    if (part.type === 'finish-step') {
      cost = totalCost(part);
      tokens = part.usage.totalTokens;
      metadata = part.providerMetadata;
    }
  }
  markdown.end();
  print('\n');
  for (const line of references(text, sources, metadata)) print(`${dim(line)}\n`);
  if (cost.totalCost !== undefined) {
    print(
      dim(`$${cost.totalCost.toFixed(5)}${tokens === undefined ? '' : `, ${tokens.toLocaleString('en-US')} tokens`}\n`),
    );
  }
  const messages: ModelMessage[] = text === '' ? [] : [{ role: 'assistant', content: text }];
  return { messages, cost, ...(error !== undefined && { error }) };
}

/** The pages that the text cites, by the numbers that it uses. */
function references(text: string, sources: Source[], metadata: Parameters<typeof splitCitations>[2]): string[] {
  const lines = new Map<string, string>();
  for (const segment of splitCitations(text, sources, metadata)) {
    if (segment.type !== 'citation' || segment.source === undefined) continue;
    const { title, url } = segment.source;
    lines.set(segment.resultId, `[${segment.resultId}] ${title === undefined ? '' : `${title} `}${url}`);
  }
  return lines.size === 0 ? [] : ['', ...lines.values(), ''];
}
