/** Finds Debian's Chromium, and installs it where that can be done. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const CHROMIUM = '/usr/bin/chromium';

/** The path of a Chromium; `CHROMIUM_PATH` names another one. */
export function ensureChromium() {
  const path = process.env.CHROMIUM_PATH ?? CHROMIUM;
  if (existsSync(path)) return path;
  if (process.env.CHROMIUM_PATH !== undefined || process.getuid?.() !== 0 || !existsSync('/usr/bin/apt-get')) {
    console.error(
      `There is no ${path}. Install it (Debian: apt-get install chromium), or name one: CHROMIUM_PATH=/path/to/chromium npm run test:browser`,
    );
    process.exit(1);
  }
  console.log('Installing chromium (apt-get) …');
  const install = ['install', '-y', '--no-install-recommends', 'chromium'];
  try {
    apt(install);
  } catch {
    // A fresh image may have no package lists yet.
    apt(['update']);
    apt(install);
  }
  return path;
}

function apt(args) {
  execFileSync('apt-get', ['-qq', ...args], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
