// @vitest-environment node
/** Holds README and CHANGELOG to their word: examples compile and print what is announced, tables are complete and true. */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import {
  createPerplexityAgent,
  type PerplexityAgentMetadata,
  type PerplexityAgentProvider,
  type ServerTool,
} from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator, type AgentApiScenario } from 'ai-sdk-provider-perplexity-agent/simulator';
import { generateObject, generateText, jsonSchema } from 'ai';
import { describe, expect, it } from 'vitest';
import { HELP } from '../examples/ask/arguments.js';
import { root, runTs, withServer } from './examples/run.js';
import { isAnnounced } from './readme/blocks.js';
import { brokenLinks, linksOf, linksOutOf, namesIn, readPage, testExamples } from './readme/page.js';

const page = readPage('README.md');
const { markdown: readme, blocks, examples, tables, program } = page;
const changelog = readFileSync(`${root}CHANGELOG.md`, 'utf8');
const manifest = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as {
  version: string;
  scripts: Record<string, string>;
};

/** The rows of the table under a heading, by the name in its first cell; one cell may hold several. */
function rowsUnder(heading: string, firstHeader: string): Map<string, string[]> {
  const found = tables.filter((table) => table.heading === heading && table.header[0] === firstHeader);
  const rows = found.flatMap((table) => table.rows);
  return new Map(rows.flatMap((row) => namesIn(row[0]).map((name) => [name, row])));
}

type Json = Record<string, unknown>;

it('there are examples', () => {
  expect(examples.length).toBeGreaterThan(12);
});

testExamples(page);

it('compare-efforts prints the table that is shown', async () => {
  const block = blocks.find(({ language, code }) => language === 'sh' && code.includes('compare-efforts'));
  await withServer({ seed: 'readme' }, async ({ env }) => {
    const { code, stdout } = await runTs('examples/compare-efforts.ts', [], { env });
    expect(code).toBe(0);
    if (!isAnnounced(stdout, block?.prints ?? '')) expect(stdout.trim()).toBe(block?.prints);
  });
});

describe('the tables of the README', () => {
  it.each([
    ['Provider settings', 'Setting', 'src/provider.ts', 'PerplexityAgentProviderSettings'],
    ['Provider options', 'Option', 'src/options.ts', 'PerplexityAgentProviderOptions'],
    ['Web search options', 'Option', 'src/tools/web-search.ts', 'WebSearchArgs'],
    ['Page fetch options', 'Option', 'src/tools/fetch-url.ts', 'FetchUrlArgs'],
    ['Image search options', 'Option', 'src/tools/image-search.ts', 'ImageSearchArgs'],
    ['MCP server options', 'Option', 'src/tools/mcp.ts', 'McpArgs'],
    ['Connector options', 'Option', 'src/tools/connector.ts', 'ConnectorArgs'],
    ['The list of models', 'Field', 'src/model-list.ts', 'PerplexityAgentModelInfo'],
  ])('%s: name each key and no other', (heading, header, file, type) => {
    const keys = program.keysOf(file, type).flatMap((key) => {
      const inner = header === 'Option' ? NESTED[key] : undefined;
      return inner === undefined ? [key] : program.keysOf(file, type, key).map((name) => `${key}.${name}`);
    });
    expect([...rowsUnder(heading, header).keys()].sort()).toEqual(keys.sort());
  });

  it('say the default and the limits of each option', () => {
    const optionTables = tables.filter(({ header }) => header[0] === 'Option');
    expect(optionTables.length).toBe(6);
    for (const { header, rows } of optionTables) {
      expect(header).toEqual(['Option', 'Type and limits', 'Wire field', 'Default', 'Meaning']);
      for (const row of rows) expect(row.filter((cell) => cell === '' || row.length !== 5)).toEqual([]);
    }
  });

  it('inputs and outputs of native tools: name each field and no other', () => {
    const found = rowsUnder('Inputs and outputs', 'Type');
    const fieldsOf = (file: string, type: string) =>
      program.keysOf(file, type).flatMap((key) => [key, ...(LISTS.has(key) ? program.keysOf(file, type, key) : [])]);
    const types = program.exportsOf('src/tools/index.ts').filter((name) => /(?:In|Out)put$/.test(name));
    expect([...found.keys()].sort()).toEqual(types.sort());
    for (const type of types) {
      expect([type, ...namesIn(found.get(type)?.[1]).sort()]).toEqual([type, ...fieldsOf('src/index.ts', type).sort()]);
    }
  });

  it('files: name each field and no other', () => {
    const rows = tables.find(({ heading, header }) => heading === 'Files' && header[0] === 'Where')?.rows ?? [];
    expect(rows.length).toBe(3);
    for (const [where = '', fields] of rows) {
      const type = namesIn(where).find((name) => name.startsWith('PerplexityAgent')) ?? '';
      expect(
        namesIn(fields)
          .filter((name) => name !== 'Date')
          .sort(),
      ).toEqual(program.keysOf('src/index.ts', type).sort());
    }
    const run = rowsUnder('What comes back', 'Field');
    expect(namesIn(run.get('files')?.[1]).sort()).toEqual(
      program.keysOf('src/index.ts', 'PerplexityAgentSharedFile').sort(),
    );
  });

  it('name each price of a model, each thing that finds sources, and each option of a reading request', () => {
    const pricing = namesIn(rowsUnder('The list of models', 'Field').get('pricing')?.[1]);
    expect(pricing.sort()).toEqual(program.keysOf('src/index.ts', 'PerplexityAgentModelPricing').sort());
    const tools = rowsUnder('What comes back', 'Field').get('tool')?.[1];
    expect(namesIn(tools).sort()).toEqual(
      program.textsOf('src/stream/metadata.ts', 'PerplexityAgentSourceMetadata', 'tool').sort(),
    );
    const options = program.keysOf('src/index.ts', 'PerplexityAgentRequestOptions');
    expect(readme).toContain(`\`{ ${options.join(', ')} }\``);
  });

  it('metadata: name each field of the run, of a source, of text and of a tool call', () => {
    const file = 'src/stream/metadata.ts';
    const [run, source, text, call] = tables.filter(
      ({ heading, header }) => heading === 'What comes back' && header[0] === 'Field',
    );
    const names = (table: typeof run) => table?.rows.flatMap(([name]) => namesIn(name)).sort();
    expect(names(run)).toEqual(program.keysOf(file, 'PerplexityAgentMetadata').sort());
    const shared = program.keysOf(file, 'PerplexityAgentPartMetadata');
    for (const field of shared) expect(readme).toContain(`\`${field}\``);
    const own = (type: string) =>
      program.keysOf(file, type).filter((key) => key === 'responseId' || !shared.includes(key));
    expect(names(source)).toEqual(own('PerplexityAgentSourceMetadata').sort());
    expect(names(text)).toEqual(own('PerplexityAgentTextMetadata').sort());
    expect(names(call)).toEqual(own('PerplexityAgentToolCallMetadata').sort());
    const status = rowsUnder('Asking for a run, and stopping it', 'Field');
    expect([...status.keys()].sort()).toEqual(program.keysOf('src/index.ts', 'PerplexityAgentRun').sort());
    for (const type of ['PerplexityAgentCost', 'PerplexityAgentToolUse']) {
      for (const field of program.keysOf(file, type)) expect(readme).toContain(`\`${field}\``);
    }
  });

  it('name each field of an error, each option and scenario of the simulator, each flag of npm start', () => {
    const types = 'src/simulator/types.ts';
    for (const name of [
      ...program.keysOf('src/errors.ts', 'PerplexityAgentErrorData'),
      ...program.keysOf(types, 'AgentApiSimulatorOptions').filter((key) => key !== 'scenario'),
      ...program.keysOf(types, 'CustomScenario'),
    ]) {
      expect(readme).toContain(`\`${name}\``);
    }
    for (const setting of program.keysOf(types, 'AgentApiScenarioSettings')) {
      // Those of the native tools; each of the older ones is explained in its type.
      if (['error', 'unreachable', 'outcome'].includes(setting))
        expect(readme).toMatch(new RegExp(`\`${setting}[:\`]`));
    }
    const scenarios = program.textsOf(types, 'AgentApiScenarioSettings', 'name');
    expect([...rowsUnder('Without a key', 'Scenario').keys()].sort()).toEqual([...scenarios].sort());
    const flags = Array.from(HELP.matchAll(/^ {2}(--\w+(?: <\w+>)?)/gm), ([, flag]) => flag);
    expect(flags.length).toBeGreaterThan(3);
    expect([...rowsUnder('Without a key', 'Flag').keys()]).toEqual(flags);
  });

  it('of reliability name tests that exist', () => {
    const [table] = tables.filter(({ heading }) => heading === 'Reliability');
    const proofs = (table?.rows ?? []).map((row) => /^`([^`]+)`(?:: (.+))?$/.exec(row[3] ?? '')?.slice(1) ?? []);
    expect(proofs.length).toBeGreaterThan(15);
    const unproven = proofs.filter(([file = '', title = '']) => {
      const path = `${root}${file}`;
      return file === '' || !existsSync(path) || !readFileSync(path, 'utf8').includes(title);
    });
    expect(unproven).toEqual([]);
  });

  it('the finish reasons are those of the mapping', () => {
    const reasons = tables
      .find(({ header }) => header[1] === '`finishReason`')
      ?.rows.flatMap(([, reason]) => namesIn(reason));
    const named = reasons?.filter((reason) => !['generateText', '/v4'].includes(reason));
    expect(new Set(named)).toEqual(
      new Set(['stop', 'tool-calls', 'length', 'content-filter', 'other', 'error', 'interrupted']),
    );
  });
});

/** Options that hold further ones. */
const NESTED: Record<string, true | undefined> = { filters: true, userLocation: true };

/** Fields of outputs that are lists of objects. */
const LISTS = new Set(['results', 'contents']);

/** A value for each option that changes the request. */
const OPTIONS: Record<string, unknown> = {
  effort: 'low',
  webSearch: { maxResults: 3 },
  fetchUrl: true,
  models: ['openai/gpt-6-luna'],
  profile: { id: 'profile_1', version: '2' },
  skills: [{ type: 'builtin', name: 'office/xlsx' }],
  maxSteps: 100,
  maxToolCalls: 0,
  parallelToolCalls: false,
  reasoningEffort: 'max',
  languagePreference: 'pt',
  previousResponseId: 'resp_earlier',
  store: false,
  background: { pollInterval: 5 },
  metadata: { key: 'value' },
  truncation: 'auto',
  serviceTier: 'priority',
  promptCacheKey: 'key',
  user: 'me',
  safetyIdentifier: 'id',
  strictJsonSchema: false,
};

const WEB_SEARCH: Record<string, unknown> = {
  searchType: 'fast',
  searchContextSize: 'low',
  maxResults: 50,
  maxTokens: 1,
  maxTokensPerPage: 1,
  'filters.searchDomainFilter': ['example.org'],
  'filters.searchRecencyFilter': 'day',
  'filters.searchAfterDateFilter': '2026-01-31',
  'filters.searchBeforeDateFilter': '01/31/2026',
  'filters.lastUpdatedAfterFilter': '2026-01-31',
  'filters.lastUpdatedBeforeFilter': '2026-01-31',
  'userLocation.country': 'PT',
  'userLocation.region': 'Lisboa',
  'userLocation.city': 'Lisboa',
  'userLocation.latitude': 90,
  'userLocation.longitude': -180,
};

const FETCH_URL: Record<string, unknown> = { maxUrls: 10, totalBudgetTokens: 120_000 };

const IMAGE_SEARCH: Record<string, unknown> = {
  maxResults: 30,
  'filters.domainFilter': ['example.org'],
  'filters.formatFilter': ['bmp', 'gif', 'jpeg', 'png', 'webp', 'svg'],
  'filters.safeSearch': false,
};

const MCP: Record<string, unknown> = {
  serverLabel: 'a_Z-9',
  serverUrl: 'https://mcp.example.com',
  authorization: 'a-token',
  headers: { 'X-Tenant': 'a-tenant' },
  allowedTools: ['find'],
  deferLoading: true,
};

const CONNECTOR: Record<string, unknown> = {
  id: 'connector_googledrive',
  serverLabel: 'drive',
  serverDescription: 'Plans.',
  allowedTools: ['find'],
};

/** What each factory cannot do without, and a scenario in which its tool is used. */
const TOOLS: Record<keyof Tools, { required?: Json; scenario: AgentApiScenario }> = {
  webSearch: { scenario: 'search' },
  fetchUrl: { scenario: 'fetch' },
  peopleSearch: { scenario: 'people' },
  financeSearch: { scenario: 'finance' },
  imageSearch: { scenario: 'image' },
  sandbox: { scenario: 'sandbox' },
  mcp: { required: { serverLabel: 'crm', serverUrl: 'https://mcp.example.com' }, scenario: 'mcp' },
  connector: { required: { id: 'connector_crm', serverLabel: 'crm' }, scenario: 'connector' },
};

type Tools = PerplexityAgentProvider['tools'];
type Factory = (args?: Json) => ServerTool<unknown, unknown>;

const factories = createPerplexityAgent({ apiKey: 'any' }).tools as unknown as Record<string, Factory>;
const isFactory = (name: string): name is keyof Tools => name in TOOLS;

/** A tool with these args, as it is sent, and what a run with it said it cost. */
async function sentTool(factory: keyof Tools, args: Json) {
  const { required = {}, scenario } = TOOLS[factory];
  const simulator = createAgentApiSimulator({ scenario });
  const model = createPerplexityAgent({ apiKey: 'any', fetch: simulator.fetch })('openai/gpt-6-luna');
  const declared = factories[factory]?.({ ...required, ...args }) as ServerTool<unknown, unknown>;
  const result = await generateText({
    model,
    prompt: 'Hi',
    tools: { own: declared },
    providerOptions: { perplexity: { maxSteps: 5, ...(factory !== 'webSearch' && { webSearch: false }) } },
  });
  expect(simulator.requests.at(-1)?.status).toBe(200);
  const [wire] = (simulator.requests.at(-1)?.body as { tools: Json[] }).tools;
  const { toolCallsDetails = {} } = result.providerMetadata?.['perplexity'] as PerplexityAgentMetadata;
  return { declared, wire, billed: Object.keys(toolCallsDetails), results: result.toolResults };
}

/** The body that a call with these options sends, and which the simulator takes. */
async function bodyFor(options: Json, modelId?: string): Promise<Json> {
  const simulator = createAgentApiSimulator();
  const model = createPerplexityAgent({ apiKey: 'any', fetch: simulator.fetch })(modelId);
  const given = { ...options };
  if ('previousResponseId' in given) {
    given['previousResponseId'] = (await generateText({ model, prompt: 'Hello' })).response.id;
  }
  const call = { model, prompt: 'Hi', providerOptions: { perplexity: given as Record<string, string> } };
  await ('strictJsonSchema' in options
    ? generateObject({ ...call, schema: jsonSchema({ type: 'object' }) })
    : generateText(call));
  const last = simulator.requests.filter(({ method }) => method === 'POST').at(-1);
  expect(last?.status).toBe(200);
  return last?.body as Json;
}

const at = (value: unknown, path: string) =>
  path.split('.').reduce<unknown>((inner, key) => (inner as Json | undefined)?.[key], value);

/** The options as an object, from a path such as `filters.searchDomainFilter`; coordinates bring the country they need. */
function nested(path: string, value: unknown): Json {
  const [first = '', second] = path.split('.');
  if (second === undefined) return { [first]: value };
  return { [first]: { ...(second.endsWith('tude') && { country: 'PT' }), [second]: value } };
}

describe('the wire fields of the tables', () => {
  const options = rowsUnder('Provider options', 'Option');

  it('are tried for each option that has one', () => {
    const withField = [...options].filter(([, [, , wire]]) => namesIn(wire).length === 1).map(([name]) => name);
    expect(withField.sort()).toEqual(Object.keys(OPTIONS).sort());
  });

  it.each(Object.entries(OPTIONS))('%s', async (name, value) => {
    const [wire = ''] = namesIn(options.get(name)?.[2]);
    const body = await bodyFor(
      { [name]: value },
      ['models', 'profile'].includes(name) ? undefined : 'openai/gpt-6-luna',
    );
    expect(body).toHaveProperty(wire);
    const without = await bodyFor({}, 'openai/gpt-6-luna');
    expect(body[wire]).not.toEqual(without[wire]);
  });

  it.each([
    ['Web search options', 'webSearch', 'web_search', WEB_SEARCH],
    ['Page fetch options', 'fetchUrl', 'fetch_url', FETCH_URL],
  ] as const)('%s, as provider options', async (heading, option, type, values) => {
    const rows = rowsUnder(heading, 'Option');
    for (const [name, value] of Object.entries(values)) {
      const [wire = ''] = namesIn(rows.get(name)?.[2]);
      const body = await bodyFor({ [option]: nested(name, value) }, 'openai/gpt-6-luna');
      const tool = (body['tools'] as Json[]).find((sent) => sent['type'] === type);
      expect(at(tool, wire), `${name} as ${wire}`).toBeDefined();
    }
  });

  it.each([
    ['Web search options', 'webSearch', WEB_SEARCH],
    ['Page fetch options', 'fetchUrl', FETCH_URL],
    ['Image search options', 'imageSearch', IMAGE_SEARCH],
    ['MCP server options', 'mcp', MCP],
    ['Connector options', 'connector', CONNECTOR],
  ] as const)('%s, as declared tools', async (heading, factory, values) => {
    const rows = rowsUnder(heading, 'Option');
    expect(Object.keys(values).sort()).toEqual([...rows.keys()].sort());
    for (const [name, value] of Object.entries(values)) {
      const [wire = ''] = namesIn(rows.get(name)?.[2]);
      const { wire: sent } = await sentTool(factory, nested(name, value));
      expect(at(sent, wire), `${name} as ${wire}`).toBeDefined();
    }
    const required = Object.keys(TOOLS[factory].required ?? {});
    expect([...rows].filter(([, row]) => row[3] === 'required').map(([name]) => name)).toEqual(required);
    for (const name of required) {
      const given = { ...TOOLS[factory].required, [name]: undefined };
      expect(() => factories[factory]?.(given)).toThrow(name);
    }
  });

  it.each(['peopleSearch', 'financeSearch', 'sandbox'] as const)('%s takes nothing', (factory) => {
    expect(readme).toContain(`\`${factory}()\``);
    expect(() => factories[factory]?.({ maxResults: 1 })).toThrow(`tools.${factory}.maxResults`);
  });
});

describe('the table of native tools', () => {
  const rows = tables.find(({ heading, header }) => heading === 'Native tools' && header[1] === 'Id')?.rows ?? [];
  const exported = program.exportsOf('src/index.ts');

  it('names each factory and no other', () => {
    expect(rows.flatMap(([name]) => namesIn(name)).sort()).toEqual(Object.keys(factories).sort());
  });

  it.each(rows)('is true of %s', async (name, id, sentAs, input, output, key) => {
    const [factory = ''] = namesIn(name);
    if (!isFactory(factory)) throw new Error(`${factory} is no factory`);
    const { declared, wire, billed, results } = await sentTool(factory, {});
    expect([declared.providerOptions.perplexity.serverTool.id]).toEqual(namesIn(id));
    expect([wire?.['type']]).toEqual(namesIn(sentAs));
    expect(exported).toEqual(expect.arrayContaining([...namesIn(input), ...namesIn(output)]));
    expect(results).toHaveLength(1);
    if (key !== 'not documented') expect(billed).toEqual(namesIn(key));
  });
});

describe('what the README points at', () => {
  it('exists: files, headings, scripts, types, examples', () => {
    expect(linksOf(page).length).toBeGreaterThan(20);
    expect(brokenLinks(page)).toEqual([]);

    const scripts = Array.from(readme.matchAll(/npm (?:run )?(start|test|[\w:]+)\b/g), ([text, name = '']) =>
      text === `npm ${name}` && !['start', 'test'].includes(name) ? undefined : name,
    ).filter((name) => name !== undefined);
    expect(scripts.filter((name) => !(name in manifest.scripts))).toEqual([]);

    const prefixes =
      '(?:PerplexityAgent|WebSearch|FetchUrl|PeopleSearch|FinanceSearch|ImageSearch|Sandbox|Mcp|Connector|Cit)';
    const types = Array.from(readme.matchAll(new RegExp(`\`(${prefixes}\\w+)\``, 'g')), ([, name]) => name ?? '');
    const exported = program.exportsOf('src/index.ts');
    expect(types.length).toBeGreaterThan(40);
    expect(types.filter((name) => !exported.includes(name))).toEqual([]);
    expect(exported.filter((name) => !readme.includes(`\`${name}\``))).toEqual([]);

    for (const file of readdirSync(`${root}examples`).filter((name) => name.endsWith('.ts') && name !== 'ask.ts')) {
      expect(readme).toContain(`\`examples/${file}\``);
    }
  });
});

it('no page of the package links to a file that is not in it', () => {
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const listing = execFileSync(npm, ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
  });
  const [{ files }] = Object.values(JSON.parse(listing) as object) as [{ files: { path: string }[] }];
  const packed = files.map(({ path }) => path);
  expect(packed).toContain('docs/migration.md');
  for (const file of packed.filter((path) => path.endsWith('.md'))) {
    expect([file, linksOutOf({ file, markdown: readFileSync(`${root}${file}`, 'utf8') }, packed)]).toEqual([file, []]);
  }
});

describe('the CHANGELOG', () => {
  it('has the version of the package on top, below Unreleased', () => {
    const headings = Array.from(changelog.matchAll(/^## (.*)$/gm), ([, heading]) => heading);
    expect(headings[0]).toBe('Unreleased');
    expect(headings[1]).toMatch(new RegExp(`^${manifest.version.replaceAll('.', '\\.')} - \\d{4}-\\d{2}-\\d{2}$`));
  });
});
