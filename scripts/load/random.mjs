/** Chance that can be repeated. */

/** A number from 0 up to 1 with every call, the same ones for the same seed (mulberry32). */
export function createRandom(seed) {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /** A whole number, both ends included. */
  const between = (least, most) => least + Math.floor(next() * (most - least + 1));
  return {
    between,
    pick: (list) => list[between(0, list.length - 1)],
    chance: (share) => next() < share,
    /** The same things in another order. */
    shuffled(list) {
      const mixed = [...list];
      for (let index = mixed.length - 1; index > 0; index -= 1) {
        const other = between(0, index);
        [mixed[index], mixed[other]] = [mixed[other], mixed[index]];
      }
      return mixed;
    },
  };
}

/** A seed for those who give none. */
export const anySeed = () => 1 + Math.floor(Math.random() * 2 ** 30);

/** A seed out of a text. */
export function hashOf(text) {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return hash >>> 0;
}
