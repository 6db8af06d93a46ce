import { InvalidArgumentError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';

import { parseProviderOptions } from '../src/options.js';

const parse = (perplexity: unknown) => parseProviderOptions({ perplexity: perplexity as Record<string, unknown> });

function refusal(perplexity: unknown): { argument: string; message: string } {
  try {
    parse(perplexity);
  } catch (error) {
    if (InvalidArgumentError.isInstance(error)) return { argument: error.argument, message: error.message };
    throw error;
  }
  throw new Error('was accepted');
}

const DEFAULTS = { cancelOnAbort: true, researchProgress: 'reasoning' };
const skill = (over: object = {}) => ({ type: 'inline', name: 'a-b1', description: 'd', instructions: 'i', ...over });

describe('accepted options', () => {
  it.each([
    [{ effort: 'low' }],
    [{ effort: 'fast@2026-10-16.0' }],
    [{ webSearch: true }],
    [
      {
        webSearch: { searchType: 'fast', maxResults: 50, maxTokens: 1, maxTokensPerPage: 1, searchContextSize: 'low' },
      },
    ],
    [{ webSearch: { userLocation: { country: 'PT', region: 'r', city: 'c', latitude: -90, longitude: 180 } } }],
    [{ fetchUrl: false }],
    [{ fetchUrl: { maxUrls: 10, totalBudgetTokens: 120_000 } }],
    [{ models: ['a/b', 'c/d', 'e/f', 'g/h', 'i/j'] }],
    [{ profile: { id: 'p'.repeat(128) } }],
    [{ profile: { type: 'custom', id: 'p', version: '3' } }],
    [{ skills: [{ type: 'builtin', name: 'office/xlsx' }, skill(), { type: 'custom', id: 'skill_1', version: '2' }] }],
    [{ skills: [] }],
    [{ maxSteps: 1 }],
    [{ maxSteps: 100 }],
    [{ maxToolCalls: 0 }],
    [{ parallelToolCalls: false }],
    [{ reasoningEffort: 'max' }],
    [{ languagePreference: 'pt' }],
    [{ previousResponseId: 'resp_1' }],
    [{ store: false }],
    [{ background: false }],
    [{ background: { pollInterval: 1, timeout: 1 } }],
    [{ cancelOnAbort: false }],
    [{ idleTimeout: 600_000 }],
    [{ maxReconnects: 0 }],
    [{ metadata: { ['k'.repeat(64)]: 'v'.repeat(512) } }],
    [{ truncation: 'auto' }],
    [{ serviceTier: 'priority' }],
    [{ promptCacheKey: 'k', user: 'u', safetyIdentifier: 's' }],
    [{ strictJsonSchema: false }],
    [{ systemMessageMode: 'input' }],
    [{ researchProgress: 'off' }],
    [{ extraBody: { new_field: { deep: [1, null] } } }],
  ])('%j', (options) => {
    expect(parse(options)).toEqual({ ...DEFAULTS, ...options });
  });

  it('fills in defaults without any options, and ignores those of other providers', () => {
    expect(parseProviderOptions(undefined)).toEqual(DEFAULTS);
    expect(parseProviderOptions({ openai: { nonsense: 1 } })).toEqual(DEFAULTS);
    expect(parse({})).toEqual(DEFAULTS);
  });

  it('takes undefined as absent, at every depth, even under a key it does not know', () => {
    const options = {
      maxSteps: undefined,
      nonsense: undefined,
      webSearch: { filters: { searchDomainFilter: undefined } },
    };
    expect(parse(options)).toEqual({ ...DEFAULTS, webSearch: { filters: {} } });
    expect(parse({ maxSteps: undefined })).toStrictEqual(DEFAULTS);
    expect(parse({ metadata: { a: 'b', c: undefined }, extraBody: { input: undefined } })).toEqual({
      ...DEFAULTS,
      metadata: { a: 'b' },
      extraBody: {},
    });
  });

  it('turns dates of every form into that of the wire', () => {
    const filters = {
      searchAfterDateFilter: '10/01/2026',
      searchBeforeDateFilter: '2026-11-30',
      lastUpdatedAfterFilter: new Date('2024-02-29T23:59:59Z'),
    };
    expect(parse({ webSearch: { filters } }).webSearch).toEqual({
      filters: {
        searchAfterDateFilter: '10/01/2026',
        searchBeforeDateFilter: '11/30/2026',
        lastUpdatedAfterFilter: '02/29/2024',
      },
    });
  });

  it('gives dates the zeros that Sonar did without', () => {
    const dateOf = (searchAfterDateFilter: string) =>
      parse({ webSearch: { filters: { searchAfterDateFilter } } }).webSearch;
    expect(dateOf('1/31/2020')).toEqual({ filters: { searchAfterDateFilter: '01/31/2020' } });
    expect(dateOf('12/1/2020')).toEqual({ filters: { searchAfterDateFilter: '12/01/2020' } });
    expect(dateOf('2/9/2020')).toEqual({ filters: { searchAfterDateFilter: '02/09/2020' } });
  });

  it('passes a mix of allowed and excluded domains', () => {
    const webSearch = { filters: { searchDomainFilter: ['ecb.europa.eu', '-example.com', 'a.org/path'] } };
    expect(parse({ webSearch }).webSearch).toEqual(webSearch);
  });
});

describe('refused options', () => {
  it.each([
    [{ effort: '' }, 'effort', 'a level'],
    [{ effort: 'openai/gpt-5' }, 'effort', 'a model goes into the model id'],
    [{ webSearch: 'yes' }, 'webSearch', 'true, false or an object'],
    [{ webSearch: null }, 'webSearch', 'true, false or an object'],
    [{ webSearch: { searchType: 'deep' } }, 'webSearch.searchType', "one of 'web', 'fast', but is 'deep'"],
    [{ webSearch: { searchContextSize: 1 } }, 'webSearch.searchContextSize', 'but is 1'],
    [{ webSearch: { maxResults: 51 } }, 'webSearch.maxResults', 'an integer from 1 to 50, but is 51'],
    [{ webSearch: { maxResults: 0 } }, 'webSearch.maxResults', 'but is 0'],
    [{ webSearch: { maxTokens: 1.5 } }, 'webSearch.maxTokens', 'an integer of at least 1'],
    [{ webSearch: { maxTokensPerPage: '9' } }, 'webSearch.maxTokensPerPage', "but is '9'"],
    [{ webSearch: { filters: [] } }, 'webSearch.filters', 'must be an object'],
    [
      { webSearch: { filters: { searchDomainFilter: ['https://a.org'] } } },
      'webSearch.filters.searchDomainFilter[0]',
      'without scheme',
    ],
    [
      { webSearch: { filters: { searchDomainFilter: ['a', 'a b'] } } },
      'webSearch.filters.searchDomainFilter[1]',
      'domain',
    ],
    [
      { webSearch: { filters: { searchDomainFilter: ['a'.repeat(254)] } } },
      'webSearch.filters.searchDomainFilter[0]',
      '253',
    ],
    [{ webSearch: { filters: { searchDomainFilter: ['-'] } } }, 'webSearch.filters.searchDomainFilter[0]', 'domain'],
    [
      { webSearch: { filters: { searchDomainFilter: Array.from({ length: 21 }, (_, n) => `d${n}.org`) } } },
      'webSearch.filters.searchDomainFilter',
      'at most 20 entries',
    ],
    [
      { webSearch: { filters: { searchDomainFilter: 'a.org' } } },
      'webSearch.filters.searchDomainFilter',
      'a list of domains',
    ],
    [{ webSearch: { filters: { searchRecencyFilter: 'decade' } } }, 'webSearch.filters.searchRecencyFilter', "'hour'"],
    [
      { webSearch: { filters: { searchAfterDateFilter: '02/30/2026' } } },
      'webSearch.filters.searchAfterDateFilter',
      'an existing date',
    ],
    [
      { webSearch: { filters: { searchBeforeDateFilter: '13/01/2026' } } },
      'webSearch.filters.searchBeforeDateFilter',
      "but is '13/01/2026'",
    ],
    [
      { webSearch: { filters: { searchBeforeDateFilter: '2/30/2026' } } },
      'webSearch.filters.searchBeforeDateFilter',
      "but is '2/30/2026'",
    ],
    [
      { webSearch: { filters: { searchBeforeDateFilter: '1/2/26' } } },
      'webSearch.filters.searchBeforeDateFilter',
      'date',
    ],
    [
      { webSearch: { filters: { lastUpdatedAfterFilter: '1.2.2026' } } },
      'webSearch.filters.lastUpdatedAfterFilter',
      'date',
    ],
    [
      { webSearch: { filters: { lastUpdatedBeforeFilter: new Date('nonsense') } } },
      'webSearch.filters.lastUpdatedBeforeFilter',
      'date',
    ],
    [
      { webSearch: { filters: { lastUpdatedBeforeFilter: 20261001 } } },
      'webSearch.filters.lastUpdatedBeforeFilter',
      'date',
    ],
    [
      { webSearch: { filters: { searchRecencyFilter: 'day', searchBeforeDateFilter: '2026-10-01' } } },
      'webSearch.filters.searchRecencyFilter',
      'cannot be combined with searchBeforeDateFilter',
    ],
    [{ webSearch: { userLocation: { country: 'Portugal' } } }, 'webSearch.userLocation.country', 'two-letter'],
    [{ webSearch: { userLocation: { latitude: 1 } } }, 'webSearch.userLocation.country', 'is missing'],
    [
      { webSearch: { userLocation: { country: 'PT', longitude: 181 } } },
      'webSearch.userLocation.longitude',
      'a number from -180 to 180',
    ],
    [{ webSearch: { userLocation: { country: 'PT', latitude: NaN } } }, 'webSearch.userLocation.latitude', '-90 to 90'],
    [{ fetchUrl: { maxUrls: 11 } }, 'fetchUrl.maxUrls', '1 to 10'],
    [{ fetchUrl: { totalBudgetTokens: 120_001 } }, 'fetchUrl.totalBudgetTokens', '120000'],
    [{ models: [] }, 'models', 'at least 1 entry'],
    [{ models: ['a/b', 'c/d', 'e/f', 'g/h', 'i/j', 'k/l'] }, 'models', 'at most 5 entries'],
    [{ models: ['sonar'] }, 'models[0]', "'provider/model' (a level goes into 'effort'), but is 'sonar'"],
    [{ profile: 'p' }, 'profile', 'must be an object'],
    [{ profile: {} }, 'profile.id', 'is missing'],
    [{ profile: { id: 'p'.repeat(129) } }, 'profile.id', '1 to 128 characters'],
    [{ profile: { type: 'saved', id: 'p' } }, 'profile.type', "'custom'"],
    [{ profile: { id: 'p', version: '' } }, 'profile.version', 'not empty'],
    [{ skills: 'office' }, 'skills', 'a list of skills'],
    [
      { skills: Array.from({ length: 17 }, () => ({ type: 'builtin', name: 'office' })) },
      'skills',
      'at most 16 entries',
    ],
    [{ skills: [{ type: 'other' }] }, 'skills[0].type', "'builtin', 'inline' or 'custom'"],
    [{ skills: [{ type: 'builtin', name: '' }] }, 'skills[0].name', 'built-in skill'],
    [{ skills: [skill({ name: 'A B' })] }, 'skills[0].name', 'lower-case words'],
    [{ skills: [skill({ name: 'a'.repeat(65) })] }, 'skills[0].name', '64'],
    [{ skills: [skill({ description: 'é'.repeat(513) })] }, 'skills[0].description', '1024 bytes'],
    [{ skills: [skill({ instructions: 'é'.repeat(32_769) })] }, 'skills[0].instructions', '65536 bytes'],
    [
      { skills: Array.from({ length: 5 }, (_, n) => skill({ name: `s${n}`, instructions: 'x'.repeat(65_536) })) },
      'skills',
      '327680 bytes of inline instructions',
    ],
    [{ skills: [{ type: 'custom', id: 'xlsx' }] }, 'skills[0].id', 'skill_'],
    [{ skills: [{ type: 'builtin', name: 'office', id: 'x' }] }, 'skills[0].id', 'not a known option'],
    [{ maxSteps: 0 }, 'maxSteps', 'an integer from 1 to 100, but is 0'],
    [{ maxSteps: 101 }, 'maxSteps', 'but is 101'],
    [{ maxSteps: null }, 'maxSteps', 'must not be null; leave it out'],
    [{ maxToolCalls: -1 }, 'maxToolCalls', 'at least 0'],
    [{ parallelToolCalls: 'no' }, 'parallelToolCalls', 'true or false'],
    [{ reasoningEffort: 'none' }, 'reasoningEffort', "'minimal'"],
    [{ languagePreference: 'english' }, 'languagePreference', 'ISO 639-1'],
    [{ previousResponseId: '' }, 'previousResponseId', 'the id of a response'],
    [{ store: 1 }, 'store', 'true or false'],
    [{ background: { pollInterval: 0 } }, 'background.pollInterval', 'from 1 to 2147483647'],
    [{ background: { timeout: '5s' } }, 'background.timeout', 'from 1 to 2147483647'],
    [{ background: 5 }, 'background', 'true, false or an object'],
    [{ cancelOnAbort: null }, 'cancelOnAbort', 'null'],
    [{ idleTimeout: 0 }, 'idleTimeout', 'from 1 to 2147483647'],
    // A timer of more fires at once.
    [{ idleTimeout: 2 ** 31 }, 'idleTimeout', 'from 1 to 2147483647'],
    [{ maxReconnects: -1 }, 'maxReconnects', 'at least 0'],
    [{ metadata: { k: 1 } }, 'metadata', 'texts'],
    [{ metadata: { k: 'v'.repeat(513) } }, 'metadata', '512'],
    [{ metadata: { ['k'.repeat(65)]: 'v' } }, 'metadata', '64'],
    [{ metadata: Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, 'v'])) }, 'metadata', '16'],
    [{ metadata: ['v'] }, 'metadata', 'an object'],
    [{ truncation: 'middle' }, 'truncation', "'disabled'"],
    [{ serviceTier: 1 }, 'serviceTier', 'text'],
    [{ promptCacheKey: 1 }, 'promptCacheKey', 'text'],
    [{ user: {} }, 'user', 'text'],
    [{ safetyIdentifier: '' }, 'safetyIdentifier', 'not empty'],
    [{ strictJsonSchema: 'false' }, 'strictJsonSchema', 'true or false'],
    [{ systemMessageMode: 'system' }, 'systemMessageMode', "'instructions', 'input'"],
    [{ researchProgress: false }, 'researchProgress', "'off'"],
    [{ extraBody: [] }, 'extraBody', 'an object'],
    [{ extraBody: { input: 'x' } }, 'extraBody.input', 'remove it'],
    [{ extraBody: { stream: true } }, 'extraBody.stream', 'remove it'],
    [{ extraBody: { background: true } }, 'extraBody.background', 'remove it'],
  ])('%j', (options, path, words) => {
    const { argument, message } = refusal(options);
    expect(argument).toBe(`providerOptions.perplexity.${path}`);
    expect(message).toContain(argument);
    expect(message).toContain(words);
  });

  it.each([
    [{ max_steps: 3 }, 'max_steps', "'maxSteps'"],
    [{ maxStep: 3 }, 'maxStep', "'maxSteps'"],
    [{ MaxSteps: 3 }, 'MaxSteps', "'maxSteps'"],
    [{ webSearch: { max_results: 3 } }, 'webSearch.max_results', "'maxResults'"],
    [
      { webSearch: { filters: { searchDomainsFilter: [] } } },
      'webSearch.filters.searchDomainsFilter',
      "'searchDomainFilter'",
    ],
    [{ webSearch: { userLocation: { contry: 'PT' } } }, 'webSearch.userLocation.contry', "'country'"],
    [{ fetchUrl: { maxUrl: 1 } }, 'fetchUrl.maxUrl', "'maxUrls'"],
    [{ background: { pollIntervall: 1 } }, 'background.pollIntervall', "'pollInterval'"],
    [{ profile: { id: 'p', versoin: '1' } }, 'profile.versoin', "'version'"],
  ])('names the nearest known option: %j', (options, path, nearest) => {
    const { argument, message } = refusal(options);
    expect(argument).toBe(`providerOptions.perplexity.${path}`);
    expect(message).toContain(`use ${nearest}`);
  });

  it('names a misspelt option before the one that is missing for it', () => {
    expect(refusal({ profile: { ID: 'p' } })).toMatchObject({ argument: 'providerOptions.perplexity.profile.ID' });
  });

  it.each([
    ['search_recency_filter', 'is not a known option; use webSearch.filters.searchRecencyFilter.'],
    ['searchDomainFilter', 'is not a known option; use webSearch.filters.searchDomainFilter.'],
    ['web_search_options', 'is not a known option; use webSearch.'],
    ['search_context_size', 'is not a known option; use webSearch.searchContextSize.'],
    ['userLocation', 'is not a known option; use webSearch.userLocation.'],
    ['max_tokens', 'is not a known option; use maxOutputTokens of the call.'],
    ['stop', 'is not a known option, and nothing replaces it; remove it.'],
    ['return_images', 'is not a known option; use perplexityAgent.tools.imageSearch().'],
    ['instructions', 'is not a known option; use system of the call.'],
    ['search_mode', 'is not a known option, and nothing replaces it; remove it.'],
    ['reasoning_effort', "is not a known option; use 'reasoningEffort', the nearest known one."],
  ])('says what became of an option of former packages: %s', (option, said) => {
    const { argument, message } = refusal({ maxSteps: 1, [option]: null });
    expect(argument).toBe(`providerOptions.perplexity.${option}`);
    expect(message).toBe(`${argument} ${said}`);
    expect(parse({ [option]: undefined })).toStrictEqual(DEFAULTS);
  });

  it.each([
    [{ webSearch: { searchDomainFilter: ['a.org'] } }, 'webSearch.searchDomainFilter', 'filters.searchDomainFilter'],
    [{ webSearch: { search_recency_filter: 'day' } }, 'webSearch.search_recency_filter', 'filters.searchRecencyFilter'],
    [{ webSearch: { country: 'PT' } }, 'webSearch.country', 'userLocation.country'],
    [{ pollInterval: 100 }, 'pollInterval', 'background.pollInterval'],
  ])('says where an option belongs that stands too high: %j', (options, path, place) => {
    expect(refusal(options).message).toBe(`providerOptions.perplexity.${path} is not a known option; use ${place}.`);
  });

  it('lists what it knows when nothing is near', () => {
    const { message } = refusal({ fetchUrl: { zzzzzzzz: 1 } });
    expect(message).toContain('maxUrls, totalBudgetTokens');
  });

  it('refuses options that are no object', () => {
    expect(refusal('fast').argument).toBe('providerOptions.perplexity');
    expect(refusal(null).message).toContain('must not be null');
  });

  it('does not repeat long values in the message', () => {
    const { message } = refusal({ languagePreference: 'x'.repeat(200) });
    expect(message).not.toContain('xxx');
  });
});
