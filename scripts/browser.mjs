/**
 * Tests the chat of `examples/next-chat` in a real browser: as it is committed (ai 7), then a copy of it under ai 5.
 * `node scripts/browser.mjs [ai7] [ai5] [--grep <pattern>]`; what else is given goes to Playwright. It needs nothing but Node: Chromium, the
 * build of the package and the installation of the app are seen to.
 */
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { copyForAi5, ensureInstalled } from './browser/app.mjs';
import { ensureChromium } from './browser/chromium.mjs';
import { readManifest, root, secondsSince, withoutKey } from './packed.mjs';

const VARIANTS = ['ai7', 'ai5'];
const given = process.argv.slice(2);
const named = given.filter((word) => VARIANTS.includes(word));
const forPlaywright = given.filter((word) => !VARIANTS.includes(word));
const example = join(root, 'examples', 'next-chat');

const work = mkdtempSync(join(tmpdir(), 'next-chat-'));
try {
  const chromium = ensureChromium();
  execFileSync(process.execPath, [join(root, 'scripts', 'ensure.mjs')], { stdio: 'inherit' });
  const failed = [];
  for (const variant of named.length > 0 ? named : VARIANTS) {
    if (!(await passes(variant, chromium))) failed.push(variant);
  }
  if (failed.length > 0) {
    console.error(`FAIL the chat in a browser: ${failed.join(' and ')}`);
    process.exitCode = 1;
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}

/** Installs, builds and tests one variant of the app. */
async function passes(variant, chromium) {
  const start = performance.now();
  const app = variant === 'ai5' ? copyForAi5(example, work) : example;
  if (variant === 'ai7') ensureInstalled(app);
  const { version } = readManifest(join(app, 'node_modules', 'ai'));
  console.log(`${variant}: ai ${version} installed (${secondsSince(start)})`);

  const env = { ...withoutKey(), NEXT_TELEMETRY_DISABLED: '1', CHROMIUM: chromium, VARIANT: variant };
  const steps = [
    { done: 'built', args: [join('node_modules', 'next', 'dist', 'bin', 'next'), 'build'] },
    { done: 'tested', args: [join('node_modules', '@playwright', 'test', 'cli.js'), 'test', ...forPlaywright] },
  ];
  for (const { done, args } of steps) {
    const started = performance.now();
    const status = await run(args, app, env);
    console.log(`${variant}: ${status === 0 ? done : `FAIL, not ${done}`} (${secondsSince(started)})`);
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
