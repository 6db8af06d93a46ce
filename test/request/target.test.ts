import { InvalidArgumentError, NoSuchModelError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';

import { parseProviderOptions } from '../../src/options.js';
import { parseModelId, resolveTarget } from '../../src/request/target.js';
import { caught } from './helpers.js';

const resolve = (modelId: string | undefined, perplexity: object = {}, field: 'effort' | 'preset' = 'effort') =>
  resolveTarget(modelId, parseProviderOptions({ perplexity }), field);

describe('model ids', () => {
  it('are models with a slash and levels without', () => {
    expect(parseModelId('openai/gpt-6-luna')).toEqual({ kind: 'model', id: 'openai/gpt-6-luna' });
    expect(parseModelId('perplexity/sonar')).toEqual({ kind: 'model', id: 'perplexity/sonar' });
    expect(parseModelId('low')).toEqual({ kind: 'level', level: 'low' });
    expect(parseModelId('fast@2026-10-16.0')).toEqual({ kind: 'level', level: 'fast@2026-10-16.0' });
    expect(parseModelId('')).toEqual({ kind: 'none' });
    expect(parseModelId(undefined)).toEqual({ kind: 'none' });
  });

  it.each([
    ['sonar', 'fast'],
    ['sonar-pro', 'low'],
    ['sonar-reasoning', 'low'],
    ['sonar-reasoning-pro', 'low'],
    ['sonar-deep-research', 'medium'],
  ])('%s is refused, naming the level that replaces it', (id, level) => {
    for (const error of [caught(() => parseModelId(id)), caught(() => resolve('a/b', { effort: id }))]) {
      expect(NoSuchModelError.isInstance(error) && error.modelId).toBe(id);
      expect((error as Error).message).toContain(`'${level}'`);
    }
  });
});

describe('who answers', () => {
  it.each([
    ['a model', 'a/b', {}, { model: 'a/b' }, 'a/b', false],
    ['a level', 'low', {}, { effort: 'low' }, 'low', true],
    ['a level and a model', 'a/b', { effort: 'high' }, { model: 'a/b', effort: 'high' }, 'a/b', true],
    ['the option over a level id', 'low', { effort: 'high' }, { effort: 'high' }, 'high', true],
    ['a chain instead of the model', 'a/b', { models: ['c/d', 'e/f'] }, { models: ['c/d', 'e/f'] }, 'c/d,e/f', false],
    ['a chain with a level', 'low', { models: ['c/d'] }, { models: ['c/d'], effort: 'low' }, 'c/d', true],
    ['a chain alone', '', { models: ['c/d'] }, { models: ['c/d'] }, 'c/d', false],
    ['a level alone', undefined, { effort: 'fast' }, { effort: 'fast' }, 'fast', true],
    ['a profile', '', { profile: { id: 'p' } }, { profile: { type: 'custom', id: 'p' } }, 'profile:p', true],
    [
      'a profile with a model',
      'a/b',
      { profile: { id: 'p', version: '2' } },
      { model: 'a/b', profile: { type: 'custom', id: 'p', version: '2' } },
      'a/b',
      true,
    ],
  ])('%s', (_, modelId, options, fields, key, isAgent) => {
    expect(resolve(modelId, options)).toEqual({ fields, key, isAgent });
  });

  it('sends levels under the field that was chosen, and presets under theirs', () => {
    expect(resolve('low', {}, 'preset').fields).toEqual({ preset: 'low' });
    for (const preset of ['wide-research', 'fast-search', 'pro-search', 'deep-research', 'advanced-deep-research']) {
      expect(resolve(preset).fields).toEqual({ preset });
    }
  });

  it('refuses a profile with a level, and nobody at all', () => {
    const both = caught(() => resolve('low', { profile: { id: 'p' } }));
    expect(InvalidArgumentError.isInstance(both) && both.argument).toBe('providerOptions.perplexity.profile');
    const nobody = caught(() => resolve(''));
    expect(InvalidArgumentError.isInstance(nobody) && nobody.argument).toBe('modelId');
    expect((nobody as Error).message).toContain('effort, models or profile');
  });
});
