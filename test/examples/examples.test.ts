import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { AgentApiScenario, AgentApiScenarioChooser } from 'ai-sdk-provider-perplexity-agent/simulator';
import { root, runNode, runTs, withServer } from './run.js';

type Body = Record<string, unknown>;

/** Runs an example against a server; gives what it printed and what it asked for. */
const example = (name: string, scenario: AgentApiScenario | AgentApiScenarioChooser = 'auto', args: string[] = []) =>
  withServer({ scenario }, async ({ env, simulator }) => {
    const ended = await runTs(`examples/${name}.ts`, args, { env });
    return { ...ended, bodies: simulator.requests.map(({ body }) => body as Body) };
  });

describe('examples', () => {
  it('generate-text prints the answer and what its markers stand for', async () => {
    const { code, stdout, stderr } = await example('generate-text');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('a single control room[1]');
    expect(stdout).toContain(
      '10 sources; the answer cites:\n[1] https://lights.example.org/automation\n[3] https://museum',
    );
    expect(stdout).toMatch(/openai\/gpt-6-luna: 2\d{3} tokens, \$0\.00111\n$/);
  });

  it('stream-text prints progress before text', async () => {
    const { code, stdout } = await example('stream-text');
    expect(code).toBe(0);
    expect(stdout).toMatch(
      /^Searching the web\.\.\.\n- when were lighthouses automated\nFound 10 results\n\nLighthouses/,
    );
    expect(stdout).toMatch(/stop; 10 sources, \$0\.0026\n$/);
  });

  it('stream-text keeps what came of an answer that fails', async () => {
    const { code, stdout, stderr } = await example('stream-text', 'failed');
    expect(code).toBe(1);
    expect(stdout).toContain('The lamp itself is a small part of the story');
    expect(stderr).toContain('The answer is not complete: upstream unavailable');
  });

  it('tools runs its function and hands the result back', async () => {
    const { code, stdout, bodies } = await example('tools');
    expect(code).toBe(0);
    expect(stdout).toContain('Step 1: lookUpLight({"station":"station"}) (tool-calls)\nStep 2: answer (stop)\n');
    expect(stdout).toContain('"character":"Fl(2) W 10s","rangeInMiles":18');
    expect(bodies).toHaveLength(2);
    expect(bodies[1]?.['input']).toEqual(
      expect.arrayContaining([expect.objectContaining({ type: 'function_call_output', name: 'lookUpLight' })]),
    );
  });

  it('structured-output prints an object that fits the schema', async () => {
    const { code, stdout, bodies } = await example('structured-output');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^name \(country\): 1 m, lit\n\d+ tokens\n$/);
    expect(bodies[0]?.['response_format']).toMatchObject({ type: 'json_schema', json_schema: { name: 'lighthouse' } });
  });

  it('web-search-filters prints queries, number of results and sources', async () => {
    const { code, stdout, bodies } = await example('web-search-filters');
    expect(code).toBe(0);
    expect(stdout).toMatch(/^Searched for: when were lighthouses automated\nFound: 10 results\n/);
    expect(stdout).toContain('- How the lights were automated https://lights.example.org/automation\n');
    expect(bodies[0]?.['tools']).toEqual([
      {
        type: 'web_search',
        max_results: 10,
        filters: {
          search_domain_filter: ['-pinterest.com', '-forum.example.net'],
          search_after_date_filter: '01/01/2015',
        },
        user_location: { country: 'PT' },
      },
    ]);
  });

  it('effort-levels asks once per level and prints a line for each', async () => {
    const { code, stdout, bodies } = await example('effort-levels');
    expect(code).toBe(0);
    expect(bodies.map(({ effort }) => effort)).toEqual(['fast', 'low', 'medium']);
    expect(stdout.trimEnd().split('\n')).toEqual([
      expect.stringMatching(/^fast {4}openai\/gpt-6-luna {2}10 sources {2}2\d{3} tokens in, 49 out {2}\$0\.00111$/),
      expect.stringMatching(/^low {5}openai\/gpt-6-luna {2}10 sources {2}2\d{3} tokens in, 51 out {2}\$0\.00262$/),
      expect.stringMatching(/^medium {2}openai\/gpt-6-luna {2}10 sources {2}2\d{3} tokens in, 51 out {2}\$0\.00262$/),
    ]);
  });

  describe('compare-efforts', () => {
    it('asks three levels one after the other, tells what it is doing, and prints a table', async () => {
      const { code, stdout, stderr, bodies } = await example('compare-efforts');
      expect(code).toBe(0);
      expect(bodies.map(({ effort, stream }) => [effort, stream])).toEqual([
        ['fast', true],
        ['low', true],
        ['medium', true],
      ]);
      const row = (level: string, output: number, cost: string) =>
        new RegExp(`^${level} +openai/gpt-6-luna +\\d\\.\\d\\d s +\\d\\.\\d\\d s +1 +2\\d{3} +${output} +\\$${cost}$`);
      const lines = stdout.trimEnd().split('\n');
      expect(lines).toEqual([
        'Level   Model              First text   Total  Tool calls  Tokens in  Tokens out      Cost',
        expect.stringMatching(row('fast', 49, '0.00111')),
        expect.stringMatching(row('low', 51, '0.00262')),
        expect.stringMatching(row('medium', 51, '0.00262')),
      ]);
      expect(new Set(lines.map(({ length }) => length)).size).toBe(1);
      expect(stderr).toContain(
        'fast: asking\nfast: - When were lighthouses automated?\nfast: Found 10 results\nfast: writing the answer\nlow: asking\n',
      );
      expect(stderr).not.toContain('\u001b');
    });

    it('takes levels and a question, and goes on where one level fails', async () => {
      const chooser: AgentApiScenarioChooser = ({ effort }) => (effort === 'low' ? 'failed' : 'search');
      const args = ['low', 'fast@2026-10-16.0', '--question', 'Why is the sky blue?'];
      const { code, stdout, bodies } = await example('compare-efforts', chooser, args);
      expect(code).toBe(1);
      expect(JSON.stringify(bodies.map(({ input }) => input)).match(/Why is the sky blue\?/g)).toHaveLength(2);
      expect(stdout.split('\n').slice(1)).toEqual([
        expect.stringMatching(/^low +failed: upstream unavailable +\d\.\d\d s +\d\.\d\d s$/),
        expect.stringMatching(/^fast@2026-10-16\.0 +openai\/gpt-6-luna +.*\$0\.00111$/),
        '',
      ]);
    });

    it('stops with Ctrl-C and shows what it has', async () => {
      await withServer({ scenario: 'search', eventDelay: 20 }, async ({ env, simulator }) => {
        const { code, stdout } = await runTs('examples/compare-efforts.ts', [], {
          env,
          onError: (stderr, kill) => void (stderr.includes('low: asking') && kill('SIGINT')),
        });
        expect(code).toBe(130);
        expect(stdout.trimEnd().split('\n').slice(1)).toEqual([
          expect.stringMatching(/^fast +openai/),
          expect.stringMatching(/^low +failed: /),
        ]);
        expect(simulator.requests.map(({ body }) => (body as Body | undefined)?.['effort'])).not.toContain('medium');
      });
    });
  });

  it('ui-cost sums the steps of a message, and the messages of a chat', async () => {
    const { code, stdout, stderr, bodies } = await example('ui-cost');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(bodies).toHaveLength(4);
    const amounts = Array.from(stdout.matchAll(/\$(\d\.\d{5})/g), ([, amount]) => Math.round(Number(amount) * 1e5));
    const [first = 0, second = 0, total, ...parts] = amounts;
    expect([first > 0, second > 0, total]).toEqual([true, true, first + second]);
    expect(stdout).toMatch(
      /^What is the light at Cape Doubtful showing tonight\? {2}\$0\.0\d+\nAnd how far does it carry\? {2}\$/,
    );
    expect(stdout).toMatch(/\n\nThe chat so far: \$0\.\d{5} USD\n {2}cacheCreationCost {2}\$0\.\d{5}\n/);
    // No tool is billed here, so the parts make the whole.
    expect(parts.reduce((sum, part) => sum + part, 0)).toBe(total);
  });
});

describe('npm run example', () => {
  it('brings a simulator along where there is no key', async () => {
    const { code, stdout, stderr } = await runNode(['scripts/example.mjs', 'structured-output']);
    expect(code).toBe(0);
    expect(stdout).toContain('name (country): 1 m, lit');
    expect(stderr).toMatch(/^No PERPLEXITY_API_KEY is set: a simulator on http:\/\/127\.0\.0\.1:\d+ answers/);
  });

  it('goes to the API with a key, and passes on how the example ended', async () => {
    await withServer({ scenario: 'unauthorized' }, async ({ env, simulator }) => {
      const { code, stderr } = await runNode(['scripts/example.mjs', 'generate-text'], { env });
      expect(code).toBe(1);
      expect(stderr).not.toContain('simulator');
      expect(simulator.requests).toHaveLength(1);
    });
  });

  it.each([[[]], [['nothing-like-it']]])('lists the examples for %j', async (args) => {
    const { code, stdout, stderr } = await runNode(['scripts/example.mjs', ...args]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const files = readdirSync(join(root, 'examples')).filter((file) => file.endsWith('.ts'));
    for (const file of files) expect(stderr).toContain(file.replace('.ts', ''));
  });
});
