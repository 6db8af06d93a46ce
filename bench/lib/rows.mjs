/** Rows of the table: one figure of everyone, its goal, and how it was taken. */
import { adapterOf } from './adapters.mjs';

/**
 * @typedef {object} Goal
 * @property {number} [atMost]
 * @property {number} [aim] What is wished for, where `atMost` is what is still accepted.
 * @property {boolean} [belowProviders] Below every AI SDK provider in the row.
 */

/**
 * @typedef {object} Row
 * @property {string} measure
 * @property {string} unit One of those that `table.mjs` knows.
 * @property {number} ours
 * @property {number} [official] `@ai-sdk/perplexity`.
 * @property {number[]} providers The other AI SDK providers.
 * @property {number} [client] The vendor's client.
 * @property {Goal} [goal]
 * @property {string} note How the figure was taken.
 */

/**
 * @param {{ measure: string, unit: string, ours: number, goal?: Goal, note: string }} facts
 * @param {readonly string[]} [peers] Who else is in the row.
 * @param {(id: string) => number} [figureOf] Their figures.
 * @returns {Row}
 */
export function rowOf(facts, peers = [], figureOf = () => NaN) {
  const of = (kind) => peers.filter((id) => adapterOf(id).kind === kind).map((id) => figureOf(id));
  const [official] = of('official');
  const [client] = of('client');
  return { ...facts, official, providers: of('provider'), client };
}

/** For notes. */
export const medianOf = (rounds) => (rounds === 1 ? 'one round' : `median of ${rounds} rounds`);

/**
 * Ours against whoever is best: the largest of the ratios. NaN where there is none.
 *
 * @param {readonly string[]} providers
 * @param {(id: string) => number} ratioTo
 */
export function againstBest(providers, ratioTo) {
  const ratios = providers.map((id) => ratioTo(id)).filter((ratio) => !Number.isNaN(ratio));
  return ratios.length === 0 ? NaN : Math.max(...ratios);
}
