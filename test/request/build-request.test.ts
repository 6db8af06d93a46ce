import { InvalidArgumentError } from '@ai-sdk/provider';
import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { buildRequest } from '../../src/request/build-request.js';
import { build, caught, system, user } from './helpers.js';

const HI = { type: 'message', role: 'user', content: 'Hi' };

describe('only what was set is sent', () => {
  it('a plain model: model, input and the default search', () => {
    const built = buildRequest({ modelId: 'openai/gpt-6-luna', callOptions: { prompt: [user('Hi')] } });
    expect(built.body).toStrictEqual({ model: 'openai/gpt-6-luna', input: [HI], tools: [{ type: 'web_search' }] });
    expect(built.warnings).toEqual([]);
    expect(built).toMatchObject({ targetKey: 'openai/gpt-6-luna', isLongRun: false, secrets: [] });
    expect(built.tools).toEqual({ functions: new Set(), native: new Map(), keys: new Set() });
  });

  it('a level: effort and input, nothing else', () => {
    const built = buildRequest({ modelId: 'low', callOptions: { prompt: [user('Hi')] } });
    expect(built.body).toStrictEqual({ effort: 'low', input: [HI] });
    expect(built).toMatchObject({ targetKey: 'low', isLongRun: true });
  });

  it('settings that are undefined leave no key and no warning', () => {
    const { body, warnings } = build({
      maxOutputTokens: undefined,
      temperature: undefined,
      topK: undefined,
      seed: undefined,
      reasoning: undefined,
      responseFormat: { type: 'text' },
      tools: undefined,
      toolChoice: { type: 'auto' },
    });
    expect(body).toStrictEqual({ model: 'openai/gpt-6-luna', input: [HI] });
    expect(warnings).toEqual([]);
  });
});

describe('settings of the AI SDK', () => {
  it('that are null, as plain JavaScript may have them, are never sent', () => {
    const { body, warnings } = build({
      temperature: null,
      topP: null,
      maxOutputTokens: null,
      seed: null,
      reasoning: null,
    } as never);
    expect(Object.keys(body)).toEqual(['model', 'input']);
    expect(warnings).toEqual([]);
  });

  it('are mapped', () => {
    const { body, warnings } = build({ maxOutputTokens: 16, temperature: 0, topP: 1 });
    expect(body).toMatchObject({ max_output_tokens: 16, temperature: 0, top_p: 1 });
    expect(warnings).toEqual([]);
  });

  it('that the API does not have are warnings, one each', () => {
    const { body, warnings } = build({
      topK: 1,
      seed: 2,
      stopSequences: ['x'],
      presencePenalty: 0,
      frequencyPenalty: 0,
    });
    expect(Object.keys(body)).toEqual(['model', 'input']);
    expect(warnings.map((warning) => warning.type === 'setting' && warning.setting)).toEqual([
      'topK',
      'seed',
      'stopSequences',
      'presencePenalty',
      'frequencyPenalty',
    ]);
  });

  it('a limit under the least of the API is sent with a warning', () => {
    const { body, warnings } = build({ maxOutputTokens: 5 });
    expect(body.max_output_tokens).toBe(5);
    expect(warnings).toEqual([{ type: 'setting', setting: 'maxOutputTokens', details: 'The API raises it to 16.' }]);
  });

  it.each([
    ['maxOutputTokens', 0],
    ['maxOutputTokens', 1.5],
    ['temperature', 2.1],
    ['temperature', -1],
    ['temperature', NaN],
    ['topP', 1.01],
  ])('%s = %d is refused by name', (setting, value) => {
    const error = caught(() => build({ [setting]: value }));
    expect(InvalidArgumentError.isInstance(error) && error.argument).toBe(setting);
    expect((error as Error).message).toContain(setting);
  });

  it.each([
    ['high', {}, 'high', 0],
    ['none', {}, 'minimal', 1],
    ['provider-default', {}, undefined, 0],
    ['none', { reasoningEffort: 'max' }, 'max', 0],
    [undefined, { reasoningEffort: 'minimal' }, 'minimal', 0],
  ])('reasoning %s with %j → %s', (reasoning, perplexity, effort, warnings) => {
    const built = build({ reasoning, perplexity });
    expect(built.body.reasoning).toEqual(effort === undefined ? undefined : { effort });
    const named = built.warnings.filter((warning) => warning.type === 'setting' && warning.setting === 'reasoning');
    expect([named.length, built.warnings.length]).toEqual([warnings, warnings]);
  });
});

describe('options go under their wire names', () => {
  it.each([
    [{ maxSteps: 3 }, { max_steps: 3 }],
    [{ maxToolCalls: 0 }, { max_tool_calls: 0 }],
    [{ parallelToolCalls: false }, { parallel_tool_calls: false }],
    [{ languagePreference: 'pt' }, { language_preference: 'pt' }],
    [{ previousResponseId: 'resp_1' }, { previous_response_id: 'resp_1' }],
    [{ store: false }, { store: false }],
    [{ metadata: { a: 'b' } }, { metadata: { a: 'b' } }],
    [{ truncation: 'auto' }, { truncation: 'auto' }],
    [{ serviceTier: 'priority' }, { service_tier: 'priority' }],
    [{ promptCacheKey: 'k' }, { prompt_cache_key: 'k' }],
    [{ user: 'u' }, { user: 'u' }],
    [{ safetyIdentifier: 's' }, { safety_identifier: 's' }],
    [{ skills: [{ type: 'builtin', name: 'office' }] }, { skills: [{ type: 'builtin', name: 'office' }] }],
    [{ extraBody: { newer: { a: null }, gone: undefined } }, { newer: { a: null } }],
    [{ cancelOnAbort: false, idleTimeout: 9, researchProgress: 'off', strictJsonSchema: true }, {}],
  ])('%j → %j', (perplexity, fields) => {
    const { body, warnings } = build({ perplexity });
    expect(body).toStrictEqual({ model: 'openai/gpt-6-luna', input: [HI], ...fields });
    expect(warnings).toEqual([]);
  });

  it('extra fields replace what is there, with a warning', () => {
    const { body, warnings } = build({ temperature: 1, perplexity: { extraBody: { temperature: 0.5 } } });
    expect(body.temperature).toBe(0.5);
    expect(warnings).toEqual([{ type: 'other', message: expect.stringContaining('extraBody.temperature') as string }]);
  });

  it.each([true, {}, { timeout: 5 }, { pollInterval: 5 }])('background %j sends the field', (background) => {
    expect(build({ perplexity: { background } }).body).toMatchObject({ background: true });
  });

  it('background: false sends nothing', () => {
    expect(build({ perplexity: { background: false } }).body).not.toHaveProperty('background');
  });

  it('background with store: false is refused, since such a run cannot be fetched', () => {
    const error = caught(() => build({ perplexity: { background: true, store: false } }));
    expect(InvalidArgumentError.isInstance(error) && error.argument).toBe('providerOptions.perplexity.store');
  });
});

describe('Anthropic models', () => {
  it.each([
    [{ modelId: 'anthropic/claude-opus-5' }, 8192],
    [{ perplexity: { models: ['openai/gpt-5', 'anthropic/claude-opus-5'] } }, 8192],
    [{ modelId: 'anthropic/claude-opus-5', maxOutputTokens: 100 }, 100],
    [{ modelId: 'anthropic/claude-opus-5', perplexity: { extraBody: { max_output_tokens: 99 } } }, 99],
    [{ perplexity: { extraBody: { models: 'nonsense', model: 7 } } }, undefined],
    [{}, undefined],
  ])('get the limit that they need: %j → %s', (call, limit) => {
    expect(build(call).body.max_output_tokens).toBe(limit);
  });
});

describe('secrets', () => {
  it('of MCP servers are named, also through extraBody', () => {
    const tools = [
      { type: 'mcp', authorization: 'tok', headers: { 'x-key': 'k1', empty: '' } },
      { type: 'web_search' },
      null,
    ];
    expect(build({ perplexity: { extraBody: { tools } } }).secrets).toEqual(['tok', 'k1']);
    expect(build({ perplexity: { extraBody: { tools: 'x' } } }).secrets).toEqual([]);
  });
});

// The API answers 400 to any field it does not know (agent-api.md §2.1, "Strictness").
const DOCUMENTED = new Set(
  (
    'input model models effort preset profile instructions language_preference max_output_tokens max_steps ' +
    'max_tool_calls parallel_tool_calls tool_choice tools temperature top_p reasoning response_format ' +
    'previous_response_id store skills metadata truncation prompt_cache_key service_tier user safety_identifier'
  ).split(' '),
);

const option = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const word = fc.string({ minLength: 1, maxLength: 20 });
const options = fc.record({
  effort: option(fc.constantFrom('fast', 'low', 'ultra', 'wide-research', 'low@2026-10-16.0')),
  webSearch: option(
    fc.oneof(
      fc.boolean(),
      fc.record({
        searchType: option(fc.constantFrom('web', 'fast')),
        maxResults: option(fc.integer({ min: 1, max: 50 })),
        filters: option(
          fc.record({
            searchAfterDateFilter: option(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })),
          }),
        ),
      }),
    ),
  ),
  fetchUrl: option(fc.oneof(fc.boolean(), fc.record({ maxUrls: option(fc.integer({ min: 1, max: 10 })) }))),
  models: option(fc.array(fc.constantFrom('openai/a', 'anthropic/b', 'xai/c'), { minLength: 1, maxLength: 5 })),
  maxSteps: option(fc.integer({ min: 1, max: 100 })),
  maxToolCalls: option(fc.nat()),
  parallelToolCalls: option(fc.boolean()),
  reasoningEffort: option(fc.constantFrom('minimal', 'max')),
  languagePreference: option(fc.constantFrom('en', 'pt')),
  previousResponseId: option(word),
  store: option(fc.boolean()),
  cancelOnAbort: option(fc.boolean()),
  idleTimeout: option(fc.integer({ min: 1 })),
  maxReconnects: option(fc.nat()),
  metadata: option(fc.dictionary(word, word, { maxKeys: 16 })),
  truncation: option(fc.constantFrom('auto', 'disabled')),
  serviceTier: option(word),
  promptCacheKey: option(word),
  user: option(word),
  safetyIdentifier: option(word),
  strictJsonSchema: option(fc.boolean()),
  systemMessageMode: option(fc.constantFrom('instructions', 'input')),
  researchProgress: option(fc.constantFrom('reasoning', 'off')),
});

describe('any valid set of options', () => {
  it('gives a body of documented fields without null or undefined', () => {
    fc.assert(
      fc.property(options, fc.constantFrom('openai/gpt-5', 'low', 'anthropic/x'), (perplexity, modelId) => {
        const { body } = buildRequest({
          modelId,
          callOptions: {
            prompt: [system('Be brief.'), user('Hi')],
            providerOptions: { perplexity },
            reasoning: 'low',
            toolChoice: { type: 'none' },
            responseFormat: { type: 'json', schema: { type: 'object' } },
          },
        });
        expect(Object.keys(body).filter((key) => !DOCUMENTED.has(key))).toEqual([]);
        expect(JSON.parse(JSON.stringify(body))).toStrictEqual(body);
        expect(JSON.stringify(body)).not.toContain('null');
      }),
    );
  });
});
