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
    // Types only: no app has to install the provider package of another major.
    onlyBundle: ['ai-sdk-provider-v3', 'ai-sdk-provider-v4'],
  },
  // What entries share would be named after one of the modules in it.
  outputOptions: ({ chunkFileNames, ...options }) => ({
    ...options,
    ...(typeof chunkFileNames === 'string' && { chunkFileNames: chunkFileNames.replace('[name]', 'shared') }),
  }),
  // Not under `plugins`: the build of the .d.cts files leaves those out.
  inputOptions: (options) => ({ ...options, plugins: [jsonSchemaFromProvider, options.plugins] }),
});
