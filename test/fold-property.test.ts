/** The property that ties streaming and generating together (`design.md` §3), for each fixture and any chunking. */
import fc from 'fast-check';
import type { PerplexityAgentProviderSettings } from 'ai-sdk-provider-perplexity-agent';
import { describe, expect, it } from 'vitest';
import { faceV2 } from '../src/faces/v2.js';
import { faceV3 } from '../src/faces/v3.js';
import { faceV4 } from '../src/faces/v4.js';
import { createProvider, type Face } from '../src/provider.js';
import type { CoreCallOptions, CoreContent, CorePart } from '../src/spec.js';
import { fold } from '../src/stream/fold.js';
import { capture, captureJson, checkStream, hasCaptures } from './support/shared.js';
import { fixtureEvents, fixtureNames, fixtureResponse, parseLines, type WireEvent } from './support/fixtures.js';
import {
  allNativeTools,
  API_KEY,
  fetchUrlTool,
  functionTool,
  prompt,
  webSearchTool,
  type CallOptions,
} from './support/model.js';
import { bodyOf, jsonReply, stubFetch } from './support/wire.js';

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
function essence(content: CoreContent[], { finishReason, usage, providerMetadata }: Ended) {
  const { lastSequenceNumber: _, ...metadata } = providerMetadata?.['perplexity'] ?? {};
  const calls = content.flatMap((part) => (part.type === 'tool-call' ? [part] : []));
  return {
    texts: content.flatMap((part) => (part.type === 'text' ? [{ text: part.text, citations: part.citations }] : [])),
    clientCalls: calls.filter(({ providerExecuted }) => providerExecuted !== true),
    nativeCalls: calls
      .filter(({ providerExecuted }) => providerExecuted === true)
      .map((call) => stripNative({ ...call })),
    results: content.filter(({ type }) => type === 'tool-result'),
    custom: content.filter(({ type }) => type === 'custom'),
    sources: new Set(
      content.flatMap((part) =>
        part.type === 'source' && part.sourceType === 'url' ? [`${part.url} ${part.title}`] : [],
      ),
    ),
    finishReason,
    usage,
    metadata,
  };
}

/** How parts and results end on every face. */
type Ended = { finishReason: unknown; usage: unknown; providerMetadata?: Record<string, Record<string, unknown>> };

/** What the faces have in common: the parts of all of them fold like the core's, only finish and warnings differ. */
type AnyModel = {
  doStream(options: object): PromiseLike<{ stream: ReadableStream<CorePart> }>;
  doGenerate(options: object): PromiseLike<Ended & { content: CoreContent[] }>;
};

const bare: Face<AnyModel> = {
  traits: { undeclaredTools: false, customParts: true },
  toModel: (model) => ({
    doStream: (options) => model.stream(options as CoreCallOptions, (part) => part),
    doGenerate: async (options) => {
      const { content, finish } = await model.generate(options as CoreCallOptions);
      return { ...finish, content };
    },
  }),
};

/** Every combination of traits. */
const faces: Record<string, { version: string; create(settings: PerplexityAgentProviderSettings): unknown }> = {
  'the V2 face': { version: 'v2', create: (settings) => createProvider(faceV2, settings)('openai/gpt-6-luna') },
  'the V3 face': { version: 'v3', create: (settings) => createProvider(faceV3, settings)('openai/gpt-6-luna') },
  'the V4 face': { version: 'v4', create: (settings) => createProvider(faceV4, settings)('openai/gpt-6-luna') },
  'custom parts alone': { version: 'v4', create: (settings) => createProvider(bare, settings)('openai/gpt-6-luna') },
};

function modelOf(face: string, reply: Response): AnyModel {
  const settings = { apiKey: API_KEY, fetch: stubFetch(reply).fetch, generateId: () => 'generated' };
  return faces[face]?.create(settings) as AnyModel;
}

async function streamed(face: string, bytes: Uint8Array[], options: CallOptions) {
  const model = modelOf(face, new Response(bodyOf(bytes), { headers: { 'content-type': 'text/event-stream' } }));
  const { stream } = await model.doStream({ prompt, ...options });
  const parts: CorePart[] = [];
  for await (const part of stream) parts.push(part);
  const declaredTools = (options.tools ?? []).map(({ name }) => name);
  expect(checkStream(parts, { version: faces[face]?.version ?? '', declaredTools })).toEqual([]);
  const finish = parts.at(-1);
  if (finish?.type !== 'finish') throw new Error('no finish');
  return essence(fold(parts).content, finish);
}

async function generated(face: string, response: Record<string, unknown>, options: CallOptions) {
  const result = await modelOf(face, jsonReply(response)).doGenerate({ prompt, ...options });
  return essence(result.content, result);
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

const cases = Object.keys(faces).flatMap((face) =>
  variants.map(([name, tools]): [string, string, CallOptions['tools']] => [face, name, tools]),
);

function holdsFor(events: WireEvent[], response: Record<string, unknown>) {
  it.each(cases)('through %s with %s', async (face, _, native) => {
    const options: CallOptions = {
      tools: [...(native ?? []), ...functionsOf(response)],
      ...(isChained(response) && { providerOptions: { perplexity: { previousResponseId: 'resp_before' } } }),
    };
    const expected = await generated(face, response, options);
    await fc.assert(
      fc.asyncProperty(wireOf(events), async (bytes) => {
        expect(await streamed(face, bytes, options)).toEqual(expected);
      }),
      { numRuns: face === 'the V2 face' ? 40 : 12 },
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
