/** The bench measures the package beside what an app would install with it. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { ADAPTERS, titleOf } from '../../bench/lib/adapters.mjs';

const read = (path: string) =>
  JSON.parse(readFileSync(fileURLToPath(new URL(`../../${path}`, import.meta.url)), 'utf8'));

it('gives the package the dependencies that it is developed with', () => {
  const { dependencies } = read('package.json');
  const { packages } = read('package-lock.json');
  const resolved = Object.keys(dependencies).map((name) => [name, packages[`node_modules/${name}`].version]);
  expect(read('bench/package.json').dependencies).toMatchObject(Object.fromEntries(resolved));
});

it('pins every peer', () => {
  const peers = ADAPTERS.filter(({ kind }) => ['official', 'provider', 'client'].includes(kind));
  expect(peers.map((peer) => titleOf(peer))).toEqual([
    '@ai-sdk/perplexity 2.1.1',
    '@ai-sdk/openai 2.0.131',
    '@ai-sdk/openai 4.0.118',
    '@ai-sdk/open-responses 2.0.36',
    '@openrouter/ai-sdk-provider 3.1.0',
    '@perplexity-ai/perplexity_ai 0.38.5',
  ]);
});
