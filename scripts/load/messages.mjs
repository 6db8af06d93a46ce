/** Questions and answers between the process that judges and its two children. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { withoutKey } from '../packed.mjs';

const EXIT_MS = 15_000;

/**
 * Starts a child. `ask` puts a question to it; what it reports meanwhile goes to `onReport`. `end` lets it go: it has to exit
 * by itself, and tells what kept it from that, or undefined.
 */
export function startChild(name, { execArgv = [], onReport = () => {} } = {}) {
  const child = fork(fileURLToPath(new URL(`${name}.mjs`, import.meta.url)), [], {
    execArgv,
    env: withoutKey(),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    serialization: 'advanced',
  });
  const waiting = new Map();
  let count = 0;
  let isEnding = false;
  const gone = new Promise((resolve) => {
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  child.on('message', ({ number, answer, problem, report }) => {
    if (report !== undefined) return onReport(report);
    const { resolve, reject } = waiting.get(number);
    waiting.delete(number);
    if (problem === undefined) resolve(answer);
    else reject(new Error(`${name}: ${problem}`));
  });
  child.once('exit', (code, signal) => {
    for (const { reject } of waiting.values()) reject(new Error(`The ${name} exited with ${code ?? signal}.`));
    if (!isEnding) console.error(`The ${name} exited with ${code ?? signal}.`);
  });

  return {
    ask: (question, given = {}) =>
      new Promise((resolve, reject) => {
        count += 1;
        waiting.set(count, { resolve, reject });
        child.send({ number: count, question, given }, (error) => error && reject(error));
      }),
    async end() {
      isEnding = true;
      child.disconnect();
      const timer = setTimeout(() => child.kill('SIGKILL'), EXIT_MS);
      const { code, signal } = await gone;
      clearTimeout(timer);
      if (signal !== null) return `the ${name} did not exit by itself within ${EXIT_MS / 1000} s (${signal})`;
      return code === 0 ? undefined : `the ${name} exited with ${code}`;
    },
    kill: () => child.kill('SIGKILL'),
  };
}

/** Answers the questions of the parent, in a child. Nothing else keeps the child alive. */
export function answerParent(answers) {
  process.on('message', async ({ number, question, given }) => {
    try {
      process.send({ number, answer: await answers[question](given) });
    } catch (error) {
      process.send({ number, problem: error instanceof Error ? error.stack : String(error) });
    }
  });
}

export const report = (what) => process.send({ report: what });
