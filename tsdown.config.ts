import { readFileSync } from 'node:fs';
import { defineConfig } from 'tsdown';

const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };

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
  deps: { neverBundle: [/^node:/] },
});
