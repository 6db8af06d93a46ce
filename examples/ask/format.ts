/** The lines under an answer. */
import { RetryError } from 'ai';
import type { PerplexityAgentCost } from 'ai-sdk-provider-perplexity-agent';
import type { Answer, Source } from './collect.js';

/** Sources, tokens, cost and model of an answer; what is not known is left out. */
export function summary(answer: Answer): string {
  const { model, finishReason, responseId, cost, usage } = answer;
  const facts: [string, string | undefined][] = [
    ['Tokens', usage && tokens(usage)],
    ['Cost', cost && costs(cost)],
    ['Model', model.served && [model.served, asked(model)].filter(Boolean).join(', ')],
    ['Finish', finishReason],
    ['Response', responseId],
    ...answer.warnings.map((warning): [string, string] => ['Warning', warningText(warning)]),
  ];
  const lines = facts.flatMap(([label, text]) => (text ? [`${`${label}:`.padEnd(10)}${text}`] : []));
  const blocks = [sourceList(answer.sources), lines.join('\n')].filter((block) => block !== '');
  return `${answer.text === '' ? '' : '\n\n'}${blocks.join('\n\n')}${blocks.length > 0 ? '\n' : ''}`;
}

const asked = ({ requested, effort }: Answer['model']): string =>
  requested === undefined ? '' : `asked for ${requested}${effort === undefined ? '' : ` at the level ${effort}`}`;

function sourceList(sources: Source[]): string {
  if (sources.length === 0) return '';
  const cited = sources.filter((source) => source.cited).length;
  const heading = `Sources: ${sources.length}, of which the answer cites ${cited} (*)`;
  const ids = sources.map(({ resultIds }) => resultIds.map((id) => `[${id}]`).join('') || '[-]');
  const width = Math.max(...ids.map((text) => text.length));
  const lines = sources.map(({ cited, title, url }, index) => {
    const id = (ids[index] ?? '').padEnd(width);
    return `${cited ? '*' : ' '} ${id} ${title === undefined ? '' : `${title} - `}${url}`;
  });
  return [heading, ...lines].join('\n');
}

const count = (value: number) => value.toLocaleString('en-US');

// The API rounds costs to five decimals.
const dollars = (value: number) => `$${value.toFixed(5)}`;

function tokens({ inputTokens, outputTokens, cachedInputTokens, reasoningTokens }: NonNullable<Answer['usage']>) {
  const part = (value: number | undefined, word: string) => (value === undefined ? '' : ` (${count(value)} ${word})`);
  return [
    inputTokens === undefined ? undefined : `${count(inputTokens)} input${part(cachedInputTokens, 'cached')}`,
    outputTokens === undefined ? undefined : `${count(outputTokens)} output${part(reasoningTokens, 'reasoning')}`,
  ]
    .filter((text) => text !== undefined)
    .join(', ');
}

function costs({ totalCost, toolCallsCostDetails = {} }: PerplexityAgentCost): string | undefined {
  if (totalCost === undefined) return undefined;
  const tools = Object.entries(toolCallsCostDetails).map(([tool, cost]) => `${tool} ${dollars(cost)}`);
  return `${dollars(totalCost)}${tools.length === 0 ? '' : ` (of which ${tools.join(', ')})`}`;
}

function warningText(warning: Answer['warnings'][number]): string {
  if (warning.type === 'other') return warning.message;
  const subject = warning.type === 'unsupported-setting' ? String(warning.setting) : warning.tool.name;
  return `${subject} is not supported${warning.details === undefined ? '' : `: ${warning.details}`}`;
}

/** What went wrong, in one line: the API's own message rather than what the retries made of it. */
export function errorLine(error: unknown): string {
  const cause = RetryError.isInstance(error) ? error.lastError : error;
  const message = cause instanceof Error ? cause.message : String(cause);
  return `Error: ${message.replace(/\s+/g, ' ').trim()}`;
}
