/** Runs examples as a reader would: as processes of their own, on the built package, against a server. */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  createAgentApiSimulator,
  type AgentApiSimulator,
  type AgentApiSimulatorOptions,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen } from 'ai-sdk-provider-perplexity-agent/simulator/node';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export type Ended = { code: number | null; stdout: string; stderr: string };

/** Environment of the child; undefined removes a variable. */
export type Env = Record<string, string | undefined>;

export type RunOptions = {
  env?: Env;
  /** Called as soon as the process runs, with a way to send it a signal. */
  onStart?: (kill: (signal: NodeJS.Signals) => void) => void;
  /** Called with what has been printed so far, a way to send a signal, and one to type. */
  onOutput?: (stdout: string, kill: (signal: NodeJS.Signals) => void, type: (text: string) => void) => void;
  /** The same for what was printed as errors. */
  onError?: (stderr: string, kill: (signal: NodeJS.Signals) => void) => void;
  /** Somebody types into it; else its input is `input`, and then over. */
  isTyped?: boolean;
  input?: string;
};

/** Starts Node with these arguments in the project's folder and waits for its end. */
export async function runNode(
  args: string[],
  { env = {}, onStart, onOutput, onError, isTyped = false, input = '' }: RunOptions = {},
): Promise<Ended> {
  requireBuild();
  const child = spawn(process.execPath, args, { cwd: root, env: childEnv(env), stdio: ['pipe', 'pipe', 'pipe'] });
  if (!isTyped) child.stdin.end(input);
  onStart?.((signal) => child.kill(signal));
  const ended: Ended = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    ended.stdout += text;
    onOutput?.(
      ended.stdout,
      (signal) => child.kill(signal),
      (text) => child.stdin.write(text),
    );
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    ended.stderr += text;
    onError?.(ended.stderr, (signal) => child.kill(signal));
  });
  ended.code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
  return ended;
}

export const runTs = (file: string, args: string[] = [], options?: RunOptions) =>
  runNode(['--import', 'tsx', file, ...args], options);

/** What vitest and the machine's owner have set must not change what an example does. */
function childEnv(env: Env): NodeJS.ProcessEnv {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  const given = Object.entries({ PATH, HOME, TMPDIR, SystemRoot, ...env }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

function requireBuild(): void {
  if (existsSync(new URL('../../dist/simulator-node.js', import.meta.url))) return;
  throw new Error(
    'There is no build in dist, which the examples run on. `npm run build` makes it; `npm test` does so itself.',
  );
}

export type Server = { simulator: AgentApiSimulator; url: string; env: Env };

/** Runs `use` with a simulator that listens; `env` points an example at it. */
export async function withServer<T>(
  options: AgentApiSimulatorOptions,
  use: (server: Server) => Promise<T>,
): Promise<T> {
  const simulator = createAgentApiSimulator(options);
  const server = await listen(simulator);
  try {
    return await use({
      simulator,
      url: server.url,
      env: { PERPLEXITY_API_KEY: 'test-key', PERPLEXITY_BASE_URL: server.url },
    });
  } finally {
    await server.close();
  }
}
