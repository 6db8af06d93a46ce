/** What the simulator answers, against what was really recorded. Skipped where the recordings are not on disk. */
import { existsSync, readFileSync } from 'node:fs';
import { createAgentApiSimulator, parseRecording } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { ask, call, CAPTURES, post, stream, type Event } from './helpers.js';

const isAbsent = !existsSync(CAPTURES);
const read = (name: string) => readFileSync(new URL(name, CAPTURES), 'utf8');
const json = (name: string) => JSON.parse(read(name)) as Record<string, unknown>;
const ok = { model: 'openai/gpt-6-luna', input: 'Hello?' };
const bodyOf = async (response: Promise<Response>) => (await response).json();
const never = 'resp_00000000-0000-4000-8000-000000000000';

describe.skipIf(isAbsent)('recorded traffic (skipped without /work/shared/captures)', () => {
  const posts: [file: string, body: unknown][] = [
    ['agent_empty_input_400.json', { ...ok, input: '' }],
    ['agent_max_steps_zero_400.json', { ...ok, max_steps: 0 }],
    [
      'agent_bad_recency_400.json',
      { ...ok, tools: [{ type: 'web_search', filters: { search_recency_filter: 'decade' } }] },
    ],
    ['agent_anthropic_no_max_output_tokens_400.json', { ...ok, model: 'anthropic/claude-haiku-5-5' }],
    [
      'agent_structured_bad_root_400.json',
      { ...ok, response_format: { type: 'json_schema', json_schema: { name: 'a', schema: { type: 'bogus' } } } },
    ],
    ['agent_structured_missing_schema_400.json', { ...ok, response_format: { type: 'json_schema' } }],
    ['agent_chat_bad_previous_response_400.json', { ...ok, previous_response_id: never }],
  ];

  it.each(posts)('provokes %s', async (file, body) => {
    const response = await post(createAgentApiSimulator(), body);
    const recorded = json(file);
    expect(await response.json()).toEqual(recorded);
    expect(response.status).toBe((recorded.error as { code: number }).code);
  });

  it('provokes the errors of the other calls', async () => {
    const simulator = createAgentApiSimulator();
    const { id } = await ask(simulator, { ...ok, store: false });
    expect(await bodyOf(call(simulator, '/v1/agent/nonsense'))).toEqual(json('agent_get_malformed_400.json'));
    expect(await bodyOf(call(simulator, `/v1/agent/${id}`))).toEqual(json('agent_get_store_false_404.json'));
    expect(await bodyOf(call(simulator, `/v1/agent/${never}/cancel`, { method: 'POST' }))).toEqual(
      json('agent_cancel_unknown_400.json'),
    );
    expect(await bodyOf(call(simulator, '/v1/models', { key: '' }))).toEqual(json('models_unauthenticated_401.json'));
    expect(await bodyOf(call(simulator, '/async/chat/completions', { method: 'POST' }))).toEqual(
      json('async_chat_completions_403.json'),
    );
  });

  it('lists models with the recorded keys, owners and prices', async () => {
    const response = await call(createAgentApiSimulator(), '/v1/models');
    const ours = (await response.json()) as { data: { id: string; pricing: Record<string, number> }[] };
    const recorded = (json('models.rebuilt.json') as unknown as typeof ours).data;
    for (const model of ours.data) {
      const twin = recorded.find(({ id }) => id === model.id);
      expect({ ...model, pricing: [model.pricing.input, model.pricing.output] }).toEqual({
        ...twin,
        pricing: [twin?.pricing.input, twin?.pricing.output],
      });
      expect(Object.keys(model.pricing)).toEqual(Object.keys(twin?.pricing ?? {}));
      expect(model.pricing.cache_write).toBe(twin?.pricing.cache_write);
    }
  });

  const envelopes: [file: string, scenario: 'search' | 'fetch' | 'plain' | 'structured' | 'cancelled', body: object][] =
    [
      ['agent_fast.json', 'search', { effort: 'fast', input: 'x' }],
      ['agent_low_fetch_url.json', 'fetch', { effort: 'low', input: 'x', tools: [{ type: 'fetch_url', max_urls: 2 }] }],
      ['agent_model_without_tools.json', 'plain', ok],
      ['agent_background_cancelled.trimmed.json', 'cancelled', { effort: 'medium', input: 'x' }],
    ];

  it.each(envelopes)('answers with the envelope of %s', async (file, scenario, body) => {
    const ours = await ask(createAgentApiSimulator({ scenario }), body);
    const recorded = json(file);
    expect(Object.keys(ours)).toEqual(Object.keys(recorded));
    const fixed = ['completed_at', 'created_at', 'id', 'output', 'usage', 'background'];
    const rest = (response: object) =>
      Object.fromEntries(Object.entries(response).filter(([key]) => !fixed.includes(key)));
    expect(rest(ours)).toEqual(rest(recorded));
    expect(keysOf(ours.usage)).toEqual(keysOf(recorded.usage));
    expect(ours.output.map(keysOf)).toEqual((recorded.output as unknown[]).map(keysOf));
  });

  it('answers a capped run with the recorded envelope', async () => {
    const ours = await ask(createAgentApiSimulator({ scenario: { name: 'incomplete', empty: true } }), {
      ...ok,
      max_output_tokens: 16,
    });
    const { id, created_at, usage, ...rest } = json('agent_incomplete_truncated.json');
    expect(ours).toMatchObject(rest);
    expect([typeof id, typeof created_at, keysOf(usage)]).toEqual(['string', 'number', keysOf(ours.usage)]);
    expect(ours.usage).toMatchObject({ output_tokens: 16, output_tokens_details: { reasoning_tokens: 16 } });
  });

  it('answers a background run with the recorded snapshots', async () => {
    const simulator = createAgentApiSimulator({ scenario: 'parallel-searches' });
    const submitted = await ask(simulator, { effort: 'medium', input: 'x', background: true });
    const { id: _id, created_at: _at, ...recorded } = json('agent_background_submit_medium.json');
    expect(submitted).toMatchObject(recorded);
    const poll = (await (await call(simulator, `/v1/agent/${submitted.id}`)).json()) as typeof submitted;
    const { output, id: _, created_at: __, ...pending } = json('agent_background_in_progress.trimmed.json');
    expect(poll).toMatchObject(pending);
    expect(poll.output.map((item) => item.type)).toEqual((output as { type: string }[]).map((item) => item.type));
  });

  it('streams in the recorded order with the recorded keys and holes', async () => {
    const ours = await stream(createAgentApiSimulator({ scenario: 'search' }), {
      effort: 'fast',
      input: 'x',
      max_output_tokens: 1024,
      store: false,
    });
    const recorded = parseRecording(read('agent-web-search.chunks.txt')) as Event[];
    expect(outline(ours)).toEqual(outline(recorded));
    expect(gaps(ours)).toEqual(gaps(recorded));
    const opening = { ...recorded[0]?.response, id: '', created_at: 0 };
    expect({ ...ours[0]?.response, id: '', created_at: 0 }).toEqual(opening);
  });

  it('replays the recorded stream byte by byte, and its end without stream', async () => {
    const text = read('agent-web-search.chunks.txt');
    const simulator = createAgentApiSimulator({ replay: text, chunking: 7 });
    const events = await stream(simulator, { effort: 'fast', input: 'x' });
    expect(events).toEqual(parseRecording(text));
    expect(await ask(simulator, { effort: 'fast', input: 'x' })).toEqual(events.at(-1)?.response);
  });
});

/** Keys of an object and of the objects in it, but not of lists. */
function keysOf(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return null;
  if (Array.isArray(value)) return 'list';
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, keysOf(entry)]));
}

/** Types and keys of the events, runs of deltas counted once. */
function outline(events: Event[]): unknown[] {
  const lines = events.map((event) => [event.type, Object.keys(event), Object.keys(event.item ?? {})]);
  return lines.filter((line, index) => line[0] !== 'response.output_text.delta' || lines[index - 1]?.[0] !== line[0]);
}

/** The events before which sequence numbers are missing. */
function gaps(events: Event[]): string[] {
  return events
    .filter((event, index) => event.sequence_number !== (events[index - 1]?.sequence_number ?? -1) + 1)
    .map((event) => event.type);
}
