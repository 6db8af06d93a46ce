/**
 * Installs the packed package beside each major of the AI SDK as apps do: with npm, pnpm, yarn and bun, with both generations
 * of zod. Then a program runs on every runtime, and TypeScript compiles an app's files and emits their declarations. Tools
 * come from the npm registry, by npx. Needs a build; prints a line per check and the seconds it took.
 */
import { execFile } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { pack, readManifest, root, secondsSince, withoutKey } from './packed.mjs';

const run = promisify(execFile);
const contract = join(root, 'test', 'contract');

/** `node` is the least that a major says it runs on; `providers` are the majors of @ai-sdk/provider in its tree. */
const MAJORS = [
  { major: 5, node: 18, faces: ['v2'], providers: ['2'] },
  { major: 6, node: 18, faces: ['v2', 'v3'], providers: ['2', '3'] },
  { major: 7, node: 22, faces: ['v2', 'v3', 'v4'], providers: ['2', '4'] },
].map((entry) => ({ ...entry, ai: readManifest(join(contract, `ai${entry.major}`)).dependencies.ai }));
const ZODS = ['4.6.7', '3.25.76'];
const NODES = ['18', '20', '22', '24'];
const TYPESCRIPTS = ['5.9.3', '7.0.2'];

/** What the program says of a face that the major takes. */
const WHOLE = '10 sources, same text, 2 steps with the tool, object with a string, usage';

const work = mkdtempSync(join(tmpdir(), 'installs-'));
const quiet = ['--no-audit', '--no-fund', '--prefer-offline'];
const MANAGERS = {
  npm: ['npm', 'install', ...quiet],
  pnpm: ['pnpm', 'install', '--strict-peer-dependencies', '--prefer-offline'],
  yarn: ['yarn', 'install', '--no-progress', '--prefer-offline', '--mutex', `file:${join(work, 'yarn-mutex')}`],
  bun: ['bun', 'install'],
};
const PACKAGES = { pnpm: 'pnpm@10', yarn: 'yarn@1', bun: 'bun@1', deno: 'deno@2' };

let failures = 0;
try {
  const { tarball } = pack(work);
  await check('tools', fetchTools);
  const installed = await Promise.all(MAJORS.map((entry) => installWithAll(entry, tarball)));
  const apps = installed.flat();
  await inTurn('runtimes', apps.filter(({ zod, manager }) => manager === 'npm' && zod === ZODS[0]).flatMap(runsOf));
  await inTurn('types', await compilationsOf(apps.filter(({ manager }) => manager === 'npm' || manager === 'pnpm')));
} finally {
  rmSync(work, { recursive: true, force: true });
}
if (failures > 0) {
  console.error(`FAIL ${failures} checks of installations`);
  process.exitCode = 1;
}

/** One check: its line says what held, or what was said by what failed. */
async function check(name, work) {
  const start = performance.now();
  try {
    const said = await work();
    console.log(`ok ${name}${said ? `: ${said}` : ''} (${secondsSince(start)})`);
  } catch (error) {
    failures++;
    console.error(`FAIL ${name}: ${error.message}\n${error.stdout ?? ''}`);
  }
}

/** Two at a time, since there are two cores. */
async function inTurn(name, checks) {
  const start = performance.now();
  let next = 0;
  const worker = async () => {
    while (next < checks.length) await checks[next++]();
  };
  await Promise.all([worker(), worker()]);
  console.log(`== ${name}: ${checks.length} checks (${secondsSince(start)})`);
}

/** One after the other: two that fetch the same tool at once get into each other's way. */
async function fetchTools() {
  const versions = [];
  for (const version of NODES)
    versions.push(await call(['node', '--version'], { folder: work, packages: [`node@${version}`] }));
  for (const tool of Object.keys(PACKAGES)) versions.push(await call([tool, '--version'], { folder: work }));
  return versions.map(({ stdout }) => stdout.split('\n')[0]).join(', ');
}

async function installWithAll(entry, tarball) {
  const apps = Object.keys(MANAGERS).map((manager) => ({ ...entry, manager, zod: ZODS[0] }));
  apps.push({ ...entry, manager: 'npm', zod: ZODS[1] });
  for (const app of apps) {
    app.folder = join(work, `ai${app.major}-${app.manager}-${app.zod}`);
    await check(`${app.manager}, ai ${app.ai}, zod ${app.zod}`, () => install(app, tarball));
  }
  return apps;
}

async function install(app, tarball) {
  const { folder, manager, ai, zod } = app;
  const name = readManifest().name;
  mkdirSync(folder);
  writeJson(join(folder, 'package.json'), {
    name: 'app',
    private: true,
    type: 'module',
    dependencies: { ai, [name]: `file:${tarball}`, zod },
  });
  const { stdout, stderr } = await call(MANAGERS[manager], app);
  const complaints = `${stdout}\n${stderr}`.split('\n').filter((line) => /peer|EBADENGINE|ERESOLVE/i.test(line));
  if (complaints.length > 0) throw new Error(complaints.join('\n'));
  if (manager === 'npm') await call(['npm', 'ls', '--all', '--silent'], app);
  const found = versionsIn(folder, join('@ai-sdk', 'provider'));
  const majors = new Set(found.map((version) => version.split('.')[0]));
  if (String([...majors]) !== String(app.providers))
    throw new Error(`@ai-sdk/provider ${found.join(', ')} in the tree`);
  // Bun says nothing of peers; a second copy of zod would be what one comes to.
  const zods = versionsIn(folder, 'zod');
  if (String(zods) !== zod) throw new Error(`zod ${zods.join(', ')} in the tree`);
  copyFileSync(join(contract, 'program.mjs'), join(folder, 'program.mjs'));
  await runProgram(app, ['node']);
  return `@ai-sdk/provider ${found.join(', ')}`;
}

/** Runs a command of npx or of this Node; a major that this Node is too old for gets the least one that it runs on. */
function call([program, ...args], { folder, node = 0, packages: given = [] }) {
  const isTooOld = Number.parseInt(process.versions.node) < node;
  const packages = [...given, ...(isTooOld ? [`node@${node}`] : []), ...(PACKAGES[program] ? [PACKAGES[program]] : [])];
  const [command, ...first] =
    packages.length === 0 ? [program] : ['npx', '-y', ...packages.flatMap((name) => ['-p', name]), program];
  const env = { ...withoutKey(), NO_COLOR: '1', npm_config_prefer_offline: 'true', DENO_NO_UPDATE_CHECK: '1' };
  return run(command, [...first, ...args], { cwd: folder, env, maxBuffer: 2 ** 26 });
}

/** Versions of a package anywhere under a folder. */
function versionsIn(folder, name) {
  const tail = join('node_modules', name, 'package.json');
  const found = readdirSync(folder, { recursive: true })
    .map(String)
    .filter((path) => path === tail || path.endsWith(sep + tail))
    .map((path) => readManifest(join(folder, path, '..')).version);
  return [...new Set(found)].sort((a, b) => a.localeCompare(b));
}

async function runProgram(app, [program, ...args]) {
  const { stdout } = await call([program, ...args, 'program.mjs'], app);
  const expected = ['v2', 'v3', 'v4'].map(
    (face) => `${face}: ${app.faces.includes(face) ? WHOLE : 'AI_UnsupportedModelVersionError'}`,
  );
  if (stdout.trim() !== expected.join('\n')) throw new Error(`the program said\n${stdout}`);
  return app.faces.join(', ');
}

function runsOf(app) {
  const named = `ai ${app.ai} on`;
  const nodes = NODES.filter((version) => Number(version) >= app.node).map((version) => async () => {
    const { folder, faces } = app;
    await check(`${named} Node ${version}`, () =>
      runProgram({ folder, faces, packages: [`node@${version}`] }, ['node']),
    );
  });
  const others = [['bun'], ['deno', 'run', '--allow-all', '--no-lock', '--cached-only']].map((runner) => async () => {
    const { folder, faces } = app;
    await check(`${named} ${PACKAGES[runner[0]]}`, () => runProgram({ folder, faces }, runner));
  });
  return [...nodes, ...others];
}

async function compilationsOf(apps) {
  const options = {
    NodeNext: { module: 'NodeNext', moduleResolution: 'NodeNext' },
    Bundler: { module: 'ESNext', moduleResolution: 'Bundler', composite: true },
  };
  const compilers = await Promise.all(
    TYPESCRIPTS.map(async (version) => {
      const folder = join(work, `typescript-${version}`);
      mkdirSync(folder);
      writeJson(join(folder, 'package.json'), { private: true });
      await call(['npm', 'install', ...quiet, `typescript@${version}`], { folder });
      return { version, bin: join(folder, 'node_modules', 'typescript', 'bin', 'tsc') };
    }),
  );
  return compilers.flatMap((compiler) =>
    apps.flatMap((app) =>
      Object.entries(options).map(([name, resolution]) => async () => {
        const { manager, ai, zod } = app;
        await check(`TypeScript ${compiler.version}, ${manager}, ai ${ai}, zod ${zod}, ${name}`, () =>
          compile(compiler, app, name, resolution),
        );
      }),
    ),
  );
}

async function compile({ version, bin }, { folder, major, manager }, name, resolution) {
  copyFileSync(join(contract, 'declarations.ts'), join(folder, 'declarations.ts'));
  copyFileSync(join(contract, `ai${major}`, 'consumer.ts'), join(folder, 'consumer.ts'));
  const config = `tsconfig.${version}.${name}.json`;
  const outDir = `out-${version}-${name}`;
  writeJson(join(folder, config), {
    compilerOptions: {
      target: 'ES2022',
      lib: ['ES2022', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      types: [],
      strict: true,
      noUncheckedIndexedAccess: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: true,
      declaration: true,
      emitDeclarationOnly: true,
      outDir,
      ...resolution,
    },
    // What the SDK gives cannot be named where pnpm hides the packages that it depends on.
    files: ['declarations.ts', ...(manager === 'pnpm' ? [] : ['consumer.ts'])],
  });
  await run(process.execPath, [bin, '-p', config], { cwd: folder });
  const emitted = readFileSync(join(folder, outDir, 'declarations.d.ts'), 'utf8');
  // Named, not written out with all that it is made of.
  if (emitted.includes('doGenerate')) throw new Error(`models are not named in\n${emitted}`);
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
