/**
 * Brings a checkout into a state that can run: installs when the lockfile asks for something else than what is there, and
 * builds when `dist` is missing or behind its sources. Says what it does on stderr; with nothing to do it says nothing.
 * Plain Node, since it runs before anything is installed.
 */
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const at = (...path) => join(root, ...path);

if (!isInstalled()) {
  console.error('Installing dependencies (npm ci) …');
  run(process.platform === 'win32' ? 'npm.cmd' : 'npm', ['ci', '--no-audit', '--no-fund']);
}
if (!isBuilt()) {
  console.error('Building the package (tsdown) …');
  run(process.execPath, [at('node_modules', 'tsdown', 'dist', 'run.mjs'), '--logLevel', 'error']);
}

/** By content, not by date: a checkout changes dates, and npm keeps a copy of what it installed. */
function isInstalled() {
  const wanted = readPackages(at('package-lock.json'));
  const present = readPackages(at('node_modules', '.package-lock.json'));
  if (wanted === undefined || present === undefined) return false;
  return Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    // Packages for other platforms are in the lockfile and rightly absent here.
    const found = present[path];
    return found === undefined ? entry.optional === true : found.version === entry.version;
  });
}

function readPackages(path) {
  try {
    return JSON.parse(readFileSync(path, 'utf8')).packages;
  } catch {
    return undefined;
  }
}

function isBuilt() {
  const { exports } = JSON.parse(readFileSync(at('package.json'), 'utf8'));
  const outputs = filesNamedIn(exports).filter((path) => path.startsWith('./dist/'));
  const inputs = [at('package.json'), at('tsdown.config.ts'), ...sourceFiles()];
  const newestInput = Math.max(...inputs.map(changedAt));
  return outputs.every((path) => changedAt(at(path)) >= newestInput);
}

/** All paths of an `exports` map. */
function filesNamedIn(entry) {
  return typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(filesNamedIn);
}

function sourceFiles() {
  return readdirSync(at('src'), { recursive: true }).map((name) => at('src', String(name)));
}

/** Milliseconds; a file that is not there has never been changed. */
function changedAt(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? -Infinity;
}

/** Runs a program with its output on stderr, since stdout belongs to whatever comes after. */
function run(command, args) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: ['ignore', 2, 2],
    shell: command.endsWith('.cmd'),
  });
  if (status === 0) return;
  console.error(`${command} ${args.join(' ')} failed${error === undefined ? '' : `: ${error.message}`}.`);
  process.exit(1);
}
