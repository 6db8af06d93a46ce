/** Who answers, under the real ai 5: what is sent for levels, profiles, skills and chains, and what is told of it. */
import { generateText, streamText } from 'ai';
import {
  createPerplexityAgent,
  type PerplexityAgentMetadata,
  type PerplexityAgentProviderOptions,
  type PerplexityAgentProviderSettings,
} from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator, type AgentApiSimulatorOptions } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { rejectionOf } from '../support/model.js';

type Call = { id?: string; perplexity?: PerplexityAgentProviderOptions; system?: string };

const WAYS = {
  async generateText(call: Parameters<typeof generateText>[0]) {
    const { providerMetadata, warnings, response } = await generateText(call);
    return { providerMetadata, warnings, response };
  },
  async streamText(call: Parameters<typeof streamText>[0]) {
    const result = streamText({ ...call, onError: () => undefined });
    for await (const part of result.fullStream) if (part.type === 'error') throw part.error;
    return {
      providerMetadata: await result.providerMetadata,
      warnings: await result.warnings,
      response: await result.response,
    };
  },
};

describe.each(Object.entries(WAYS))('through %s', (_way, run) => {
  async function play({ id, perplexity = {}, system }: Call, more: PlayOptions = {}) {
    const simulator = createAgentApiSimulator({ scenario: 'search', ...more.simulator });
    const provider = createPerplexityAgent({ apiKey: 'any', fetch: simulator.fetch, ...more.settings });
    const { providerMetadata, warnings, response } = await run({
      model: provider(id),
      prompt: 'A?',
      providerOptions: { perplexity },
      ...(system !== undefined && { system }),
    });
    const [request] = simulator.requests;
    expect([simulator.requests.length, request?.status]).toEqual([1, 200]);
    const { input: _, stream, ...body } = request?.body as Record<string, unknown>;
    const metadata = providerMetadata?.['perplexity'] as PerplexityAgentMetadata;
    return { body, stream, input: _, metadata, warnings, response };
  }
  type PlayOptions = { simulator?: AgentApiSimulatorOptions; settings?: PerplexityAgentProviderSettings };

  const luna = 'openai/gpt-6-luna';
  const search = [{ type: 'web_search' }];

  it.each<[string, Call, Record<string, unknown>, Partial<PerplexityAgentMetadata>]>([
    [
      'a level by name',
      { id: 'fast' },
      { effort: 'fast' },
      { effort: 'fast', requestedModel: 'fast', servedModel: luna, serviceTier: 'fast' },
    ],
    [
      'a level by option',
      { perplexity: { effort: 'medium' } },
      { effort: 'medium' },
      { effort: 'medium', requestedModel: 'medium', servedModel: luna, serviceTier: 'default' },
    ],
    [
      'a level by option in place of the one by id',
      { id: 'low', perplexity: { effort: 'high' } },
      { effort: 'high' },
      { effort: 'high', requestedModel: 'high', servedModel: 'openai/gpt-5.6-sol' },
    ],
    [
      'the newest level',
      { id: 'ultra' },
      { effort: 'ultra' },
      { effort: 'ultra', requestedModel: 'ultra', servedModel: 'openai/gpt-5.6-sol' },
    ],
    [
      'a pinned level',
      { id: 'fast@2026-10-16.0' },
      { effort: 'fast@2026-10-16.0' },
      { effort: 'fast@2026-10-16.0', requestedModel: 'fast@2026-10-16.0', servedModel: luna, serviceTier: 'fast' },
    ],
    [
      'a preset of old',
      { id: 'wide-research' },
      { preset: 'wide-research' },
      { effort: 'wide-research', requestedModel: 'wide-research', servedModel: 'openai/gpt-5.6-sol' },
    ],
    [
      'a level with a model',
      { id: 'xai/grok-4.7', perplexity: { effort: 'low@2026-10-16.0' } },
      { model: 'xai/grok-4.7', effort: 'low@2026-10-16.0' },
      { effort: 'low@2026-10-16.0', requestedModel: 'xai/grok-4.7', servedModel: 'xai/grok-4.7' },
    ],
    [
      'a level with a chain',
      { id: 'low', perplexity: { models: ['xai/grok-4.7', luna] } },
      { effort: 'low', models: ['xai/grok-4.7', luna] },
      { effort: 'low', requestedModel: `xai/grok-4.7,${luna}`, servedModel: 'xai/grok-4.7' },
    ],
    [
      'a level whose settings are overridden',
      {
        id: 'low',
        perplexity: {
          maxSteps: 9,
          maxToolCalls: 4,
          reasoningEffort: 'high',
          languagePreference: 'pt',
          serviceTier: 'priority',
        },
      },
      {
        effort: 'low',
        max_steps: 9,
        max_tool_calls: 4,
        reasoning: { effort: 'high' },
        language_preference: 'pt',
        service_tier: 'priority',
      },
      { effort: 'low', serviceTier: 'priority' },
    ],
    [
      'a level whose search is overridden',
      { id: 'low', perplexity: { webSearch: { searchType: 'fast' }, fetchUrl: { maxUrls: 2 } } },
      {
        effort: 'low',
        tools: [
          { type: 'web_search', search_type: 'fast' },
          { type: 'fetch_url', max_urls: 2 },
        ],
      },
      { effort: 'low' },
    ],
    [
      'a model',
      { id: luna },
      { model: luna, tools: search },
      { requestedModel: luna, servedModel: luna, serviceTier: 'default' },
    ],
    [
      'a chain',
      { perplexity: { models: ['anthropic/claude-opus-5-5', luna] } },
      { models: ['anthropic/claude-opus-5-5', luna], tools: search, max_output_tokens: 8192 },
      { requestedModel: `anthropic/claude-opus-5-5,${luna}`, servedModel: 'anthropic/claude-opus-5-5' },
    ],
    [
      'a chain in place of the model by id',
      { id: 'google/gemini-3.8-flash', perplexity: { models: [luna] } },
      { models: [luna], tools: search },
      { requestedModel: luna, servedModel: luna },
    ],
    [
      'a profile, its newest version',
      { perplexity: { profile: { id: 'prof_1' } } },
      { profile: { type: 'custom', id: 'prof_1' } },
      { requestedModel: 'profile:prof_1', servedModel: luna },
    ],
    [
      'a profile with version and model',
      { id: 'xai/grok-4.7', perplexity: { profile: { type: 'custom', id: 'prof_1', version: '3' } } },
      { model: 'xai/grok-4.7', profile: { type: 'custom', id: 'prof_1', version: '3' } },
      { requestedModel: 'xai/grok-4.7', servedModel: 'xai/grok-4.7' },
    ],
    [
      'skills of each kind',
      {
        id: 'high',
        perplexity: {
          skills: [
            { type: 'builtin', name: 'office/xlsx' },
            { type: 'inline', name: 'house-style', description: 'How we write', instructions: 'Briefly.' },
            { type: 'custom', id: 'skill_1', version: '2' },
            { type: 'custom', id: 'skill_2' },
          ],
        },
      },
      {
        effort: 'high',
        skills: [
          { type: 'builtin', name: 'office/xlsx' },
          { type: 'inline', name: 'house-style', description: 'How we write', instructions: 'Briefly.' },
          { type: 'custom', id: 'skill_1', version: '2' },
          { type: 'custom', id: 'skill_2' },
        ],
      },
      { effort: 'high' },
    ],
  ])('%s travels right', async (_name, call, body, told) => {
    const sent = await play(call);
    expect(sent.body).toEqual(body);
    expect(sent.metadata).toMatchObject({ status: 'completed', ...told });
    expect(sent.warnings).toEqual([]);
    // The AI SDK's own place for the model says the same.
    expect(sent.response.modelId).toBe(sent.metadata.servedModel);
    if (!('effort' in told)) expect(sent.metadata).not.toHaveProperty('effort');
    expect(Object.keys(sent.metadata.cost ?? {})).toContain('totalCost');
  });

  it('levels travel as preset where that is the name of the field', async () => {
    const settings = { effortField: 'preset' } as const;
    expect((await play({ id: 'fast@2026-10-16.0' }, { settings })).body).toEqual({ preset: 'fast@2026-10-16.0' });
    expect((await play({ id: 'deep-research' }, { settings })).body).toEqual({ preset: 'deep-research' });
  });

  it('a level keeps its own prompt beside system messages, a model gets them as instructions', async () => {
    const level = await play({ id: 'low', system: 'Be brief.' });
    expect(level.body).toEqual({ effort: 'low' });
    expect(level.input).toMatchObject([{ role: 'system', content: 'Be brief.' }, { role: 'user' }]);
    const both = await play({ id: luna, system: 'Be brief.', perplexity: { effort: 'low' } });
    expect(both.body).toEqual({ model: luna, effort: 'low' });
    const plain = await play({ id: luna, system: 'Be brief.' });
    expect(plain.body).toMatchObject({ instructions: 'Be brief.' });
  });

  it('runs that may be long are streamed, whoever asks', async () => {
    for (const call of [
      { id: 'ultra' },
      { perplexity: { profile: { id: 'p' } } },
      { id: luna, perplexity: { effort: 'low' } },
    ]) {
      expect((await play(call)).stream).toBe(true);
    }
  });

  it.each<[string, Call, string]>([
    ['a profile with a level by id', { id: 'low', perplexity: { profile: { id: 'p' } } }, 'cannot be combined'],
    ['a profile with a level by option', { perplexity: { effort: 'low', profile: { id: 'p' } } }, 'cannot be combined'],
    ['nobody', {}, 'Nothing is named'],
    ['no model in a chain', { perplexity: { models: [] } }, 'models'],
    ['six models', { perplexity: { models: Array.from({ length: 6 }, (_, n) => `a/${n}`) } }, 'models'],
    ['a level in a chain', { perplexity: { models: ['low'] } }, 'models'],
    ['a model as a level', { perplexity: { effort: 'openai/gpt-6-luna' } }, 'effort'],
    ['a Sonar name as a level', { perplexity: { effort: 'sonar-pro' } }, "'low'"],
  ])('%s is refused before anything is sent', async (_name, { id, perplexity }, message) => {
    const simulator = createAgentApiSimulator();
    const provider = createPerplexityAgent({ apiKey: 'any', fetch: simulator.fetch });
    const call = async () =>
      run({ model: provider(id), prompt: 'A?', providerOptions: { perplexity: perplexity as never } });
    expect((await rejectionOf(call())).message).toContain(message);
    expect(simulator.requests).toEqual([]);
  });

  it('an unknown level is refused by the service, and the error says how it was taken', async () => {
    const body = { error: { message: 'unknown effort "lwo"', type: 'invalid_request', code: 400 } };
    const error = await rejectionOf(play({ id: 'lwo' }, { simulator: { scenario: { status: 400, body } } }));
    expect(error.message).toContain("'lwo' was sent as an effort level");
  });
});
