/** The terminal chat, driven through its pipes, and how it prints Markdown. */
import { describe, expect, it } from 'vitest';
import type { AgentApiSimulatorOptions } from 'ai-sdk-provider-perplexity-agent/simulator';
import { createMarkdownPrinter } from '../../examples/chat/markdown.js';
import { runTs, withServer, type Server } from './run.js';

/** As last line: all lines come at once, and then nothing. */
const EOF = '^D';

type Body = { effort?: string; input: { role: string; content: string }[] };

/** Types lines into the chat; each waits for the prompt before it. */
async function converse(options: AgentApiSimulatorOptions, lines: string[]) {
  return withServer(options, async ({ env, simulator }: Server) => {
    const isPiped = lines.at(-1) === EOF;
    let left = [...lines];
    const { stdout: shown, code } = await runTs('examples/chat.ts', [], {
      env,
      ...(isPiped ? { input: lines.slice(0, -1).join('\n') } : { isTyped: true }),
      onOutput(shown, kill, type) {
        // A line that is a signal waits for text; any other for the prompt.
        const [next] = left;
        if (isPiped || (next === '^C' ? !/Lighthouses on/.test(shown) : !/(?:^|\n)> $/.test(shown))) return;
        left = left.slice(1);
        if (next === '^C') kill('SIGINT');
        else if (next !== undefined) type(`${next}\n`);
      },
    });
    return { shown, code, simulator, bodies: simulator.requests.flatMap(({ body }) => (body ? [body as Body] : [])) };
  });
}

describe('the terminal chat', () => {
  it('answers with references, cost and a history', async () => {
    const { shown, code, bodies } = await converse({ scenario: 'search' }, [
      'When were lighthouses automated?',
      '/effort fast',
      'By whom?',
      '/quit',
    ]);
    expect(code).toBe(0);
    expect(shown).toContain('Found 10 results\n\nLighthouses on this coast');
    expect(shown).toContain('\n[1] How the lights were automated https://lights.example.org/automation\n');
    expect(shown).toMatch(/\n\$0\.00262, 2,\d{3} tokens\n/);
    expect(shown).toContain('Effort: fast.\n');
    expect(shown).toMatch(/This chat: \$0\.0037\d\n/);
    expect(shown).not.toContain('\u001b');
    expect(bodies.map(({ effort }) => effort)).toEqual(['low', 'fast']);
    expect(bodies[1]?.input.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
  });

  it('/new forgets, /help tells, and a wrong level is answered', async () => {
    const { shown, bodies } = await converse({ scenario: 'plain' }, [
      'One',
      '/new',
      'Two',
      '/help',
      '/effort huge',
      '/nonsense',
      '/quit',
    ]);
    expect(bodies[1]?.input.map(({ content }) => content)).toEqual(['Two']);
    expect(shown).toContain('/effort <level>');
    expect(shown).toContain('The levels are fast, low, medium, high, xhigh, ultra.');
    expect(shown).toContain('/nonsense is unknown.');
  });

  it('Ctrl-C stops the answer and its run, and the chat goes on', async () => {
    const { shown, code, simulator } = await converse({ scenario: 'search', eventDelay: 40 }, [
      'When were lighthouses automated?',
      '^C',
      '/quit',
    ]);
    expect(code).toBe(0);
    expect(shown).toContain('\nStopped.\n> ');
    expect(shown).not.toContain('Error');
    expect(simulator.requests.filter(({ path }) => path.endsWith('/cancel'))).toHaveLength(1);
  });

  it('a second Ctrl-C leaves', async () => {
    const { shown, code } = await converse({ scenario: 'search', eventDelay: 40 }, [
      'When were lighthouses automated?',
      '^C',
      '^C',
    ]);
    expect(code).toBe(0);
    expect(shown).toMatch(/\nStopped\.\n(?:> )?$/);
  });

  it('answers what a pipe asks, and ends with it', async () => {
    const { shown, code, bodies } = await converse({ scenario: 'search' }, ['/effort fast', 'When?', EOF]);
    expect(code).toBe(0);
    expect(bodies.map(({ effort }) => effort)).toEqual(['fast']);
    expect(shown).toMatch(/\n\$0\.00111, 2,\d{3} tokens\n$/);
  });

  it('cites by the numbers of the references, whatever the level writes', async () => {
    const { shown } = await converse({ scenario: 'search' }, ['When?', '/quit']);
    expect(shown).toContain('from a single control room [1]. ');
    expect(shown).toContain('\n[3] A timeline of the service https://museum.example.net/timeline\n');
    expect(shown).not.toContain('web:');
  });

  it('lets no answer command the terminal', async () => {
    const text = 'a\u001b]52;c;ZXZpbA==\u0007b\u009b2Jc';
    const { shown } = await converse({ scenario: { name: 'plain', text } }, ['Hi', '/quit']);
    expect(shown).toContain('a]52;c;ZXZpbA==b2Jc\n');
  });

  it('shows what the API says when it refuses', async () => {
    const { shown } = await converse({ scenario: 'rate-limited' }, ['Hi', '/quit']);
    expect(shown).toContain('Error: rate limit exceeded\n');
  });
});

describe('Markdown on a terminal', () => {
  const print = (markdown: string, size: number, hasColours = true) => {
    let out = '';
    const printer = createMarkdownPrinter((text) => (out += text), hasColours);
    for (let at = 0; at < markdown.length; at += size) printer.push(markdown.slice(at, at + size));
    printer.end();
    return out;
  };
  const BOLD = '\u001b[1m';
  const PLAIN = '\u001b[22m';
  const CODE = '\u001b[36m';
  const END = '\u001b[39m';
  const LINK = '\u001b[4m';
  const UNLINKED = '\u001b[24m';

  it.each([
    ['a **b** c', `a ${BOLD}b${PLAIN} c`],
    ['# Title\ntext', `${BOLD}Title${PLAIN}\ntext`],
    ['- one\n* two\n  - three', '• one\n• two\n  • three'],
    ['say `x*y` now', `say ${CODE}x*y${END} now`],
    ['2 * 3 and #4', '2 * 3 and #4'],
    ['**open', `${BOLD}open${PLAIN}`],
    ['#hash\n\n- ', '#hash\n\n• '],
    ['```js\n# a **b**\n```\nend', `${CODE}# a **b**\n${END}end`],
    ['[1] and [[2]](https://a.org)', '[1] and [[2]](https://a.org)'],
    ['so it is [web:12], [see', 'so it is [12], [see'],
    ['the [log](https://a.org/x).', `the ${LINK}log${UNLINKED} (https://a.org/x).`],
    ['[x](javascript:alert)', '[x](javascript:alert)'],
    ['`f(**x)` and `[web:1]`', `${CODE}f(**x)${END} and ${CODE}[web:1]${END}`],
    ['``a`b`` c', `${CODE}a\`b${END} c`],
    ['2 ** 3, \\*one\\*, C:\\dir', '2 ** 3, *one*, C:\\dir'],
    ['## A **b** c', `${BOLD}A b c${PLAIN}`],
    ['```\nx\n```', `${CODE}x\n${END}`],
    ['```\nx', `${CODE}x${END}`],
    ['1. a\n   ```sh\n   b **c**\n   ```\nd', `1. a\n${CODE}   b **c**\n${END}d`],
    ['~~~\n```\n~~~\nd', `${CODE}\`\`\`\n${END}d`],
    ['````\n```\n````\nd', `${CODE}\`\`\`\n${END}d`],
    ['--- ', '--- '],
  ])('%j', (markdown, shown) => {
    for (const size of [1, 2, 3, 100]) expect(print(markdown, size)).toBe(shown);
  });

  it('prints at once what is clear', () => {
    const shown: string[] = [];
    const printer = createMarkdownPrinter((text) => shown.push(text), false);
    for (const text of ['Light', 's **on** ', 'the [', 'web:', '3', ']', ' coast']) printer.push(text);
    expect(shown).toEqual(['Light', 's on ', 'the ', '[3] coast']);
  });

  it('without colours only the marks are gone', () => {
    expect(print('# A **b** `c`', 1, false)).toBe('A b c');
  });
});
