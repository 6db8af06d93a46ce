/**
 * Runs the property suites of `test/hostile` with new random seeds until the time is over, and reports on them:
 * `node scripts/hostile.mjs --minutes 60`. Exits with 1 where a case failed, and names the seed that makes it again:
 * `HOSTILE_SEED=… HOSTILE_RUNS=200 npx vitest run test/hostile`.
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { root } from './packed.mjs';

const { values } = parseArgs({ options: { minutes: { type: 'string', default: '10' } } });
const minutes = Number(values.minutes);
if (!(minutes > 0)) {
  console.error('--minutes takes a number above 0.');
  process.exit(2);
}

const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
const report = join(folder, 'report.jsonl');
const started = Date.now();
const code = await new Promise((resolve) => {
  const files = ['test/hostile/wire.test.ts', 'test/hostile/caller-random.test.ts'];
  // Side by side, each in a process of its own, also where there are few cores.
  const args = ['vitest', 'run', '--typecheck.enabled=false', '--reporter=dot', '--maxWorkers=2', ...files];
  const env = { ...process.env, HOSTILE_MINUTES: String(minutes), HOSTILE_REPORT: report };
  spawn('npx', args, { cwd: root, env, stdio: ['ignore', 'ignore', 'inherit'] }).on('exit', resolve);
});

let text = '';
try {
  text = readFileSync(report, 'utf8');
} catch {
  console.error('No case was run.');
}
rmSync(folder, { recursive: true });
const batches = text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
const names = [...new Set(batches.map(({ name }) => name))];
console.log(`${((Date.now() - started) / 60_000).toFixed(1)} minutes`);
for (const name of names) {
  const own = batches.filter((batch) => batch.name === name);
  const cases = own.reduce((sum, batch) => sum + batch.cases, 0);
  const failed = own.filter(({ failure }) => failure !== undefined);
  const [first, last] = [own[0].peakRss, own.at(-1).peakRss];
  console.log(
    `${name}: ${cases} cases with ${own.length} seeds, ${failed.length} failed; peak RSS ${first} MB, then ${last} MB`,
  );
  for (const { seed, failure } of failed) console.log(`  HOSTILE_SEED=${seed}\n${failure.replace(/^/gm, '    ')}`);
}
process.exit(code === 0 && batches.length > 0 ? 0 : 1);
