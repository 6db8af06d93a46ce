/** What a bundler makes of some code. */
import { join } from 'node:path';
import { build } from 'esbuild';
import { root } from './packed.mjs';

/**
 * A minified ES module for Node.
 *
 * @param {{ code: string, from: string, external?: string[] }} options Code that imports what is to be bundled, and the
 *   folder from which it does.
 */
export async function bundle({ code, from, external = [] }) {
  const { outputFiles } = await build({
    stdin: { contents: code, resolveDir: from },
    absWorkingDir: root,
    outfile: join(root, 'bundle.js'),
    write: false,
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'es2022',
    external,
    legalComments: 'none',
    sourcemap: 'external',
    logLevel: 'error',
  });
  const [map, js] = [...outputFiles].sort((left, right) => right.path.length - left.path.length);
  return { contents: js.contents, map: map.text };
}
