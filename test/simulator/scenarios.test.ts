import {
  createAgentApiSimulator,
  type AgentApiResponse,
  type AgentApiScenario,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { ask, post, stream, textOf } from './helpers.js';

const plainRequest = { model: 'openai/gpt-6-luna', input: 'How?' };
const lookUp = {
  type: 'function',
  name: 'look_up',
  parameters: { type: 'object', properties: { year: { type: 'integer' } }, required: ['year'] },
};
const withTool = { ...plainRequest, tools: [lookUp] };
const format = (schema: object) => ({ type: 'json_schema', json_schema: { name: 'answer', schema } });
const typesOf = (response: AgentApiResponse) => response.output.map((item) => item.type);
const play = (scenario: AgentApiScenario, body: object) => ask(createAgentApiSimulator({ scenario, seed: 1 }), body);

describe('auto', () => {
  const cases: [name: string, body: object, types: string[]][] = [
    ['a plain model answers', plainRequest, ['message']],
    [
      'a plain model with web_search searches',
      { ...plainRequest, tools: [{ type: 'web_search' }] },
      ['search_results', 'message'],
    ],
    ['a level searches', { effort: 'low', input: 'x' }, ['search_results', 'message']],
    ['a profile searches', { profile: { type: 'custom', id: 'p' }, input: 'x' }, ['search_results', 'message']],
    [
      'a level searches in spite of tool_choice none',
      { effort: 'low', input: 'x', tool_choice: 'none' },
      ['search_results', 'message'],
    ],
    [
      'max_tool_calls 0 switches tools off',
      { effort: 'low', input: 'x', max_tool_calls: 0, tools: [lookUp] },
      ['message'],
    ],
    ['fetch_url alone fetches', { ...plainRequest, tools: [{ type: 'fetch_url' }] }, ['fetch_url_results', 'message']],
    ['a function is called', withTool, ['function_call']],
    ['tool_choice none calls nothing', { ...withTool, tool_choice: 'none' }, ['message']],
    ['a format is filled', { ...plainRequest, response_format: format({ type: 'object' }) }, ['message']],
    [
      'a format at a level is filled after a search',
      { preset: 'fast', input: 'x', response_format: format({ type: 'object' }) },
      ['search_results', 'message'],
    ],
  ];

  it.each(cases)('%s', async (_name, body, types) => {
    expect(typesOf(await play('auto', body))).toEqual(types);
  });

  it('calls again only after a new question', async () => {
    const asked = { type: 'message', role: 'user', content: 'How?' };
    const done = [
      { type: 'function_call', call_id: 'c', name: 'look_up', arguments: '{"year":1}' },
      {
        type: 'function_call_output',
        call_id: 'c',
        output: [
          { type: 'input_text', text: 'a lamp' },
          { type: 'input_image', image_url: 'https://example.com/a.png' },
        ],
      },
    ];
    const answered = await play('auto', { ...withTool, input: [asked, ...done] });
    expect(textOf(answered)).toBe('look_up returned: a lamp\n[input_image]');
    expect(typesOf(await play('auto', { ...withTool, input: [asked, ...done, asked] }))).toEqual(['function_call']);
  });
});

describe('answers', () => {
  it('plain: says what it is told to', async () => {
    const response = await play({ name: 'plain', text: 'Just so.' }, plainRequest);
    expect(textOf(response)).toBe('Just so.');
    expect(response.usage).toEqual({
      input_tokens: 10,
      output_tokens: 34,
      total_tokens: 44,
      input_tokens_details: { cached_tokens: 0 },
      output_tokens_details: { reasoning_tokens: 32 },
      cost: { currency: 'USD', input_cost: 0, output_cost: 0.00002, total_cost: 0.00002 },
    });
  });

  it.each([
    [{ effort: 'fast' }, '[1]', '[3]', 'How?'],
    [{ preset: 'fast@2026-10-16.0' }, '[1]', '[3]', 'How?'],
    [{ effort: 'high' }, ' [web:1]', ' [web:3]', 'when were lighthouses automated'],
    [
      { model: 'xai/grok-4.7', tools: [{ type: 'web_search', max_results: 4 }] },
      ' [web:1]',
      ' [web:3]',
      'when were lighthouses automated',
    ],
  ])('search: %o cites as that level does', async (target, first, third, query) => {
    const response = await play('search', { ...target, input: 'How?' });
    expect(textOf(response)).toContain(`control room${first}. The lamps`);
    expect(textOf(response)).toContain(`1912${third}.`);
    expect(response.output[0]).toMatchObject({ type: 'search_results', queries: [query] });
    const results = response.output[0]?.results as { id: number; url: string }[];
    expect(results.map(({ id }) => id)).toEqual(
      Array.from({ length: 'tools' in target ? 4 : 10 }, (_, index) => index + 1),
    );
  });

  it('parallel-searches: ids come as 11–20, 21–30, 1–10, one URL has two ids', async () => {
    const response = await play('parallel-searches', { effort: 'medium', input: 'How?' });
    expect(typesOf(response)).toEqual([
      'search_results',
      'search_results',
      'search_results',
      'fetch_url_results',
      'message',
    ]);
    const results = response.output.slice(0, 3).map((item) => item.results as { id: number; url: string }[]);
    expect(results.map((list) => [list[0]?.id, list.at(-1)?.id])).toEqual([
      [11, 20],
      [21, 30],
      [1, 10],
    ]);
    const urls = results.flat().map(({ url }) => url);
    expect(urls.length - new Set(urls).size).toBe(1);
    expect(textOf(response)).toMatch(/ \[web:11\].* \[web:21\].* \[web:1\]/u);
    expect(response.usage).toMatchObject({
      tool_calls_details: { search_web: { invocation: 3, cost_usd: 0.0075 }, fetch_url: { invocation: 1 } },
    });
  });

  it('fetch: cites [web:0] and bills the extractor apart', async () => {
    const response = await play('fetch', { effort: 'low', input: 'How?' });
    expect(textOf(response)).toMatch(/\[web:0\]$/u);
    const details = response.usage?.tool_calls_details as { fetch_url: { token_usage: { model: string }[] } };
    expect(details.fetch_url.token_usage.map(({ model }) => model)).toEqual(['openai/gpt-5.6-luna']);
  });

  it('structured: JSON that fits, {} without a schema', async () => {
    const schema = {
      type: 'object',
      properties: { town: { type: 'string' }, lamps: { type: 'integer', minimum: 2 } },
      required: ['town'],
    };
    expect(textOf(await play('structured', { ...plainRequest, response_format: format(schema) }))).toBe(
      '{"town":"town","lamps":2}',
    );
    expect(textOf(await play('structured', plainRequest))).toBe('{}');
  });
});

describe('tool-call', () => {
  it('makes arguments from the schema of the function that is chosen', async () => {
    const other = { type: 'function', name: 'other' };
    const chosen = await play('tool-call', { ...withTool, tools: [other, lookUp], tool_choice: { name: 'look_up' } });
    expect(chosen.status).toBe('completed');
    expect(chosen.output).toEqual([
      {
        type: 'function_call',
        id: expect.stringMatching(/^fc_/u),
        call_id: expect.stringMatching(/^call_/u),
        name: 'look_up',
        arguments: '{"year":1}',
        status: 'completed',
      },
    ]);
    expect((await play('tool-call', { ...withTool, tools: [other, lookUp] })).output[0]).toMatchObject({
      name: 'other',
      arguments: '{}',
    });
  });

  it('makes the calls it is told to, after a search, signed', async () => {
    const calls = [{ name: 'a', arguments: '{"x":1}' }, { name: 'b' }];
    const response = await play({ name: 'tool-call', calls, thoughtSignature: 'c2ln', searchFirst: true }, withTool);
    expect(
      response.output.map(({ type, name, arguments: input, thought_signature }) => [
        type,
        name,
        input,
        thought_signature,
      ]),
    ).toEqual([
      ['search_results', undefined, undefined, undefined],
      ['function_call', 'a', '{"x":1}', 'c2ln'],
      ['function_call', 'b', '{}', undefined],
    ]);
  });

  it('signs calls of Gemini models, and answers plainly without functions', async () => {
    const signed = await play('tool-call', { ...withTool, model: 'google/gemini-3.8-flash' });
    expect(signed.output[0]?.thought_signature).toBe('c2ltdWxhdGVkLXRob3VnaHQtc2lnbmF0dXJl');
    expect(typesOf(await play('tool-call', plainRequest))).toEqual(['message']);
  });

  it('quotes every output, or fills the format', async () => {
    const input = [
      { type: 'function_call_output', call_id: 'c', output: 'one', name: 'a' },
      { type: 'function_call_output', call_id: 'd', output: 'two' },
    ];
    expect(textOf(await play('tool-call', { ...withTool, input }))).toBe('a returned: one\nThe function returned: two');
    const schema = { type: 'object', properties: { n: { const: 7 } } };
    expect(textOf(await play('tool-call', { ...withTool, input, response_format: format(schema) }))).toBe('{"n":7}');
  });

  it('streams a call as added and done, both whole', async () => {
    const events = await stream(createAgentApiSimulator(), withTool);
    expect(events.map(({ type }) => type)).toEqual([
      'response.created',
      'response.in_progress',
      'response.output_item.added',
      'response.output_item.done',
      'response.completed',
    ]);
    expect(events[2]?.item).toEqual(events[3]?.item);
    expect(events[4]?.response?.output).toEqual([events[3]?.item]);
  });
});

describe('endings', () => {
  it('incomplete: cut text, usage, no completion time', async () => {
    const response = await play('incomplete', plainRequest);
    expect(response).toMatchObject({
      status: 'incomplete',
      incomplete_details: { reason: 'max_output_tokens' },
      completed_at: null,
      error: null,
      usage: { output_tokens_details: { reasoning_tokens: 32 } },
    });
    expect(textOf(response)).toMatch(/in which every$/u);
    const capped = await play({ name: 'incomplete', empty: true }, { ...plainRequest, max_output_tokens: 3 });
    expect(capped).toMatchObject({ output: [], max_output_tokens: 16, usage: { output_tokens: 16 } });
    expect((await play({ name: 'incomplete', empty: true }, plainRequest)).usage).toMatchObject({ output_tokens: 16 });
    const events = await stream(createAgentApiSimulator({ scenario: 'incomplete' }), plainRequest);
    expect(events.slice(-3).map(({ type }) => type)).toEqual([
      'response.output_text.done',
      'response.output_item.done',
      'response.incomplete',
    ]);
  });

  const error = { message: 'upstream unavailable', type: 'internal_error', code: '500' };

  it('failed: what it has cost, where asked', async () => {
    for (const name of ['failed', 'failed-early'] as const) {
      expect((await play(name, plainRequest)).usage).toBe(null);
      const { usage } = await play({ name, usage: true }, plainRequest);
      expect(usage).toMatchObject({ input_tokens: expect.any(Number), cost: { currency: 'USD' } });
      const scenario: AgentApiScenario = { name, usage: true, shape: 'response' };
      const events = await stream(createAgentApiSimulator({ scenario }), plainRequest);
      expect(events.at(-1)).toMatchObject({ type: 'response.failed', response: { usage } });
    }
  });

  it('failed: HTTP 200, text so far, error', async () => {
    const response = await post(createAgentApiSimulator({ scenario: 'failed' }), plainRequest);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({
      status: 'failed',
      error,
      usage: null,
      completed_at: null,
      output: [{ status: 'incomplete' }],
    });
    const early = await stream(createAgentApiSimulator({ scenario: 'failed-early' }), plainRequest);
    expect(early.map(({ type }) => type)).toEqual(['response.created', 'response.in_progress', 'response.failed']);
  });

  it.each([
    ['both', { type: 'response.failed', error, response: { status: 'failed', error } }],
    ['error', { type: 'response.failed', error, response: undefined }],
    ['response', { type: 'response.failed', error: undefined, response: { status: 'failed', error } }],
    ['bare', { type: 'error', message: 'upstream unavailable', error: undefined, response: undefined }],
  ] as const)('failed: shape %s in mid-text', async (shape, last) => {
    const events = await stream(createAgentApiSimulator({ scenario: { name: 'failed', shape } }), plainRequest);
    const end = events.at(-1);
    const seen = { type: end?.type, message: end?.message, error: end?.error, response: end?.response };
    expect(seen).toMatchObject(last);
    expect(events.at(-2)?.type).toBe('response.output_text.delta');
  });

  it('cancelled: partial output, no usage, the level as model', async () => {
    const body = { effort: 'medium', input: 'x' };
    expect(await play('cancelled', body)).toMatchObject({
      status: 'cancelled',
      model: 'medium',
      usage: null,
      tools: [],
      error: { code: 'cancelled' },
      incomplete_details: { reason: 'cancelled' },
      output: [{ type: 'search_results' }],
    });
    expect((await stream(createAgentApiSimulator({ scenario: 'cancelled' }), body)).at(-1)?.type).toBe(
      'response.cancelled',
    );
  });
});

describe('refusals', () => {
  it('unauthorized: 401 whatever the key', async () => {
    expect((await post(createAgentApiSimulator({ scenario: 'unauthorized' }), plainRequest)).status).toBe(401);
  });

  it('rate-limited: 429 with headers, then success', async () => {
    const simulator = createAgentApiSimulator({ scenario: { name: 'rate-limited', count: 2, resetIn: 30 } });
    const now = Math.floor(Date.now() / 1000);
    const first = await post(simulator, plainRequest);
    expect(await first.json()).toEqual({
      error: { message: 'rate limit exceeded', type: 'request_rate_limit_exceeded', code: 429 },
    });
    expect(['limit', 'remaining', 'used'].map((name) => first.headers.get(`x-ratelimit-${name}`))).toEqual([
      '50',
      '0',
      '50',
    ]);
    expect(Number(first.headers.get('x-ratelimit-reset')) - now).toBeGreaterThanOrEqual(30);
    expect(first.headers.has('retry-after')).toBe(false);
    expect([(await post(simulator, plainRequest)).status, (await post(simulator, plainRequest)).status]).toEqual([
      429, 200,
    ]);
    simulator.use({ name: 'rate-limited', count: 1 });
    expect([(await post(simulator, plainRequest)).status, (await post(simulator, plainRequest)).status]).toEqual([
      429, 200,
    ]);
  });

  it.each([
    [undefined, 500, 'internal_error'],
    [502, 502, 'bad_gateway'],
    [503, 503, 'internal_error'],
    [504, 504, 'gateway_timeout'],
  ] as const)('server-error: %s', async (status, expected, type) => {
    const response = await post(
      createAgentApiSimulator({ scenario: { name: 'server-error', ...(status && { status }) } }),
      plainRequest,
    );
    expect([response.status, await response.json()]).toEqual([
      expected,
      { error: { message: expect.any(String), type, code: expected } },
    ]);
  });

  it('server-error: a page of the edge', async () => {
    const response = await post(
      createAgentApiSimulator({ scenario: { name: 'server-error', status: 502, html: true } }),
      plainRequest,
    );
    expect([response.status, response.headers.get('content-type')]).toEqual([502, 'text/html']);
    expect(await response.text()).toBe('<html><head><title>502 bad gateway</title></head><body>edge</body></html>');
  });
});

describe('every run', () => {
  const scenarios = [
    'plain',
    'search',
    'parallel-searches',
    'fetch',
    'tool-call',
    'structured',
    'incomplete',
    'failed',
    'failed-early',
    'cancelled',
    'unknown-events',
  ] as const;
  const bodies = [
    { effort: 'fast', input: 'x' },
    { preset: 'xhigh', input: 'x' },
    withTool,
    { models: ['perplexity/nobody-knows', 'openai/gpt-5'], input: 'x' },
  ];

  it.each(scenarios)('%s: streamed and not, the response is the same and its numbers add up', async (scenario) => {
    for (const body of bodies) {
      const response = await play(scenario, body);
      const events = await stream(createAgentApiSimulator({ scenario, seed: 1 }), body);
      expect(events.at(-1)?.response).toEqual(response);
      expect(Object.keys(response)).toHaveLength(32);
      expect(
        events.every(
          (event, index) => index === 0 || event.sequence_number > (events[index - 1]?.sequence_number ?? 0),
        ),
      ).toBe(true);
      const deltas = events.filter(({ type }) => type === 'response.output_text.delta').map(({ delta }) => delta);
      expect(deltas.join('')).toBe(textOf(response));
      if (response.usage !== null) expectSound(response.usage);
    }
  });

  it('names the requested model until the end, and the served one there', async () => {
    expect(await opened({ effort: 'fast', input: 'x' })).toEqual(['fast', 'openai/gpt-6-luna', 'default', 'fast']);
    expect(await opened({ effort: 'xhigh', input: 'x' })).toEqual([
      'xhigh',
      'openai/gpt-5.6-sol',
      'default',
      'default',
    ]);
    expect(await opened({ effort: 'low', model: 'xai/grok-4.7', input: 'x' })).toEqual([
      'low',
      'xai/grok-4.7',
      'default',
      'default',
    ]);
    expect(
      await opened({
        models: ['google/gemini-3.8-flash'],
        model: 'openai/gpt-5',
        input: 'x',
        service_tier: 'priority',
      }),
    ).toEqual(['google/gemini-3.8-flash', 'google/gemini-3.8-flash', 'default', 'priority']);
  });

  it('repeats the request and merges the tools of the level by type', async () => {
    const response = await play('plain', {
      effort: 'low',
      input: 'x',
      instructions: 'Be brief.',
      tools: [{ type: 'fetch_url', max_urls: 2 }],
      reasoning: { effort: 'low' },
      temperature: 0.5,
      top_p: 0.9,
      metadata: { run: '1' },
      user: 'u',
      safety_identifier: 's',
      prompt_cache_key: 'k',
      truncation: 'auto',
      parallel_tool_calls: false,
      store: false,
      max_tool_calls: 3,
    });
    expect(response).toMatchObject({
      instructions: 'Be brief.',
      tools: [{ type: 'fetch_url', max_urls: 2 }, { type: 'web_search' }],
      reasoning: { effort: 'low' },
      temperature: 0.5,
      top_p: 0.9,
      metadata: { run: '1' },
      user: 'u',
      safety_identifier: 's',
      prompt_cache_key: 'k',
      truncation: 'auto',
      parallel_tool_calls: false,
      store: false,
      max_tool_calls: 3,
    });
    expect(response.tools).toHaveLength(2);
  });

  it('unknown-events: strangers and nulls around a good answer', async () => {
    const events = await stream(createAgentApiSimulator({ scenario: 'unknown-events' }), {
      effort: 'fast',
      input: 'x',
    });
    expect(events.map(({ type }) => type)).toEqual(
      expect.arrayContaining(['response.weather.changed', 'response.unknown', 'response.skill.loaded']),
    );
    const items = (await play('unknown-events', { effort: 'fast', input: 'x' })).output.map(({ type }) => type);
    expect(items).toEqual([
      'unknown',
      'skill_loaded',
      'hologram_results',
      'search_results',
      'message',
      'fetch_url_results',
    ]);
  });
});

/** Model and service tier, first and last. */
async function opened(body: Record<string, unknown>): Promise<unknown[]> {
  const events = await stream(createAgentApiSimulator(), body);
  return [
    events[0]?.response?.model,
    events.at(-1)?.response?.model,
    events[0]?.response?.service_tier,
    events.at(-1)?.response?.service_tier,
  ];
}

function sum(values: unknown[]): number {
  return (values as number[]).reduce((total, value) => total + value, 0);
}

interface Usage {
  input_tokens: number;
  output_tokens: number;
  total_tokens: number;
  input_tokens_details: Record<string, number | undefined>;
  output_tokens_details: { reasoning_tokens: number };
  tool_calls_details?: Record<string, { cost_usd: number }>;
  cost: Record<string, unknown> & { total_cost: number };
}

function expectSound(raw: object): void {
  const usage = raw as Usage;
  const { cached_tokens = 0, cache_creation_input_tokens = 0 } = usage.input_tokens_details;
  expect(usage.total_tokens).toBe(usage.input_tokens + usage.output_tokens);
  expect(cached_tokens + cache_creation_input_tokens).toBeLessThanOrEqual(usage.input_tokens);
  expect(usage.output_tokens_details.reasoning_tokens).toBeLessThanOrEqual(usage.output_tokens);
  const { total_cost, currency, tool_calls_cost_details = {}, ...parts } = usage.cost;
  expect(currency).toBe('USD');
  expect(sum(Object.values(parts))).toBeCloseTo(total_cost, 6);
  expect(sum(Object.values(tool_calls_cost_details as object))).toBeCloseTo(
    (parts.tool_calls_cost as number | undefined) ?? 0,
    6,
  );
  const byTool = Object.entries(usage.tool_calls_details ?? {}).map(([key, { cost_usd }]) => [key, cost_usd]);
  expect(Object.fromEntries(byTool)).toEqual(tool_calls_cost_details);
}

describe('what does not exist', () => {
  it.each([
    [{ scenario: 'rate_limited' }, "There is no scenario 'rate_limited'. The scenarios are: auto, plain,"],
    [{ scenario: { name: 'nope' } }, "There is no scenario 'nope'."],
    [{ scenario: { name: 'cut', afterEvent: 3 } }, "'afterEvent' is no setting of the scenario 'cut'."],
    [{ scenario: { nam: 'cut' } }, "'nam' is no field of a custom scenario."],
    [{ scenarios: 'failed' }, "'scenarios' is no option of the simulator."],
  ])('is not answered with something else: %j', (options, text) => {
    expect(() => createAgentApiSimulator(options as never)).toThrow(TypeError);
    expect(() => createAgentApiSimulator(options as never)).toThrow(text);
  });

  it('is refused later on too', async () => {
    const simulator = createAgentApiSimulator();
    expect(() => simulator.use('nope' as never)).toThrow("There is no scenario 'nope'.");
    simulator.use(() => 'nope' as never);
    await expect(post(simulator, { effort: 'fast', input: 'Hi' })).rejects.toThrow("There is no scenario 'nope'.");
  });
});
