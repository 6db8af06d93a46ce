/** The built files: what an app gets of the three faces. Needs a build (`npm test` makes one). */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const dist = fileURLToPath(new URL('../../dist/', import.meta.url));
const files = readdirSync(dist).filter((name) => /\.c?[jt]s$/.test(name));
const textOf = (name: string) => readFileSync(join(dist, name), 'utf8');

const importsOf = (name: string) =>
  Array.from(
    textOf(name).matchAll(/^(?:import|export)\b[^;'"]*from\s*["']([^"']+)["']|\brequire\("([^"]+)"\)/gm),
    ([, imported, required]) => imported ?? required ?? '',
  );

describe('the built types', () => {
  const types = files.filter((name) => /\.d\.c?ts$/.test(name));

  it.each(types)('%s name no package that an ai 5 app lacks', (name) => {
    const packages = importsOf(name).filter((target) => !target.startsWith('.'));
    const allowed = ['@ai-sdk/provider', 'zod/v4/core'];
    expect(packages.filter((target) => !allowed.includes(target))).toEqual([]);
    expect(textOf(name)).not.toMatch(/import\(/);
  });

  it('hold those of V3 and V4 themselves', () => {
    expect(types).toEqual(expect.arrayContaining(['v3.d.ts', 'v3.d.cts', 'v4.d.ts', 'v4.d.cts']));
    expect(textOf('v3.d.ts')).toContain('type LanguageModelV3 =');
    expect(textOf('v4.d.cts')).toContain('type LanguageModelV4 =');
  });
});

describe('the built code', () => {
  it.each(['.js', '.cjs'])('has one core for all entries (%s)', (extension) => {
    const code = files.filter((name) => name.endsWith(extension) && !name.endsWith(`.d${extension}`));
    const cores = code.filter((name) => textOf(name).includes('function createEventMapper('));
    expect(cores).toHaveLength(1);
    for (const entry of ['index', 'v3', 'v4']) {
      expect(importsOf(`${entry}${extension}`)).toContain(`./${cores[0]}`);
      expect(textOf(`${entry}${extension}`).length).toBeLessThan(5000);
    }
  });
});
