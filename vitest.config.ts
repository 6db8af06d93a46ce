import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
const src = (path: string) => fileURLToPath(new URL(`src/${path}`, import.meta.url));

export default defineConfig({
  define: { __PACKAGE_VERSION__: JSON.stringify(version) },
  resolve: {
    // Tests import the package by its public name and run on the sources.
    alias: [
      { find: /^ai-sdk-provider-perplexity-agent\/simulator\/node$/, replacement: src('simulator/node.ts') },
      { find: /^ai-sdk-provider-perplexity-agent\/simulator$/, replacement: src('simulator/index.ts') },
      { find: /^ai-sdk-provider-perplexity-agent\/(v[34])$/, replacement: src('$1.ts') },
      { find: /^ai-sdk-provider-perplexity-agent$/, replacement: src('index.ts') },
    ],
  },
  test: {
    include: ['test/**/*.test.ts'],
    setupFiles: ['test/setup.ts'],
    testTimeout: 20_000,
    typecheck: { enabled: true, include: ['test/**/*.test-d.ts'], tsconfig: './tsconfig.json' },
    coverage: {
      provider: 'v8',
      include: ['src/**/*.ts'],
      reporter: ['text-summary', 'text', 'json-summary'],
      thresholds: { lines: 95, branches: 90 },
    },
  },
});
