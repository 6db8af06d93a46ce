/** Streams that begin in the middle: what came before a number and what comes after it join to the whole. */
import type { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { AgentApiSimulatorOptions } from 'ai-sdk-provider-perplexity-agent/simulator';
import { fixtureEvents, fixtureNames, fixtureResponse } from '../support/fixtures.js';
import {
  allNativeTools,
  fetchUrlTool,
  finishOf,
  functionTool,
  generate,
  nativeTool,
  partsOf,
  rejectionOf,
  streamParts,
  webSearchTool,
  type CallOptions,
} from '../support/model.js';
import {
  asBackground,
  metadataOf,
  numberOf,
  partsUntil,
  providerOf,
  textsById,
  withoutRaw,
  worldOf,
  type Parts,
} from '../support/resume.js';
import { completed, created, eventReply, itemDone, message, stubFetch } from '../support/wire.js';

/** Client functions that a fixture's run calls. */
function functionsOf(name: string) {
  const output = fixtureResponse(name)['output'] as Array<Record<string, unknown>>;
  const names = new Set(output.filter(({ type }) => type === 'function_call').map((item) => String(item['name'])));
  return [...names].map(functionTool);
}

const variants: Array<[string, NonNullable<CallOptions['tools']>]> = [
  ['no tools', []],
  ['declared searches', [webSearchTool('search'), fetchUrlTool('open')]],
  ['every native tool declared', allNativeTools()],
];

/** A fixture as a run in the background that has been streamed once. */
async function played(
  name: string,
  tools: NonNullable<CallOptions['tools']>,
  settings: AgentApiSimulatorOptions = {},
  isForgotten = false,
) {
  const events = asBackground(fixtureEvents(name));
  const last = events.at(-1)?.['response'] as Record<string, unknown>;
  const id = String(last['id']);
  // The run that is continued comes before.
  const world = worldOf({ ...settings, scenario: (body) => (body['background'] === true ? { events } : 'plain') });
  const model = world.provider(String(last['model']).includes('/') ? String(last['model']) : 'openai/gpt-6-luna');
  const options: CallOptions = { tools: [...tools, ...functionsOf(name)], includeRawChunks: true };
  const previousResponseId = name === 'chained' ? (await generate(model)).response?.id : undefined;
  const original = await streamParts(model, {
    ...options,
    providerOptions: {
      perplexity: { background: true, ...(previousResponseId !== undefined && { previousResponseId }) },
    },
  });
  const whole = isForgotten ? original : await streamParts(world.provider.resume(id), options);
  return { ...world, id, options, original, whole, numbers: events.map(numberOf) };
}

/** Parts as they are whoever asked: the original call knows what it asked for. */
const anonymous = (parts: Parts) =>
  withoutRaw(parts).map((part) => {
    // Warnings are about what was sent.
    if (part.type === 'stream-start') return { ...part, warnings: [] };
    if (part.type === 'error')
      return { type: 'error', message: String(part.error), data: (part.error as APICallError).data };
    if (part.type !== 'finish') return part;
    const { requestedModel: _, effort: __, ...metadata } = metadataOf(part);
    return { ...part, providerMetadata: { perplexity: metadata } };
  });

const urlsOf = (parts: Parts) =>
  partsOf(parts, 'source').map((part) => (part.sourceType === 'url' ? part.url : part.id));
const clientCallsOf = (parts: Parts) =>
  partsOf(parts, 'tool-call')
    .filter(({ providerExecuted }) => providerExecuted !== true)
    .map(({ toolCallId, toolName, input }) => ({ toolCallId, toolName, input }));
const resultsOf = (parts: Parts) =>
  partsOf(parts, 'tool-result').map(({ toolCallId, toolName, result, isError }) => ({
    toolCallId,
    toolName,
    result,
    isError,
  }));

const comparable = (parts: Parts) => {
  const { finishReason, usage, metadata } = finishOf(parts);
  const { lastSequenceNumber: _, requestedModel: __, ...rest } = metadata;
  return { finishReason, usage, metadata: rest };
};

/** What is compared of a beginning and its rest, or of the whole. */
const essence = (before: Parts, rest: Parts) => ({
  texts: textsById([...before, ...rest]),
  urls: [...urlsOf(before), ...urlsOf(rest)],
  clientCalls: [...clientCallsOf(before), ...clientCallsOf(rest)],
  results: [...resultsOf(before), ...resultsOf(rest)],
  errors: partsOf(rest, 'error').map(({ error }) => String(error)),
  ...comparable(rest),
});

/** What the rest after a number has to come to. */
function expected(whole: Parts, rest: Parts) {
  const wanted = essence([], whole);
  // A call that the caller has had is not acted on a second time.
  if (wanted.finishReason === 'tool-calls' && clientCallsOf(rest).length === 0) wanted.finishReason = 'stop';
  return wanted;
}

describe.each(fixtureNames)('the rest of %s', (name) => {
  it.each(variants)('joins with its beginning after every event, with %s', async (_, tools) => {
    const { provider, id, options, whole, original, numbers } = await played(name, tools);
    expect(anonymous(whole)).toEqual(anonymous(original));
    for (const number of numbers) {
      const before = partsUntil(whole, number);
      const raw = await streamParts(provider.resume(id, { startingAfter: number }), options);
      const rest = withoutRaw(raw);
      const shown = partsOf(raw, 'raw').map(({ rawValue }) => numberOf(rawValue));
      const [start, metadata] = rest;
      expect({
        number,
        start,
        id: metadata?.type === 'response-metadata' && metadata.id,
        shown,
        ...essence(before, rest),
      }).toEqual({
        number,
        start: { type: 'stream-start', warnings: [] },
        id,
        shown: numbers.filter((place) => place > number),
        ...expected(whole, rest),
      });
      expect(finishOf(rest).metadata['lastSequenceNumber']).toBe(numbers.at(-1));
      expect(
        rest
          .flatMap((part) => metadataOf(part)['lastSequenceNumber'] ?? [])
          .every((place) => Number(place) > number || number === numbers.at(-1)),
      ).toBe(true);
    }
  });

  it('is the same for generate', async () => {
    const { provider, id, whole, numbers } = await played(name, variants[1]?.[1] ?? []);
    const options: CallOptions = { tools: [...(variants[1]?.[1] ?? []), ...functionsOf(name)] };
    for (const number of numbers) {
      const model = provider.resume(id, { startingAfter: number });
      const rest = await streamParts(model, options);
      const failure = partsOf(rest, 'error')[0];
      if (failure !== undefined) {
        const error = await rejectionOf(generate(model, options));
        const text = Object.values(textsById(rest)).join('');
        const given = (error['data'] as { text?: string }).text;
        expect([number, error.message, given ?? '']).toEqual([number, (failure.error as Error).message, text]);
        continue;
      }
      const { content, finishReason, warnings } = await generate(model, options);
      const texts = content.flatMap((part) => (part.type === 'text' ? [part.text] : []));
      expect({ number, texts, finishReason, warnings }).toEqual({
        number,
        texts: Object.values(textsById(rest)),
        finishReason: finishOf(rest).finishReason,
        warnings: [],
      });
      expect(content.flatMap((part) => (part.type === 'tool-call' ? [part.toolCallId] : []))).toEqual(
        partsOf(rest, 'tool-call').map(({ toolCallId }) => toolCallId),
      );
    }
    expect(numbers.length).toBeGreaterThan(2);
    expect(whole.length).toBeGreaterThan(2);
  });

  it('comes without the first events too, where only the later ones are kept', async () => {
    const tools = variants[1]?.[1] ?? [];
    const { whole, numbers } = await played(name, tools);
    for (const [index, number] of numbers.slice(0, -1).entries()) {
      const background = { replayWindow: numbers.length - index - 1 };
      const { provider, id, options } = await played(name, tools, { background }, true);
      const rest = await streamParts(provider.resume(id, { startingAfter: number }), options);
      const before = partsUntil(whole, number);
      const { urls, ...known } = essence(before, withoutRaw(rest));
      const { urls: allUrls, ...wanted } = expected(whole, rest);
      expect({ number, ...known }).toEqual({ number, ...wanted });
      // Nobody can tell whether an earlier event named a page: it is rather shown twice than not at all.
      expect({ number, urls: new Set(urls) }).toEqual({ number, urls: new Set(allUrls) });
    }
  });
});

describe('an item whose event and snapshot differ in a detail', () => {
  const told = { type: 'sandbox_results', code: 'print(1)', stdout: '1\n', exit_code: 0, duration_ms: 7 };
  const kept = { ...told, duration_ms: 8 };
  const numbered = [created(), itemDone(0, told), completed([kept, message('Done.')])].map((event, index) => ({
    ...event,
    sequence_number: index,
  }));

  it.each([undefined, 0, 1])('stands once in metadata.items, as in the snapshot: after %s', async (startingAfter) => {
    const { fetch } = stubFetch(() => eventReply(numbered));
    const parts = await streamParts(providerOf(fetch).resume('resp_1', { startingAfter }));
    expect(finishOf(parts).metadata['items']).toEqual([kept]);
  });

  it('is one call with one result where its tool is declared', async () => {
    const { fetch } = stubFetch(() => eventReply(numbered));
    const tools = [nativeTool('sandbox', 'run')];
    const parts = await streamParts(providerOf(fetch).resume('resp_1'), { tools });
    expect(partsOf(parts, 'tool-result').map(({ toolCallId }) => toolCallId)).toEqual(['resp_1:0']);
    expect(finishOf(parts).metadata).not.toHaveProperty('items');
  });
});
