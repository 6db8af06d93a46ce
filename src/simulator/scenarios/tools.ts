/** Runs that use Perplexity's other tools (agent-api.md §3, §4.2): people, finance and image search, sandbox, MCP, skills. */
import { asArray, asString, objectsIn, type JsonObject } from '../json.js';
import type { AgentApiScenarioSettings, OutputItem } from '../types.js';
import { playFetch, playSearch } from './answers.js';
import {
  cite,
  completed,
  earlierResults,
  firstFreeId,
  message,
  usageFor,
  type RunPlan,
  type ScenarioContext,
} from './plan.js';

type SettingsOf<Name extends AgentApiScenarioSettings['name']> = Extract<AgentApiScenarioSettings, { name: Name }>;

/** Documentation asks for three steps, a prober needed five and did not try fewer (agent-api.md §3.4). */
const FINANCE_STEPS = 3;

/** The items of some tools, then an answer. `calls` is what is billed, by key. */
function run(context: ScenarioContext, items: OutputItem[], answer: string, calls: Record<string, number>): RunPlan {
  return completed(
    [...earlierResults(context), ...items, message(context.ids, answer)],
    usageFor(context.view, answer, { calls, toolText: JSON.stringify(items) }),
  );
}

/** One search for people, cited by result id like a web search (agent-api.md §4.2). */
export function playPeople(context: ScenarioContext): RunPlan {
  const id = firstFreeId(context);
  const item = {
    type: 'people_search_results',
    queries: ['head of the lighthouse service'],
    results: [
      {
        id,
        url: 'https://people.example.com/inga-holm',
        title: 'Inga Holm, director of lights',
        snippet: 'Heads the lighthouse service since 2021; trained as an optical engineer.',
        source: 'web',
      },
      {
        id: id + 1,
        url: 'https://service.example.org/board',
        title: 'The board of the service',
        snippet: 'Director: Inga Holm. Deputy: Pavel Reis.',
        source: 'web',
        last_updated: '2026-07-14',
      },
    ],
  };
  return run(context, [item], cite(context.view, 'Inga Holm has headed the service since 2021{1}.', [id]), {
    search_people: 1,
  });
}

/** Loads its skill, then looks up a table. With too few steps the run ends well with nothing but the skill (agent-api.md §3.4). */
export function playFinance(context: ScenarioContext): RunPlan {
  const skill = { type: 'skill_loaded', name: 'finance' };
  if (context.view.maxSteps < FINANCE_STEPS) {
    return completed([...earlierResults(context), skill], usageFor(context.view, ''));
  }
  const item = {
    type: 'finance_results',
    tickers: ['LAMP'],
    categories: ['quote'],
    results: [
      {
        category: 'quote',
        content: '| symbol | price | change |\n|--|--|--|\n| LAMP | 41.20 | +0.8 % |',
        tickers: ['LAMP'],
        sources: ['https://finance.example.com/LAMP'],
      },
    ],
  };
  return run(context, [skill, item], 'LAMP stands at 41.20, up 0.8 percent.', { finance_search: 1 });
}

/** One search for images, or one that failed. */
export function playImage(context: ScenarioContext, { error }: SettingsOf<'image'>): RunPlan {
  const queries = ['lighthouse lens'];
  if (error !== undefined) {
    const failed = { type: 'image_search_results', queries, results: [], error };
    return run(context, [failed], 'The image search did not work.', {});
  }
  const most = context.view.tools.find((tool) => tool.type === 'image_search')?.max_results;
  const results = ['fresnel', 'lantern-room', 'tower-at-dusk', 'sun-valve', 'fog-signal']
    .slice(0, typeof most === 'number' ? most : undefined)
    .map((name, index) => ({
      image_url: `https://images.example.com/${name}.jpg`,
      origin_url: `https://museum.example.net/${name}`,
      width: 640 + index * 160,
      height: 480,
      ...(index === 0 && { title: 'A lens of the first order' }),
    }));
  return run(context, [{ type: 'image_search_results', queries, results }], 'Here are pictures of a lens.', {
    image_search: 1,
  });
}

const CODE = 'print(sum(range(1, 11)))';

/** One program in the sandbox, in either of the two forms that are documented (agent-api.md §4.2). */
export function playSandbox(context: ScenarioContext, settings: SettingsOf<'sandbox'>): RunPlan {
  const { shape = 'nested', outcome = 'completed' } = settings;
  const isDone = outcome === 'completed';
  const output = {
    stdout: isDone ? '55\n' : '',
    stderr: '',
    // Whether a session that did not come to its end has an exit code is not documented: none here.
    ...(isDone && { exit_code: 0 }),
    duration_ms: isDone ? 40 : 60_000,
    status: outcome,
  };
  const item =
    shape === 'flat'
      ? { type: 'sandbox_results', code: CODE, ...output }
      : {
          type: 'sandbox_results',
          call_id: context.ids.call(),
          code: CODE,
          language: 'python',
          container_id: 'container_1',
          status: outcome,
          results: [output],
        };
  return run(context, [item], isDone ? 'The sum is 55.' : 'The program did not come to its end.', { sandbox: 1 });
}

/**
 * One call of each server of the request, of the first tool that may be called; without any, of a server `crm`. How the
 * tools of a server become known depends on `defer_loading`.
 */
export function playServers(context: ScenarioContext, settings: SettingsOf<'mcp' | 'connector'>): RunPlan {
  const declared = context.view.tools.filter((tool) => tool.type === settings.name);
  const servers = declared.length > 0 ? declared : [{ server_label: 'crm', id: 'connector_crm' }];
  const items = servers.map((server, index) => serverItems(server, index, settings));
  const answer = settings.error === undefined ? 'The ledger has 12 entries.' : 'The ledger could not be read.';
  // Neither has a price (agent-api.md §3).
  return run(context, [...items.map(([list]) => list), ...items.map(([, call]) => call)], answer, {});
}

function serverItems(
  server: JsonObject,
  index: number,
  { name: kind, error }: SettingsOf<'mcp' | 'connector'>,
): [list: OutputItem, call: OutputItem] {
  const label = asString(server.server_label) ?? 'crm';
  const names = asArray(server.allowed_tools).map(asString);
  const name = names[0] ?? 'find_entries';
  const base = { server_label: label, ...(kind === 'connector' && { connector_id: server.id }) };
  const schema = { type: 'object', properties: { year: { type: 'integer' } } };
  const list =
    server.defer_loading === true
      ? {
          type: 'tool_search_output',
          id: `ts_${index + 1}`,
          call_id: null,
          execution: 'server',
          status: 'completed',
          tools: [{ type: 'namespace', name: label, description: '', tools: [{ type: 'function', name }] }],
        }
      : { type: 'mcp_list_tools', id: `mcpl_${index + 1}`, ...base, tools: [{ name, input_schema: schema }] };
  const call = {
    type: 'mcp_call',
    id: `mcp_${index + 1}`,
    ...base,
    name,
    arguments: '{"year":2025}',
    ...(error === undefined && { output: '{"entries":12}' }),
    error: error ?? null,
  };
  return [list, call];
}

/** An office skill writes a table and shares it; the file can be fetched (agent-api.md §3.5, §3.9). */
export function playOfficeSkill(context: ScenarioContext): RunPlan {
  const call = () => context.ids.call();
  const items = [
    { type: 'skill_loaded', name: 'office/xlsx' },
    { type: 'sandbox_write_file', call_id: call(), file_path: '/data/lights.csv', size_bytes: 96 },
    {
      type: 'sandbox_results',
      call_id: call(),
      code: 'build_table("/data/lights.csv")',
      language: 'python',
      status: 'completed',
      results: [{ stdout: 'lights.xlsx\n', stderr: '', exit_code: 0, duration_ms: 310, status: 'completed' }],
    },
    {
      type: 'share_file',
      call_id: call(),
      file_id: 'file_1',
      filename: 'lights.xlsx',
      size_bytes: 5120,
      url: 'https://files.example.com/file_1',
    },
  ];
  return run(context, items, 'The table of lights is ready.', { sandbox: 1 });
}

/** Scenarios that a tool of the request asks for, the sandbox first: beside it other tools are said to be dropped (agent-api.md §3.5). */
const BY_TOOL: readonly (readonly [type: string, play: (context: ScenarioContext) => RunPlan])[] = [
  ['sandbox', (context) => playSandbox(context, { name: 'sandbox' })],
  ['finance_search', playFinance],
  ['people_search', playPeople],
  ['image_search', (context) => playImage(context, { name: 'image' })],
  ['mcp', (context) => playServers(context, { name: 'mcp' })],
  ['connector', (context) => playServers(context, { name: 'connector' })],
];

/** What the tools and skills of the request call for; undefined where it names none of these. */
export function playRequestedTool(context: ScenarioContext): RunPlan | undefined {
  const { body, mayUse } = context.view;
  const requested = new Set(objectsIn(body.tools).map((tool) => tool.type));
  const office = objectsIn(body.skills).some((skill) => asString(skill.name)?.startsWith('office') ?? false);
  if (office) return playOfficeSkill(context);
  return BY_TOOL.find(([type]) => requested.has(type) && mayUse(type))?.[1](context);
}

/** What the native tool of a type does; undefined for one that may not run. */
export function playTool(context: ScenarioContext, type: string): RunPlan | undefined {
  if (!context.view.mayUse(type)) return undefined;
  const plays = new Map([...BY_TOOL, ['web_search', playSearch] as const, ['fetch_url', playFetch] as const]);
  return plays.get(type)?.(context);
}
