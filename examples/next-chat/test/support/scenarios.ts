/** Traffic that the tests script, with pages, prices and texts of their own. */
import type { CustomScenario } from 'ai-sdk-provider-perplexity-agent/simulator';
import type { Json } from './api';

/** A page as the API lists it. */
export interface WirePage {
  id: number;
  url: string;
  title: string;
  snippet: string;
  date?: string;
  source: 'web';
}

/** Ten pages, each with another title, site, date and snippet. */
export const BEES: WirePage[] = [
  [
    'https://hives.example.org/swarming',
    'When a hive swarms',
    'Scouts dance for a new home until all agree.',
    '2024-04-02',
  ],
  ['https://meadow.example.com/clover', 'Clover and honey', 'A field of clover feeds forty hives.', '2023-06-11'],
  ['https://queen.example.net/piping', 'Queens that pipe', 'A young queen toots, her rivals quack.', '2022-05-19'],
  ['https://wax.example.org/cells', 'Why cells have six sides', 'Six sides need the least wax.', '2021-01-30'],
  ['https://winter.example.com/cluster', 'The winter cluster', 'They shiver, and keep thirty degrees.', '2025-12-05'],
  ['https://smoke.example.net/calm', 'What smoke does', 'It hides the scent of alarm.', '2020-08-08'],
  [
    'https://dance.example.org/waggle',
    'The waggle dance',
    'Its angle to the vertical is the angle to the sun.',
    '2026-02-17',
  ],
  ['https://pollen.example.com/baskets', 'Baskets for pollen', 'Each leg carries a third of her weight.', '2019-09-23'],
  ['https://drones.example.net/autumn', 'Drones in autumn', 'They are shown the door in September.', '2018-10-12'],
  [
    'https://honey.example.org/ripening',
    'How honey ripens',
    'Wings fan it until it holds a fifth of water.',
    '2026-07-01',
  ],
].map(([url = '', title = '', snippet = '', date = ''], index) => ({
  id: index + 1,
  url,
  title,
  snippet,
  date,
  source: 'web',
}));

/** What a scripted run has cost. */
export interface Bill {
  input: number;
  output: number;
  total: number;
}

let runs = 0;

/** A run of these items. */
export function run(
  items: Json[],
  { input, output, total }: Bill = { input: 900, output: 60, total: 0.00211 },
): CustomScenario {
  runs += 1;
  return {
    response: {
      id: `resp_browser${String(runs).padStart(6, '0')}`,
      object: 'response',
      status: 'completed',
      model: 'openai/gpt-6-luna',
      created_at: 1_790_000_000 + runs,
      output: items,
      usage: {
        input_tokens: input,
        output_tokens: output,
        total_tokens: input + output,
        cost: { currency: 'USD', input_cost: 0.00001, output_cost: 0.00001, total_cost: total },
      },
    },
  };
}

/** The item of a search. */
export const search = (query: string, results: WirePage[]): Json => ({
  type: 'search_results',
  queries: [query],
  results,
});

/** The item of an answer. */
export const message = (text: string): Json => ({
  type: 'message',
  id: `msg_${(runs += 1)}`,
  role: 'assistant',
  status: 'completed',
  content: [{ type: 'output_text', text, annotations: [] }],
});

/** One search for bees, then an answer that cites its seventh page. */
export const beeAnswer = (bill?: Bill): CustomScenario =>
  run(
    [
      search('how do bees tell each other the way', BEES),
      message(
        'They dance: the angle of the run to the vertical is the angle of the flight to the sun [7]. Scouts dance too [1].',
      ),
    ],
    bill,
  );

/** The model calls `save_note`, and quotes what that gave back as soon as it is told. */
export const noteCall = (title: string, text: string) => ({
  name: 'tool-call' as const,
  calls: [{ name: 'save_note', arguments: JSON.stringify({ title, text }) }],
});

/** Input items of a request, without what the app tells the model itself. */
export const inputItems = (body: Json): Json[] =>
  (Array.isArray(body.input) ? (body.input as Json[]) : []).filter(({ role }) => role !== 'system');

/** Items of one type in a request. */
export const inputOf = (body: Json, type: string): Json[] => inputItems(body).filter((item) => item.type === type);

/** Tools of a request, by type. */
export const toolsOf = (body: Json, type: string): Json[] =>
  (Array.isArray(body.tools) ? (body.tools as Json[]) : []).filter((tool) => tool.type === type);
