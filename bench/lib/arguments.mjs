/** The command line. */
import { parseArgs } from 'node:util';

/** Names of the measures, in the order of the table. */
export const MEASURES = [
  'throughput',
  'turns',
  'growth',
  'huge-event',
  'concurrency',
  'stream-text',
  'import',
  'bundle',
  'request',
];

/** Something on the command line that means nothing. */
export class UsageError extends Error {}

const USAGE = `npm run bench -- [--short] [--only ${MEASURES.slice(0, 2).join(',')},…] [--rounds N]`;

/**
 * @param {string[]} argv What follows the name of the script.
 * @returns {{ mode: 'full' | 'short', measures: string[], rounds: number | undefined }}
 */
export function readArguments(argv) {
  const { short, only, rounds } = parse(argv);
  const measures = only === undefined ? MEASURES : only.split(',');
  const unknown = measures.filter((name) => !MEASURES.includes(name));
  if (unknown.length > 0)
    throw usageError(`There is no measure ${unknown.join(', ')}; there are ${MEASURES.join(', ')}.`);
  if (rounds !== undefined && !/^[1-9]\d*$/.test(rounds)) {
    throw usageError(`--rounds takes a whole number, 1 or more, not ${rounds}.`);
  }
  return {
    mode: short ? 'short' : 'full',
    measures: MEASURES.filter((name) => measures.includes(name)),
    rounds: rounds === undefined ? undefined : Number(rounds),
  };
}

function parse(args) {
  const options = {
    short: { type: 'boolean', default: false },
    only: { type: 'string' },
    rounds: { type: 'string' },
  };
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    throw usageError(error.message);
  }
}

const usageError = (problem) => new UsageError(`${problem}\nUsage: ${USAGE}`);
