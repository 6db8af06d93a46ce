/** What an install brings along: which files, whose code, and that nothing is run. Needs a build (`npm test` makes one). */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../../', import.meta.url));
const at = (...path: string[]) => join(root, ...path);
const readText = (...path: string[]) => readFileSync(at(...path), 'utf8');
const readJson = (...path: string[]): unknown => JSON.parse(readText(...path));

type Manifest = {
  files: string[];
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  peerDependencies: Record<string, string>;
};
type Lockfile = {
  packages: Record<
    string,
    {
      link?: boolean;
      integrity?: string;
      resolved?: string;
      hasInstallScript?: boolean;
      license?: string;
      dependencies?: Record<string, string>;
    }
  >;
};

const manifest = readJson('package.json') as Manifest;

describe('what is published', () => {
  const [packed] = JSON.parse(
    execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  ) as [{ files: { path: string; size: number }[]; unpackedSize: number }];
  const paths = packed.files.map(({ path }) => path);

  it('is the build, its sources, the documents and the licence', () => {
    const atTop = paths.filter((path) => !/^(?:dist|docs|src)\//.test(path));
    expect(atTop.sort()).toEqual(['CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md', 'SECURITY.md', 'package.json']);
    const inFolders = paths.filter((path) => !atTop.includes(path));
    const expected = /^(?:dist\/[\w-]+\.(?:d\.)?c?[jt]s(?:\.map)?|docs\/[\w-]+\.md|src\/[\w/-]+\.ts)$/;
    expect(inFolders.filter((path) => !expected.test(path))).toEqual([]);
    for (const entry of ['index', 'v3', 'v4', 'simulator', 'simulator-node']) {
      expect(paths).toEqual(
        expect.arrayContaining([`dist/${entry}.js`, `dist/${entry}.cjs`, `dist/${entry}.d.ts`, `dist/${entry}.d.cts`]),
      );
    }
    expect(packed.unpackedSize).toBeLessThan(4_500_000);
  });

  it('holds no key, no path of the machine that built it and nothing recorded', () => {
    const places = paths.filter((path) => {
      const text = readText(path);
      return /pplx-[A-Za-z0-9]{24,}|BEGIN [A-Z ]*PRIVATE KEY/.test(text) || text.includes(root.replace(/\/$/, ''));
    });
    expect(places).toEqual([]);
    expect(paths.filter((path) => /captur|record(?:ed|ings)/i.test(path))).toEqual([]);
  });

  it('runs nothing when it is installed', () => {
    const run = ['preinstall', 'install', 'postinstall', 'preprepare', 'prepare', 'postprepare', 'dependencies'];
    expect(Object.keys(manifest.scripts).filter((name) => run.includes(name))).toEqual([]);
    expect(existsSync(at('binding.gyp'))).toBe(false);
  });
});

describe('whose code it is', () => {
  const lock = (readJson('package-lock.json') as Lockfile).packages;

  /** What an install brings along, peers and what they need included. */
  function shipped(): string[] {
    const found = new Set<string>();
    const visit = (names: Record<string, string> = {}) => {
      for (const name of Object.keys(names)) {
        if (found.has(name)) continue;
        found.add(name);
        visit(lock[`node_modules/${name}`]?.dependencies);
      }
    };
    visit({ ...manifest.dependencies, ...manifest.peerDependencies });
    return [...found].sort();
  }

  it('comes with four packages under licences that allow it, none of which runs anything', () => {
    expect(shipped().map((name) => [name, lock[`node_modules/${name}`]?.license])).toEqual([
      ['@ai-sdk/provider', 'Apache-2.0'],
      ['eventsource-parser', 'MIT'],
      ['json-schema', '(AFL-2.1 OR BSD-3-Clause)'],
      ['zod', 'MIT'],
    ]);
    expect(shipped().filter((name) => lock[`node_modules/${name}`]?.hasInstallScript === true)).toEqual([]);
  });

  it('is told in NOTICE where it was compiled in', () => {
    const compiledIn = new Set<string>();
    for (const file of readdirSync(at('dist')).filter((name) => name.endsWith('.map'))) {
      for (const source of (readJson('dist', file) as { sources: string[] }).sources) {
        const name = /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(source)?.[1];
        // The provider packages of other majors go by names of their own here.
        if (name !== undefined) compiledIn.add(name.replace(/^ai-sdk-provider-v\d$/, '@ai-sdk/provider'));
      }
    }
    expect([...compiledIn].sort()).toEqual(['@ai-sdk/provider', '@ai-sdk/provider-utils']);
    const notice = readText('NOTICE');
    for (const name of compiledIn) {
      expect(notice).toContain(name);
      expect((readJson('node_modules', name, 'package.json') as { license: string }).license).toBe('Apache-2.0');
      expect(readText('node_modules', name, 'LICENSE')).toContain('Copyright 2023 Vercel, Inc.');
    }
    expect(notice).toContain('Copyright 2023 Vercel, Inc.');
    expect(readText('LICENSE')).toMatch(/Apache License\s+Version 2\.0/);
  });
});

it('SECURITY.md names tests that exist', () => {
  const named = Array.from(readText('SECURITY.md').matchAll(/`(test\/[^`]+)`/g), ([, path = '']) => path);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((path) => !existsSync(at(path)))).toEqual([]);
});

describe('each lockfile', () => {
  const locks = [
    'package-lock.json',
    'bench/package-lock.json',
    'examples/next-chat/package-lock.json',
    ...[5, 6, 7].map((major) => `test/contract/ai${major}/package-lock.json`),
  ];

  it.each(locks)('%s pins every package by its digest, from the registry, and only esbuild runs a script', (path) => {
    const entries = Object.entries((readJson(path) as Lockfile).packages);
    // The project itself, its workspaces, and this package where an example uses it.
    const foreign = entries.filter(
      ([place, { link, resolved }]) =>
        place.includes('node_modules/') && link !== true && !resolved?.startsWith('file:'),
    );
    expect(foreign.length).toBeGreaterThan(10);
    const unpinned = foreign.filter(
      ([, { integrity, resolved }]) =>
        !/^sha512-[A-Za-z0-9+/]{86}==$/.test(integrity ?? '') ||
        (resolved !== undefined && !resolved.startsWith('https://registry.npmjs.org/')),
    );
    expect(unpinned.map(([place]) => place)).toEqual([]);
    const running = foreign.filter(([, { hasInstallScript }]) => hasInstallScript === true).map(([place]) => place);
    expect(running.filter((place) => !place.endsWith('node_modules/esbuild'))).toEqual([]);
  });
});
