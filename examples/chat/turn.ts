/** One turn of the chat: asks, prints while the answer comes, and tells sources and cost. */
import {
  splitCitations,
  type PerplexityAgentCost,
  type PerplexityAgentProvider,
} from 'ai-sdk-provider-perplexity-agent';
import { streamText, type ModelMessage } from 'ai';
import { collect, type Answer, type SourcePart } from '../ask/collect.js';
import { createMarkdownPrinter } from './markdown.js';
import { printable } from '../ask/printable.js';

export type Turn = {
  /** What the history gets; empty where nothing came. */
  messages: ModelMessage[];
  cost: PerplexityAgentCost;
  /** Why the answer is not whole. */
  error?: unknown;
  wasStopped: boolean;
};

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
    onError: () => {}, // told in the answer
  });

  const sources: SourcePart[] = [];
  const answer = await collect(result.fullStream, {
    onProgress: (text) => print(dim(printable(text))),
    onText: markdown.push,
    onSource: (part) => sources.push(part),
  });
  markdown.end();
  print('\n');
  for (const line of references(answer, sources)) print(`${line === '' ? '' : dim(printable(line))}\n`);
  const { text, cost = {}, usage, error, aborted: wasStopped } = answer;
  if (cost.totalCost !== undefined) {
    const tokens = usage?.totalTokens;
    print(
      dim(`$${cost.totalCost.toFixed(5)}${tokens === undefined ? '' : `, ${tokens.toLocaleString('en-US')} tokens`}\n`),
    );
  }
  const messages: ModelMessage[] = text === '' ? [] : [{ role: 'assistant', content: text }];
  return { messages, cost, wasStopped, ...(error !== undefined && { error }) };
}

/** The pages that the text cites, by the numbers that it uses. */
function references({ text, citations }: Answer, sources: SourcePart[]): string[] {
  const lines = new Map<string, string>();
  for (const segment of splitCitations(text, sources, citations)) {
    if (segment.type !== 'citation' || segment.source === undefined) continue;
    const { title, url } = segment.source;
    lines.set(segment.resultId, `[${segment.resultId}] ${title === undefined ? '' : `${title} `}${url}`);
  }
  return lines.size === 0 ? [] : ['', ...lines.values(), ''];
}
