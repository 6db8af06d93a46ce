import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { root, runTs, withServer, type Env, type RunOptions, type Server } from './run.js';

const recording = join(root, '../shared/captures/agent-web-search.chunks.txt');
const folder = mkdtempSync(join(tmpdir(), 'ask-'));
afterAll(() => rmSync(folder, { recursive: true }));

const ask = (args: string[], env?: Env, options: RunOptions = {}) =>
  runTs('examples/ask.ts', args, { ...options, ...(env && { env }) });

/** The line that begins with a label. */
const line = (stdout: string, label: string) => stdout.split('\n').find((text) => text.startsWith(label));

const plainAnswer = (server: Server) => server.simulator.requests.map(({ body }) => body as Record<string, unknown>);

describe('npm start: a question', () => {
  it('prints progress, answer, sources, tokens, cost and model', async () => {
    const { code, stdout, stderr } = await withServer({ scenario: 'search' }, ({ env }) =>
      ask(['When', 'did keepers leave?'], env),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Searching the web...\n- When did keepers leave?\n');
    expect(stdout).toContain('watched from a single control room[1].');
    expect(stdout).toContain('did so from 1912[3].');
    const sources = stdout.slice(stdout.indexOf('Sources: 10, of which the answer cites 2 (*)')).split('\n');
    expect(sources[1]).toBe('* [1]  How the lights were automated - https://lights.example.org/automation');
    expect(sources[2]).toBe('* [3]  A timeline of the service - https://museum.example.net/timeline');
    expect(sources[3]).toBe('  [2]  The day the keepers left - https://coast.example.com/keepers-leave');
    expect(sources[10]).toBe('  [10] Visiting a lighthouse - https://lights.example.org/visiting');
    expect(line(stdout, 'Tokens:')).toMatch(/^Tokens: {3}2,\d{3} input \(1,536 cached\), 49 output \(0 reasoning\)$/);
    expect(line(stdout, 'Cost:')).toMatch(/^Cost: {5}\$0\.001\d\d \(of which search_web \$0\.00100\)$/);
    expect(line(stdout, 'Model:')).toBe('Model:    openai/gpt-6-luna, asked for fast');
    expect(line(stdout, 'Finish:')).toBe('Finish:   stop');
    expect(line(stdout, 'Response:')).toMatch(/^Response: resp_[0-9a-f-]{36}$/);
    expect(stdout).not.toContain('\u001b');
  });

  it('lets neither an answer nor an error command the terminal', async () => {
    const text = 'a\u001b]52;c;ZXZpbA==\u0007b\u009b2Jc\u202ed';
    const answered = await withServer({ scenario: { name: 'plain', text } }, ({ env }) => ask(['Hi'], env));
    expect(answered.stdout).toContain('a]52;c;ZXZpbA==b2Jcd\n');
    const refused = await ask(['Hi', '--replay', `no\u001b[2Jfile`], { PERPLEXITY_API_KEY: undefined });
    expect(refused.stderr).toMatch(/--replay: cannot read \S*no\[2Jfile\n/);
  });

  it('sends the question to the level fast, with the key, once', async () => {
    await withServer({ scenario: 'plain' }, async (server) => {
      await ask(['What', 'is', 'a lens?'], server.env);
      expect(plainAnswer(server)).toEqual([expect.objectContaining({ effort: 'fast', stream: true })]);
      expect(JSON.stringify(plainAnswer(server)[0]?.['input'])).toContain('What is a lens?');
      expect(server.simulator.requests[0]?.headers['authorization']).toBe('Bearer test-key');
    });
  });

  it('sends --model and --effort, both or one of them', async () => {
    await withServer({ scenario: 'plain' }, async (server) => {
      await ask(['q', '--model', 'openai/gpt-6-sol', '--effort', 'low'], server.env);
      await ask(['q', '--model=openai/gpt-6-sol'], server.env);
      await ask(['q', '--effort', 'medium'], server.env);
      const [both, model, effort] = plainAnswer(server);
      expect(both).toMatchObject({ model: 'openai/gpt-6-sol', effort: 'low' });
      expect(model).toMatchObject({ model: 'openai/gpt-6-sol', tools: [{ type: 'web_search' }] });
      expect(model).not.toHaveProperty('effort');
      expect(effort).toMatchObject({ effort: 'medium' });
      expect(effort).not.toHaveProperty('model');
    });
  });

  it('uses the simulator without a key, and says so on stderr', async () => {
    const { code, stdout, stderr } = await ask(['q'], {
      PERPLEXITY_BASE_URL: 'http://127.0.0.1:1',
      PERPLEXITY_API_KEY: '',
    });
    expect(code).toBe(0);
    expect(stderr).toMatch(
      /^No PERPLEXITY_API_KEY is set, so the built-in simulator answers.*PERPLEXITY_API_KEY=pplx-/,
    );
    expect(stdout).toContain('Sources: 10');
  });

  it('numbers a page that several searches found with each of its ids', async () => {
    const { stdout } = await withServer({ scenario: 'parallel-searches' }, ({ env }) => ask(['q'], env));
    expect(stdout).toMatch(
      /^\* \[11\]\[23\] +How the lights were automated - https:\/\/lights\.example\.org\/automation$/m,
    );
  });
});

describe('npm start --json', () => {
  it('prints one object and nothing else on stdout', async () => {
    const { code, stdout } = await ask(['q', '--json']);
    expect(code).toBe(0);
    const answer = JSON.parse(stdout) as Record<string, unknown>;
    expect(answer).toMatchObject({
      text: expect.stringContaining('control room[1]'),
      citations: { 1: 'https://lights.example.org/automation', 10: 'https://lights.example.org/visiting' },
      usage: { outputTokens: 49, cachedInputTokens: 1536 },
      cost: { currency: 'USD', toolCallsCostDetails: { search_web: 0.001 } },
      model: { requested: 'fast', served: 'openai/gpt-6-luna' },
      finishReason: 'stop',
      responseId: expect.stringMatching(/^resp_/),
      warnings: [],
    });
    expect(answer['sources']).toHaveLength(10);
    expect((answer['sources'] as unknown[])[1]).toEqual({
      resultIds: ['3'],
      cited: true,
      title: 'A timeline of the service',
      url: 'https://museum.example.net/timeline',
    });
    expect(answer).not.toHaveProperty('error');
  });

  it('keeps the text of a failed run beside its error', async () => {
    const { code, stdout, stderr } = await withServer({ scenario: 'failed' }, ({ env }) => ask(['q', '--json'], env));
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({
      text: expect.stringContaining('The lamp itself is a small part of the story'),
      finishReason: 'error',
      error: { message: 'Error: upstream unavailable' },
    });
    expect(stderr).toBe('Error: upstream unavailable\n');
  });
});

describe('npm start --replay', () => {
  it.skipIf(!existsSync(recording))(
    'plays the recording of a search (only where ../shared/captures is there: recordings are not part of the project)',
    async () => {
      const { code, stdout, stderr } = await ask(['--replay', recording]);
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain('adds syntax for types.[7]\n');
      expect(stdout).toContain('Sources: 10, of which the answer cites 1 (*)');
      expect(line(stdout, '* ')).toMatch(/^\* \[7\] .*https:\/\/www\.typescriptlang\.org\/$/);
      expect(line(stdout, 'Tokens:')).toContain('3,007 input (3,004 cached), 37 output');
      expect(line(stdout, 'Cost:')).toContain('$0.00105 (of which search_web $0.00100)');
      expect(line(stdout, 'Model:')).toBe('Model:    openai/gpt-6-luna, asked for fast');
      expect(line(stdout, 'Finish:')).toBe('Finish:   stop');
    },
  );

  it('stays in the simulator even with a key', async () => {
    const file = join(folder, 'one.chunks.txt');
    const response = { id: 'resp_1', object: 'response', model: 'a/b', status: 'completed', output: [] };
    const events = [
      { type: 'response.created', sequence_number: 0, response: { ...response, status: 'in_progress' } },
      {
        type: 'response.output_text.delta',
        sequence_number: 1,
        item_id: 'm',
        output_index: 0,
        content_index: 0,
        delta: 'Recorded.',
      },
      { type: 'response.completed', sequence_number: 2, response },
    ];
    writeFileSync(file, events.map((event) => JSON.stringify(event)).join('\n'));
    await withServer({ scenario: 'plain' }, async ({ env, simulator }) => {
      const { code, stdout } = await ask(['--replay', file], env);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: 'Recorded.\n\nModel:    a/b, asked for fast\nFinish:   stop\nResponse: resp_1\n',
      });
      expect(simulator.requests).toEqual([]);
    });
  });

  it('names the option when the file cannot be played', async () => {
    const broken = join(folder, 'broken.txt');
    writeFileSync(broken, '{"type":"response.created"}\nnot json\n');
    expect(await ask(['--replay', join(folder, 'absent')])).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `Error: --replay: cannot read ${join(folder, 'absent')}\n`,
    });
    expect(await ask(['--replay', broken])).toMatchObject({
      code: 2,
      stderr: 'Error: --replay: Line 2 of the recording is not JSON.\n',
    });
  });
});

describe('npm start: what goes wrong', () => {
  it.each([
    ['an unknown option', ['--depth', 'low'], /^Error: Unknown option '--depth'/],
    ['an option without its value', ['--model'], /^Error: Option '--model <value>' argument missing/],
    ['an empty value', ['--effort='], /^Error: --effort needs a value\n$/],
    ['a model as effort', ['--effort', 'openai/gpt-6-luna'], /^Error: --effort takes a level such as low/],
  ])('exits with 2 for %s', async (_, args, message) => {
    const { code, stdout, stderr } = await ask(args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(message);
  });

  it('says in one line that the key is wrong', async () => {
    const ended = await withServer({ apiKey: 'another-key' }, ({ env }) => ask(['q'], env));
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(/^Error: .*API key.*\n$/i);
    expect(ended.stderr).not.toContain('test-key');
  });

  it('gives the message of a rate limit, not that of the retries', async () => {
    const ended = await withServer({ scenario: { name: 'rate-limited', resetIn: 0 } }, async ({ env, simulator }) => {
      const result = await ask(['q'], env);
      return { ...result, requests: simulator.requests.length };
    });
    expect(ended).toMatchObject({ code: 1, stdout: '', requests: 3 });
    expect(ended.stderr).toMatch(/^Error: .*rate limit.*\n$/i);
    expect(ended.stderr).not.toContain('attempts');
  });

  it.each(['close', 'reset'] as const)('keeps the text of a stream that is cut by a %s', async (end) => {
    const ended = await withServer({ scenario: { name: 'cut', end }, eventDelay: 1 }, ({ env }) => ask(['q'], env));
    expect(ended.code).toBe(1);
    expect(ended.stdout).toContain('Lighthouses on this coast');
    expect(ended.stdout).toContain('Sources: 10');
    expect(ended.stdout).toContain('Finish:   error');
    expect(ended.stderr).toMatch(/^Error: .+\n$/);
  });

  it('prints its help', async () => {
    const { code, stdout } = await ask(['--help']);
    expect(code).toBe(0);
    for (const option of ['--model', '--effort', '--replay', '--json']) expect(stdout).toContain(option);
  });

  it('stops on Ctrl-C and hangs up', async () => {
    let isStopping = false;
    await withServer({ scenario: { name: 'cut', end: 'stall' } }, async ({ env, simulator }) => {
      const { code, stderr } = await ask(['q'], env, {
        onOutput: (stdout, kill) => {
          if (stdout.includes('Lighthouses') && !isStopping) kill('SIGINT');
          isStopping ||= stdout.includes('Lighthouses');
        },
      });
      expect({ code, stderr }).toEqual({ code: 130, stderr: 'Stopped.\n' });
      await expect.poll(() => simulator.requests[0]?.aborted).toBe(true);
    });
  });
});
