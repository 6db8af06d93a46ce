/**
 * Who takes part. An adapter is a module with `createModel({ apiKey, baseURL, fetch })`, whose model has the `doStream` of an
 * AI SDK model, and, where its stream holds no AI SDK parts, a `textOf`.
 */
import { readFileSync } from 'node:fs';
import { at } from './places.mjs';

/**
 * @typedef {object} Adapter
 * @property {string} id
 * @property {string} module Path of the module from `bench/`.
 * @property {'floor' | 'ours' | 'official' | 'provider' | 'client'} kind Which column it stands in; `provider` is any other
 *   AI SDK provider, `client` is not one.
 * @property {'agent' | 'chat'} wire The bytes that it reads.
 * @property {'5' | '7'} [ai] The major of `ai` that it is made for, and the app that it is installed in.
 * @property {string} [package] Its name on the registry.
 * @property {string} [factory] The export that makes a provider.
 * @property {object} [settings] Settings beyond key, URL and fetch.
 */

const peer = (ai, file, name, factory, kind, wire = 'agent') => ({
  id: `${file}-ai-${ai}`,
  module: `apps/ai-${ai}/${file}.mjs`,
  ai,
  package: name,
  factory,
  kind,
  wire,
});

const ours = (ai, id, file, entry, settings) => ({
  id,
  module: `apps/ai-${ai}/${file}.mjs`,
  ai,
  package: `ai-sdk-provider-perplexity-agent${entry}`,
  factory: 'createPerplexityAgent',
  kind: 'ours',
  wire: 'agent',
  settings,
});

/** @type {readonly Adapter[]} */
export const ADAPTERS = [
  { id: 'source', module: 'lib/source.mjs', kind: 'floor', wire: 'agent' },
  { id: 'floor', module: 'lib/floor.mjs', kind: 'floor', wire: 'agent' },
  ours('5', 'ours', 'ours', ''),
  ours('5', 'ours-coalescing', 'ours', '', { coalesceDeltas: true }),
  ours('7', 'ours-v3', 'ours-v3', '/v3'),
  ours('7', 'ours-v4', 'ours-v4', '/v4'),
  ours('7', 'ours-v4-coalescing', 'ours-v4', '/v4', { coalesceDeltas: true }),
  peer('5', 'perplexity', '@ai-sdk/perplexity', 'createPerplexity', 'official'),
  peer('5', 'openai', '@ai-sdk/openai', 'createOpenAI', 'provider'),
  peer('7', 'openai', '@ai-sdk/openai', 'createOpenAI', 'provider'),
  peer('7', 'open-responses', '@ai-sdk/open-responses', 'createOpenResponses', 'provider'),
  peer('7', 'openrouter', '@openrouter/ai-sdk-provider', 'createOpenRouter', 'provider', 'chat'),
  peer('5', 'perplexity-sdk', '@perplexity-ai/perplexity_ai', 'default', 'client'),
];

export function adapterOf(id) {
  const adapter = ADAPTERS.find((candidate) => candidate.id === id);
  if (adapter === undefined) throw new Error(`There is no adapter ${id}`);
  return adapter;
}

const isProvider = ({ kind }) => kind === 'official' || kind === 'provider';

/** The AI SDK providers that ours is measured against. */
export const PROVIDERS = ADAPTERS.filter(isProvider).map(({ id }) => id);
/** The same, and the vendor's client. */
export const PEERS = [...PROVIDERS, 'perplexity-sdk-ai-5'];
/** Those that stand for the others where a short run has no time for all: the official one, and the fastest of each major. */
export const FEW_PROVIDERS = ['perplexity-ai-5', 'openai-ai-5', 'open-responses-ai-7'];
/** Those of them that are made for one major of the AI SDK. */
export const madeFor = (ai, providers) => providers.filter((id) => adapterOf(id).ai === ai);

/**
 * Name and version as the bench pins them.
 *
 * @param {Adapter} adapter
 */
export function titleOf({ ai, package: name }) {
  const { dependencies } = JSON.parse(readFileSync(at('apps', `ai-${ai}`, 'package.json'), 'utf8'));
  return `${name} ${dependencies[name]}`;
}
