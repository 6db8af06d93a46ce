/** What an answer was made of, as lines to read: what the agent said of its progress, and the tools that it used. */
import type { ChatMessage } from './types';

export type ResearchStep = {
  /** `progress`, or the tool's name. */
  kind: string;
  title: string;
  /** Queries, pages, arguments: one a line. */
  lines: string[];
  /** A program. */
  code?: string;
  /** What came of it. */
  outcome?: string;
  isFailed?: boolean;
};

type Fields = Record<string, unknown>;
type ToolPart = { toolName: string; state: string; input: Fields; output: Fields; errorText?: string };

const TITLES: Record<string, string> = {
  web_search: 'Searched the web',
  people_search: 'Searched for people',
  finance_search: 'Looked up figures',
  fetch_url: 'Read pages',
  sandbox: 'Ran a program',
};

export function researchOf({ parts }: ChatMessage): ResearchStep[] {
  return parts.flatMap((part): ResearchStep[] => {
    if (part.type === 'reasoning') {
      // The queries are told by the tools' own lines.
      const lines = part.text.split('\n').filter((line) => line !== '' && !line.startsWith('- '));
      return lines.map((title) => ({ kind: 'progress', title, lines: [] }));
    }
    const call = toolPartOf(part);
    return call === undefined ? [] : [stepOf(call)];
  });
}

/** A call of one of Perplexity's tools. Ours is shown where it asks. */
function toolPartOf(part: ChatMessage['parts'][number]): ToolPart | undefined {
  if (part.type !== 'dynamic-tool' && !part.type.startsWith('tool-')) return undefined;
  const tool = part as {
    type: string;
    toolName?: string;
    state: string;
    input?: unknown;
    output?: unknown;
    errorText?: string;
  };
  const toolName = tool.toolName ?? tool.type.replace(/^tool-/, '');
  if (toolName === 'save_note') return undefined;
  return {
    toolName,
    state: tool.state,
    input: fieldsOf(tool.input),
    output: fieldsOf(tool.output),
    ...(tool.errorText !== undefined && { errorText: tool.errorText }),
  };
}

function stepOf({ toolName, state, input, output, errorText }: ToolPart): ResearchStep {
  const known = TITLES[toolName];
  const code = textOf(input['code']);
  const name = textOf(input['name']);
  const given = input['arguments'];
  const told = [
    ...textsOf(input['queries']),
    ...textsOf(input['urls']),
    ...(given === undefined ? [] : [JSON.stringify(given)]),
  ];
  const pages = listOf(output['results'] ?? output['contents']).map(
    (page) => textOf(page['title']) ?? textOf(page['url']) ?? '',
  );
  const isSearch = toolName.endsWith('_search');
  const outcome =
    errorText ??
    (isSearch && pages.length > 0
      ? `${pages.length} results`
      : (outputOf(output) ?? (state === 'output-available' ? undefined : 'running …')));
  return {
    kind: toolName,
    title: known ?? (name === undefined ? `Called ${toolName}` : `Called ${toolName}: ${name}`),
    lines: [...told, ...(isSearch ? [] : pages)].filter((line) => line !== ''),
    ...(code !== undefined && { code }),
    ...(outcome !== undefined && { outcome }),
    ...(state === 'output-error' && { isFailed: true }),
  };
}

/** What a program printed, or a server answered. */
function outputOf(output: Fields): string | undefined {
  const printed = listOf(output['results']).map(({ stdout, stderr }) =>
    [stdout, stderr].map(textOf).filter(Boolean).join('\n'),
  );
  return textOf(printed.join('\n')) ?? textOf(output['output']) ?? textOf(output['error']);
}

const fieldsOf = (value: unknown): Fields => (typeof value === 'object' && value !== null ? (value as Fields) : {});
const listOf = (value: unknown): Fields[] => (Array.isArray(value) ? value.map(fieldsOf) : []);
const textOf = (value: unknown) => (typeof value === 'string' && value.trim() !== '' ? value : undefined);
const textsOf = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : [];
