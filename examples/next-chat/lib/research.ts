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

/** What a tool is doing, and what it has done. */
const TITLES: Record<string, readonly [string, string]> = {
  web_search: ['Searching the web', 'Searched the web'],
  people_search: ['Searching for people', 'Searched for people'],
  finance_search: ['Looking up figures', 'Looked up figures'],
  fetch_url: ['Reading pages', 'Read pages'],
  sandbox: ['Running a program', 'Ran a program'],
};

/** How the API tells of its searches and pages. */
const SEARCHES_AND_PAGES = /^(?:Searching the web|Found \d+ results?$|Fetching \d+ URLs?$|Fetched content from )/u;

export function researchOf({ parts }: ChatMessage): ResearchStep[] {
  const hasSteps = parts.some((part) => part.type === 'tool-web_search' || part.type === 'tool-fetch_url');
  return parts.flatMap((part): ResearchStep[] => {
    if (part.type === 'reasoning') {
      return progressOf(part.text, { isToldBySteps: hasSteps });
    }
    const call = toolPartOf(part);
    return call === undefined ? [] : [stepOf(call)];
  });
}

/** What the agent says of itself. Of what declared tools do there are steps already. */
function progressOf(text: string, { isToldBySteps }: { isToldBySteps: boolean }): ResearchStep[] {
  const steps: ResearchStep[] = [];
  let isTold = false;
  for (const line of text.split('\n')) {
    // Queries and addresses follow the line that they belong to.
    const isDetail = line.startsWith('- ');
    isTold = isToldBySteps && ((isDetail && isTold) || SEARCHES_AND_PAGES.test(line));
    if (isTold || line === '') continue;
    const step = steps.at(-1);
    if (isDetail && step !== undefined) step.lines.push(line.slice(2));
    else steps.push({ kind: 'progress', title: line, lines: [] });
  }
  return steps;
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
  const isRunning = state !== 'output-available' && state !== 'output-error';
  const known = TITLES[toolName]?.[isRunning ? 0 : 1];
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
      : (outputOf(output) ?? (isRunning ? 'running …' : undefined)));
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
