/**
 * Checks the package as an app gets it: what is in the tarball, what it depends on, whether it compiles and runs beside
 * ai 5 with both generations of zod, as ES modules and as CommonJS. Needs a build; the calls need no network.
 */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { npm, pack, readManifest, root, withoutKey } from './packed.mjs';

const AI = 'ai@5.0.277';
const ZODS = ['4.6.7', '3.25.76'];
const DEPENDENCIES = { '@ai-sdk/provider': '^2', 'eventsource-parser': '^3' };
const DOCS = ['CHANGELOG.md', 'LICENSE', 'NOTICE', 'README.md', 'SECURITY.md', 'docs/migration.md', 'package.json'];
const consumer = join(root, 'test', 'consumer');

const work = mkdtempSync(join(tmpdir(), 'consumer-'));
try {
  const tarball = checkTarball();
  checkDependencies();
  checkImports();
  for (const zod of ZODS) checkApp(tarball, zod);
} catch (error) {
  console.error(`FAIL ${error.message}${error.stdout ? `\n${error.stdout}` : ''}`);
  process.exitCode = 1;
} finally {
  rmSync(work, { recursive: true, force: true });
}

function checkTarball() {
  const { tarball, paths, size } = pack(work);
  const stray = paths.filter((path) => !DOCS.includes(path) && !/^(?:dist|src)\//.test(path));
  const missing = DOCS.filter((path) => !paths.includes(path));
  const { exports } = readManifest();
  const unbuilt = filesNamedIn(exports).filter((path) => !paths.includes(path.replace('./', '')));
  expectNone('files that do not belong into the tarball', stray);
  expectNone('files missing from the tarball', [...missing, ...unbuilt]);
  console.log(
    `ok tarball: ${paths.length} files, ${Math.round(size / 1024)} KB packed; only dist, src and ${DOCS.join(', ')}`,
  );
  return tarball;
}

function checkDependencies() {
  const { dependencies = {}, peerDependencies = {} } = readManifest();
  const wrong = Object.entries(dependencies).filter(([name, range]) => majorOf(range) !== DEPENDENCIES[name]);
  const missing = Object.keys(DEPENDENCIES).filter((name) => !(name in dependencies));
  expectNone('dependencies other than the agreed ones', [
    ...wrong.map(([name, range]) => `${name}@${range}`),
    ...missing,
  ]);
  expectNone(
    'peer dependencies other than zod',
    Object.keys(peerDependencies).filter((name) => name !== 'zod'),
  );
  console.log(`ok dependencies: ${Object.keys(dependencies).join(', ')}; peer: zod`);
}

/** A bundler inlines what it is not told to leave out, zod above all: then the imports are gone from the built files. */
function checkImports() {
  const allowed = [...Object.keys(DEPENDENCIES), 'zod/v4/core'];
  const found = new Set();
  for (const file of readdirSync(join(root, 'dist')).filter((name) => /\.c?js$/.test(name))) {
    const text = readFileSync(join(root, 'dist', file), 'utf8');
    for (const [, name] of text.matchAll(/^(?:import\b[^;'"]*|.*?\brequire\()["']([^."'][^"']*)["']/gm)) {
      if (!file.startsWith('simulator-node.') || !name.startsWith('node:')) found.add(name);
    }
  }
  expectNone(
    'imports of undeclared packages',
    [...found].filter((name) => !allowed.includes(name)),
  );
  expectNone(
    'dependencies that are not imported, so inlined',
    allowed.filter((name) => !found.has(name)),
  );
  console.log(`ok built files import ${[...found].join(', ')}`);
}

function checkApp(tarball, zod) {
  const app = join(work, `zod-${zod}`);
  mkdirSync(app);
  writeJson(join(app, 'package.json'), { name: 'app', private: true });
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline', tarball, AI, `zod@${zod}`], app);
  for (const type of ['module', 'commonjs']) {
    const folder = join(app, type);
    mkdirSync(folder);
    writeJson(join(folder, 'package.json'), { type });
    for (const file of readdirSync(consumer)) copyFileSync(join(consumer, file), join(folder, file));
    compile(folder, { module: 'NodeNext', moduleResolution: 'NodeNext', outDir: 'out' });
    const said = execFileSync(process.execPath, ['out/calls.js'], { cwd: folder, encoding: 'utf8', env: withoutKey() });
    console.log(`ok ${AI}, zod ${zod}, ${type}: compiled (NodeNext, with declarations) and ran: ${said.trim()}`);
    if (type === 'commonjs') continue;
    compile(folder, { module: 'ESNext', moduleResolution: 'Bundler', noEmit: true });
    console.log(`ok ${AI}, zod ${zod}, ${type}: compiled (Bundler)`);
  }
}

function compile(folder, options) {
  const compilerOptions = {
    target: 'ES2022',
    lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
    types: [],
    strict: true,
    skipLibCheck: true,
    declaration: true,
    ...options,
  };
  writeJson(join(folder, 'tsconfig.json'), { compilerOptions, include: ['*.ts'] });
  execFileSync(process.execPath, [join(root, 'node_modules', 'typescript', 'bin', 'tsc'), '-p', folder], {
    encoding: 'utf8',
  });
}

function filesNamedIn(entry) {
  return typeof entry === 'string' ? [entry] : Object.values(entry).flatMap(filesNamedIn);
}

function majorOf(range) {
  return range.replace(/\..*$/, '');
}

function writeJson(path, value) {
  writeFileSync(path, JSON.stringify(value, undefined, 2));
}

function expectNone(what, list) {
  if (list.length > 0) throw new Error(`${what}: ${list.join(', ')}`);
}
