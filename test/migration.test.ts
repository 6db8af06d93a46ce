// @vitest-environment node
/** Holds docs/migration.md to its word: its programs run, also under ai 6 and 7, and its tables leave no option out. */
import { createPerplexity } from '@ai-sdk/perplexity';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { generateText } from 'ai';
import { describe, expect, it } from 'vitest';
import {
  brokenLinks,
  expectReason,
  namesIn,
  readPage,
  runnable,
  testExamples,
  testUnderOtherMajors,
} from './readme/page.js';

const page = readPage('docs/migration.md');
const { examples, blocks, tables, program } = page;
const OFFICIAL = 'node_modules/@ai-sdk/perplexity/dist/index.d.ts';

const headings = {
  sonar: 'Options of Sonar',
  official: 'Options of 2.1.1',
  openai: 'From @ai-sdk/openai',
  none: 'Options without a predecessor',
};

/** Names in a column of all tables under a heading. */
function namesUnder(heading: string, column: number): string[] {
  const rows = tables.filter((table) => table.heading === heading).flatMap((table) => table.rows);
  return rows.flatMap((row) => namesIn(row[column]));
}

testExamples(page);

describe('the programs of the migration page', () => {
  it('that cannot be checked here say why', () => {
    const unchecked = blocks.filter(({ language }) => language === 'js');
    expect(unchecked.length).toBe(2);
    for (const { notRun, line } of unchecked) {
      expect(notRun, `block in line ${line}`).toBeDefined();
      expectReason(notRun, line);
    }
  });

  it('show what comes after, and what came before where that still works', () => {
    const ours = examples.filter(({ code }) => code.includes("'ai-sdk-provider-perplexity-agent'"));
    expect(ours.every(({ notRun }) => notRun === undefined)).toBe(true);
    expect(ours.length).toBe(6);
    expect(runnable(examples).length - ours.length).toBe(2);
  });

  testUnderOtherMajors(examples.filter(({ code }) => code.includes("'ai-sdk-provider-perplexity-agent'")));

  it('lead nowhere wrong', () => {
    expect(brokenLinks(page)).toEqual([]);
  });
});

describe('the tables of the migration page', () => {
  it('have a cell in each column', () => {
    for (const { heading, header, rows } of tables) {
      for (const row of rows) expect([heading, row[0], row.length]).toEqual([heading, row[0], header.length]);
    }
  });

  it('name each option of @ai-sdk/perplexity 2.1.1 and no other', () => {
    const options = program.pathsOf(OFFICIAL, 'PerplexityLanguageModelOptions');
    expect(options.length).toBeGreaterThan(40);
    expect(namesUnder(headings.official, 0).sort()).toEqual(options.sort());
  });

  it('name each field of its metadata and of its sources', async () => {
    const { fetch } = createAgentApiSimulator({ scenario: 'search' });
    const model = createPerplexity({ apiKey: 'any', fetch })('fast');
    const { providerMetadata, sources } = await generateText({ model, prompt: 'When?' });
    const metadata = pathsIn(providerMetadata?.['perplexity'], ['toolCalls']);
    const source = pathsIn(sources[0]?.providerMetadata?.['perplexity'], []).map(
      (field) => `providerMetadata.perplexity.${field}`,
    );
    expect(metadata.length).toBeGreaterThan(8);
    expect(source.length).toBe(5);
    expect(namesUnder('Results of 2.1.1', 0)).toEqual(expect.arrayContaining([...metadata, ...source]));
  });

  it('name each of our options once: as a successor, or as one without a predecessor', () => {
    const own = program.keysOf('src/options.ts', 'PerplexityAgentProviderOptions');
    const fresh = namesUnder(headings.none, 0);
    const columns = tables.filter(({ heading }) => heading !== headings.none).flatMap(({ rows }) => rows);
    const named = new Set(columns.flatMap((row) => namesIn(row[1])).map((name) => name.replace(/[.:].*$/, '')));
    expect(own.filter((option) => named.has(option) === fresh.includes(option))).toEqual([]);
    expect(fresh.filter((option) => !own.includes(option))).toEqual([]);
  });

  it('say the same as the refusal of each option that is none of ours', async () => {
    const model = createPerplexityAgent({ apiKey: 'any' })('low');
    const own = program.keysOf('src/options.ts', 'PerplexityAgentProviderOptions');
    const openai = tables.find(({ heading }) => heading === headings.openai)?.rows ?? [];
    const others = tables.filter(({ heading }) => [headings.sonar, headings.official].includes(heading));
    const refused = [...others.flatMap(({ rows }) => rows), ...openai].flatMap(([before, now, changes]) =>
      namesIn(before).flatMap((name) => {
        const option = name.replace(/\..*/, '');
        return own.includes(option) ? [] : [{ name, option, now, changes }];
      }),
    );
    expect(refused.length).toBeGreaterThan(80);
    for (const { name, option, now, changes } of refused) {
      const providerOptions = { perplexity: { [option]: 'x' } };
      const error: unknown = await generateText({ model, prompt: 'Hi', providerOptions }).catch(
        (reason: unknown) => reason,
      );
      const { message } = error as Error;
      expect(message, `the refusal of ${name}`).toContain(`${option} is not a known option`);
      expect(message, `the refusal of ${name}`).not.toContain('the known ones are');
      if (name !== option) continue;
      if (!message.includes('nothing replaces it')) {
        const successors = now === 'gone' ? namesIn(changes) : namesIn(now);
        expect(successors.length, `successors of ${name}`).toBeGreaterThan(0);
        for (const successor of successors) expect(message).toContain(successor);
      } else {
        expect([name, now]).toEqual([name, 'gone']);
      }
    }
  });

  it('name options of ours that exist', () => {
    const own = program.pathsOf('src/options.ts', 'PerplexityAgentProviderOptions');
    const paths = [...namesUnder(headings.sonar, 1), ...namesUnder(headings.official, 1)].filter((name) =>
      /^(?:webSearch|fetchUrl)\.[\w.]+$/.test(name),
    );
    expect(paths.length).toBeGreaterThan(20);
    expect(paths.filter((name) => !own.includes(name))).toEqual([]);
  });
});

/** The paths to all values in an object, down to those that are `whole`. */
function pathsIn(value: unknown, whole: string[], path = ''): string[] {
  if (typeof value !== 'object' || value === null || whole.includes(path)) return [path];
  const prefix = path === '' ? '' : `${path}.`;
  return Object.entries(value).flatMap(([key, inner]) => pathsIn(inner, whole, `${prefix}${key}`));
}
