/** The two forms of the example app: the committed one, and a copy of it that uses ai 5. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { isInstalled, npm, pack, readManifest } from '../packed.mjs';

const PACKAGE = readManifest().name;
const AI_5 = { ai: '5.0.277', '@ai-sdk/react': '2.0.280' };
const LEFT_OUT = new Set(['node_modules', '.next', '.data', 'package-lock.json']);

/** `npm ci` where the lockfile asks for it, or where the package has been built anew since. */
export function ensureInstalled(app) {
  const installed = join(app, 'node_modules', PACKAGE);
  if (isInstalled(app) && hasSameBuild(installed)) return;
  // What npm copied of another build would stay, since its version is the same.
  rmSync(installed, { recursive: true, force: true });
  npm(['ci', '--no-audit', '--no-fund', '--prefer-offline'], app);
}

/** Whether the app has the build of the package that is there now, by content. */
function hasSameBuild(installed) {
  const dist = join(import.meta.dirname, '..', '..', 'dist');
  const copy = join(installed, 'dist');
  return existsSync(copy) && digest(dist) === digest(copy);
}

function digest(folder) {
  const hash = createHash('sha256');
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    hash.update(relative(folder, path)).update(readFileSync(path));
  }
  return hash.digest('hex');
}

/** Copies the app, puts the root entry in the place of `/v4` and ai 5 in that of ai 7, and installs it; gives the copy's folder. */
export function copyForAi5(app, work) {
  const copy = join(work, 'ai5');
  cpSync(app, copy, { recursive: true, filter: (path) => !LEFT_OUT.has(relative(app, path).split(/[\\/]/u)[0]) });
  for (const entry of readdirSync(copy, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:ts|tsx|mts|mjs)$/u.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const text = readFileSync(path, 'utf8');
    const swapped = text.replaceAll(`'${PACKAGE}/v4'`, `'${PACKAGE}'`);
    if (swapped !== text) writeFileSync(path, swapped);
  }
  const manifest = readManifest(copy);
  Object.assign(manifest.dependencies, AI_5, { [PACKAGE]: `file:${pack(work).tarball}` });
  writeFileSync(join(copy, 'package.json'), JSON.stringify(manifest, null, 2));
  npm(['install', '--no-audit', '--no-fund', '--prefer-offline'], copy);
  return copy;
}
