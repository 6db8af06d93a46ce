/** The live smoke suite, proven on the simulator: its checks pass there, and each of them can fail. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import {
  createAgentApiSimulator,
  type AgentApiScenario,
  type AgentApiScenarioChooser,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { generateText, streamText } from 'ai';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runTs, withServer } from './examples/run.js';

const KEY = 'pplx-live-secret-0123456789';
const folder = mkdtempSync(join(tmpdir(), 'live-'));
afterAll(() => rmSync(folder, { recursive: true }));

const read = (file: string) => readFileSync(join(folder, file), 'utf8');

/** What the live API does with the shapes of the suite. */
const likeLive: AgentApiScenarioChooser = (body) => (body['max_output_tokens'] === 16 ? 'incomplete' : 'auto');

const smoke = (scenario: AgentApiScenario | AgentApiScenarioChooser, args: string[] = []) =>
  withServer({ scenario, apiKey: KEY }, ({ url }) =>
    runTs('test/live/smoke.ts', ['--base-url', url, ...args], { env: { PERPLEXITY_API_KEY: KEY } }),
  );

describe('npm run test:live', () => {
  it('does nothing without a key', async () => {
    const ended = await runTs('test/live/smoke.ts');
    expect(ended).toEqual({
      code: 0,
      stdout: 'No PERPLEXITY_API_KEY is set, so nothing was called and nothing was tested.\n',
      stderr: '',
    });
  });

  it('refuses an option that it does not have', async () => {
    const { code, stderr } = await runTs('test/live/smoke.ts', ['--recrod', 'x']);
    expect(code).toBe(2);
    expect(stderr).toContain('--recrod');
  });

  it('fails every shape, without showing the key, where the answers are not good', async () => {
    const { code, stdout, stderr } = await smoke({
      body: { id: 'resp_1', object: 'response', model: 'a/b', status: 'completed', output: [], echo: KEY },
    });
    expect(code).toBe(1);
    const failing = stdout.split('\n').filter((line) => line.startsWith('FAIL'));
    expect(failing.map((line) => line.split(/ +/)[1])).toEqual([
      'plain',
      'stream',
      'search',
      'tool',
      'structured',
      'level',
      'incomplete',
    ]);
    expect(stdout + stderr).not.toContain(KEY);
  });

  it('notices a key that is never refused', async () => {
    const { code, stdout } = await withServer({ scenario: likeLive }, ({ url }) =>
      runTs('test/live/smoke.ts', [], { env: { PERPLEXITY_API_KEY: KEY, PERPLEXITY_BASE_URL: url } }),
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^FAIL unauthorized +a wrong key was accepted$/m);
    expect(stdout).toContain('7 of 8 ok');
  });
});

describe('npm run test:live -- --record', () => {
  let ended: Awaited<ReturnType<typeof smoke>>;
  beforeAll(async () => {
    ended = await smoke(likeLive, ['--record', folder]);
  });

  it('passes every shape and adds up the costs', () => {
    expect(ended.stderr).toBe('');
    expect(ended.code).toBe(0);
    const lines = ended.stdout.trimEnd().split('\n');
    expect(lines[0]).toMatch(/^8 calls to http:\/\/127\.0\.0\.1:\d+$/);
    for (const line of lines.slice(1, -1)) expect(line).toMatch(/^ok {3}\w+ +\S/);
    const costs = lines.slice(1, -1).flatMap((line) => /\(\$([\d.]+)\)$/.exec(line)?.[1] ?? []);
    expect(costs).toHaveLength(7);
    const total = costs.reduce((sum, cost) => sum + Number(cost), 0);
    expect(total).toBeGreaterThan(0);
    expect(lines.at(-1)).toBe(`8 of 8 ok, total cost $${total.toFixed(5)}`);
  });

  it('writes a request and a reply for each exchange', () => {
    const json = ['plain', 'search', 'tool', 'tool-2', 'structured', 'incomplete', 'unauthorized'];
    const streams = ['stream', 'level'];
    expect(new Set(readdirSync(folder))).toEqual(
      new Set([
        ...json.flatMap((name) => [`${name}.request.json`, `${name}.json`]),
        ...streams.flatMap((name) => [`${name}.request.json`, `${name}.chunks.txt`]),
      ]),
    );
    expect(JSON.parse(read('incomplete.request.json'))).toMatchObject({
      model: 'openai/gpt-6-luna',
      max_output_tokens: 16,
    });
    expect(JSON.parse(read('incomplete.json'))).toMatchObject({ status: 'incomplete' });
  });

  it('keeps no secret', () => {
    for (const file of readdirSync(folder)) {
      expect(read(file)).not.toMatch(/pplx-|bearer|authorization|cookie/i);
    }
  });

  it('takes the key out of a reply that repeats it', async () => {
    const echo = join(folder, 'echo');
    await smoke({ body: { error: { message: `Bearer ${KEY}`, api_key: 'another-secret' } }, status: 400 }, [
      '--record',
      echo,
    ]);
    const reply = readFileSync(join(echo, 'plain.json'), 'utf8');
    rmSync(echo, { recursive: true });
    expect(JSON.parse(reply)).toEqual({ error: { message: 'Bearer [redacted]', api_key: '[redacted]' } });
  });

  it.each(['stream', 'level'])('records the stream of %s so that the simulator plays it', async (name) => {
    const { fetch } = createAgentApiSimulator({ replay: read(`${name}.chunks.txt`) });
    const result = streamText({ model: createPerplexityAgent({ apiKey: 'x', fetch })('fast'), prompt: 'Again' });
    const recorded = read(`${name}.chunks.txt`)
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { delta?: string });
    expect(await result.text).toBe(recorded.map(({ delta }) => delta ?? '').join(''));
    expect(await result.finishReason).toBe('stop');
  });

  it('records replies so that the simulator gives them again', async () => {
    const { fetch } = createAgentApiSimulator({ scenario: { response: JSON.parse(read('search.json')) as unknown } });
    const { text, sources } = await generateText({
      model: createPerplexityAgent({ apiKey: 'x', fetch })('openai/gpt-6-luna'),
      prompt: 'Again',
    });
    expect(text).toContain('single control room');
    expect(sources).toHaveLength(10);
  });
});
