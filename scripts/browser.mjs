/**
 * The chat of examples/next-chat in a real browser: built, started, and driven by its Playwright tests. As it is committed
 * (ai 7, `/v4`), then as a copy under ai 5 with the root entry.
 *
 *   node scripts/browser.mjs                        # both
 *   node scripts/browser.mjs --ai 7 -g "deep run"   # one of them; the rest goes to Playwright
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { npm, pack, root, secondsSince, withoutKey } from './packed.mjs';

const app = join(root, 'examples', 'next-chat');
/** What a build, a run or an installation leaves in the app's folder. */
const LEFTOVERS = new Set(['node_modules', '.next', '.data', 'test-results', 'package-lock.json']);
const CHROMIUM = process.env.CHROMIUM_PATH ?? '/usr/bin/chromium';
const AI_5 = { ai: '5.0.277', '@ai-sdk/react': '2.0.280' };

const [flag, major, ...others] = process.argv.slice(2);
const only = flag === '--ai' ? major : undefined;
const forPlaywright = flag === '--ai' ? others : process.argv.slice(2);
if (only !== undefined && !['5', '7'].includes(only)) {
  console.error(`--ai takes 5 or 7, not ${only}.`);
  process.exit(2);
}

ensureChromium();
if (only !== '5') {
  const start = performance.now();
  npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], app);
  test(app, 'ai 7', start);
}
if (only !== '7') {
  const folder = mkdtempSync(join(tmpdir(), 'next-chat-ai-5-'));
  try {
    const start = performance.now();
    copyForAi5(folder);
    npm(['install', '--no-audit', '--no-fund', '--loglevel=error'], folder);
    test(folder, 'ai 5', start);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function ensureChromium() {
  if (existsSync(CHROMIUM)) return;
  console.error('Installing chromium (apt-get) …');
  for (const args of [
    ['update', '-qq'],
    ['install', '-y', '-qq', '--no-install-recommends', 'chromium'],
  ]) {
    const { status } = spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] });
    if (status === 0) continue;
    console.error(
      'There is no Chromium, and apt-get cannot install it. Install it, and set CHROMIUM_PATH to its program.',
    );
    process.exit(1);
  }
}

/** The same sources, but for the entry of the package and two versions. */
function copyForAi5(folder) {
  cpSync(app, folder, { recursive: true, filter: (path) => !LEFTOVERS.has(basename(path)) });
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!/\.tsx?$/.test(name)) continue;
    const file = join(folder, name);
    const code = readFileSync(file, 'utf8');
    writeFileSync(file, code.replaceAll("'ai-sdk-provider-perplexity-agent/v4'", "'ai-sdk-provider-perplexity-agent'"));
  }
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const { tarball } = pack(folder);
  Object.assign(manifest.dependencies, AI_5, { 'ai-sdk-provider-perplexity-agent': `file:${tarball}` });
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest, undefined, 2));
}

function test(folder, name, start) {
  const env = { ...withoutKey(), NEXT_TELEMETRY_DISABLED: '1', CHROMIUM_PATH: CHROMIUM };
  const run = (program, ...args) =>
    execFileSync(process.execPath, [join('node_modules', program), ...args], { cwd: folder, env, stdio: 'inherit' });
  run('next/dist/bin/next', 'build');
  console.log(`${name}: installed and built in ${secondsSince(start)}`);
  run('@playwright/test/cli.js', 'test', ...forPlaywright);
  console.log(`${name}: passed in ${secondsSince(start)}`);
}
