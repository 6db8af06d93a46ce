/** `scripts/ensure.mjs` in a project of its own, with a build and an npm that only say that they were called. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const script = fileURLToPath(new URL('../../scripts/ensure.mjs', import.meta.url));
const LONG_AGO = new Date('2026-01-01');
const LATER = new Date('2026-02-01');

let root: string;
const at = (path: string) => join(root, path);
const write = (path: string, content: string | object, date = LONG_AGO) => {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), typeof content === 'string' ? content : JSON.stringify(content));
  utimesSync(at(path), date, date);
};

const PACKAGES = {
  'node_modules/a': { version: '1.0.0' },
  'node_modules/other-os': { version: '1.0.0', optional: true },
};

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'ensure-'));
  write('package.json', {
    exports: { '.': { import: './dist/index.js', require: './dist/index.cjs' }, './package.json': './package.json' },
  });
  write('package-lock.json', { packages: { '': {}, ...PACKAGES } });
  write('tsdown.config.ts', '');
  write('src/index.ts', '');
  write('dist/index.js', '', LATER);
  write('dist/index.cjs', '', LATER);
  write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '1.0.0' } } });
  write(
    'node_modules/tsdown/dist/run.mjs',
    'console.log("built"); process.exitCode = Number(process.env.BUILD_FAILS ?? 0);',
  );
  write('bin/npm', '#!/bin/sh\necho "npm $*"\n');
  spawnSync('chmod', ['+x', at('bin/npm')]);
  utimesSync(at('src'), LONG_AGO, LONG_AGO);
  mkdirSync(at('scripts'));
  copyFileSync(script, at('scripts/ensure.mjs'));
});
afterEach(() => rmSync(root, { recursive: true }));

function ensure(env: Record<string, string> = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [at('scripts/ensure.mjs')], {
    encoding: 'utf8',
    env: { PATH: `${at('bin')}${delimiter}${process.env['PATH'] ?? ''}`, ...env },
  });
  return { status, stdout, stderr };
}

const BUILT = 'Building the package (tsdown) …\nbuilt\n';
const INSTALLED = 'Installing dependencies (npm ci) …\nnpm ci --no-audit --no-fund\n';

describe('scripts/ensure.mjs', () => {
  it('says nothing when all is there', () => {
    expect(ensure()).toEqual({ status: 0, stdout: '', stderr: '' });
  });

  it.each(['dist/index.js', 'dist/index.cjs'])('builds when %s is missing, with its output on stderr', (path) => {
    rmSync(at(path));
    expect(ensure()).toEqual({ status: 0, stdout: '', stderr: BUILT });
  });

  it.each(['src/index.ts', 'src/deep/in/there.ts', 'package.json', 'tsdown.config.ts'])(
    'builds when %s is newer',
    (path) => {
      write(path, path === 'package.json' ? { exports: './dist/index.js' } : '', new Date('2026-03-01'));
      expect(ensure().stderr).toBe(BUILT);
    },
  );

  it('fails when the build does', () => {
    rmSync(at('dist'), { recursive: true });
    const { status, stderr } = ensure({ BUILD_FAILS: '3' });
    expect(status).toBe(1);
    expect(stderr).toMatch(/run\.mjs --logLevel error failed\.\n$/);
  });

  it('installs when nothing is installed, when a package is missing or has another version', () => {
    write('node_modules/.package-lock.json', { packages: { 'node_modules/a': { version: '0.9.0' } } });
    expect(ensure().stderr).toBe(INSTALLED);
    write('node_modules/.package-lock.json', { packages: {} });
    expect(ensure().stderr).toBe(INSTALLED);
    rmSync(at('node_modules/.package-lock.json'));
    expect(ensure()).toEqual({ status: 0, stdout: '', stderr: INSTALLED });
  });

  it('does not install again because a checkout touched the lockfile', () => {
    utimesSync(at('package-lock.json'), new Date(), new Date());
    expect(ensure().stderr).toBe('');
  });
});
