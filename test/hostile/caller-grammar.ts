/** Calls made of the real options, right values and wrong ones mixed: most pass the checks, and then the API has to take them. */
import fc from 'fast-check';
import { functionTool, nativeTool } from '../support/model.js';
import { hostile, hostileNames } from './caller-values.js';

type Arb = fc.Arbitrary<unknown>;

/** Texts of all sorts; no long ones, since a request has a limit that is not checked here. */
const text: fc.Arbitrary<string> = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.string({ unit: 'binary', maxLength: 10 }),
  fc.constantFrom('', ' ', 'a', '\ud800', '\u0000', '__proto__', 'constructor', '-', 'a b', '🏮'.repeat(70)),
);

/** What stands for a hostile value: the runner looks into what it makes, and some of these do not bear it. */
const ODD = '@odd';
const odd: Arb = fc.constantFrom(...hostileNames).map((name) => ({ [ODD]: name }));

/** A call with the hostile values in it. */
export function realised<T>(value: T): T {
  if (Array.isArray(value)) return value.map(realised) as T;
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  if (ODD in value) return hostile(String(value[ODD])) as T;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [key, realised(entry)])) as T;
}

/** Mostly what is right, now and then what is not. */
const mostly = (right: Arb): Arb => fc.oneof({ arbitrary: right, weight: 20 }, { arbitrary: odd, weight: 1 });

/** An object of some of these fields. */
const some = (fields: Record<string, Arb>): Arb =>
  fc.record(Object.fromEntries(Object.entries(fields).map(([key, field]) => [key, mostly(field)])), {
    requiredKeys: [],
  });

const url: Arb = fc.oneof(
  { arbitrary: fc.webUrl({ validSchemes: ['https'] }), weight: 6 },
  text.map((end) => `https://${end}`),
  fc.constantFrom('https:a', 'https:///a', 'HTTPS://a.example/b.png', `https://a.example/${'a'.repeat(2100)}`),
);
const domain: Arb = fc.oneof(
  { arbitrary: fc.domain(), weight: 20 },
  text,
  fc.constantFrom('-a.org', '--', '-', 'x'.repeat(253), 'x'.repeat(254)),
);
const date: Arb = fc.oneof(
  { arbitrary: fc.constantFrom('2/29/2024', '2024-02-29'), weight: 12 },
  fc.constantFrom('2/29/2024', '02/30/2024', '2024-02-29', '2023-02-29', '0000-01-01', '12/31/9999', '1/1/0001'),
  fc.date({ noInvalidDate: false }),
  text,
);
const amount = (max: number): Arb =>
  fc.oneof(
    { arbitrary: fc.integer({ min: 1, max }), weight: 12 },
    { arbitrary: fc.constantFrom(0, max + 1), weight: 1 },
  );

/** Mostly these, now and then one of the others. */
const often = (right: Arb, other: Arb): Arb =>
  fc.oneof({ arbitrary: right, weight: 12 }, { arbitrary: other, weight: 1 });
const word = (...words: string[]): fc.Arbitrary<string> => fc.constantFrom(...words);

const webSearch: Arb = some({
  searchType: word('web', 'fast'),
  searchContextSize: word('low', 'medium', 'high'),
  maxResults: amount(50),
  maxTokens: amount(1000),
  maxTokensPerPage: amount(1000),
  filters: some({
    searchDomainFilter: fc.array(domain, { maxLength: 22 }),
    searchRecencyFilter: word('hour', 'day', 'week', 'month', 'year'),
    searchAfterDateFilter: date,
    searchBeforeDateFilter: date,
    lastUpdatedAfterFilter: date,
    lastUpdatedBeforeFilter: date,
  }),
  userLocation: some({
    country: word('PT', 'pt', 'Portugal'),
    region: text,
    city: text,
    latitude: often(fc.double({ min: -90, max: 90, noNaN: true }), fc.double()),
    longitude: often(fc.double({ min: -180, max: 180, noNaN: true }), fc.double()),
  }),
});
const fetchUrl: Arb = some({ maxUrls: amount(10), totalBudgetTokens: amount(120_000) });

const skill: Arb = fc.oneof(
  fc.record({ type: word('builtin'), name: word('office', 'office/docx') }),
  fc.record({
    type: word('inline'),
    name: often(word('a-b', 'a'), fc.oneof(word('A', 'a--b'), text)),
    description: often(word('d'), text),
    instructions: often(word('\ud800'), text),
  }),
  fc.record({
    type: word('custom'),
    id: often(word('skill_1'), fc.oneof(word('skill_', `skill_${'x'.repeat(123)}`, 'skill_x y'), text)),
  }),
);

/** The options by their names; a test holds them against the schema. */
export const OPTION_VALUES: Readonly<Record<string, Arb>> = {
  effort: word('fast', 'low', 'xhigh', 'fast@2026-10-16.0', 'deep-research'),
  webSearch: fc.oneof(fc.boolean(), webSearch),
  fetchUrl: fc.oneof(fc.boolean(), fetchUrl),
  models: fc.array(word('openai/gpt-5', 'anthropic/claude-opus-5', 'xai/grok-4.7'), { minLength: 1, maxLength: 5 }),
  profile: often(fc.record({ id: word('p', '\ud800') }), some({ type: word('custom'), id: text, version: text })),
  skills: often(fc.array(skill, { maxLength: 2 }), fc.array(skill, { maxLength: 17 })),
  maxSteps: amount(100),
  maxToolCalls: amount(3),
  parallelToolCalls: fc.boolean(),
  reasoningEffort: word('minimal', 'low', 'medium', 'high', 'xhigh', 'max'),
  languagePreference: often(word('pt'), word('PT', 'por')),
  previousResponseId: fc.constant(undefined),
  store: fc.boolean(),
  background: fc.oneof(fc.boolean(), some({ pollInterval: amount(1000), timeout: fc.constant(600_000) })),
  cancelOnAbort: fc.boolean(),
  idleTimeout: often(fc.constant(1000), fc.constantFrom(0, 2 ** 31)),
  maxReconnects: amount(5),
  metadata: often(fc.dictionary(word('a', 'b', '__proto__'), text), fc.dictionary(text, text, { maxKeys: 18 })),
  truncation: often(word('auto', 'disabled'), word('middle')),
  serviceTier: often(word('priority'), text),
  promptCacheKey: often(word('k', '\ud800'), text),
  user: often(word('u', '\u0000'), text),
  safetyIdentifier: often(word('s'), text),
  strictJsonSchema: fc.boolean(),
  systemMessageMode: word('instructions', 'input'),
  researchProgress: word('reasoning', 'off'),
  extraBody: fc.constant({}),
};

const file: Arb = some({
  type: word('file'),
  data: fc.oneof(
    url,
    text,
    fc.uint8Array({ maxLength: 8 }),
    fc.record({ type: word('url', 'data', 'text'), url, data: text, text }),
  ),
  mediaType: fc.oneof(word('image/png', 'image/*', 'application/pdf', 'text/plain', '*/*'), text),
  filename: fc.oneof(word('a.pdf', '.pdf', 'a', 'a/b.c', 'a.', '..', `${'é'.repeat(200)}.pdf`), text),
});

const callId: Arb = fc.oneof(word('call_1', 'call_2'), text);
const toolCall: Arb = some({
  type: word('tool-call'),
  toolCallId: callId,
  toolName: word('look', 'native', 'gone'),
  input: fc.oneof(fc.jsonValue(), text),
  providerExecuted: fc.boolean(),
  providerOptions: fc.constant({
    perplexity: { thoughtSignature: 'c2ln', thoughtSignatureModel: 'openai/gpt-6-luna' },
  }),
});
const outputPart: Arb = some({
  type: word('text', 'media', 'file-data', 'image-data', 'image-url', 'file-url', 'file-id', 'new'),
  text,
  data: fc.oneof(text, url),
  url,
  mediaType: word('image/png', 'text/plain', 'application/pdf'),
  filename: text,
});
const toolResult: Arb = some({
  type: word('tool-result', 'tool-approval-response'),
  toolCallId: callId,
  toolName: word('look', 'native'),
  output: fc.oneof(
    some({ type: word('text', 'error-text', 'execution-denied', 'new'), value: text, reason: text }),
    some({ type: word('json', 'error-json'), value: fc.jsonValue() }),
    fc.record({ type: word('content'), value: fc.array(outputPart, { maxLength: 3 }) }),
  ),
});
const textPart: Arb = fc.record({ type: word('text', 'reasoning'), text });

const message: Arb = fc.oneof(
  fc.record({ role: word('system'), content: text }),
  fc.record({ role: word('user'), content: fc.array(fc.oneof(textPart, mostly(file)), { maxLength: 3 }) }),
  fc.record({ role: word('user', 'assistant'), content: text }),
  fc.record({ role: word('assistant'), content: fc.array(fc.oneof(textPart, toolCall, toolResult), { maxLength: 3 }) }),
  fc.record({ role: word('tool'), content: fc.array(toolResult, { maxLength: 3 }) }),
);

/** JSON schemas, sound ones: what is inside of a broken one only the service can say. */
const schema: Arb = fc.oneof(
  fc.constantFrom<unknown>(
    { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false },
    { properties: {} },
    { type: 'object' },
  ),
  fc.constantFrom<unknown>({ type: 'array' }, { type: ['object'] }, true, {}),
);

const functions: Arb = fc
  .record({
    name: fc.oneof(word('look', 'see', 'native'), text),
    strict: mostly(fc.boolean()),
    description: mostly(text),
  })
  .map(({ name, ...rest }) => ({ ...functionTool(name), ...rest }));

const native = (type: Parameters<typeof nativeTool>[0], args: Arb): Arb =>
  fc
    .record({ name: word('native', 'other', 'third'), args })
    .map((made) => ({ ...nativeTool(type, made.name), args: made.args }));

const tool: Arb = fc.oneof(
  functions,
  native('web_search', webSearch),
  native('fetch_url', fetchUrl),
  native('people_search', fc.constant({})),
  native('finance_search', fc.constant({})),
  native('sandbox', fc.constant({})),
  native(
    'image_search',
    some({
      maxResults: amount(30),
      filters: some({
        domainFilter: fc.array(domain, { maxLength: 11 }),
        formatFilter: fc.array(word('png', 'svg', 'tiff'), { maxLength: 11 }),
        safeSearch: fc.boolean(),
      }),
    }),
  ),
  native(
    'mcp',
    some({
      serverLabel: fc.oneof(word('a', 'b', 'a b'), text),
      serverUrl: url,
      authorization: text,
      headers: fc.dictionary(text, text, { maxKeys: 2 }),
      allowedTools: fc.array(text, { maxLength: 2 }),
      deferLoading: fc.boolean(),
    }),
  ),
  native('connector', some({ id: text, serverLabel: text, serverDescription: text, allowedTools: fc.array(text) })),
  fc.constantFrom<unknown>(
    { type: 'provider', id: 'openai.web_search', name: 'foreign', args: {} },
    { type: 'new', name: 'newer' },
  ),
);

const common = {
  maxOutputTokens: fc.oneof(amount(20), fc.double()),
  temperature: often(fc.double({ min: 0, max: 2 }), fc.double()),
  topP: often(fc.double({ min: 0, max: 1 }), fc.double()),
  topK: fc.nat(),
  seed: fc.nat(),
  presencePenalty: fc.double(),
  frequencyPenalty: fc.double(),
  stopSequences: fc.array(text, { maxLength: 2 }),
  reasoning: word('none', 'minimal', 'high', 'max', 'provider-default', 'newest'),
  responseFormat: fc.oneof(
    fc.constant({ type: 'text' }),
    fc.record({ type: word('json'), schema, name: text, description: text }, { requiredKeys: ['type'] }),
  ),
  tools: fc.array(tool, { maxLength: 4 }),
  toolChoice: fc.oneof(
    fc.record({ type: word('auto', 'none', 'required') }),
    fc.record({ type: word('tool'), toolName: word('look', 'native', 'web_search', 'gone') }),
  ),
  headers: fc.dictionary(word('x-a', 'x b', 'X-C', '__proto__'), text, { maxKeys: 2 }),
};

const MODELS = [
  'xai/grok-4.7',
  'openai/gpt-5',
  'openai/gpt-6-luna',
  'openai/gpt-6-luna',
  'anthropic/claude-opus-5',
  'low',
  'fast@2026-10-16.0',
  undefined,
];

export type Call = { modelId: string | undefined; effortField: 'effort' | 'preset'; options: Record<string, unknown> };

const OWN_PROMPT = [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }];

export const call: fc.Arbitrary<Call> = fc
  .record({
    modelId: fc.constantFrom(...MODELS),
    effortField: fc.constantFrom<'effort' | 'preset'>('effort', 'preset'),
    perplexity: fc.record(OPTION_VALUES, { requiredKeys: [] }),
    // A call that has everything is hardly ever right: a few of each.
    kept: fc.array(fc.nat(60), { maxLength: 5 }),
    settings: some(common),
    messages: fc.array(message, { maxLength: 4 }),
    oddAt: fc.option(fc.record({ place: fc.nat(60), value: odd }), { nil: undefined, freq: 6 }),
  })
  .map(({ modelId, effortField, perplexity, kept, settings, messages, oddAt }) => {
    const keep = (fields: object, shift: number) =>
      Object.fromEntries(
        Object.entries(fields).filter((_, at) => kept.some((place) => place % 9 === (at + shift) % 9)),
      );
    const options: Record<string, unknown> = {
      ...keep(settings as object, 3),
      prompt: [...OWN_PROMPT, ...messages],
      providerOptions: { perplexity: keep(perplexity, 0) },
    };
    if (oddAt !== undefined) options[Object.keys(common)[oddAt.place % Object.keys(common).length] ?? ''] = oddAt.value;
    return { modelId, effortField, options };
  });
