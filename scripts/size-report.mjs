/** What has become of the sizes: compared with the record and the budgets, and put into words. */

/**
 * @typedef {{ bytes: number, parts: Record<string, number> }} Size Of one bundle: all of it, and by file or package.
 * @typedef {{ budget: number, recorded: Size }} Entry What `bench/size.json` holds of one bundle.
 */

/**
 * Files and packages that have grown, most first.
 *
 * @param {Record<string, number>} before
 * @param {Record<string, number>} after
 */
export function whatGrew(before, after) {
  return Object.entries(after)
    .map(([name, bytes]) => ({ name, bytes, by: bytes - (before[name] ?? 0) }))
    .filter(({ by }) => by > 0)
    .sort((left, right) => right.by - left.by);
}

/**
 * @param {Record<string, Entry>} entries
 * @param {Record<string, Size>} sizes The same bundles as they are now.
 * @returns {{ isWithinBudget: boolean, lines: string[] }}
 */
export function reportOf(entries, sizes) {
  const reports = Object.entries(sizes).map(([name, size]) => reportOfBundle(name, entries[name], size));
  return {
    isWithinBudget: reports.every(({ isWithinBudget }) => isWithinBudget),
    lines: reports.flatMap(({ lines }) => lines),
  };
}

function reportOfBundle(name, { budget, recorded }, { bytes, parts }) {
  const isWithinBudget = bytes <= budget;
  const change = bytes - recorded.bytes;
  const sinceRecord = change === 0 ? 'as recorded' : `${signed(change)} since the record`;
  const room = isWithinBudget ? `${told(budget - bytes)} below its budget` : `${told(bytes - budget)} OVER its budget`;
  const summary = `${name}: ${told(bytes)} bytes, ${room} of ${told(budget)}; ${sinceRecord}`;
  if (isWithinBudget) return { isWithinBudget, lines: [summary] };
  const grown = whatGrew(recorded.parts, parts);
  const growth = grown.map(({ name: part, bytes: now, by }) => `  ${signed(by)} ${part}, now ${told(now)}`);
  return {
    isWithinBudget,
    lines: [summary, ...(growth.length > 0 ? growth : ['  nothing has grown since the record'])],
  };
}

const told = (bytes) => bytes.toLocaleString('en');
const signed = (bytes) => `${bytes > 0 ? '+' : '−'}${told(Math.abs(bytes))}`;
