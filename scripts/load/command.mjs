/** The command lines of load and soak. */
import { parseArgs } from 'node:util';

/** Options that are whole numbers from 1 on, with their defaults; anything else ends the process with 2. */
export function readNumbers(defaults) {
  const usage = Object.entries(defaults).map(([name, value]) => `[--${name} ${value}]`);
  const fail = (problem) => {
    console.error(`${problem}\nUsage: ${usage.join(' ')}`);
    process.exit(2);
  };
  const options = Object.fromEntries(Object.keys(defaults).map((name) => [name, { type: 'string' }]));
  let values;
  try {
    ({ values } = parseArgs({ options }));
  } catch (error) {
    fail(error.message);
  }
  return Object.fromEntries(
    Object.entries(defaults).map(([name, standard]) => {
      const number = Number(values[name] ?? standard);
      if (!Number.isInteger(number) || number < 1) fail(`--${name} must be a whole number from 1 on.`);
      return [name, number];
    }),
  );
}

const MOST_SHOWN = 40;

/** Prints what differed; the process ends with 1 where there is any. */
export function judge(differences, again) {
  for (const difference of differences.slice(0, MOST_SHOWN)) console.error(`FAIL ${difference}`);
  if (differences.length > MOST_SHOWN) console.error(`FAIL and ${differences.length - MOST_SHOWN} more`);
  if (differences.length === 0) return;
  console.error(`Again: ${again}`);
  process.exitCode = 1;
}

/** What was left behind by calls that are all over, and what went wrong beside them. */
export async function aftermath({ client, server }) {
  const left = await client.ask('leftovers');
  const problems = [...(await client.ask('problems')), ...(await server.ask('problems'))];
  const exits = [await client.end(), await server.end()].filter((problem) => problem !== undefined);
  const differences = [...problems, ...exits];
  if (left.resources.length > 0) differences.push(`left in the process: ${left.resources.join(', ')}`);
  for (const name of ['sockets', 'listeners', 'openCalls']) {
    if (left[name] !== 0) differences.push(`left behind: ${left[name]} ${name}`);
  }
  return differences;
}
