/** Each sample is taken by a process of its own, so that nobody runs on code that another one has warmed or spoilt. */
import { fork } from 'node:child_process';
import { withoutKey } from '../../scripts/packed.mjs';
import { at } from './places.mjs';

const MINUTE = 60_000;

/**
 * Takes one sample: `sample(task)` of the measure's module, in a fresh process. Rejects when it throws, exits or takes
 * longer than the task's `timeout` (default five minutes).
 */
export function takeSample(measure, { timeout = 5 * MINUTE, ...task }) {
  return new Promise((resolve, reject) => {
    const child = fork(at('lib', 'sample-process.mjs'), [measure, JSON.stringify(task)], {
      execArgv: ['--expose-gc', '--no-warnings'],
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      serialization: 'advanced',
      env: withoutSettings(),
    });
    let sample;
    let complaint = '';
    const timer = setTimeout(() => child.kill('SIGKILL'), timeout);
    child.stderr.on('data', (data) => (complaint += data));
    child.on('message', (message) => (sample = message));
    child.on('error', reject);
    child.on('close', (code, signal) => {
      clearTimeout(timer);
      if (sample !== undefined) resolve(sample);
      else if (signal !== null) reject(new Error(`was ended after ${timeout / 1000} s (${signal})`));
      else reject(new Error(`exited with ${code}: ${complaint.trim().slice(0, 2000)}`));
    });
  });
}

/** What the owner of the machine has set for the providers is none of the bench's business. */
function withoutSettings() {
  const { NODE_OPTIONS: _options, ...env } = withoutKey();
  return env;
}

/** Starts the server of the concurrency measure. */
export function startServer() {
  return new Promise((resolve, reject) => {
    const child = fork(at('lib', 'server.mjs'), {
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      env: withoutSettings(),
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`The server exited with ${code}`)));
    child.once('message', ({ port }) => resolve({ origin: `http://127.0.0.1:${port}`, stop: () => child.kill() }));
  });
}
