import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsdown';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

/** The inlined types name a package that only @ai-sdk/provider depends on, and whose types that exports again. */
const jsonSchemaFromProvider = {
  name: 'json-schema-from-provider',
  resolveId: {
    order: 'pre' as const,
    handler: (id: string) => (id === 'json-schema' ? { id: '@ai-sdk/provider', external: true } : undefined),
  },
};

export default defineConfig({
  entry: {
    index: 'src/index.ts',
    v3: 'src/v3.ts',
    v4: 'src/v4.ts',
    simulator: 'src/simulator/index.ts',
    'simulator-node': 'src/simulator/node.ts',
  },
  format: ['esm', 'cjs'],
  // The library runs on the edge and in browsers too; only simulator/node names Node built-ins.
  platform: 'neutral',
  target: 'es2022',
  dts: { sourcemap: true },
  sourcemap: true,
  define: { __PACKAGE_VERSION__: JSON.stringify(version) },
  deps: {
    neverBundle: [/^node:/],
    onlyBundle: [
      // Types only: no app has to install the provider package of another major.
      'ai-sdk-provider-v3',
      'ai-sdk-provider-v4',
      // The six functions in use. Imported as a whole it takes 3.5 ms under ai 5, and 10 under ai 6 and 7, which have
      // another major of it.
      '@ai-sdk/provider-utils',
    ],
  },
  // Nothing that is imported does anything by being imported; else what those functions do not need would stay.
  treeshake: { moduleSideEffects: [{ external: true, sideEffects: false }] },
  // An app that shows answers in a browser needs what reads citations and costs, and no provider.
  outputOptions: (options) => ({
    ...options,
    advancedChunks: {
      groups: [
        { name: 'citations', test: /src\/(?:citations\/\w|cost|json)[\w/-]*(?<!\.d)\.ts$/, priority: 2 },
        { name: 'shared', test: /(?<!\.d)\.(?:ts|mjs)$/, minShareCount: 2, priority: 1 },
      ],
    },
  }),
  // Not under `plugins`: the build of the .d.cts files leaves those out.
  inputOptions: (options) => ({ ...options, plugins: [jsonSchemaFromProvider, options.plugins] }),
});
