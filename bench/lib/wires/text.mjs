/** The text of every answer: the same tokens for everyone, in an order that looks like none. */

/** Words, marks, escapes of JSON, and characters of two, three and four bytes in UTF-8. */
const TOKENS = [
  'Harbour| pilots| read| the| tide| tables| before| dawn|.|[3]| A| ship| of| eight| metres| draught| waits| off',
  ' the| bar|,| and| the| lock| opens| at| half| flood|.[|7|]|\n\n|- |**|Springs|**|: | "|slack|"| water| lasts',
  ' twenty| minutes|;| on| the| Føroyar| coast| über| 3| °|C| –| the| 潮|汐| gauge| says| 🌊| otherwise| (|see| \\',
  'charts|\\|)|\t| again',
].flatMap((line) => line.split('|'));

/**
 * Consecutive numbers land far apart in the list.
 *
 * @param {number} index
 * @returns {string}
 */
export const tokenAt = (index) => TOKENS[(Math.imul(index, 2654435761) >>> 8) % TOKENS.length];

/** The whole answer. */
export const textOf = (deltas) => Array.from({ length: deltas }, (_, index) => tokenAt(index)).join('');
