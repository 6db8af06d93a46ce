/** Takes samples in rounds, so that a machine that grows busy is busy for everyone. */

/**
 * In every round, one sample of each entry. The order is turned by one from round to round: nobody always comes first, or
 * always after the same one.
 *
 * @template Entry
 * @param {readonly Entry[]} entries
 * @param {number} rounds
 * @param {(entry: Entry) => Promise<void>} take
 */
export async function interleave(entries, rounds, take) {
  for (let round = 0; round < rounds; round += 1) {
    const start = round % entries.length;
    for (const entry of [...entries.slice(start), ...entries.slice(0, start)]) await take(entry);
  }
}
