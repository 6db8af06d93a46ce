import { describe, expect, it } from 'vitest';
import { functionTool, modelWith, partsOf, streamParts, type CallOptions } from '../support/model.js';
import { completed, created, delta, eventReply, itemDone, message, nativeCall } from '../support/wire.js';

const reasoning = (kind: string, fields: object = {}) => ({ type: `response.reasoning.${kind}`, ...fields });
const streamed = (events: object[], options: CallOptions = {}) =>
  streamParts(modelWith([eventReply(events)]).model, options);

const blocks = (parts: Awaited<ReturnType<typeof streamed>>) =>
  partsOf(parts, 'reasoning-start').map(({ id }) =>
    partsOf(parts, 'reasoning-delta')
      .filter((part) => part.id === id)
      .map((part) => part.delta)
      .join(''),
  );

describe('research progress', () => {
  const research = [
    created(),
    reasoning('started', { thought: null }),
    reasoning('search_queries', { thought: 'Searching the web...', queries: ['one', 'two'] }),
    reasoning('search_results', { thought: 'Found 2 results', results: [] }),
    reasoning('stopped', { thought: 'Done' }),
    reasoning('fetch_url_queries', { thought: 'Opening page', urls: ['https://a.example/'] }),
    reasoning('fetch_url_results', { contents: null }),
    delta('Answer.'),
    completed([message('Answer.')]),
  ];

  it('is one reasoning block per phase, closed before the text begins', async () => {
    const parts = await streamed(research);
    expect(blocks(parts)).toEqual([
      'Searching the web...\n- one\n- two\nFound 2 results\nDone',
      'Opening page\n- https://a.example/',
    ]);
    expect(partsOf(parts, 'reasoning-start').map(({ id, providerMetadata }) => [id, providerMetadata])).toEqual([
      ['resp_1:reasoning-1', { perplexity: { responseId: 'resp_1' } }],
      ['resp_1:reasoning-2', { perplexity: { responseId: 'resp_1' } }],
    ]);
    const types = parts.map(({ type }) => type);
    expect(types.lastIndexOf('reasoning-end')).toBe(types.indexOf('text-start') - 1);
  });

  it('is left out with researchProgress: off', async () => {
    const parts = await streamed(research, { providerOptions: { perplexity: { researchProgress: 'off' } } });
    expect(blocks(parts)).toEqual([]);
    expect(partsOf(parts, 'text-delta').map((part) => part.delta)).toEqual(['Answer.']);
  });

  it('needs no started event, survives nulls and names loaded skills, tickers and categories', async () => {
    const parts = await streamed([
      created(),
      reasoning('search_queries', { thought: null, queries: null }),
      { type: 'response.skill.loaded', name: 'finance' },
      { type: 'response.skill.loaded', name: null },
      reasoning('finance_search_queries', { tickers: ['ABC', null, 3], categories: ['quote'] }),
      reasoning('something_new', { thought: 'Thinking about it' }),
      completed([]),
    ]);
    expect(blocks(parts)).toEqual(['Loaded skill: finance\n- ABC\n- quote\nThinking about it']);
  });

  it('opens no block where there is nothing to say', async () => {
    const parts = await streamed([
      created(),
      reasoning('started'),
      reasoning('stopped', { thought: '' }),
      completed([]),
    ]);
    expect(blocks(parts)).toEqual([]);
  });

  it('ends before a client tool call', async () => {
    const call = nativeCall('weather', 'call_1', { city: 'Rome' });
    const parts = await streamed(
      [created(), reasoning('started', { thought: 'Looking' }), itemDone(0, call), completed([call])],
      { tools: [functionTool('weather')] },
    );
    const types = parts.map(({ type }) => type);
    expect(types.indexOf('reasoning-end')).toBeLessThan(types.indexOf('tool-input-start'));
  });

  it('after text began is a new phase', async () => {
    const parts = await streamed([
      created(),
      reasoning('started', { thought: 'First' }),
      delta('A'),
      reasoning('started', { thought: 'Second' }),
      delta('B', { item: 'msg_2', output: 1 }),
      completed([message('A'), message('B', 'msg_2')]),
    ]);
    expect(blocks(parts)).toEqual(['First', 'Second']);
  });
});
