/** The property that ties streaming and generating together (`design.md` §3), for each fixture and any chunking. */
import fc from 'fast-check';
import type { LanguageModelV2Content } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import type { CorePart } from '../src/spec.js';
import { fold } from '../src/stream/fold.js';
import { capture, captureJson, hasCaptures } from './support/shared.js';
import { fixtureEvents, fixtureNames, fixtureResponse, parseLines, type WireEvent } from './support/fixtures.js';
import {
  allNativeTools,
  expectConforming,
  fetchUrlTool,
  functionTool,
  modelWith,
  prompt,
  webSearchTool,
  type CallOptions,
} from './support/model.js';
import { bodyOf, jsonReply } from './support/wire.js';

/** Client functions that a fixture's run calls: the names of done function_calls that are no native ones. */
function functionsOf(response: Record<string, unknown>) {
  const output = response['output'] as Array<Record<string, unknown>>;
  const names = new Set(output.filter(({ type }) => type === 'function_call').map(({ name }) => String(name)));
  return [...names].map(functionTool);
}

const isChained = (response: Record<string, unknown>) =>
  (response['output'] as Array<Record<string, unknown>>).some(
    ({ type, queries }) => type === 'search_results' && queries === null,
  );

const stripNative = ({ input: _, ...call }: Record<string, unknown>) => call;

/** What must be equal, and in which way. */
function essence(
  content: LanguageModelV2Content[],
  rest: { finishReason: string; usage: unknown; metadata: Record<string, unknown> },
) {
  const { lastSequenceNumber: _, ...metadata } = rest.metadata;
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  return {
    texts: content.flatMap((part) =>
      part.type === 'text' ? [{ text: part.text, citations: 'citations' in part ? part.citations : undefined }] : [],
    ),
    clientCalls: calls.filter(({ providerExecuted }) => providerExecuted !== true),
    nativeCalls: calls
      .filter(({ providerExecuted }) => providerExecuted === true)
      .map((call) => stripNative({ ...call })),
    results: content.filter(({ type }) => type === 'tool-result'),
    sources: new Set(
      content.flatMap((part) =>
        part.type === 'source' && part.sourceType === 'url' ? [`${part.url} ${part.title}`] : [],
      ),
    ),
    finishReason: rest.finishReason,
    usage: rest.usage,
    metadata,
  };
}

async function streamed(bytes: Uint8Array[], options: CallOptions) {
  const { model } = modelWith([new Response(bodyOf(bytes), { headers: { 'content-type': 'text/event-stream' } })]);
  const { stream } = await model.doStream({ prompt, ...options });
  const parts = [];
  for await (const part of stream) parts.push(part);
  expectConforming(parts, options);
  const finish = parts.at(-1);
  if (finish?.type !== 'finish') throw new Error('no finish');
  // The V2 parts fold like the core's: only finish and warnings differ in shape.
  const { content } = fold(parts.filter(({ type }) => type !== 'stream-start') as CorePart[]);
  return essence(content, {
    finishReason: finish.finishReason,
    usage: finish.usage,
    metadata: finish.providerMetadata?.['perplexity'] ?? {},
  });
}

async function generated(response: Record<string, unknown>, options: CallOptions) {
  const result = await modelWith([jsonReply(response)]).model.doGenerate({ prompt, ...options });
  return essence(result.content, {
    finishReason: result.finishReason,
    usage: result.usage,
    metadata: result.providerMetadata?.['perplexity'] ?? {},
  });
}

/** Text parts of a stream carry the map known at the time; content is compared by text alone. */
const frames: Array<(json: string) => string> = [
  (json) => `data: ${json}\n\n`,
  (json) => `data:${json}\n\n`,
  (json) => `data: ${json}\r\n\r\n`,
  (json) => `: keep-alive\n\ndata: ${json}\n\n`,
  (json) => `event: message\nid: 7\ndata: ${json}\n\n`,
  (json) => `\n\ndata: ${json}\n\n`,
  (json) => `data: no json\n\ndata: ${json}\n\n`,
  (json) => `data: ${json}\r\r`,
];

const wireOf = (events: WireEvent[]) =>
  fc
    .record({
      framing: fc.array(fc.nat(frames.length - 1), { minLength: events.length, maxLength: events.length }),
      done: fc.boolean(),
      bom: fc.boolean(),
    })
    .chain(({ framing, done, bom }) => {
      const text = events.map((event, index) => frames[framing[index] ?? 0]?.(JSON.stringify(event)) ?? '').join('');
      const bytes = new TextEncoder().encode(`${bom ? '\uFEFF' : ''}${text}${done ? 'data: [DONE]\n\n' : ''}`);
      return fc.array(fc.integer({ min: 1, max: bytes.length - 1 }), { maxLength: 60 }).map((cuts) => {
        const points = [0, ...new Set(cuts), bytes.length].sort((a, b) => a - b);
        return points.slice(1).map((point, index) => bytes.slice(points[index], point));
      });
    });

const isFailure = (response: Record<string, unknown>) =>
  response['status'] === 'failed' || response['status'] === 'cancelled';

const variants: Array<[string, CallOptions['tools']]> = [
  ['no tools', []],
  ['declared searches', [webSearchTool('search'), fetchUrlTool('open')]],
  ['every native tool declared', allNativeTools()],
];

function holdsFor(events: WireEvent[], response: Record<string, unknown>) {
  it.each(variants)('with %s', async (_, native) => {
    const options: CallOptions = {
      tools: [...(native ?? []), ...functionsOf(response)],
      ...(isChained(response) && { providerOptions: { perplexity: { previousResponseId: 'resp_before' } } }),
    };
    const expected = await generated(response, options);
    await fc.assert(
      fc.asyncProperty(wireOf(events), async (bytes) => {
        expect(await streamed(bytes, options)).toEqual(expected);
      }),
      { numRuns: 40 },
    );
  });
}

describe.each(fixtureNames.filter((name) => !isFailure(fixtureResponse(name))))(
  'streaming and generating agree on %s',
  (name) => {
    holdsFor(fixtureEvents(name), fixtureResponse(name));
  },
);

describe.skipIf(!hasCaptures)('streaming and generating agree on the recording (needs ../shared)', () => {
  const events = hasCaptures ? parseLines(capture('agent-web-search.chunks.txt')) : [];
  holdsFor(events, (events.at(-1)?.['response'] ?? { output: [] }) as Record<string, unknown>);
  it('whose JSON twin is another run of the same shape', () => {
    expect(captureJson('agent-web-search.json')['status']).toBe('completed');
  });
});
