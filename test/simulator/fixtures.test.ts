/** The hand-written fixtures: shapes and names of the API, and of each pair one truth. */
import { readdirSync, readFileSync } from 'node:fs';
import {
  createAgentApiSimulator,
  parseRecording,
  type AgentApiResponse,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { ask, stream, textOf, type Event } from './helpers.js';

const folder = new URL('../fixtures/', import.meta.url);
const read = (name: string) => readFileSync(new URL(name, folder), 'utf8');
const eventsOf = (name: string) => parseRecording(read(`${name}.chunks.txt`)) as Event[];
const finalOf = (name: string) => JSON.parse(read(`${name}.json`)) as AgentApiResponse;
const NAMES = [
  'annotations',
  'cancelled',
  'chained',
  'client-tool-call',
  'connector',
  'failed-mid-text',
  'fetch-only',
  'files',
  'finance-search',
  'finance-without-steps',
  'image-search',
  'incomplete',
  'incomplete-empty',
  'mcp',
  'native-and-client',
  'other-items',
  'parallel-searches',
  'people-search',
  'plain',
  'sandbox-flat',
  'sandbox-nested',
  'search',
  'several-tools',
  'thought-signature',
  'tool-failures',
  'two-content-parts',
  'two-messages',
  'unknown-items',
];

describe('fixtures', () => {
  it('are these pairs', () => {
    const files = readdirSync(folder).filter((file) => NAMES.some((name) => file.startsWith(`${name}.`)));
    expect(new Set(files)).toEqual(new Set(NAMES.flatMap((name) => [`${name}.chunks.txt`, `${name}.json`])));
  });

  it.each(NAMES)('%s: the last event holds the final response, the stream is sound', (name) => {
    const events = eventsOf(name);
    const final = finalOf(name);
    expect(events.at(-1)?.response).toEqual(final);
    expect(events.at(-1)?.type).toBe(`response.${final.status}`);
    expect(Object.keys(final)).toHaveLength(32);
    expect(
      events.every((event, index) => index === 0 || event.sequence_number > (events[index - 1]?.sequence_number ?? 0)),
    ).toBe(true);
    expect(events.map((event) => (event.type === 'response.output_text.delta' ? event.delta : '')).join('')).toBe(
      textOf(final),
    );
    const done = events.filter((event) => event.type === 'response.output_item.done').map((event) => event.item);
    expect(final.output.filter((item) => item.status !== 'incomplete')).toEqual(
      done.filter((item) => item?.status !== 'incomplete'),
    );
  });

  it.each(NAMES)('%s: names only reserved domains and replays', async (name) => {
    const hosts = read(`${name}.json`).match(/https?:\/\/[^/"\s]+/gu) ?? [];
    expect(hosts.filter((host) => !/(?:^|[./])example\.(?:com|org|net)$/u.test(host))).toEqual([]);
    const simulator = createAgentApiSimulator({ replay: read(`${name}.chunks.txt`) });
    expect(await stream(simulator, { effort: 'fast', input: 'x' })).toEqual(eventsOf(name));
    expect(await ask(simulator, { effort: 'fast', input: 'x' })).toEqual(finalOf(name));
  });

  it('show what they are for', () => {
    const outline = (name: string) =>
      finalOf(name).output.map((item) => [
        item.type,
        (item.results as { id: number }[] | undefined)?.map(({ id }) => id),
      ]);
    expect(outline('parallel-searches').slice(0, 3)).toEqual([
      ['search_results', [11, 12]],
      ['search_results', [21, 22]],
      ['search_results', [1, 2]],
    ]);
    expect(finalOf('chained').output[0]).toMatchObject({ queries: null });
    expect(outline('chained')[1]).toEqual(['search_results', [11, 12]]);
    expect(textOf(finalOf('fetch-only'))).toContain('[web:0]');
    expect(finalOf('native-and-client').output.map((item) => item.type)).toEqual(['search_results', 'function_call']);
    expect(finalOf('two-messages').output.map((item) => item.type)).toEqual(['message', 'search_results', 'message']);
    expect(finalOf('two-content-parts').output[0]?.content).toHaveLength(2);
    expect(finalOf('incomplete-empty').output).toEqual([]);
    expect(finalOf('annotations').output[1]?.content).toMatchObject([
      { annotations: [{ type: 'url_citation', start_index: 28 }, { type: 'url_citation' }] },
    ]);
    expect(finalOf('thought-signature').output.map((item) => item.thought_signature)).toEqual([
      'c2lnbmVkLWJ5LXRoZS1tb2RlbA==',
      undefined,
    ]);
    expect(eventsOf('unknown-items').map((event) => event.type)).toContain('response.weather.changed');
  });
});
