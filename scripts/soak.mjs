/**
 * The load for an hour, few calls at a time: memory, sockets and handles must not grow. Each call is judged as in `load.mjs`. Writes
 * a report to `bench/results/`, which git ignores. Needs a build: `npm run soak`.
 *
 *   node scripts/soak.mjs [--minutes 60] [--concurrency 20] [--seed N]
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { megabytes } from './load/big.mjs';
import { aftermath, judge, readNumbers } from './load/command.mjs';
import { PACES } from './load/plan.mjs';
import { anySeed } from './load/random.mjs';
import { runRound, startProcesses } from './load/round.mjs';
import { growthOf, tableOf } from './load/samples.mjs';
import { root } from './packed.mjs';

/** Calls of a round: a sample is taken after each, when nothing goes on. */
const CALLS = 100;
/** Of the time: code is compiled and pools are filled in it. */
const WARM_UP = 0.2;
/** A leak of one small object a call would be more. */
const MOST_KB_PER_1000_CALLS = 100;

const { minutes, concurrency, seed } = readNumbers({ minutes: 60, concurrency: 20, seed: anySeed() });
console.log(`soak: ${minutes} minutes of ${concurrency} calls at a time, seed ${seed}`);

const processes = await startProcesses();
const began = performance.now();
const elapsed = () => (performance.now() - began) / 60_000;
const differences = [];
const samples = [];
const ends = {};
let calls = 0;
let cpuSeconds = 0;
for (let number = 0; elapsed() < minutes; number += 1) {
  const round = await runRound(processes, {
    key: `soak${number}`,
    seed: seed + number,
    streams: CALLS,
    concurrency,
    pace: PACES.soak,
  });
  calls += round.calls;
  cpuSeconds += round.cpuSeconds;
  for (const [name, count] of Object.entries(round.ends)) ends[name] = (ends[name] ?? 0) + count;
  differences.push(...round.differences);
  const memory = await processes.client.ask('memory');
  samples.push({ minute: elapsed(), calls, ...memory });
  console.log(`${elapsed().toFixed(1)} min: ${calls} calls, heap ${megabytes(memory.heapUsed)}`);
}
differences.push(...(await aftermath(processes)));

const settled = samples.filter(({ minute }) => minute > minutes * WARM_UP);
const growth = growthOf(settled);
if (growth === undefined) console.log('Too short for a slope of memory.');
else if (growth.kbPer1000Calls > MOST_KB_PER_1000_CALLS) {
  differences.push(
    `the heap grew by ${growth.kbPer1000Calls.toFixed(0)} KB in 1,000 calls, at most ${MOST_KB_PER_1000_CALLS}`,
  );
}
const report = [
  `# Soak of ${minutes} minutes, ${new Date().toISOString()}, Node ${process.versions.node}, seed ${seed}`,
  '',
  `${calls} calls, ${concurrency} at a time, ${cpuSeconds.toFixed(0)} s of CPU in the client. Ends: ${JSON.stringify(ends)}.`,
  growth === undefined
    ? ''
    : `Heap after collection, from minute ${(minutes * WARM_UP).toFixed(0)} on: ${growth.kbPerMinute.toFixed(2)} KB a minute, ${growth.kbPer1000Calls.toFixed(1)} KB in 1,000 calls (at most ${MOST_KB_PER_1000_CALLS}).`,
  `${differences.length} differences.`,
  '',
  ...tableOf(samples),
  ...differences.slice(0, 100).map((difference) => `- ${difference}`),
  '',
].join('\n');
const folder = join(root, 'bench', 'results');
mkdirSync(folder, { recursive: true });
const file = join(folder, `soak-${new Date().toISOString().slice(0, 19).replaceAll(':', '-')}.md`);
writeFileSync(file, report);
console.log(`${report}\nIn ${file}`);
judge(differences, `node scripts/soak.mjs --minutes ${minutes} --concurrency ${concurrency} --seed ${seed}`);
