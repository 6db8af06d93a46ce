/** The models that the API offers, with their prices (`agent-api.md` §1, §9.1). */
import { type WireObject, asAmount, asObject, asText, dateOf, defined } from './json.js';
import { readList } from './wire/repeatable.js';
import type { PerplexityAgentRequestOptions } from './wire/http.js';
import type { Transport } from './wire/transport.js';

/** Prices of a model; what the API does not price is absent. They do not include tools. */
export type PerplexityAgentModelPricing = {
  /** Fresh input. */
  input?: number;
  /** Output, reasoning included. */
  output?: number;
  /** Input written to the cache. */
  cacheWrite?: number;
  /** Input read from the cache. */
  cacheRead?: number;
  /** What the numbers mean: `usd_per_1m_tokens`, US dollars per million tokens, for every model on record. */
  unit?: string;
};

/** A model that the API offers. Fields that this package does not know are dropped. */
export type PerplexityAgentModelInfo = {
  /** What `perplexityAgent(id)` takes, such as `openai/gpt-6-luna`. */
  id: string;
  /** The provider, such as `openai`. */
  ownedBy?: string;
  /** When it appeared; absent where the API says 0, as it did for every model on record. */
  created?: Date;
  pricing?: PerplexityAgentModelPricing;
};

export async function listModels(
  { repeatable }: Pick<Transport, 'repeatable'>,
  { abortSignal, headers }: PerplexityAgentRequestOptions = {},
): Promise<PerplexityAgentModelInfo[]> {
  const call = { method: 'GET', path: '/v1/models', accept: 'application/json', headers, abortSignal } as const;
  const list = await repeatable(call, readList(abortSignal));
  return list.flatMap((model) => {
    const id = asText(model['id']);
    if (id === undefined) return [];
    return defined<PerplexityAgentModelInfo>({
      id,
      ownedBy: asText(model['owned_by']),
      created: dateOf(model['created']),
      pricing: pricingOf(asObject(model['pricing'])),
    });
  });
}

const pricingOf = (pricing: WireObject | undefined): PerplexityAgentModelPricing | undefined =>
  pricing &&
  defined<PerplexityAgentModelPricing>({
    input: asAmount(pricing['input']),
    output: asAmount(pricing['output']),
    cacheWrite: asAmount(pricing['cache_write']),
    cacheRead: asAmount(pricing['cache_read']),
    unit: asText(pricing['unit']),
  });
