/** What a figure was taken on. */
import { execFileSync } from 'node:child_process';
import { cpus, loadavg, release, totalmem } from 'node:os';
import { root } from '../../scripts/packed.mjs';

export function describeMachine() {
  const [cpu] = cpus();
  return {
    node: process.versions.node,
    platform: `${process.platform} ${release()} ${process.arch}`,
    cpu: cpu?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGB: Math.round(totalmem() / 1024 ** 3),
    load: load(),
  };
}

/** How many processes wanted a core in the last minute: above the number of cores, figures are those of a busy machine. */
export const load = () => Number(loadavg()[0].toFixed(1));

/** The commit that was measured, or `undefined` where this is no checkout. */
export function describeCommit() {
  try {
    return { id: git('rev-parse', 'HEAD').trim(), hasChanges: git('status', '--porcelain') !== '' };
  } catch {
    return undefined;
  }
}

const git = (...args) =>
  execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
