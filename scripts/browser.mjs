/**
 * Tests the chat of `examples/next-chat` in a real browser: as it is committed (ai 7, `/v4`), then a copy of it under ai 5.
 *
 *   node scripts/browser.mjs                           # both
 *   node scripts/browser.mjs --ai 7 --grep "deep run"  # one of them; the rest goes to Playwright
 *
 * Chromium and the installation of the app are seen to; the package must have been built (`npm run test:browser` does that).
 */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyForAi5, ensureInstalled } from './browser/app.mjs';
import { ensureChromium } from './browser/chromium.mjs';
import { readManifest, root, secondsSince, withoutKey } from './packed.mjs';

const given = process.argv.slice(2);
const only = given[0] === '--ai' ? given[1] : undefined;
const forPlaywright = given[0] === '--ai' ? given.slice(2) : given;
if (given[0] === '--ai' && only !== '5' && only !== '7') {
  console.error(`--ai takes 5 or 7, not ${only}.`);
  process.exit(2);
}
const example = join(root, 'examples', 'next-chat');

const work = mkdtempSync(join(tmpdir(), 'next-chat-'));
try {
  const chromium = ensureChromium();
  const failed = [];
  for (const major of only === undefined ? ['7', '5'] : [only]) {
    if (!(await passes(major, chromium))) failed.push(`ai ${major}`);
  }
  if (failed.length > 0) {
    console.error(`FAIL the chat in a browser: ${failed.join(' and ')}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Installs, builds and tests the app under one major of the AI SDK. */
async function passes(major, chromium) {
  const start = performance.now();
  const app = major === '5' ? copyForAi5(example, work) : example;
  if (major === '7') ensureInstalled(app);
  const { version } = readManifest(join(app, 'node_modules', 'ai'));
  console.log(`ai ${version}: installed (${secondsSince(start)})`);

  const env = { ...withoutKey(), NEXT_TELEMETRY_DISABLED: '1', CHROMIUM_PATH: chromium, AI_MAJOR: major };
  const steps = [
    { done: 'built', args: [join('node_modules', 'next', 'dist', 'bin', 'next'), 'build'] },
    { done: 'tested', args: [join('node_modules', '@playwright', 'test', 'cli.js'), 'test', ...forPlaywright] },
  ];
  for (const { done, args } of steps) {
    const started = performance.now();
    const status = await run(args, app, env);
    console.log(`ai ${version}: ${status === 0 ? done : `FAIL, not ${done}`} (${secondsSince(started)})`);
    if (status !== 0) return false;
  }
  return true;
}

/** Runs a program of Node in a process group of its own, of which nothing is left when it is over, however it ends. */
function run(args, cwd, env) {
  const child = spawn(process.execPath, args, { cwd, env, stdio: 'inherit', detached: true });
  const endGroup = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // Nothing of the group is left.
    }
  };
  const stop = () => {
    endGroup();
    rmSync(work, { recursive: true, force: true });
    process.exit(130);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('exit', (code) => {
      endGroup();
      for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.off(signal, stop);
      resolve(code ?? 1);
    });
  });
}
