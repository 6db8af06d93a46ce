/** Dollars per million tokens of a model. */
export interface TokenPrices {
  input: number;
  output: number;
}

/** Models and their prices (agent-api.md §9.1): `[id, input, output]`, and for some the price of writing to the cache. */
const PRICE_LIST: readonly (readonly [id: string, input: number, output: number, cacheWrite?: number])[] = [
  ['anthropic/claude-haiku-5-5', 0.1, 0.5, 0.125],
  ['anthropic/claude-opus-5-5', 4, 20, 5],
  ['anthropic/claude-sonnet-5-5', 2, 10, 2.5],
  ['google/gemini-3.1-pro-preview', 2, 12],
  ['google/gemini-3.5-flash-lite', 0.3, 2.5],
  ['google/gemini-3.8-flash', 0.75, 3.75],
  ['openai/gpt-5', 1.25, 10],
  ['openai/gpt-5-mini', 0.25, 2],
  ['openai/gpt-5.6-luna', 0.2, 1.2, 0.25],
  ['openai/gpt-5.6-sol', 4, 20, 5],
  ['openai/gpt-6-luna', 0.1, 0.5, 0.125],
  ['openai/gpt-6-sol', 2, 10, 2.5],
  ['perplexity/glm-5.3-flash', 0.15, 0.5],
  ['perplexity/sonar', 0.25, 2.5],
  ['xai/grok-4.7', 2, 6, 2],
];

/** The prices of a model; one that is not on the list costs as much as `openai/gpt-6-luna`. */
export function pricesOf(model: string): TokenPrices {
  const [, input, output] = PRICE_LIST.find(([id]) => id === model) ?? ['', 0.1, 0.5];
  return { input, output };
}

/** The body of `GET /v1/models`: a part of the real list, in its shape (agent-api.md §1). */
export function modelList(): { object: 'list'; data: unknown[] } {
  return {
    object: 'list',
    data: PRICE_LIST.map(([id, input, output, cacheWrite]) => ({
      id,
      object: 'model',
      created: 0,
      owned_by: id.slice(0, id.indexOf('/')),
      pricing: {
        input,
        output,
        ...(cacheWrite !== undefined && { cache_write: cacheWrite }),
        cache_read: dollars(input / 10),
        unit: 'usd_per_1m_tokens',
      },
    })),
  };
}

/** Rounded to five decimals, as all costs of the API are (agent-api.md §7). */
export function dollars(amount: number): number {
  return Math.round(amount * 100_000) / 100_000;
}
