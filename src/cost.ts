/** What several steps, calls or a whole chat have cost. */
import { InvalidArgumentError } from '@ai-sdk/provider';
import { asAmount, asObject, asText, type WireObject } from './json.js';
import type { PerplexityAgentCost } from './stream/metadata.js';

/**
 * Something that knows what it cost: a step, a result or a `finish-step` part by its `providerMetadata.perplexity.cost`; a
 * UI message by its `metadata`, which holds `{ cost }` or `{ perplexity: { cost } }`; the APICallError of a run that failed
 * by its `data.cost`, and a RetryError by the `errors` of its attempts. What does not know is passed over.
 */
export type PerplexityAgentCostCarrier =
  | { readonly providerMetadata?: Readonly<Record<string, unknown>> | undefined }
  | { readonly metadata?: unknown }
  | { readonly data?: unknown }
  | Error;

/** A whole result of `generateText`; of `streamText`, await its `steps` first. */
export type PerplexityAgentCostSteps = { readonly steps: readonly PerplexityAgentCostCarrier[] };

// Beyond this only the errors of floating point are left: the API rounds to five decimals (`agent-api.md` §7).
const DECIMALS = 1e10;

/**
 * Sums the cost of steps, results, UI messages and errors, one or many, also mixed. Every field of the API's cost is
 * summed, the cost per tool by its billing key. A field is absent where nothing in it is known, so that the sum of nothing
 * is `{}`; what has no cost (messages of the user, runs that failed without telling it, other providers) is passed over.
 * `currency` is absent where currencies differ. A result counts as its steps and not once more. The step of a stream that
 * failed and its error tell of the same run: give it one of them. Throws InvalidArgumentError for a `streamText` result
 * whose `steps` have not been awaited.
 */
export function totalCost(
  of:
    | PerplexityAgentCostCarrier
    | PerplexityAgentCostSteps
    | ReadonlyArray<PerplexityAgentCostCarrier | PerplexityAgentCostSteps>,
): PerplexityAgentCost {
  const amounts = new Map<string, number>();
  const perTool = new Map<string, number>();
  const currencies = new Set<string>();
  for (const cost of costsIn(of)) {
    const { currency, toolCallsCostDetails, ...fields } = cost;
    if (asText(currency) !== undefined) currencies.add(currency as string);
    add(amounts, fields);
    add(perTool, asObject(toolCallsCostDetails) ?? {});
  }
  return {
    ...(currencies.size === 1 && { currency: [...currencies][0] as string }),
    ...rounded(amounts),
    ...(perTool.size > 0 && { toolCallsCostDetails: rounded(perTool) }),
  };
}

function costsIn(of: unknown): WireObject[] {
  if (Array.isArray(of)) return of.flatMap(costsIn);
  const owner = asObject(of);
  if (owner === undefined) return [];
  const pending = [owner['steps'], owner['providerMetadata']].filter(isPromise);
  if (pending.length > 0) {
    // Looking at them has woken them up: one that fails would end the process.
    for (const promise of pending) Promise.resolve(promise).catch(() => undefined);
    const message = 'totalCost: the steps of a stream are not there yet; give it `await result.steps`.';
    throw new InvalidArgumentError({ argument: 'steps', message });
  }
  if (Array.isArray(owner['steps'])) return costsIn(owner['steps']);
  if (Array.isArray(owner['errors'])) return costsIn(owner['errors']);
  const metadata = asObject(owner['metadata']);
  const cost =
    asObject(asObject(asObject(owner['providerMetadata'])?.['perplexity'])?.['cost']) ??
    asObject(asObject(metadata?.['perplexity'])?.['cost']) ??
    asObject(metadata?.['cost']) ??
    asObject(asObject(owner['data'])?.['cost']);
  return cost === undefined ? [] : [cost];
}

const isPromise = (value: unknown) => typeof asObject(value)?.['then'] === 'function';

function add(sums: Map<string, number>, fields: WireObject): void {
  for (const [key, value] of Object.entries(fields)) {
    const amount = asAmount(value);
    if (amount !== undefined) sums.set(key, (sums.get(key) ?? 0) + amount);
  }
}

const rounded = (sums: Map<string, number>): Record<string, number> =>
  Object.fromEntries([...sums].map(([key, sum]) => [key, Math.round(sum * DECIMALS) / DECIMALS]));
