/** What the checks of the packed package share: npm, what it has installed, the tarball, an environment without the owner's key. */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

export const root = fileURLToPath(new URL('..', import.meta.url));

export const readManifest = (folder = root) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));

/** The npm that runs this script, else the one on the path; with its errors on stderr. */
export function npm(args, cwd) {
  const [program, ...first] = process.env.npm_execpath?.endsWith('.js')
    ? [process.execPath, process.env.npm_execpath]
    : ['npm'];
  return execFileSync(program, [...first, ...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Whether a folder has what its lockfile asks for: npm keeps a copy of what it installed. */
export function isInstalled(folder) {
  const versions = (...path) => {
    try {
      const { packages } = JSON.parse(readFileSync(join(folder, ...path), 'utf8'));
      return Object.entries(packages).flatMap(([name, { version }]) => (name === '' ? [] : [[name, version]]));
    } catch {
      return undefined;
    }
  };
  const present = versions('node_modules', '.package-lock.json');
  return present !== undefined && isDeepStrictEqual(present, versions('package-lock.json'));
}

/** Packs the built package into a folder. */
export function pack(folder) {
  const listing = npm(['pack', '--json', '--ignore-scripts', '--pack-destination', folder], root);
  const [{ filename, files, size }] = Object.values(JSON.parse(listing));
  return { tarball: join(folder, filename), paths: files.map(({ path }) => path), size };
}

export function withoutKey() {
  const { PERPLEXITY_API_KEY: _key, PERPLEXITY_BASE_URL: _url, ...env } = process.env;
  return env;
}

/** Seconds since a moment of `performance.now()`. */
export const secondsSince = (start) => `${((performance.now() - start) / 1000).toFixed(1)} s`;
