/** A Markdown page with code: its blocks and tables, a program over its examples, and the tests that every page must pass. */
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AgentApiScenario } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { root, withServer, type Env } from '../examples/run.js';
import { blocksOf, isAnnounced, tablesOf, type Block, type Table } from './blocks.js';
import { check, toJavaScript, type Program } from './program.js';

export type Page = {
  /** Path from the project's folder. */
  file: string;
  markdown: string;
  blocks: Block[];
  /** The blocks that are type-checked. */
  examples: Block[];
  tables: Table[];
  program: Program;
};

export function readPage(file: string): Page {
  const markdown = readFileSync(`${root}${file}`, 'utf8');
  const blocks = blocksOf(markdown);
  const examples = blocks.filter(({ language }) => ['ts', 'tsx'].includes(language));
  const stem = file.toLowerCase().replace(/\.md$/, '').replaceAll('/', '-');
  const program = check(
    Object.fromEntries(examples.map(({ code, line, language }) => [`${stem}-line-${line}.${language}`, code])),
  );
  return { file, markdown, blocks, examples, tables: tablesOf(markdown), program };
}

export const namesIn = (cell = '') => Array.from(cell.matchAll(/`([^`]+)`/g), ([, name]) => name ?? '');

/** Tests that the examples compile, and print what is announced. */
export function testExamples({ file, examples, program }: Page): void {
  describe(`the examples of ${file}`, () => {
    it('compile', () => {
      expect(program.problems).toEqual([]);
    });

    it('say what they print, or why they do not run', () => {
      for (const { line, prints, notRun } of examples) {
        expect(prints ?? notRun, `block in line ${line}`).toMatch(/\S/);
        expectReason(notRun, line);
      }
    });

    it.concurrent.each(runnable(examples))('print what is announced: line %i', async (_line, block) => {
      await expectAnnounced(block);
    });
  });
}

/** The other entries under their SDKs, which the contract suite installs; the last is how a stream finishes that broke off. */
const MAJORS = [
  { sdk: 'ai6', entry: 'v3', brokenOff: 'error' },
  { sdk: 'ai7', entry: 'v4', brokenOff: 'interrupted' },
];

const MISSING = 'it is not installed in test/contract; `npm run test:contract` installs it';

/** The module of an SDK in the folder that the contract suite installs it into. */
function sdkFile(sdk: string): string | undefined {
  const folder = `${root}test/contract/${sdk}/node_modules/ai/`;
  if (!existsSync(folder)) return undefined;
  const { exports } = JSON.parse(readFileSync(`${folder}package.json`, 'utf8')) as {
    exports: { '.': { import: string | { default: string } } };
  };
  const entry = exports['.'].import;
  return pathToFileURL(join(folder, typeof entry === 'string' ? entry : entry.default)).href;
}

/** Tests that these examples print the same under `ai` 6 and 7, with no more changed than the path of our import. */
export function testUnderOtherMajors(examples: Block[]): void {
  describe.each(MAJORS)('under $sdk', ({ sdk, entry, brokenOff }) => {
    const file = sdkFile(sdk);
    if (file === undefined) {
      it.skipIf(process.env['NEEDS_SDKS'] === undefined)(`cannot run: ${MISSING}`, () => {
        expect.fail(`${sdk} cannot be used: ${MISSING}`);
      });
      return;
    }
    it.concurrent.each(runnable(examples))('run with /v3 or /v4: line %i', async (_line, block) => {
      const prints = block.prints?.replace(/^error\b/m, brokenOff);
      const toOther = (code: string) =>
        code
          .replace("'ai-sdk-provider-perplexity-agent'", `'ai-sdk-provider-perplexity-agent/${entry}'`)
          .replace("from 'ai'", `from '${file}'`);
      // ai 7 warns that generateObject and image parts are deprecated, as the pages say.
      await expectAnnounced(
        { ...block, code: toOther(block.code), append: toOther(block.append ?? ''), prints },
        { NODE_NO_WARNINGS: '1' },
      );
    });
  });
}

/** "not-run" is for what cannot run, so it has to give a reason in words. */
export function expectReason(notRun: string | undefined, line: number): void {
  if (notRun !== undefined) expect(notRun, `block in line ${line}`).toMatch(/\w+ \w+ \w+/);
}

export const runnable = (examples: Block[]) =>
  examples.filter(({ notRun }) => notRun === undefined).map((block) => [block.line, block] as const);

/** Runs a block against the simulator. */
async function expectAnnounced(block: Block, variables: Env = {}): Promise<void> {
  const scenario = scenarioOf(block);
  await withServer({ seed: 'readme', ...(scenario !== undefined && { scenario }) }, async ({ env, simulator }) => {
    const { code, stdout, stderr } = await runBlock(`${block.code}\n${block.append ?? ''}`, { ...env, ...variables });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    // The comparison only shows the difference: an output with `…` is never equal.
    if (!isAnnounced(stdout, block.prints ?? '')) expect(stdout.trim()).toBe(block.prints);
    if (block.sends !== undefined) {
      expect(simulator.requests[0]?.body).toMatchObject(JSON.parse(block.sends) as object);
    }
  });
}

function scenarioOf({ simulator }: Block): AgentApiScenario | undefined {
  return simulator?.startsWith('{') ? (JSON.parse(simulator) as AgentApiScenario) : (simulator as AgentApiScenario);
}

/** As a program of its own, on the built package: code from stdin resolves imports as if it stood in the project's folder. */
async function runBlock(code: string, env: Env) {
  const { PATH, HOME, TMPDIR, SystemRoot } = process.env;
  const child = spawn(process.execPath, ['--input-type=module', '-'], {
    cwd: root,
    env: { PATH, HOME, TMPDIR, SystemRoot, NO_COLOR: '1', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const ended = { code: null as number | null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (ended.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (ended.stderr += text));
  child.stdin.end(toJavaScript(code));
  ended.code = await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  return ended;
}

export const linksOf = ({ markdown }: Pick<Page, 'markdown'>) =>
  Array.from(markdown.matchAll(/\]\(([^)\s]+)\)/g), ([, target]) => target ?? '');

/** The relative links of a page that lead to no file or folder among `packed`, the files of the npm package. */
export const linksOutOf = ({ file, markdown }: Pick<Page, 'file' | 'markdown'>, packed: string[]) =>
  linksOf({ markdown }).filter((target) => {
    if (/^(?:https:|#)/.test(target)) return false;
    const path = posix.join(posix.dirname(file), target.replace(/#.*/, '')).replace(/\/$/, '');
    return !packed.some((name) => name === path || name.startsWith(`${path}/`));
  });

/** The links of a page that lead to no file or heading of the project. */
export function brokenLinks(page: Page): string[] {
  return linksOf(page).filter((target) => {
    if (target.startsWith('https://')) return false;
    const [path = '', anchor] = target.split('#');
    const file = path === '' ? page.file : posix.join(posix.dirname(page.file), path);
    if (!existsSync(`${root}${file}`)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(`${root}${file}`, 'utf8')).includes(anchor);
  });
}

/** As GitHub makes them. */
const anchorsOf = (markdown: string) =>
  Array.from(markdown.matchAll(/^#+ (.*)$/gm), ([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\w\s-]/g, '')
      .replace(/\s/g, '-'),
  );
