/** Middles of noisy numbers. */

/** The middle one, or the mean of the two in the middle. NaN for none. */
export function median(numbers) {
  const sorted = [...numbers].sort((left, right) => left - right);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/**
 * Ratio of two series that were taken side by side: formed round by round, since a machine that is busy in one round slows
 * both, and then the median. A round in which one of them is missing does not count.
 */
export function pairedRatio(numerators, denominators) {
  const rounds = Math.min(numerators.length, denominators.length);
  return median(numerators.slice(0, rounds).map((numerator, round) => numerator / denominators[round]));
}
