/** Every place where a caller can put a value, and what an error about it has to name. */
import { createPerplexityAgent, type PerplexityAgentProviderSettings } from 'ai-sdk-provider-perplexity-agent';
import { functionTool, nativeTool, prompt } from '../support/model.js';

type Model = { doGenerate(options: object): PromiseLike<{ warnings: unknown[] }> };

export type Position = {
  name: string;
  /** What the message of an error names. */
  names: RegExp;
  /** Makes the call with the value there. */
  call(value: unknown, settings: PerplexityAgentProviderSettings): PromiseLike<{ warnings: unknown[] }>;
};

const modelOf = (settings: PerplexityAgentProviderSettings, id = 'openai/gpt-6-luna') =>
  createPerplexityAgent(settings)(id) as unknown as Model;

const named = (path: string): RegExp => new RegExp(path.replace(/[.[\]]/g, String.raw`\$&`));

const option = (name: string, put: (value: unknown) => object, names = named(name)): Position => ({
  name,
  names,
  call: (value, settings) => modelOf(settings).doGenerate({ prompt, ...put(value) }),
});

/** The value under a path such as `webSearch.filters.searchRecencyFilter`. */
const nested = (path: readonly string[], value: unknown): object => ({
  [path[0] ?? '']: path.length > 1 ? nested(path.slice(1), value) : value,
});

const perplexity = (path: string, around: object = {}): Position =>
  option(
    path,
    (value) => ({ providerOptions: { perplexity: { ...around, ...nested(path.split('.'), value) } } }),
    // Of a value that is right the error may be about what is missing beside it.
    path === 'extraBody' ? /extraBody|request/ : named(path.split('.')[0] ?? ''),
  );

/** The options that this suite knows; it fails where the schema has another. */
export const OPTIONS = [
  'effort',
  'webSearch',
  'fetchUrl',
  'models',
  'profile',
  'skills',
  'maxSteps',
  'maxToolCalls',
  'parallelToolCalls',
  'reasoningEffort',
  'languagePreference',
  'previousResponseId',
  'store',
  'background',
  'cancelOnAbort',
  'idleTimeout',
  'maxReconnects',
  'metadata',
  'truncation',
  'serviceTier',
  'promptCacheKey',
  'user',
  'safetyIdentifier',
  'strictJsonSchema',
  'systemMessageMode',
  'researchProgress',
  'extraBody',
];

export const SETTINGS = [
  'apiKey',
  'baseURL',
  'headers',
  'fetch',
  'generateId',
  'effortField',
  'coalesceDeltas',
  'maxEventBytes',
];

const setting = (name: string): Position => ({
  name: `the setting ${name}`,
  names: name === 'apiKey' ? /API key/ : named(name),
  call: (value, settings) => modelOf({ ...settings, [name]: value }).doGenerate({ prompt }),
});

const inPrompt = (name: string, put: (value: unknown) => unknown): Position =>
  option(name, (value) => ({ prompt: put(value) }), /prompt|message|file|image|URL|tool|document|media type/i);

const inPart = (name: string, part: object, role: 'user' | 'assistant' = 'user'): Position =>
  inPrompt(`${name} of a ${String((part as { type?: string }).type)}`, (value) => [
    ...prompt,
    { role, content: [{ ...part, [name]: value }] },
  ]);

const toolCall = { type: 'tool-call', toolCallId: 'call_1', toolName: 'look', input: { city: 'Porto' } };
const toolResult = {
  type: 'tool-result',
  toolCallId: 'call_1',
  toolName: 'look',
  output: { type: 'text', value: 'sunny' },
};

const inResult = (name: string, put: (value: unknown) => object): Position =>
  inPrompt(name, (value) => [
    ...prompt,
    { role: 'assistant', content: [toolCall] },
    { role: 'tool', content: [{ ...toolResult, ...put(value) }] },
  ]);

const inFunction = (name: string): Position =>
  option(`tool ${name}`, (value) => ({ tools: [{ ...functionTool('look'), [name]: value }] }), /tools|request/);

const inArgs = (type: Parameters<typeof nativeTool>[0], path: string, around: object = {}): Position =>
  option(
    `${type} ${path}`,
    (value) => ({ tools: [nativeTool(type, 'native', { ...around, ...nested(path.split('.'), value) })] }),
    /tools\.native|tools\[0\]/,
  );

const server = { serverLabel: 'a', serverUrl: 'https://mcp.example/a' };

export const positions: Position[] = [
  ...OPTIONS.map((name) => perplexity(name)),
  ...['searchType', 'searchContextSize', 'maxResults', 'maxTokens', 'maxTokensPerPage', 'filters', 'userLocation'].map(
    (name) => perplexity(`webSearch.${name}`),
  ),
  ...[
    'searchDomainFilter',
    'searchRecencyFilter',
    'searchAfterDateFilter',
    'searchBeforeDateFilter',
    'lastUpdatedAfterFilter',
    'lastUpdatedBeforeFilter',
  ].map((name) => perplexity(`webSearch.filters.${name}`)),
  ...['country', 'region', 'city', 'latitude', 'longitude'].map((name) => perplexity(`webSearch.userLocation.${name}`)),
  ...['fetchUrl.maxUrls', 'fetchUrl.totalBudgetTokens', 'background.pollInterval', 'background.timeout'].map((name) =>
    perplexity(name),
  ),
  ...['profile.id', 'metadata.key'].map((name) => perplexity(name)),
  ...['version', 'type'].map((name) =>
    option(
      `profile.${name}`,
      (value) => ({ providerOptions: { perplexity: { profile: { id: 'p', [name]: value } } } }),
      named(`profile.${name}`),
    ),
  ),
  option('skills[0]', (value) => ({ providerOptions: { perplexity: { skills: [value] } } }), /skills/),
  ...['name', 'description', 'instructions', 'type'].map((name) =>
    option(
      `skills ${name}`,
      (value) => ({
        providerOptions: {
          perplexity: {
            skills: [{ type: 'inline', name: 'a', description: 'b', instructions: 'c', [name]: value }],
          },
        },
      }),
      /skills/,
    ),
  ),
  option('models[0]', (value) => ({ providerOptions: { perplexity: { models: [value] } } }), /models/),
  option(
    'extraBody.user',
    (value) => ({ providerOptions: { perplexity: { extraBody: { user: value } } } }),
    /user|extra/,
  ),
  option('providerOptions', (value) => ({ providerOptions: value })),
  option('providerOptions.perplexity', (value) => ({ providerOptions: { perplexity: value } })),
  ...['maxOutputTokens', 'temperature', 'topP', 'topK', 'seed', 'presencePenalty', 'frequencyPenalty'].map((name) =>
    option(name, (value) => ({ [name]: value })),
  ),
  ...['stopSequences', 'reasoning', 'responseFormat', 'toolChoice', 'headers', 'abortSignal', 'tools'].map((name) =>
    option(name, (value) => ({ [name]: value })),
  ),
  option('includeRawChunks', (value) => ({ includeRawChunks: value })),
  option('headers.x', (value) => ({ headers: { x: value } })),
  ...['type', 'schema', 'name', 'description'].map((name) =>
    option(
      `responseFormat.${name}`,
      (value) => ({ responseFormat: { type: 'json', schema: { type: 'object' }, [name]: value } }),
      /responseFormat|JSON|response_format/,
    ),
  ),
  option(
    'a property of the schema',
    (value) => ({ responseFormat: { type: 'json', schema: { type: 'object', title: value } } }),
    /response_format/,
  ),
  option(
    'toolChoice.toolName',
    (value) => ({ tools: [functionTool('look')], toolChoice: { type: 'tool', toolName: value } }),
    /toolChoice/,
  ),
  option('toolChoice.type', (value) => ({ tools: [functionTool('look')], toolChoice: { type: value } }), /toolChoice/),
  option('tools[0]', (value) => ({ tools: [value] }), /tools/),
  ...['type', 'name', 'description', 'inputSchema', 'strict', 'providerOptions', 'inputExamples'].map(inFunction),
  ...['id', 'args'].map((name) =>
    option(
      `native ${name}`,
      (value) => ({ tools: [{ ...nativeTool('web_search', 'native'), [name]: value }] }),
      /tools/,
    ),
  ),
  ...Object.keys(server).map((name) => inArgs('mcp', name, server)),
  ...['authorization', 'headers', 'headers.x', 'allowedTools', 'deferLoading'].map((name) =>
    inArgs('mcp', name, server),
  ),
  ...['id', 'serverLabel', 'serverDescription', 'allowedTools'].map((name) =>
    inArgs('connector', name, { id: 'connector_x', serverLabel: 'a' }),
  ),
  ...['maxResults', 'filters', 'filters.domainFilter', 'filters.formatFilter', 'filters.safeSearch'].map((name) =>
    inArgs('image_search', name),
  ),
  ...(['people_search', 'finance_search', 'sandbox', 'web_search', 'fetch_url'] as const).map((type) =>
    inArgs(type, 'unheardOf'),
  ),
  inPrompt('prompt', (value) => value),
  inPrompt('message', (value) => [...prompt, value]),
  inPrompt('role', (value) => [...prompt, { role: value, content: [{ type: 'text', text: 'x' }] }]),
  ...['system', 'user', 'assistant', 'tool'].map((role) =>
    inPrompt(`content of ${role}`, (value) => [...prompt, { role, content: value }]),
  ),
  ...['user', 'assistant', 'tool'].map((role) =>
    inPrompt(`part of ${role}`, (value) => [...prompt, { role, content: [value] }]),
  ),
  ...['type', 'text', 'providerOptions'].map((name) => inPart(name, { type: 'text', text: 'x' })),
  ...['data', 'mediaType', 'filename'].map((name) =>
    inPart(name, { type: 'file', data: 'QUJD', mediaType: 'application/pdf', filename: 'a.pdf' }),
  ),
  ...['data', 'mediaType'].map((name) => inPart(name, { type: 'file', data: 'QUJD', mediaType: 'image/png' })),
  inPart('image', { type: 'image', image: 'QUJD' }),
  ...['url', 'type'].map((name) =>
    inPrompt(`${name} of data`, (value) => [
      {
        role: 'user',
        content: [{ type: 'file', mediaType: 'image/png', data: { type: 'url', url: 'x', [name]: value } }],
      },
    ]),
  ),
  ...['toolCallId', 'toolName', 'input', 'providerExecuted', 'providerOptions'].map((name) =>
    inPart(name, toolCall, 'assistant'),
  ),
  inPart('kind', { type: 'custom', kind: 'x' }, 'assistant'),
  ...['toolCallId', 'toolName', 'output', 'providerOptions'].map((name) =>
    inResult(`result ${name}`, (value) => ({ [name]: value })),
  ),
  ...['text', 'json', 'error-text', 'error-json', 'execution-denied', 'content', 'unheard-of'].map((type) =>
    inResult(`output of ${type}`, (value) => ({ output: { type, value, reason: value } })),
  ),
  ...['text', 'media', 'file-data', 'image-data', 'image-url', 'file-url', 'file-id', 'unheard-of'].map((type) =>
    inResult(`${type} in an output`, (value) => ({
      output: {
        type: 'content',
        value: [{ type, text: value, data: value, url: value, mediaType: value, filename: value }],
      },
    })),
  ),
  ...SETTINGS.map(setting),
  {
    name: 'the settings',
    names: /createPerplexityAgent|API key/,
    call: (value) => modelOf(value as PerplexityAgentProviderSettings).doGenerate({ prompt }),
  },
  {
    name: 'the model id',
    names: /model id|modelId|level|model/i,
    call: (value, settings) => modelOf(settings, value as string).doGenerate({ prompt }),
  },
  {
    name: 'the id of a run',
    names: /responseId|respons|run/,
    call: (value, settings) =>
      (createPerplexityAgent(settings).resume(value as string) as Model).doGenerate({ prompt }),
  },
  {
    name: 'startingAfter',
    names: /startingAfter/,
    call: (value, settings) =>
      (createPerplexityAgent(settings).resume('resp_1', { startingAfter: value as number }) as Model).doGenerate({
        prompt,
      }),
  },
];
