import { describe, expect, it } from 'vitest';
import { finishOf, generate, modelWith, partsOf, streamParts } from '../support/model.js';
import {
  completed,
  created,
  delta,
  eventReply,
  itemDone,
  jsonReply,
  message,
  result,
  searchItem,
  snapshot,
} from '../support/wire.js';

const streamed = (events: object[], options = {}) => streamParts(modelWith([eventReply(events)]).model, options);
const reasoningResults = (results: unknown[]) => ({
  type: 'response.reasoning.search_results',
  call_id: 'call_1',
  results,
  thought: null,
});

describe('sources', () => {
  it('come once per URL, at the first event that names it, before the text that cites them', async () => {
    const results = [result(1, 'https://a.example/'), result(2, 'https://b.example/')];
    const parts = await streamed([
      created(),
      reasoningResults(results),
      itemDone(0, searchItem(['q'], results)),
      delta('See [2].', { output: 1 }),
      completed([searchItem(['q'], results), message('See [2].')]),
    ]);
    expect(partsOf(parts, 'source').map(({ id, sourceType, title }) => [id, sourceType, title])).toEqual([
      ['resp_1:1', 'url', 'Title of https://a.example/'],
      ['resp_1:2', 'url', 'Title of https://b.example/'],
    ]);
    const types = parts.map(({ type }) => type);
    expect(types.lastIndexOf('source')).toBeLessThan(types.indexOf('text-start'));
  });

  it('carry every result id of their URL, snippet, dates and the tool', async () => {
    const results = [
      result(1, 'https://a.example/', { date: '2026-01-02', last_updated: '2026-03-04' }),
      result(2, 'https://b.example/', { snippet: '', date: null }),
      result(3, 'https://a.example/'),
    ];
    const { content } = await generate(
      modelWith([jsonReply(snapshot({ output: [searchItem(['q'], results)] }))]).model,
    );
    expect(content).toEqual([
      {
        type: 'source',
        sourceType: 'url',
        id: 'resp_1:1',
        url: 'https://a.example/',
        title: 'Title of https://a.example/',
        providerMetadata: {
          perplexity: {
            responseId: 'resp_1',
            resultIds: [1, 3],
            tool: 'web_search',
            snippet: 'Snippet of https://a.example/',
            date: '2026-01-02',
            lastUpdated: '2026-03-04',
          },
        },
      },
      {
        type: 'source',
        sourceType: 'url',
        id: 'resp_1:2',
        url: 'https://b.example/',
        title: 'Title of https://b.example/',
        providerMetadata: { perplexity: { responseId: 'resp_1', resultIds: [2], tool: 'web_search' } },
      },
    ]);
  });

  it('of a repeated URL keep its markers in the citations map of text-start, text-end and finish', async () => {
    const first = [result(1, 'https://a.example/')];
    const second = [result(11, 'https://a.example/'), result(12, 'https://b.example/')];
    const parts = await streamed([
      created(),
      itemDone(0, searchItem(['one'], first)),
      delta('A [1] ', { item: 'msg_1', output: 1 }),
      itemDone(1, message('A [1] ')),
      itemDone(2, searchItem(['two'], second)),
      delta('B [11][12]', { item: 'msg_2', output: 3 }),
      completed([
        searchItem(['one'], first),
        message('A [1] '),
        searchItem(['two'], second),
        message('B [11][12]', 'msg_2'),
      ]),
    ]);
    const all = { '1': 'https://a.example/', '11': 'https://a.example/', '12': 'https://b.example/' };
    const citations = (type: 'text-start' | 'text-end') =>
      partsOf(parts, type).map(({ providerMetadata }) => providerMetadata?.['perplexity']?.['citations']);
    expect(citations('text-start')).toEqual([{ '1': 'https://a.example/' }, all]);
    expect(citations('text-end')).toEqual([{ '1': 'https://a.example/' }, all]);
    expect(finishOf(parts).metadata['citations']).toEqual(all);
    expect(partsOf(parts, 'source').map(({ id }) => id)).toEqual(['resp_1:1', 'resp_1:12']);
  });

  it('in a generate result share the whole map, whichever text they stand before', async () => {
    const output = [message('A [1]'), searchItem(['q'], [result(1, 'https://a.example/')])];
    const { content } = await generate(modelWith([jsonReply(snapshot({ output }))]).model);
    expect(content[0]).toEqual({
      type: 'text',
      text: 'A [1]',
      citations: [expect.objectContaining({ startIndex: 2, endIndex: 5 })],
      providerMetadata: { perplexity: { responseId: 'resp_1', citations: { '1': 'https://a.example/' } } },
    });
  });

  it('without a result id, or with one that is taken, get ids of their own', async () => {
    const results = [
      result(1, 'https://a.example/'),
      result(1, 'https://b.example/'),
      result(undefined, 'https://c.example/'),
    ];
    const parts = await streamed([
      created(),
      itemDone(0, searchItem(['q'], results)),
      completed([searchItem(['q'], results)]),
    ]);
    expect(partsOf(parts, 'source').map(({ id }) => id)).toEqual(['resp_1:1', 'resp_1:u1', 'resp_1:u2']);
    expect(finishOf(parts).metadata['citations']).toEqual({ '1': 'https://a.example/' });
  });

  it('never share an id, whatever the wire calls its results', async () => {
    const results = [
      { url: 'https://a.example/' },
      { id: 'u1', url: 'https://b.example/' },
      { id: 'u1', url: 'https://c.example/' },
    ];
    const parts = await streamed([
      created(),
      itemDone(0, searchItem(['q'], results)),
      completed([searchItem(['q'], results)]),
    ]);
    expect(partsOf(parts, 'source').map(({ id }) => id)).toEqual(['resp_1:u1', 'resp_1:u2', 'resp_1:u3']);
  });

  it('of a finance search come with its event, also where the stream is cut after it', async () => {
    const event = {
      type: 'response.reasoning.finance_search_results',
      results: [{ category: 'quote', sources: ['https://money.example/'] }],
    };
    expect(partsOf(await streamed([created(), event]), 'source')).toMatchObject([{ url: 'https://money.example/' }]);
  });

  it('whose title is missing, null or empty leave it out', async () => {
    const results = [
      { id: 1, url: 'https://a.example/' },
      { id: 2, url: 'https://b.example/', title: null },
      { id: 3, url: 'https://c.example/', title: '' },
    ];
    const parts = await streamed([
      created(),
      itemDone(0, searchItem(['q'], results)),
      completed([searchItem(['q'], results)]),
    ]);
    expect(partsOf(parts, 'source').map((source) => 'title' in source)).toEqual([false, false, false]);
  });

  it('are never made of what is no web address', async () => {
    const results = ['javascript:alert(1)', 'data:text/html,x', '', 'ftp://a.example/', null, 7].map((url, id) => ({
      id,
      url,
    }));
    const output = [searchItem(['q'], [...results, null as never, 'x' as never, result(9, 'HTTPS://a.example/')])];
    const parts = await streamed([created(), itemDone(0, output[0] as object), completed(output)]);
    expect(partsOf(parts, 'source').map((source) => source.sourceType === 'url' && source.url)).toEqual([
      'HTTPS://a.example/',
    ]);
    expect(finishOf(parts).metadata['citations']).toEqual({ '9': 'HTTPS://a.example/' });
  });

  it('come from people, finance and fetch results and from annotations', async () => {
    const annotated = {
      ...message('Text'),
      content: [
        {
          type: 'output_text',
          text: 'Text',
          annotations: [
            { type: 'url_citation', url: 'https://note.example/', title: 'Note', start_index: 0, end_index: 4 },
            { type: 'url_citation', url: null },
            null,
          ],
        },
      ],
    };
    const output = [
      { type: 'people_search_results', queries: ['q'], results: [result(1, 'https://people.example/')] },
      {
        type: 'finance_results',
        results: [{ category: 'quote', content: '|1|', sources: ['https://money.example/', null] }, null],
      },
      { type: 'fetch_url_results', contents: [{ url: 'https://page.example/', title: 'Page', snippet: 'text' }] },
      annotated,
    ];
    const { content } = await generate(modelWith([jsonReply(snapshot({ output }))]).model);
    const sources = content.flatMap((part) => (part.type === 'source' && part.sourceType === 'url' ? [part] : []));
    expect(
      sources.map(({ id, url, title, providerMetadata }) => [
        id,
        url,
        title,
        providerMetadata?.['perplexity']?.['tool'],
      ]),
    ).toEqual([
      ['resp_1:1', 'https://people.example/', 'Title of https://people.example/', 'people_search'],
      ['resp_1:u1', 'https://money.example/', undefined, 'finance_search'],
      ['resp_1:u2', 'https://page.example/', 'Page', 'fetch_url'],
      ['resp_1:u3', 'https://note.example/', 'Note', 'annotation'],
    ]);
  });

  it('named by an annotation in the terminal event only are still sent', async () => {
    const noted = {
      ...message('B', 'msg_2'),
      content: [{ type: 'output_text', text: 'B', annotations: [{ url: 'https://n.example/' }] }],
    };
    const parts = await streamed([created(), delta('A'), itemDone(0, message('A')), completed([message('A'), noted])]);
    expect(partsOf(parts, 'source').map((source) => source.sourceType === 'url' && source.url)).toEqual([
      'https://n.example/',
    ]);
  });

  it('name the one fetched page by [web:0] where nothing has a result id', async () => {
    const page = {
      type: 'fetch_url_results',
      contents: [{ url: 'https://page.example/', title: 'Page', snippet: 'text' }],
    };
    const one = await generate(
      modelWith([jsonReply(snapshot({ output: [page, message('It says so [web:0].')] }))]).model,
    );
    expect(one.providerMetadata?.['perplexity']?.['citations']).toEqual({ '0': 'https://page.example/' });
    const two = { ...page, contents: [...page.contents, { url: 'https://other.example/' }] };
    const both = await generate(modelWith([jsonReply(snapshot({ output: [two] }))]).model);
    expect(both.providerMetadata?.['perplexity']?.['citations']).toEqual({});
  });

  it('of an earlier turn are flagged, also where new results take higher ids', async () => {
    const output = [
      searchItem(null, [result(1, 'https://old.example/')]),
      searchItem(['q'], [result(11, 'https://new.example/')]),
    ];
    const { model } = modelWith([jsonReply(snapshot({ output }))]);
    const { content } = await generate(model, { providerOptions: { perplexity: { previousResponseId: 'resp_0' } } });
    expect(
      content.map(
        (part) => part.type === 'source' && [part.id, part.providerMetadata?.['perplexity']?.['earlierTurn']],
      ),
    ).toEqual([
      ['resp_1:1', true],
      ['resp_1:11', undefined],
    ]);
  });
});
