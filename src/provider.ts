/** The factory that all faces share. */
import { InvalidArgumentError, LoadAPIKeyError, NoSuchModelError } from '@ai-sdk/provider';
import { generateId as defaultGenerateId, loadApiKey, loadOptionalSetting } from '@ai-sdk/provider-utils';
import { createAgentModel, createResumedModel, type AgentModel, type AgentModelConfig } from './model.js';
import { listModels, type PerplexityAgentModelInfo } from './model-list.js';
import { parseModelId, type PerplexityAgentModelId } from './request/target.js';
import { createResponses, type PerplexityAgentResponses } from './runs/responses.js';
import { invalid, reading, shownValue } from './refusals.js';
import { knownKeysOnly } from './tools/checks.js';
import { perplexityAgentTools } from './tools/index.js';
import type { FaceTraits } from './spec.js';
import { VERSION } from './version.js';
import { checkHeaders, mergeHeaders, type FetchFunction, type PerplexityAgentRequestOptions } from './wire/http.js';
import { pathSegment } from './wire/repeatable.js';
import { createTransport } from './wire/transport.js';

/** Settings of `createPerplexityAgent`. */
export type PerplexityAgentProviderSettings = {
  /**
   * Perplexity API key, sent as bearer token. Default: the environment variable `PERPLEXITY_API_KEY`, read at the first
   * call. Not needed where `headers` brings an `authorization` of its own. Without any, a call throws LoadAPIKeyError.
   */
  apiKey?: string | undefined;
  /**
   * Base URL of the API. Default: the environment variable `PERPLEXITY_BASE_URL`, else `https://api.perplexity.ai`. A
   * trailing `/` or `/v1` is accepted. One that is no http(s) URL, or that holds credentials, throws
   * InvalidArgumentError at the first call.
   */
  baseURL?: string | undefined;
  /** Headers of every request; headers of a single call win over them. Default: none. */
  headers?: Record<string, string | undefined> | undefined;
  /** A `fetch` of your own: middleware, a proxy, or the simulator. Default: `globalThis.fetch`. */
  fetch?: FetchFunction | undefined;
  /** Makes ids where the wire gives none. Default: 16 random characters. */
  generateId?: (() => string) | undefined;
  /**
   * Wire field of the effort level. Default `'effort'`, the documented name since October 2026; `'preset'` is the older
   * one, which everything recorded so far used (`agent-api.md` §2.3). Exactly one of them is sent.
   */
  effortField?: 'effort' | 'preset' | undefined;
  /**
   * Joins text deltas of one block that arrived in the same network chunk into one part: the same text in fewer parts,
   * without delay. Default `false`.
   */
  coalesceDeltas?: boolean | undefined;
  /**
   * Largest single event of a stream that is buffered, in bytes. Default 64 MiB. A larger one ends the stream with an
   * error, and the run is cancelled, unless it runs in the background, where it can be retrieved. It is measured as the text that is buffered, by UTF-16 units: what is not ASCII
   * counts less than its bytes.
   */
  maxEventBytes?: number | undefined;
};

/** What a face makes of the core. */
export type Face<Model> = {
  /** What it has parts for. */
  traits: FaceTraits;
  /** Puts a core model into the face's shape. */
  toModel(model: AgentModel, provider: string): Model;
};

/** Settings of `resume`. */
export type PerplexityAgentResumeOptions = {
  /**
   * Number of the last event that was taken care of, 0 or more: `providerMetadata.perplexity.lastSequenceNumber` of a part, or
   * `sequence_number` of a `raw` one. Then only what came after it is delivered. The API replays events for a time that
   * nobody has told; after it the whole answer is delivered, with a warning and `restarted: true` in
   * `providerMetadata.perplexity` of its parts. Default: the whole run.
   */
  startingAfter?: number | undefined;
};

/** A provider of one face: callable, and complete enough for registries. */
export type PerplexityAgentProvider<Model> = {
  /**
   * A model by its id: `'openai/gpt-6-luna'`, or, without a slash, an effort level: `'low'`, `'fast@2026-10-16.0'`.
   * Without an id the level, profile or chain comes from `providerOptions.perplexity`. A Sonar id throws
   * NoSuchModelError, which names the level that replaces it.
   */
  (modelId?: PerplexityAgentModelId): Model;
  /** The same as calling the provider. */
  languageModel(modelId?: PerplexityAgentModelId): Model;
  /** Throws NoSuchModelError: the Agent API has no embedding models. */
  embeddingModel(modelId: string): never;
  /** The same under its name of ai 5. Throws NoSuchModelError. */
  textEmbeddingModel(modelId: string): never;
  /** Throws NoSuchModelError: the Agent API has no image models. */
  imageModel(modelId: string): never;
  /** Runs by their ids: retrieve, cancel, files. */
  responses: PerplexityAgentResponses;
  /**
   * The models that the API offers now, with their prices; no effort levels. A reading request, repeated and failing as
   * those of `responses`. The service wants the key for it.
   */
  models(options?: PerplexityAgentRequestOptions): Promise<PerplexityAgentModelInfo[]>;
  /**
   * A model that takes up a run which exists, from any process: one that goes on, or one that has finished, failed or was
   * cancelled. A call of it begins nothing and costs nothing; it resolves as the call that began the run would have. Its prompt
   * is not sent, so any will do; its `tools` tell which calls are the client's; of `providerOptions.perplexity`,
   * `background`, `cancelOnAbort`, `idleTimeout`, `maxReconnects` and `researchProgress` count. (`agent-api.md` §10)
   *
   * An unknown id is answered 404 when the model is called. Throws InvalidArgumentError for an id or a number that is none.
   */
  resume(responseId: string, options?: PerplexityAgentResumeOptions): Model;
  /** Native tools for the `tools` of a call. */
  tools: typeof perplexityAgentTools;
};

const DEFAULT_BASE_URL = 'https://api.perplexity.ai';
const DEFAULT_MAX_EVENT_BYTES = 64 * 1024 * 1024;
const PROVIDER = 'perplexity.agent';

/** What each kind of model is for that the Agent API does not have. `embeddingModel` is the name of ai 6 and 7. */
const MISSING = {
  embeddingModel: 'embeddings',
  textEmbeddingModel: 'embeddings',
  imageModel: 'generated images',
} as const;

const noSuchModel =
  (kind: keyof typeof MISSING) =>
  (modelId: string): never => {
    // The class is that of ai 5, whose type knows one name for embeddings; it keeps the other as well.
    const modelType = kind as 'textEmbeddingModel' | 'imageModel';
    const what = MISSING[kind];
    const message =
      `Perplexity's Agent API has no ${what}, so there is no ${kind} '${modelId}'. ` +
      `Take the model from a provider of ${what}; those of the AI SDK are listed at https://ai-sdk.dev/providers.`;
    throw new NoSuchModelError({ modelId, modelType, message });
  };

/** Makes a provider whose models have the shape of a face. Throws InvalidArgumentError for a bad setting. */
export function createProvider<Model>(
  face: Face<Model>,
  settings: PerplexityAgentProviderSettings = {},
): PerplexityAgentProvider<Model> {
  const config = configOf(settings, face.traits);
  const languageModel = (modelId?: PerplexityAgentModelId): Model => {
    parseModelId(modelId);
    return face.toModel(createAgentModel(modelId ?? '', config), PROVIDER);
  };
  return Object.assign((modelId?: PerplexityAgentModelId) => languageModel(modelId), {
    languageModel,
    embeddingModel: noSuchModel('embeddingModel'),
    textEmbeddingModel: noSuchModel('textEmbeddingModel'),
    imageModel: noSuchModel('imageModel'),
    resume: (responseId: string, options: PerplexityAgentResumeOptions = {}) => {
      pathSegment('responseId', responseId);
      return face.toModel(createResumedModel(responseId, startingAfterOf(options), config), PROVIDER);
    },
    responses: createResponses(config.transport),
    models: (options?: PerplexityAgentRequestOptions) => listModels(config.transport, options),
    tools: perplexityAgentTools,
  });
}

function startingAfterOf(options: PerplexityAgentResumeOptions): number | undefined {
  knownKeysOnly(options, ['startingAfter'], 'resume');
  const { startingAfter } = options;
  if (startingAfter === undefined || (Number.isInteger(startingAfter) && startingAfter >= 0)) return startingAfter;
  throw invalid(
    'resume.startingAfter',
    `must be the number of an event, 0 or more, not ${shownValue(startingAfter) ?? 'an object'}`,
  );
}

const SETTINGS: readonly (keyof PerplexityAgentProviderSettings)[] = [
  'apiKey',
  'baseURL',
  'headers',
  'fetch',
  'generateId',
  'effortField',
  'coalesceDeltas',
  'maxEventBytes',
];

function configOf(settings: PerplexityAgentProviderSettings, traits: FaceTraits): AgentModelConfig {
  knownKeysOnly(settings, SETTINGS, 'createPerplexityAgent');
  // Each is read once: what is checked is what is used.
  const read = <K extends keyof PerplexityAgentProviderSettings>(name: K) =>
    reading(`createPerplexityAgent.${name}`, () => settings[name]);
  const effortField = read('effortField') ?? 'effort';
  const maxEventBytes = read('maxEventBytes') ?? DEFAULT_MAX_EVENT_BYTES;
  const coalesceDeltas = read('coalesceDeltas') ?? false;
  const fetch = read('fetch');
  const generateId = read('generateId');
  const baseURL = read('baseURL');
  const headers = read('headers');
  const apiKey = read('apiKey');
  if (effortField !== 'effort' && effortField !== 'preset') {
    throw badSetting('effortField', `must be 'effort' or 'preset', not ${shownValue(effortField) ?? 'an object'}`);
  }
  if (!Number.isInteger(maxEventBytes) || maxEventBytes < 1) {
    throw badSetting('maxEventBytes', 'must be a whole number of bytes, 1 or more');
  }
  if (fetch !== undefined && typeof fetch !== 'function') throw badSetting('fetch', 'must be a function');
  if ((generateId ?? undefined) !== undefined && typeof generateId !== 'function') {
    throw badSetting('generateId', 'must be a function');
  }
  if (typeof coalesceDeltas !== 'boolean') throw badSetting('coalesceDeltas', 'must be true or false');
  if ((baseURL ?? undefined) !== undefined && typeof baseURL !== 'string') {
    throw badSetting('baseURL', 'must be a text; it looks like https://api.perplexity.ai');
  }
  checkHeaders(headers, 'createPerplexityAgent.headers');
  return {
    traits,
    effortField,
    maxEventBytes,
    coalesceDeltas,
    generateId: generateId ? () => idFrom(generateId) : defaultGenerateId,
    transport: createTransport({
      baseURL: baseURLReader(baseURL),
      headers: () => headersOf({ apiKey, headers }),
      fetch,
    }),
  };
}

/** An id of the caller's making. Where his function fails, one of ours has to do: the answer is worth more than its name. */
function idFrom(generateId: () => unknown): string {
  try {
    const id = generateId();
    if ((typeof id === 'string' && id !== '') || typeof id === 'number') return String(id);
  } catch {
    // As if it had given none.
  }
  return defaultGenerateId();
}

const badSetting = (argument: string, problem: string) =>
  new InvalidArgumentError({ argument, message: `createPerplexityAgent: ${argument} ${problem}.` });

/** Reads it for each call, but checks each text once: that takes as long as all the rest of a small request. */
function baseURLReader(settingValue: string | undefined): () => string {
  let checked: { setting: string; baseURL: string } | undefined;
  return () => {
    const given = loadOptionalSetting({ settingValue, environmentVariableName: 'PERPLEXITY_BASE_URL' });
    const setting = given?.trim() || DEFAULT_BASE_URL;
    if (checked?.setting !== setting) checked = { setting, baseURL: checkedBaseURL(setting) };
    return checked.baseURL;
  };
}

function checkedBaseURL(setting: string): string {
  const baseURL = setting.replace(/\/+$/, '').replace(/\/v1$/, '').replace(/\/+$/, '');
  let url: URL;
  try {
    url = new URL(baseURL);
  } catch {
    throw badSetting('baseURL', 'is no URL; it looks like https://api.perplexity.ai');
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:') throw badSetting('baseURL', 'must begin with https://');
  if (url.username !== '' || url.password !== '') {
    throw badSetting('baseURL', 'must not hold a user name or password; put them into headers');
  }
  return baseURL;
}

const USER_AGENT = `ai-sdk/ai-sdk-provider-perplexity-agent/${VERSION}`;

function headersOf({
  apiKey,
  headers,
}: Pick<PerplexityAgentProviderSettings, 'apiKey' | 'headers'>): Record<string, string> {
  const own: Record<string, string> = { 'user-agent': USER_AGENT };
  const given = headers === undefined ? own : mergeHeaders(own, headers);
  given['authorization'] ??= `Bearer ${loadKey(apiKey)}`;
  return given;
}

function loadKey(apiKey: string | undefined): string {
  const name = 'PERPLEXITY_API_KEY';
  const key = loadApiKey({ apiKey, environmentVariableName: name, description: 'Perplexity' }).trim();
  const origin = apiKey === undefined ? `the environment variable ${name}` : "the 'apiKey' setting";
  // An unset secret of a CI is an empty variable.
  if (key === '') throw new LoadAPIKeyError({ message: `Perplexity API key is missing: ${origin} is empty.` });
  // fetch would refuse it with an error that shows it.
  if (/^[\x21-\x7e]+$/.test(key)) return key;
  throw new LoadAPIKeyError({
    message: `Perplexity API key from ${origin} holds a character that no key has, such as a space or an ellipsis (…). Copy it again.`,
  });
}
