/** Items that no scenario has: how their streams look when a test scripts them (agent-api.md §4.4, §5.2). */
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { post, stream } from './helpers.js';

const play = (item: object) =>
  stream(createAgentApiSimulator({ scenario: { response: { id: 'resp_x', status: 'completed', output: [item] } } }), {
    effort: 'low',
    input: 'x',
  });

describe('native items', () => {
  it.each([
    [
      { type: 'people_search_results', queries: ['head of the light service'], results: [] },
      'search_people',
      '{"queries":["head of the light service"]}',
      [],
    ],
    [{ type: 'finance_results', tickers: ['ABC'], results: [] }, 'finance_search', '{"tickers":["ABC"]}', []],
    [
      { type: 'image_search_results', queries: ['owl'], results: [] },
      'image_search',
      '{"queries":["owl"]}',
      ['response.reasoning.image_search_queries', 'response.reasoning.image_search_results'],
    ],
    [
      { type: 'fetch_url_results', contents: [{ url: 'https://a.example/' }, { url: 'https://b.example/' }] },
      'fetch_url',
      '{"urls":["https://a.example/","https://b.example/"]}',
      ['response.reasoning.fetch_url_queries', 'response.reasoning.fetch_url_results'],
    ],
  ])('%o is added as a call and done as itself', async (item, name, input, progress) => {
    const events = (await play(item)).slice(2, -1);
    expect(events.map(({ type }) => type)).toEqual([
      'response.output_item.added',
      ...progress,
      'response.output_item.done',
    ]);
    expect(events[0]).toMatchObject({
      output_index: 0,
      item: { type: 'function_call', name, arguments: input, status: 'completed' },
    });
    expect(events.at(-1)).toMatchObject({ output_index: 0, item });
  });

  it('counts the pages that it fetches', async () => {
    const events = await play({
      type: 'fetch_url_results',
      contents: [{ url: 'https://a.example/' }, { url: 'https://b.example/' }],
    });
    expect(events.map(({ thought }) => thought)).toEqual(
      expect.arrayContaining(['Fetching 2 URLs', 'Fetched content from 2 URLs']),
    );
  });

  it('cites no result that a small search did not give', async () => {
    const response = await post(createAgentApiSimulator(), {
      effort: 'fast',
      input: 'x',
      tools: [{ type: 'web_search', max_results: 1 }],
    });
    expect(await response.text()).toMatch(/room\[1\].*1912\[1\]/u);
  });
});
