/** The scenarios of Perplexity's own tools: their items, streams, costs, and what the request decides. */
import { createAgentApiSimulator, type AgentApiScenario } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { ask, call, post, stream, textOf } from './helpers.js';

const plain = { model: 'openai/gpt-6-luna', input: 'x' };
const play = (scenario: AgentApiScenario, body: object = { effort: 'low', input: 'x' }) =>
  ask(createAgentApiSimulator({ scenario }), body);
const typesOf = ({ output }: { output: Array<{ type: string }> }) => output.map(({ type }) => type);
const server = (label: string, more: object = {}) => ({
  type: 'mcp',
  server_label: label,
  server_url: 'https://mcp.example.com',
  ...more,
});

describe('items', () => {
  it.each<[AgentApiScenario, string[], object | undefined]>([
    ['people', ['people_search_results', 'message'], { search_people: 0.005 }],
    ['finance', ['skill_loaded', 'finance_results', 'message'], { finance_search: 0.005 }],
    ['image', ['image_search_results', 'message'], { image_search: 0.0025 }],
    [{ name: 'image', error: 'image_search_failed' }, ['image_search_results', 'message'], undefined],
    ['sandbox', ['sandbox_results', 'message'], { sandbox: 0.03 }],
    ['mcp', ['mcp_list_tools', 'mcp_call', 'message'], undefined],
    ['connector', ['mcp_list_tools', 'mcp_call', 'message'], undefined],
    [
      'office-skill',
      ['skill_loaded', 'sandbox_write_file', 'sandbox_results', 'share_file', 'message'],
      { sandbox: 0.03 },
    ],
  ])('of %j and what they cost', async (scenario, types, costs) => {
    const response = await play(scenario);
    expect(typesOf(response)).toEqual(types);
    const { cost } = response.usage as { cost: { tool_calls_cost_details?: object } };
    expect(cost.tool_calls_cost_details).toEqual(costs);
  });

  it('of a sandbox have either form', async () => {
    const [nested] = (await play('sandbox')).output;
    expect(nested).toMatchObject({ call_id: expect.stringMatching(/^call_/), results: [{ exit_code: 0 }] });
    const [flat] = (await play({ name: 'sandbox', shape: 'flat' })).output;
    expect(flat).toMatchObject({ stdout: '55\n', exit_code: 0, status: 'completed' });
    expect(flat).not.toHaveProperty('results');
    const [late] = (await play({ name: 'sandbox', outcome: 'timed_out' })).output;
    expect(late).toMatchObject({ status: 'timed_out', results: [{ status: 'timed_out' }] });
  });

  it('of people go on counting in a chain', async () => {
    const simulator = createAgentApiSimulator({ scenario: 'search' });
    const { id } = await ask(simulator, { effort: 'low', input: 'x' });
    simulator.use('people');
    const response = await ask(simulator, { effort: 'low', input: 'x', previous_response_id: id });
    expect(response.output[1]).toMatchObject({ type: 'people_search_results', results: [{ id: 11 }, { id: 12 }] });
    expect(textOf(response)).toContain('[web:11]');
  });

  it('of servers name the first tool that may be called, and how it became known', async () => {
    const response = await play('mcp', {
      ...plain,
      tools: [server('a', { allowed_tools: ['one', 'two'] }), server('b', { defer_loading: true })],
    });
    expect(response.output).toMatchObject([
      { type: 'mcp_list_tools', server_label: 'a', tools: [{ name: 'one' }] },
      { type: 'tool_search_output', execution: 'server', tools: [{ type: 'namespace', name: 'b' }] },
      { type: 'mcp_call', server_label: 'a', name: 'one', output: '{"entries":12}', error: null },
      { type: 'mcp_call', server_label: 'b', name: 'find_entries' },
      { type: 'message' },
    ]);
    const failed = await play({ name: 'connector', error: 'no rights' });
    expect(failed.output[1]).toMatchObject({ connector_id: 'connector_crm', error: 'no rights' });
    expect(failed.output[1]).not.toHaveProperty('output');
  });
});

describe('a finance search', () => {
  it.each([
    [plain, ['skill_loaded']],
    [{ ...plain, max_steps: 2 }, ['skill_loaded']],
    [{ effort: 'fast', input: 'x' }, ['skill_loaded']],
    [{ ...plain, max_steps: 3 }, ['skill_loaded', 'finance_results', 'message']],
    [{ effort: 'xhigh', input: 'x' }, ['skill_loaded', 'finance_results', 'message']],
    [{ profile: { type: 'custom', id: 'p' }, input: 'x' }, ['skill_loaded', 'finance_results', 'message']],
  ])('%j', async (body, types) => {
    const response = await play('finance', body);
    expect([response.status, typesOf(response)]).toEqual(['completed', types]);
  });
});

describe('streams', () => {
  it('announce each native call and end it with its item', async () => {
    for (const scenario of ['people', 'image', 'sandbox', 'mcp'] as const) {
      const events = await stream(createAgentApiSimulator({ scenario }), { effort: 'low', input: 'x' });
      const added = events.find(({ type, item }) => type.endsWith('item.added') && item?.['type'] === 'function_call');
      const done = events.find(
        ({ type, output_index: index }) => type.endsWith('item.done') && index === added?.['output_index'],
      );
      expect(done?.item?.['type']).not.toBe('function_call');
      const { call_id: id } = done?.item ?? {};
      if (id !== undefined) expect(added?.item?.['call_id']).toBe(id);
    }
  });

  it('take arguments that are no JSON object as none', async () => {
    for (const given of ['no json', '7']) {
      const item = { type: 'mcp_call', arguments: given };
      const scenario = { response: { id: 'resp_x', output: [item] } };
      const events = await stream(createAgentApiSimulator({ scenario }), { effort: 'low', input: 'x' });
      expect(events[2]?.item).toMatchObject({ name: 'mcp', arguments: '{}' });
    }
  });
});

describe('auto', () => {
  const tool = (type: string) => ({ ...plain, max_steps: 5, tools: [{ type }] });
  it.each<[object, string]>([
    [tool('people_search'), 'people_search_results'],
    [tool('image_search'), 'image_search_results'],
    [tool('sandbox'), 'sandbox_results'],
    [{ ...plain, tools: [server('a')] }, 'mcp_call'],
    [{ ...plain, tools: [{ type: 'connector', id: 'c', server_label: 'd' }] }, 'mcp_call'],
    [tool('finance_search'), 'finance_results'],
    [{ ...plain, tools: [{ type: 'web_search' }, { type: 'people_search' }] }, 'people_search_results'],
    [
      { ...plain, tools: [{ type: 'people_search' }, { type: 'image_search' }], tool_choice: { type: 'image_search' } },
      'image_search_results',
    ],
    [
      { ...plain, tools: [{ type: 'people_search' }, { type: 'web_search' }], tool_choice: { type: 'web_search' } },
      'search_results',
    ],
    [{ ...plain, skills: [{ type: 'builtin', name: 'office/xlsx' }] }, 'share_file'],
    [{ effort: 'xhigh', input: 'x' }, 'search_results'],
  ])('plays what the request asks for: %j', async (body, type) => {
    expect(typesOf(await ask(createAgentApiSimulator(), body))).toContain(type);
  });

  const lookUp = { type: 'function', name: 'look_up', parameters: { type: 'object', properties: {} } };
  const inFormat = {
    response_format: {
      type: 'json_schema',
      json_schema: {
        name: 'answer',
        schema: { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] },
      },
    },
  };
  const all = [
    { type: 'web_search' },
    { type: 'fetch_url' },
    { type: 'people_search' },
    { type: 'finance_search' },
    { type: 'image_search' },
    { type: 'sandbox' },
    server('a'),
    { type: 'connector', id: 'c', server_label: 'd' },
  ];

  it.each([
    ['web_search', 'search_results'],
    ['fetch_url', 'fetch_url_results'],
    ['people_search', 'people_search_results'],
    ['finance_search', 'finance_results'],
    ['image_search', 'image_search_results'],
    ['sandbox', 'sandbox_results'],
    ['mcp', 'mcp_call'],
    ['connector', 'mcp_call'],
  ])('keeps a tool_choice of %s, whatever else the request has', async (type, item) => {
    const asked = { type: 'message', role: 'user', content: 'How?' };
    const done = [
      { type: 'function_call', call_id: 'c', name: 'look_up', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c', output: '7' },
    ];
    const body = { ...plain, max_steps: 5, tools: [lookUp, ...all], tool_choice: { type } };
    for (const more of [{}, { input: [asked, ...done] }]) {
      const types = typesOf(await ask(createAgentApiSimulator(), { ...body, ...more }));
      expect(types).toContain(item);
      expect(types.at(-1)).toBe('message');
      expect(types.filter((each) => each.endsWith('_results') || each.endsWith('_call'))).toEqual([item]);
    }
    const structured = await ask(createAgentApiSimulator(), { ...body, ...inFormat });
    expect(typesOf(structured)).toContain(item);
    expect(JSON.parse(textOf(structured))).toEqual({ n: expect.any(Number) });
  });

  it.each(['required', { type: 'required' }])('calls a native tool where tool_choice is %j', async (choice) => {
    const body = { ...plain, tools: [{ type: 'people_search' }], tool_choice: choice };
    expect(typesOf(await ask(createAgentApiSimulator(), body))).toEqual(['people_search_results', 'message']);
    const structured = await ask(createAgentApiSimulator(), { ...body, ...inFormat });
    expect(typesOf(structured)).toEqual(['people_search_results', 'message']);
    expect(JSON.parse(textOf(structured))).toEqual({ n: expect.any(Number) });
    const own = { ...body, tools: [...body.tools, lookUp] };
    expect(typesOf(await ask(createAgentApiSimulator(), own))).toEqual(['function_call']);
  });

  it('calls nothing in the stead of a chosen tool that may not run', async () => {
    const body = { ...plain, tools: [lookUp, { type: 'people_search' }], tool_choice: { type: 'web_search' } };
    expect(typesOf(await ask(createAgentApiSimulator(), body))).toEqual(['message']);
  });

  it('plays no tool that may not run', async () => {
    const body = { ...tool('people_search'), max_tool_calls: 0 };
    expect(typesOf(await ask(createAgentApiSimulator(), body))).toEqual(['message']);
  });
});

it('a server that cannot be reached is 424, and nothing runs', async () => {
  const simulator = createAgentApiSimulator({ scenario: { name: 'connector', unreachable: true } });
  const response = await post(simulator, plain);
  expect([response.status, await response.json()]).toEqual([
    424,
    { error: { message: 'mcp server unreachable', type: 'external_connector_error', code: 424 } },
  ]);
  simulator.use({ name: 'mcp', unreachable: false });
  expect((await post(simulator, plain)).status).toBe(200);
});

it('a shared file can be fetched', async () => {
  const simulator = createAgentApiSimulator({ scenario: 'office-skill' });
  const { id } = await ask(simulator, { effort: 'medium', input: 'x' });
  const list = (await (await call(simulator, `/v1/agent/${id}/files`)).json()) as { data: object[] };
  expect(list.data).toMatchObject([{ id: 'file_1', filename: 'lights.xlsx', bytes: 5120 }]);
});
