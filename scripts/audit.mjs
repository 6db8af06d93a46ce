/**
 * `npm audit` of what ships: no known vulnerability at all. A registry without advisories, such as a mirror, is told and not taken
 * for a clean bill.
 */
import { spawnSync } from 'node:child_process';
import { root } from './packed.mjs';

const { stdout } = spawnSync('npm', ['audit', '--omit=dev', '--json'], { cwd: root, encoding: 'utf8' });
const report = parsed(stdout);
const total = report?.metadata?.vulnerabilities?.total;
if (typeof total === 'number') {
  for (const { name, severity, range } of Object.values(report.vulnerabilities ?? {})) {
    console.error(`${severity}: ${name} ${range}`);
  }
  console.log(`${total} known vulnerabilities in what ships`);
  process.exitCode = total === 0 ? 0 : 1;
} else if (report?.error !== undefined || report?.message !== undefined) {
  const { summary, code } = report.error ?? {};
  console.log(
    `skipped: the registry gives no advisories (${[code, summary, report.message].filter(Boolean).join('; ')})`,
  );
} else {
  console.error('npm audit said nothing that can be read.');
  process.exitCode = 1;
}

function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
