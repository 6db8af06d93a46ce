/** Options of a call that takes a run up: what still counts, what is warned about, what is refused. */
import { InvalidArgumentError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { buildResume } from '../../src/request/build-resume.js';
import type { CoreCallOptions } from '../../src/spec.js';
import { functionTool, mcpTool, webSearchTool } from '../support/model.js';
import { providerOf } from '../support/resume.js';

const build = (options: Partial<CoreCallOptions>) => buildResume({ prompt: [], ...options });
const messages = (options: Partial<CoreCallOptions>) =>
  build(options).warnings.map((warning) => (warning.type === 'other' ? warning.message : warning));
const noEffect = (names: string) => [`A run that is resumed was shaped when it began: ${names} no effect.`];

describe('what shaped the run when it began', () => {
  it.each<[string, Partial<CoreCallOptions>]>([
    ['maxOutputTokens has', { maxOutputTokens: 5 }],
    ['temperature has', { temperature: 0 }],
    ['temperature, topP, topK, seed have', { temperature: 1, topP: 1, topK: 2, seed: 0 }],
    [
      'stopSequences, presencePenalty, frequencyPenalty have',
      { stopSequences: [], presencePenalty: 0, frequencyPenalty: 0 },
    ],
    ['reasoning has', { reasoning: 'high' }],
    ['toolChoice has', { tools: [functionTool('f')], toolChoice: { type: 'required' } }],
    ['toolChoice has', { tools: [functionTool('f')], toolChoice: { type: 'tool', toolName: 'f' } }],
    [
      'temperature, providerOptions.perplexity.webSearch, providerOptions.perplexity.effort have',
      { temperature: 1, providerOptions: { perplexity: { webSearch: true, effort: 'low' } } },
    ],
    ['providerOptions.perplexity.store has', { providerOptions: { perplexity: { store: false, background: true } } }],
  ])('is warned about once: %s', (names, options) => {
    expect(messages(options)).toEqual(noEffect(names));
  });

  it.each<[string, Partial<CoreCallOptions>]>([
    [
      'options of reading',
      {
        providerOptions: {
          perplexity: {
            background: { pollInterval: 5, timeout: 9 },
            cancelOnAbort: false,
            idleTimeout: 9,
            maxReconnects: 0,
            researchProgress: 'off',
          },
        },
      },
    ],
    [
      'tools, their free choice and none',
      { tools: [webSearchTool(), functionTool('f')], toolChoice: { type: 'auto' } },
    ],
    ['no tools at all', { tools: [functionTool('f')], toolChoice: { type: 'none' } }],
    ['settings that are not set', { temperature: undefined, reasoning: 'provider-default', providerOptions: {} }],
    ['a form of the answer', { responseFormat: { type: 'json', schema: { type: 'object' } } }],
    ['options of other providers', { providerOptions: { openai: { store: true } } }],
    ['tools that a request would be warned about', { tools: [functionTool('search_web')] }],
  ])('is not %s', (_, options) => {
    expect(messages(options)).toEqual([]);
  });
});

describe('the tools', () => {
  it('tell whose calls are whose', () => {
    const { tools } = build({ tools: [webSearchTool('search'), functionTool('f'), mcpTool('pier', 'harbour')] });
    expect([...tools.functions]).toEqual(['f']);
    expect([...tools.native]).toEqual([
      ['web_search', 'search'],
      ['mcp:harbour', 'pier'],
    ]);
    const none = build({ tools: [functionTool('f')], toolChoice: { type: 'none' } });
    expect(none.tools.functions.size).toBe(0);
  });

  it('bring their secrets', () => {
    const server = { serverLabel: 'x', serverUrl: 'https://mcp.example.com/?key=secret-1', authorization: 'secret-2' };
    const tool = { type: 'provider-defined', id: 'perplexity.mcp', name: 'x', args: server } as const;
    expect(build({ tools: [tool] }).secrets).toEqual(expect.arrayContaining(['secret-1', 'secret-2']));
  });
});

describe('what is refused', () => {
  it.each<[string, Partial<CoreCallOptions>]>([
    ['an unknown option', { providerOptions: { perplexity: { pollInterval: 5 } } }],
    ['a bad value', { providerOptions: { perplexity: { idleTimeout: -1 } } }],
    ['a bad one that has no effect', { providerOptions: { perplexity: { effort: 7 } } }],
    ['a choice of a tool that is not there', { toolChoice: { type: 'tool', toolName: 'f' } }],
  ])('%s', (_, options) => {
    expect(() => build(options)).toThrow(InvalidArgumentError);
  });

  it('ids and numbers that are none, before any request', () => {
    const { resume } = providerOf(() => Promise.reject(new Error('asked')));
    for (const id of ['', ' ', '..', undefined, 7]) expect(() => resume(id as string)).toThrow(InvalidArgumentError);
    for (const startingAfter of [-1, 1.5, NaN, Infinity, '3', null]) {
      expect(() => resume('resp_1', { startingAfter: startingAfter as number })).toThrow(InvalidArgumentError);
    }
    expect(() => resume('resp_1', { starting_after: 3 } as object)).toThrow('startingAfter');
    expect(resume('resp_1', { startingAfter: 0 }).modelId).toBe('resp_1');
  });
});
