/** Valid runs of the Agent API (`agent-api.md` §4 and §5), each text with a mark by which it is known again. */
import fc from 'fast-check';
import type { WireEvent } from '../support/fixtures.js';
import { itemAdded, itemDone, nativeCall, result, searchItem, snapshot, usage } from '../support/wire.js';

type Item = Record<string, unknown>;

/** A run as its events, and as the response that it comes to. */
export type ValidRun = { events: WireEvent[]; response: Record<string, unknown> };

/** What a delta is known by. No other text has the marks. */
const mark = (number: number) => `«${number}»`;
export const marksIn = (text: string): string[] => text.match(/«\d+»/g) ?? [];

type Segment = { kind: string; size: number; texts: string[]; isWhole: boolean };

const KINDS = [
  'message',
  'message',
  'message',
  'search',
  'fetch',
  'people',
  'finance',
  'image',
  'sandbox',
  'mcp',
  'connector',
  'call',
  'skill',
  'share',
  'unknown',
  'progress',
] as const;

/** Words between the marks: of one to four bytes a character, halves of pairs, directions, NUL, JSON's own characters. */
const WORDS = [
  '',
  ' a',
  'é',
  '漢字',
  '👩‍🚀',
  '\ud83d',
  '\ude00',
  '\u0000',
  '\u202e',
  '\n',
  '"\\',
  '[1]',
  '[web:2]',
  '```',
  '{"a":1}',
];

const segment: fc.Arbitrary<Segment> = fc.record({
  kind: fc.constantFrom(...KINDS),
  size: fc.integer({ min: 0, max: 4 }),
  texts: fc.array(fc.constantFrom(...WORDS), { minLength: 1, maxLength: 5 }),
  isWhole: fc.boolean(),
});

const ENDINGS = ['completed', 'completed', 'completed', 'incomplete', 'failed', 'cancelled'] as const;

export const validRun: fc.Arbitrary<ValidRun> = fc
  .record({
    segments: fc.array(segment, { maxLength: 6 }),
    ending: fc.constantFrom(...ENDINGS),
    hasUsage: fc.boolean(),
  })
  .map(({ segments, ending, hasUsage }) => runOf(segments, ending, hasUsage));

function runOf(segments: Segment[], ending: (typeof ENDINGS)[number], hasUsage: boolean): ValidRun {
  const running = snapshot({ id: 'resp_hostile', status: 'in_progress', model: 'low' });
  const events: WireEvent[] = [
    { type: 'response.created', response: running },
    { type: 'response.in_progress', response: running },
  ];
  const output: Item[] = [];
  let marks = 0;
  for (const { kind, ...shape } of segments) {
    const texts = shape.texts.map((text) => `${mark(marks++)}${text}`);
    const made = SEGMENTS[kind]?.(output.length, { ...shape, texts });
    events.push(...(made?.events ?? []));
    if (made?.item !== undefined) output.push(made.item);
  }
  const error = { message: 'upstream unavailable', type: 'internal_error', code: 500 };
  const response = snapshot({
    id: 'resp_hostile',
    status: ending,
    output,
    usage: hasUsage ? usage : null,
    error: ending === 'failed' || ending === 'cancelled' ? error : null,
    incomplete_details: ending === 'incomplete' ? { reason: 'max_output_tokens' } : null,
  });
  events.push({ type: `response.${ending}`, response });
  return { events: events.map((event, number) => ({ ...event, sequence_number: number })), response };
}

type Made = { events: WireEvent[]; item?: Item };
type Shape = Omit<Segment, 'kind'>;

const pages = (index: number, size: number) =>
  Array.from({ length: size }, (_, page) => result(index * 10 + page + 1, `https://page.example/${index}/${page % 3}`));

/** A native call as it was recorded: announced as a function_call, told of by events, done as its results (§4.4). */
const native = (index: number, call: string, args: unknown, item: Item, events: WireEvent[] = []): Made => ({
  events: [itemAdded(index, nativeCall(call, `call_${index}`, args)), ...events, itemDone(index, item)],
  item,
});

const bare = (index: number, item: Item): Made => ({ events: [itemAdded(index, item), itemDone(index, item)], item });

const SEGMENTS: Readonly<Record<string, (index: number, shape: Shape) => Made>> = {
  message(index, { texts, isWhole }) {
    const id = `msg_${index}`;
    const place = { item_id: id, output_index: index, content_index: 0 };
    const text = texts.join('');
    const annotations = isWhole
      ? [{ type: 'url_citation', url: `https://cited.example/${index}`, title: 'C', start_index: 0, end_index: 1 }]
      : [];
    const message = { type: 'message', id, role: 'assistant', status: 'completed' };
    const item = { ...message, content: [{ type: 'output_text', text, annotations }] };
    return {
      events: [
        itemAdded(index, { ...message, content: null }),
        ...texts.map((delta) => ({ type: 'response.output_text.delta', ...place, delta })),
        ...(isWhole ? [{ type: 'response.output_text.done', ...place, text }] : []),
        itemDone(index, item),
      ],
      item,
    };
  },
  search: (index, { size }) =>
    native(index, 'search_web', { queries: ['tide'] }, searchItem(['tide'], pages(index, size)), [
      { type: 'response.reasoning.search_queries', call_id: `call_${index}`, queries: ['tide'], thought: 'Searching' },
      {
        type: 'response.reasoning.search_results',
        call_id: `call_${index}`,
        results: pages(index, size),
        thought: null,
      },
    ]),
  fetch: (index, { size }) =>
    native(
      index,
      'fetch_url',
      { urls: [`https://page.example/${index}`] },
      { type: 'fetch_url_results', contents: pages(index, size) },
      [
        { type: 'response.reasoning.fetch_url_queries', urls: [`https://page.example/${index}`], thought: 'Fetching' },
        { type: 'response.reasoning.fetch_url_results', contents: null, thought: 'Fetched' },
      ],
    ),
  people: (index, { size }) =>
    native(
      index,
      'search_people',
      { queries: ['keeper'] },
      { type: 'people_search_results', queries: ['keeper'], results: pages(index, size) },
    ),
  finance: (index) =>
    native(
      index,
      'finance_quotes',
      { tickers: ['ABC'] },
      {
        type: 'finance_results',
        categories: ['quote'],
        tickers: ['ABC'],
        results: [{ category: 'quote', content: '|1|', sources: ['https://finance.example/ABC'] }],
      },
    ),
  image: (index, { isWhole }) =>
    bare(index, {
      type: 'image_search_results',
      queries: ['owl'],
      results: isWhole ? [{ image_url: 'https://i.example/o.png', origin_url: 'https://i.example/', width: 6 }] : [],
      ...(!isWhole && { error: 'image_search_failed' }),
    }),
  sandbox: (index, { isWhole }) =>
    bare(
      index,
      isWhole
        ? { type: 'sandbox_results', status: 'completed', code: 'print(2)', stdout: '2', exit_code: 0, duration_ms: 4 }
        : {
            type: 'sandbox_results',
            call_id: `call_${index}`,
            language: 'python',
            code: 'print(2)',
            status: 'completed',
            results: [{ stdout: '2', stderr: '', exit_code: 0, duration_ms: 40, status: 'completed' }],
          },
    ),
  mcp: (index, { isWhole }) =>
    bare(index, {
      type: 'mcp_call',
      id: `mcp_${index}`,
      server_label: 'harbour',
      name: 'find',
      arguments: '{"depth":1}',
      output: isWhole ? 'ok' : null,
      error: isWhole ? null : 'no answer',
    }),
  connector: (index) =>
    bare(index, {
      type: 'mcp_list_tools',
      id: `mcpl_${index}`,
      server_label: 'drive',
      tools: [{ name: 'find', input_schema: { type: 'object' } }],
    }),
  call: (index) => bare(index, nativeCall('look', `call_${index}`, { city: 'Porto' })),
  skill: (index) => ({
    events: [
      { type: 'response.skill.loaded', name: 'finance' },
      itemDone(index, { type: 'skill_loaded', name: 'finance' }),
    ],
    item: { type: 'skill_loaded', name: 'finance' },
  }),
  share: (index) =>
    bare(index, { type: 'share_file', call_id: `call_${index}`, file_id: 'file_1', filename: 'a.xlsx' }),
  unknown: (index) => bare(index, { type: 'unknown', item_name: 'new_thing', payload: { k: index } }),
  progress: () => ({
    events: [
      { type: 'response.reasoning.started', thought: null },
      { type: 'response.unknown', item: 1 },
      { type: 'response.reasoning.stopped', thought: 'Done' },
    ],
  }),
};
