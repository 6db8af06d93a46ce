/**
 * Runs the contract under the majors of the AI SDK that are named (`node scripts/contract.mjs 6 7`), else under all. Each has
 * a folder in `test/contract` with a lockfile of its own, which is installed when it is not, and gets the packed package.
 * The Node that runs this runs the tests.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isInstalled, npm, pack, readManifest, root, secondsSince, withoutKey } from './packed.mjs';

const MAJORS = ['5', '6', '7'];
const FILES = ['test/contract/matrix.test.ts', 'test/contract/abort.test.ts'];
const majors = process.argv.length > 2 ? process.argv.slice(2) : MAJORS;
const unknown = majors.filter((major) => !MAJORS.includes(major));
if (unknown.length > 0) {
  console.error(`There is no contract for ai ${unknown.join(', ')}; there is for ${MAJORS.join(', ')}.`);
  process.exit(2);
}

const work = mkdtempSync(join(tmpdir(), 'contract-'));
try {
  execFileSync(process.execPath, [join(root, 'scripts', 'ensure.mjs')], { stdio: 'inherit' });
  const { tarball } = pack(work);
  const failed = majors.filter((major) => !holds(major, tarball));
  if (failed.length > 0) {
    console.error(`FAIL the contract does not hold under ai ${failed.join(', ')}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

function holds(major, tarball) {
  const folder = join(root, 'test', 'contract', `ai${major}`);
  const start = performance.now();
  install(folder);
  place(tarball, folder);
  const { version } = readManifest(join(folder, 'node_modules', 'ai'));
  console.log(`ai ${version} on Node ${process.versions.node}: installed (${secondsSince(start)})`);
  const started = performance.now();
  const vitest = join(root, 'node_modules', 'vitest', 'vitest.mjs');
  const { status } = spawnSync(process.execPath, [vitest, 'run', '--typecheck.enabled=false', ...FILES], {
    cwd: root,
    stdio: 'inherit',
    env: { ...withoutKey(), CONTRACT: `ai${major}` },
  });
  console.log(`ai ${version}: ${status === 0 ? 'ok' : 'FAIL'} (${secondsSince(started)})\n`);
  return status === 0;
}

function install(folder) {
  const { dependencies } = readManifest(folder);
  for (const [name, range] of Object.entries(readManifest().dependencies)) {
    if (dependencies[name] !== range) throw new Error(`${folder} needs ${name}@${range}, as the package does`);
  }
  if (isInstalled(folder)) return;
  npm(['ci', '--no-audit', '--no-fund', '--prefer-offline'], folder);
}

/** Unpacks the package where an installation would put it; a tarball in a lockfile would change it with every build. */
function place(tarball, folder) {
  const target = join(folder, 'node_modules', readManifest().name);
  rmSync(target, { recursive: true, force: true });
  mkdirSync(target, { recursive: true });
  execFileSync('tar', ['-xzf', tarball, '-C', target, '--strip-components=1']);
}
