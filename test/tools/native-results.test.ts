/** Items of the wire in the output types of their tools, however spoiled they come. */
import { describe, expect, it } from 'vitest';
import { financeSearchInput, financeSearchResult } from '../../src/tools/finance-search.js';
import { imageSearchResult } from '../../src/tools/image-search.js';
import { mcpCallInput, mcpCallResult } from '../../src/tools/mcp-call.js';
import { peopleSearchResult } from '../../src/tools/people-search.js';
import { sandboxError, sandboxInput, sandboxResult } from '../../src/tools/sandbox.js';

const SPOILED = [
  undefined,
  null,
  'text',
  7,
  {},
  { results: null, queries: null, tickers: null, status: null },
  { results: 'x' },
];

it.each(SPOILED)('%j gives empty results', (item) => {
  expect(peopleSearchResult(item)).toStrictEqual({ results: [] });
  expect(financeSearchResult(item)).toStrictEqual({ results: [] });
  expect(imageSearchResult(item)).toStrictEqual({ results: [] });
  expect(sandboxResult(item)).toStrictEqual({ results: [] });
});

describe('finance results', () => {
  it('leave out what is null, empty or no text', () => {
    const item = {
      tickers: ['ABC', null, ''],
      categories: [],
      results: [
        null,
        {},
        { category: 7, content: null },
        { category: 'quote', content: '| 1 |', tickers: null, sources: ['https://f.example/', 3] },
        { sources: [] },
      ],
    };
    expect(financeSearchResult(item)).toStrictEqual({
      tickers: ['ABC'],
      results: [{ category: 'quote', content: '| 1 |', sources: ['https://f.example/'] }, { sources: [] }],
    });
    expect(financeSearchInput({ tickers: 'ABC', categories: ['quote'] })).toEqual({ categories: ['quote'] });
  });
});

describe('sandbox results', () => {
  const run = { stdout: '2\n', stderr: '', exit_code: 0, duration_ms: 40, status: 'completed' };
  const out = { stdout: '2\n', stderr: '', exitCode: 0, durationMs: 40, status: 'completed' };

  it('of the flat and of the nested form are the same', () => {
    expect(sandboxResult({ code: 'c', ...run })).toStrictEqual({ status: 'completed', results: [out] });
    expect(
      sandboxResult({
        status: 'completed',
        language: 'bash',
        container_id: 'c_1',
        results: [run, { stdout: null }, 7],
      }),
    ).toStrictEqual({ status: 'completed', language: 'bash', containerId: 'c_1', results: [out] });
    expect(sandboxResult({ status: 'failed', stdout: null, exit_code: null })).toStrictEqual({
      status: 'failed',
      results: [],
    });
  });

  it('are errors where the session broke, not where a program ended badly', () => {
    expect(sandboxError(run)).toBeUndefined();
    expect(sandboxError({ status: 'failed', exit_code: 1 })).toBeUndefined();
    expect(sandboxError({ status: 'failed', results: [{ exit_code: 2 }] })).toBeUndefined();
    expect(sandboxError({ status: 'failed', results: [{ stderr: 'no container' }] })).toContain('failed');
    expect(sandboxError({ status: 'failed' })).toContain('failed');
    expect(sandboxError({ status: 'timed_out', exit_code: 137 })).toContain('timed out');
    expect(sandboxError({ status: 7 })).toBeUndefined();
  });

  it('take their program from call and item alike', () => {
    expect(sandboxInput({ code: 'ls', language: 'bash', status: 'completed' })).toEqual({
      code: 'ls',
      language: 'bash',
    });
    expect(sandboxInput({ code: 'ls', language: null })).toEqual({ code: 'ls' });
    expect(sandboxInput({ code: '', language: 'bash' })).toEqual({});
  });
});

describe('MCP calls', () => {
  it.each<[unknown, unknown]>([
    ['{"a":1}', { a: 1 }],
    ['[1]', [1]],
    ['7', 7],
    ['no json', 'no json'],
    [{ a: 1 }, { a: 1 }],
  ])('with the arguments %j', (given, value) => {
    expect(mcpCallInput({ name: 'find', arguments: given })).toEqual({ name: 'find', arguments: value });
  });

  it.each([undefined, null, '', '  '])('without arguments (%j)', (given) => {
    expect(mcpCallInput({ name: 'find', arguments: given })).toStrictEqual({ name: 'find' });
    expect(mcpCallInput({ name: null, arguments: given })).toStrictEqual({});
  });

  it('drop keys that would poison whoever merges them', () => {
    expect(mcpCallInput({ arguments: '{"__proto__":{"x":1},"a":1}' })).toEqual({ arguments: { a: 1 } });
  });

  it('give their output as text', () => {
    expect(mcpCallResult({ output: 'ok' })).toEqual({ output: 'ok' });
    expect(mcpCallResult({ output: '' })).toEqual({ output: '' });
    expect(mcpCallResult({ output: { rows: [1] } })).toEqual({ output: '{"rows":[1]}' });
    expect(mcpCallResult({ output: null })).toEqual({});
  });
});
