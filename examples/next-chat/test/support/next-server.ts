/** The app as it is deployed: `next start` of what was built before. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

const APP = join(import.meta.dirname, '..', '..');
const STARTS_WITHIN = 20_000;

export interface NextServer {
  port: number;
  /** What it has printed so far. */
  readonly output: string;
  /** Addresses beyond this machine that it has tried to reach so far. */
  readonly strayCalls: string[];
  stop(): Promise<void>;
}

/** Starts the app with these variables and nothing else of this process that could change what it does. */
export async function startNext(variables: Record<string, string>): Promise<NextServer> {
  const port = await freePort();
  const strays = join(tmpdir(), `stray-calls-${process.pid}-${port}`);
  writeFileSync(strays, '');
  const { PERPLEXITY_API_KEY: _key, PERPLEXITY_BASE_URL: _url, CHAT_STORE_DIR: _store, ...rest } = process.env;
  const child = spawn(
    process.execPath,
    [
      '--require',
      join(import.meta.dirname, 'only-loopback.cjs'),
      join('node_modules', 'next', 'dist', 'bin', 'next'),
      'start',
      '-p',
      String(port),
      '-H',
      '127.0.0.1',
    ],
    {
      cwd: APP,
      env: { ...rest, NODE_ENV: 'production', STRAY_CALLS: strays, ...variables },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  await listening(port, child, () => output);
  return {
    port,
    get output() {
      return output;
    },
    get strayCalls() {
      return readFileSync(strays, 'utf8').split('\n').filter(Boolean);
    },
    async stop() {
      process.off('exit', kill);
      rmSync(strays, { force: true });
      if (child.exitCode !== null) return;
      kill();
      await once(child, 'exit');
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

async function listening(port: number, child: ChildProcess, output: () => string): Promise<void> {
  const deadline = Date.now() + STARTS_WITHIN;
  while (!(await accepts(port))) {
    if (child.exitCode !== null || Date.now() > deadline) {
      child.kill('SIGKILL');
      throw new Error(`next start does not listen:\n${output()}`);
    }
    await delay(50);
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
