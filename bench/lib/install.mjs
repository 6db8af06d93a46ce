/** Brings the bench into a state that can run: the package built, the peers installed, the package among them. */
import { execFileSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled, npm, readManifest, root } from '../../scripts/packed.mjs';
import { at } from './places.mjs';

/** Says what it does on stderr; with nothing to do it says nothing. */
export function prepare() {
  execFileSync(process.execPath, [join(root, 'scripts', 'ensure.mjs')], { stdio: 'inherit' });
  if (!isInstalled(at())) {
    console.error('Installing the peers (npm ci in bench) …');
    npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], at());
  }
  placePackage();
}

/** Copies the built package to where an installation would put it: what it imports is then found as an app finds it. */
function placePackage() {
  const target = at('node_modules', readManifest().name);
  rmSync(target, { recursive: true, force: true });
  for (const part of ['package.json', 'dist']) cpSync(join(root, part), join(target, part), { recursive: true });
}
