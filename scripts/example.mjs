/**
 * Runs one of the examples: `npm run example -- <name> [arguments]`. With PERPLEXITY_API_KEY it is live and billed;
 * without it a simulator on 127.0.0.1 answers. The examples themselves know nothing of that.
 */
import { spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = new URL('../examples/', import.meta.url);
const names = readdirSync(folder)
  .filter((file) => file.endsWith('.ts'))
  .map((file) => file.slice(0, -'.ts'.length));

const [name, ...args] = process.argv.slice(2);
if (!names.includes(name)) {
  if (name !== undefined) console.error(`There is no example called ${name}.`);
  console.error(`Usage: npm run example -- <name>\nExamples: ${names.join(', ')}`);
  process.exit(2);
}

const isLive = (process.env.PERPLEXITY_API_KEY ?? '').trim() !== '';
const server = isLive ? undefined : await startSimulator();
const child = spawn(process.execPath, ['--import', 'tsx', fileURLToPath(new URL(`${name}.ts`, folder)), ...args], {
  stdio: 'inherit',
  env: {
    ...process.env,
    ...(server !== undefined && { PERPLEXITY_API_KEY: 'simulator', PERPLEXITY_BASE_URL: server.url }),
  },
});
// Ctrl-C reaches the child by itself; this process waits for it, so that the server outlives it.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => child.kill('SIGTERM'));

process.exitCode = await new Promise((resolve, reject) => {
  child.once('error', reject);
  child.once('exit', (code, signal) => resolve(code ?? (signal === 'SIGINT' ? 130 : 1)));
});
await server?.close();

async function startSimulator() {
  const { createAgentApiSimulator } = await import('ai-sdk-provider-perplexity-agent/simulator');
  const { listen } = await import('ai-sdk-provider-perplexity-agent/simulator/node');
  const listening = await listen(createAgentApiSimulator());
  console.error(
    `No PERPLEXITY_API_KEY is set: a simulator on ${listening.url} answers, with invented text. ` +
      'Set the key to run this live.',
  );
  return listening;
}
