/** The built app as a process, and the simulator that it calls. */
import { createAgentApiSimulator, type AgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Searched for in all that the browser receives. */
export const KEY = 'pplx-browser-test-0123456789abcdef';

const ROOT = join(import.meta.dirname, '..');
const START_MS = 30_000;

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Starts `next start`. `stop` ends it and forgets its chats. */
export async function startApp(environment: Record<string, string>): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort();
  const store = mkdtempSync(join(tmpdir(), 'next-chat-'));
  const { PERPLEXITY_API_KEY: _key, PERPLEXITY_BASE_URL: _url, ...inherited } = process.env;
  const next = spawn(
    process.execPath,
    ['node_modules/next/dist/bin/next', 'start', '-p', String(port), '-H', '127.0.0.1'],
    {
      cwd: ROOT,
      env: { ...inherited, NEXT_TELEMETRY_DISABLED: '1', CHAT_STORE_DIR: store, ...environment } as NodeJS.ProcessEnv,
      stdio: ['ignore', 'ignore', 'inherit'],
    },
  );
  const exited = once(next, 'exit');
  const url = `http://127.0.0.1:${port}`;
  const deadline = Date.now() + START_MS;
  while (!(await isUp(url))) {
    if (next.exitCode !== null || Date.now() > deadline)
      throw new Error('next start does not answer; is the app built?');
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return {
    url,
    async stop() {
      next.kill('SIGTERM');
      await exited;
      rmSync(store, { recursive: true, force: true });
    },
  };
}

const isUp = (url: string) =>
  fetch(`${url}/icon.svg`).then(
    ({ ok }) => ok,
    () => false,
  );

/** Milliseconds between events: slow enough to be seen, quick enough for a test. */
export const EVENT_DELAY_MS = 20;

export type Api = { simulator: AgentApiSimulator; url: string; close(): Promise<void> };

export async function startApi(): Promise<Api> {
  const simulator = createAgentApiSimulator({ apiKey: KEY, eventDelay: EVENT_DELAY_MS });
  const { url, close } = await listen(simulator);
  return { simulator, url, close };
}

type WireUsage = { total_tokens: number; cost: { total_cost: number } };
type WireItem = {
  type: string;
  results?: { url: string; title: string; snippet: string; date: string }[];
  content?: { text: string }[];
};

/** A run as the API knows it. */
export async function runOf(
  { simulator }: Api,
  id: string,
): Promise<{ status: string; usage: WireUsage; output: WireItem[] }> {
  const response = await simulator.fetch(`http://simulator/v1/agent/${id}`, {
    headers: { authorization: `Bearer ${KEY}` },
  });
  return (await response.json()) as { status: string; usage: WireUsage; output: WireItem[] };
}
