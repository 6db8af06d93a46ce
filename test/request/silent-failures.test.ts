/** What the API takes without a word and then does not do: a warning says what to change. */
import { describe, expect, it } from 'vitest';
import type { CoreTool } from '../../src/spec.js';
import { build, type Call } from './helpers.js';

const native = (type: string, name: string, args = {}): CoreTool => ({
  type: 'provider',
  id: `perplexity.${type}`,
  name,
  args,
});

const messages = (call: Call) =>
  build(call).warnings.map((warning) => (warning.type === 'other' ? warning.message : warning.type));

describe('a finance search', () => {
  const tools = [native('finance_search', 'markets')];

  it.each<[string, Call]>([
    ['on a plain model', {}],
    ['with too few steps', { perplexity: { maxSteps: 2 } }],
    ['with too few steps in extraBody', { perplexity: { extraBody: { max_steps: 1 } } }],
    ['on a chain', { modelId: '', perplexity: { models: ['openai/gpt-6-luna'] } }],
    ['on level fast', { modelId: 'fast' }],
    ['on a pinned fast', { modelId: 'fast@2026-10-16.0' }],
    ['on the old name of fast', { modelId: 'fast-search' }],
    ['on a level whose steps are cut', { modelId: 'medium', perplexity: { maxSteps: 1 } }],
    ['on a profile whose steps are cut', { modelId: '', perplexity: { profile: { id: 'p' }, maxSteps: 1 } }],
  ])('%s is warned about, with the remedy', (_, call) => {
    expect(messages({ tools, ...call })).toEqual([
      expect.stringMatching(/'markets' \(finance_search\).*maxSteps to 5.*at least 3/s),
    ]);
  });

  it.each<[string, Call]>([
    ['with three steps', { perplexity: { maxSteps: 3 } }],
    ['with steps in extraBody', { perplexity: { extraBody: { max_steps: 5 } } }],
    ['on a level', { modelId: 'low' }],
    ['on a profile', { modelId: '', perplexity: { profile: { id: 'p' } } }],
    ['with toolChoice none', { toolChoice: { type: 'none' } }],
  ])('%s is not', (_, call) => {
    expect(messages({ tools, ...call })).toEqual([]);
  });
});

describe('a sandbox', () => {
  const sandbox = native('sandbox', 'run');

  it('beside declared tools is warned about, with their types', () => {
    const mcp = native('mcp', 'crm', { serverLabel: 'crm', serverUrl: 'https://mcp.example.com' });
    expect(messages({ tools: [native('people_search', 'people'), sandbox, mcp] })).toEqual([
      expect.stringMatching(/'run' \(sandbox\).*\(people_search, mcp\).*Leave them out, or use them in a call/s),
    ]);
    expect(messages({ modelId: 'xhigh', tools: [native('web_search', 'search'), sandbox] })).toHaveLength(1);
  });

  it('beside the search by default is told how to leave that out', () => {
    expect(messages({ tools: [sandbox], perplexity: { webSearch: undefined } })).toEqual([
      expect.stringMatching(/\(web_search\).*webSearch: false/s),
    ]);
  });

  it('alone, beside functions or on a level is not', () => {
    const fn: CoreTool = { type: 'function', name: 'f', inputSchema: {} };
    expect(messages({ tools: [sandbox, fn] })).toEqual([]);
    expect(messages({ modelId: 'xhigh', tools: [sandbox] })).toEqual([]);
    expect(messages({ tools: [sandbox, native('people_search', 'p')], toolChoice: { type: 'none' } })).toEqual([]);
  });
});
