/**
 * Runs properties: a few cases with a new seed each time, or, where `HOSTILE_MINUTES` says so, as many as the time allows
 * (`scripts/hostile.mjs`). A failure names its seed, by which `HOSTILE_SEED` makes the same cases again.
 */
import { appendFileSync } from 'node:fs';
import fc from 'fast-check';

const number = (name: string): number | undefined => {
  const given = process.env[name];
  return given === undefined || given === '' ? undefined : Number(given);
};

const SCALE = (number('HOSTILE_RUNS') ?? 100) / 100;
const SEED = number('HOSTILE_SEED');
const MINUTES = number('HOSTILE_MINUTES');
const REPORT = process.env['HOSTILE_REPORT'];

/** Milliseconds that vitest may take for a property of a file with so many of them. */
export const timeLimit = MINUTES === undefined ? 120_000 : MINUTES * 60_000 + 120_000;

/** Cases of one batch in the long mode. */
const BATCH = 200;

const newSeed = () => Math.floor(Math.random() * 0x7fffffff);

type Property = fc.IAsyncPropertyWithHooks<[unknown]>;

/** `share`: which part of the time of the long mode this one takes. */
export async function hold(
  name: string,
  property: unknown,
  { runs, share }: { runs: number; share: number },
): Promise<void> {
  const checked = property as Property;
  const numRuns = Math.max(1, Math.round(runs * SCALE));
  if (MINUTES === undefined) return await check(name, checked, SEED ?? newSeed(), numRuns);
  // Not by `Date`, which is faked in these suites.
  const until = performance.now() + MINUTES * 60_000 * share;
  const failures: unknown[] = [];
  for (let seed = SEED ?? newSeed(); performance.now() < until; seed = newSeed()) {
    await check(name, checked, seed, BATCH).catch((error: unknown) => failures.push(error));
  }
  if (failures.length > 0) throw failures[0];
}

async function check(name: string, property: Property, seed: number, numRuns: number): Promise<void> {
  const details = await fc.check(property, { seed, numRuns });
  const reason = details.errorInstance instanceof Error ? details.errorInstance.message : String(details.errorInstance);
  const message = details.failed ? `${reason}\n${await fc.asyncDefaultReportMessage(details)}` : undefined;
  if (REPORT !== undefined) {
    const peakRss = Math.round(process.resourceUsage().maxRSS / 1024);
    const line = { name, seed, cases: details.numRuns, peakRss, failure: message?.slice(0, 4000) };
    appendFileSync(REPORT, `${JSON.stringify(line)}\n`);
  }
  if (message !== undefined) throw new Error(`${name} (HOSTILE_SEED=${seed}): ${message}`);
}
