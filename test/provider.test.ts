import { InvalidArgumentError, LoadAPIKeyError, NoSuchModelError } from '@ai-sdk/provider';
import { createPerplexityAgent, perplexityAgent, VERSION } from 'ai-sdk-provider-perplexity-agent';
import * as v3 from 'ai-sdk-provider-perplexity-agent/v3';
import * as v4 from 'ai-sdk-provider-perplexity-agent/v4';
import { readFileSync } from 'node:fs';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { generate, modelWith, partsOf, rejectionOf, streamParts } from './support/model.js';
import { delta, eventReply, jsonReply, message, snapshot, stubFetch } from './support/wire.js';

const answer = () => jsonReply(snapshot({ output: [message('A')] }));

function thrownBy(action: () => unknown): Error & Record<string, unknown> {
  try {
    action();
  } catch (error) {
    return error as Error & Record<string, unknown>;
  }
  throw new Error('nothing was thrown');
}

afterEach(() => vi.unstubAllEnvs());

describe('the provider', () => {
  it('is callable and has languageModel; models say what they are', () => {
    for (const model of [perplexityAgent('openai/gpt-6-luna'), perplexityAgent.languageModel('openai/gpt-6-luna')]) {
      expect(model).toMatchObject({
        specificationVersion: 'v2',
        provider: 'perplexity.agent',
        modelId: 'openai/gpt-6-luna',
      });
    }
    expect(perplexityAgent().modelId).toBe('');
    expect(perplexityAgent('fast@2026-10-16.0').modelId).toBe('fast@2026-10-16.0');
  });

  it('carries no specification label, so that ai 6 and 7 take it for what it is', () => {
    expect(perplexityAgent).not.toHaveProperty('specificationVersion');
  });

  it('does not show a key that stands in place of the settings', () => {
    const error = thrownBy(() => createPerplexityAgent('pplx-123' as never));
    expect(InvalidArgumentError.isInstance(error)).toBe(true);
    expect(error.message).toBe('createPerplexityAgent must be an object.');
  });

  it('has no other kinds of models', () => {
    for (const provider of [perplexityAgent, v3.perplexityAgent, v4.perplexityAgent]) {
      for (const modelType of ['embeddingModel', 'textEmbeddingModel', 'imageModel'] as const) {
        const error = thrownBy(() => provider[modelType]('x'));
        expect(NoSuchModelError.isInstance(error)).toBe(true);
        expect(error).toMatchObject({ modelId: 'x', modelType });
        const what = modelType === 'imageModel' ? 'generated images' : 'embeddings';
        expect(error.message).toContain(`Agent API has no ${what}, so there is no ${modelType} 'x'`);
        expect(error.message).toContain(`a provider of ${what}`);
      }
    }
  });

  it('resumes a run by its id, which names the model', () => {
    expect(perplexityAgent.resume('resp_1')).toMatchObject({ specificationVersion: 'v2', modelId: 'resp_1' });
    expect(perplexityAgent.resume('resp_1', { startingAfter: 0 }).provider).toBe('perplexity.agent');
  });

  it.each<[string, object]>([
    ['', {}],
    [' ', {}],
    ['..', {}],
    [7 as unknown as string, {}],
    ['resp_1', { startingAfter: -1 }],
    ['resp_1', { startingAfter: 1.5 }],
    ['resp_1', { startingAfter: '3' as unknown as number }],
    ['resp_1', { startAfter: 3 }],
    ['resp_1', null as unknown as object],
    ['resp_1', 5 as unknown as object],
  ])('refuses to resume %j with %j', (responseId, options) => {
    const error = thrownBy(() => perplexityAgent.resume(responseId, options));
    expect(InvalidArgumentError.isInstance(error)).toBe(true);
    expect(error.message).toMatch(/responseId must be|startingAfter|resume must (not )?be/);
  });

  it.each([
    ['sonar', 'fast'],
    ['sonar-pro', 'low'],
    ['sonar-reasoning', 'low'],
    ['sonar-reasoning-pro', 'low'],
    ['sonar-deep-research', 'medium'],
  ])('refuses the Sonar id %s and names the level %s', (id, level) => {
    const error = thrownBy(() => perplexityAgent(id));
    expect(NoSuchModelError.isInstance(error)).toBe(true);
    expect(error.message).toContain(`'${level}'`);
  });

  it.each([42, {}])('refuses %j as a model id', (id) => {
    const error = thrownBy(() => perplexityAgent(id as never));
    expect(InvalidArgumentError.isInstance(error)).toBe(true);
    expect(error['argument']).toBe('modelId');
  });

  it('works detached from its model objects', async () => {
    const { model } = modelWith([answer]);
    const { doGenerate } = model;
    const { content } = await doGenerate({ prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }] });
    expect(content).toMatchObject([{ text: 'A' }]);
  });

  it('tells its version', () => {
    expect(VERSION).toBe((JSON.parse(readFileSync('package.json', 'utf8')) as { version: string }).version);
  });
});

describe('the API key', () => {
  it('comes from PERPLEXITY_API_KEY, read at the first call', async () => {
    vi.stubEnv('PERPLEXITY_API_KEY', '');
    const { fetch, requests } = stubFetch(answer);
    const model = createPerplexityAgent({ fetch })('openai/gpt-6-luna');
    vi.stubEnv('PERPLEXITY_API_KEY', 'pplx-from-the-environment');
    await generate(model);
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer pplx-from-the-environment');
  });

  it('that is missing is a LoadAPIKeyError which names the variable', async () => {
    vi.stubEnv('PERPLEXITY_API_KEY', undefined);
    const { fetch, requests } = stubFetch(answer);
    const error = await rejectionOf(generate(createPerplexityAgent({ fetch })('openai/gpt-6-luna')));
    expect(LoadAPIKeyError.isInstance(error)).toBe(true);
    expect(error.message).toContain('PERPLEXITY_API_KEY');
    expect(requests).toEqual([]);
  });

  it('that is an empty variable, as an unset secret of a CI is, counts as missing', async () => {
    vi.stubEnv('PERPLEXITY_API_KEY', ' ');
    const error = await rejectionOf(
      generate(createPerplexityAgent({ fetch: stubFetch(answer).fetch })('openai/gpt-6-luna')),
    );
    expect(LoadAPIKeyError.isInstance(error)).toBe(true);
    expect(error.message).toContain('the environment variable PERPLEXITY_API_KEY is empty');
  });

  it('is not needed where headers bring an authorization', async () => {
    vi.stubEnv('PERPLEXITY_API_KEY', undefined);
    const { fetch, requests } = stubFetch(answer);
    await generate(
      createPerplexityAgent({ fetch, headers: { Authorization: 'Bearer proxy-token' } })('openai/gpt-6-luna'),
    );
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer proxy-token');
  });

  it.each(['pplx-ключ', 'pplx key', 'pplx-\u0000'])(
    'that cannot be sent (%j) is refused without showing it',
    async (apiKey) => {
      const error = await rejectionOf(
        generate(createPerplexityAgent({ apiKey, fetch: stubFetch(answer).fetch })('openai/gpt-6-luna')),
      );
      expect(LoadAPIKeyError.isInstance(error)).toBe(true);
      expect(error.message).toContain("the 'apiKey' setting holds a character that no key has");
      expect(error.message).not.toContain(apiKey);
    },
  );

  it('may have white space around it', async () => {
    const { fetch, requests } = stubFetch(answer);
    await generate(createPerplexityAgent({ apiKey: ' pplx-key\n', fetch })('openai/gpt-6-luna'));
    expect(requests[0]?.headers.get('authorization')).toBe('Bearer pplx-key');
  });
});

describe('the base URL', () => {
  const urlWith = async (baseURL?: string) => {
    const { fetch, requests } = stubFetch(answer);
    await generate(createPerplexityAgent({ apiKey: 'pplx-key', fetch, baseURL })('openai/gpt-6-luna'));
    return requests[0]?.url;
  };

  it.each([
    [undefined, 'https://api.perplexity.ai/v1/agent'],
    ['http://127.0.0.1:8080', 'http://127.0.0.1:8080/v1/agent'],
    ['https://proxy.example/', 'https://proxy.example/v1/agent'],
    ['https://proxy.example/v1', 'https://proxy.example/v1/agent'],
    ['https://proxy.example/pplx/v1//', 'https://proxy.example/pplx/v1/agent'],
  ])('%s gives %s', async (baseURL, url) => {
    expect(await urlWith(baseURL)).toBe(url);
  });

  it('comes from PERPLEXITY_BASE_URL', async () => {
    vi.stubEnv('PERPLEXITY_BASE_URL', 'http://127.0.0.1:9/v1/');
    expect(await urlWith()).toBe('http://127.0.0.1:9/v1/agent');
  });

  it('in an empty variable counts as unset', async () => {
    vi.stubEnv('PERPLEXITY_BASE_URL', ' ');
    expect(await urlWith()).toBe('https://api.perplexity.ai/v1/agent');
  });

  it.each(['no url', 'ftp://a.example', 'https://user:secret-password@a.example'])('%s is refused', async (baseURL) => {
    const error = await rejectionOf(urlWith(baseURL));
    expect(InvalidArgumentError.isInstance(error)).toBe(true);
    expect(error['argument']).toBe('baseURL');
    expect(error.message).not.toContain('secret-password');
  });
});

describe('options under the wrong key', () => {
  it('are named in a warning', async () => {
    const { model, requests } = modelWith([answer]);
    const { warnings } = await generate(model, { providerOptions: { perplexityAgent: { maxSteps: 4 } } });
    expect(warnings).toEqual([
      {
        type: 'other',
        message: 'providerOptions.perplexityAgent has no effect; the options of this provider go under `perplexity`.',
      },
    ]);
    expect(requests[0]?.body).not.toHaveProperty('max_steps');
  });
});

describe('settings', () => {
  it.each([
    ['effortField', { effortField: 'level' as never }],
    ['fetch', { fetch: 5 as never }],
    ['maxEventBytes', { maxEventBytes: 0 }],
    ['maxEventBytes', { maxEventBytes: 1.5 }],
    ['generateId', { generateId: 'id' as never }],
    ['coalesceDeltas', { coalesceDeltas: 'yes' as never }],
    ['baseURL', { baseURL: 5 as never }],
    ['effortField', { effortField: 5 as never }],
    ['createPerplexityAgent.headers', { headers: 'x' as never }],
    ['createPerplexityAgent.headers.x', { headers: { x: 'a\nb' } }],
  ])('%s is checked: %j', (argument, settings) => {
    const error = thrownBy(() => createPerplexityAgent(settings));
    expect(InvalidArgumentError.isInstance(error)).toBe(true);
    expect(error['argument']).toBe(argument);
  });

  it('generateId may fail: the answer has ids of ours then', async () => {
    for (const generateId of [() => undefined as never, () => Symbol('id') as never, () => JSON.parse('{') as never]) {
      const reply = eventReply([delta('A', { item: '' }), { type: 'response.completed', response: { output: [] } }]);
      const parts = await streamParts(modelWith([reply], { generateId }).model);
      expect(partsOf(parts, 'text-start')).toMatchObject([{ id: expect.stringMatching(/^[A-Za-z0-9]{16}:text-0$/) }]);
    }
  });

  it('that are misspelt are refused, since a key must not go to the wrong place', () => {
    const error = thrownBy(() => createPerplexityAgent({ baseUrl: 'http://127.0.0.1' } as never));
    expect(InvalidArgumentError.isInstance(error)).toBe(true);
    expect(error.message).toContain("use 'baseURL'");
  });

  it('effortField names the wire field of the level', async () => {
    for (const effortField of ['effort', 'preset'] as const) {
      const { model, requests } = modelWith([answer], { modelId: 'low', effortField });
      await generate(model);
      expect(requests[0]?.body).toMatchObject({ [effortField]: 'low' });
      expect(requests[0]?.body).not.toHaveProperty(effortField === 'effort' ? 'preset' : 'effort');
    }
  });

  it('maxReconnects says that it has no effect without background', async () => {
    const { warnings } = await generate(modelWith([answer]).model, {
      providerOptions: { perplexity: { maxReconnects: 2 } },
    });
    expect(warnings).toMatchObject([
      { type: 'other', message: expect.stringContaining('maxReconnects has no effect') },
    ]);
  });

  it('idleTimeout says where it has no effect', async () => {
    const options = { providerOptions: { perplexity: { idleTimeout: 60_000 } } };
    const { warnings } = await generate(modelWith([answer]).model, options);
    expect(warnings).toMatchObject([{ message: expect.stringContaining('idleTimeout has no effect') }]);
    expect((await generate(modelWith([answer], { modelId: 'low' }).model, options)).warnings).toEqual([]);
  });
});
