/**
 * Holds the size of what apps bundle to its budgets: `npm run check:size`, after a build. Bytes are exact, so a run proves it.
 * Over a budget it exits with 1 and names what has grown since the record. `--record` makes the present sizes the record; the
 * budgets in `bench/size.json` are changed by hand.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bundle } from './bundle.mjs';
import { bytesByOrigin } from './bytes-by-origin.mjs';
import { root } from './packed.mjs';
import { reportOf } from './size-report.mjs';

const FILE = join(root, 'bench', 'size.json');
const ZOD = ['zod', 'zod/*'];
/**
 * What is held to a budget. An app has zod already, since `ai` brings it; `index with all dependencies` is that of an app
 * without, and `splitCitations` what a page in a browser takes.
 */
const BUNDLES = {
  createPerplexityAgent: { code: `export { createPerplexityAgent } from './dist/index.js';`, external: ZOD },
  index: { code: `export * from './dist/index.js';`, external: ZOD },
  v3: { code: `export * from './dist/v3.js';`, external: ZOD },
  v4: { code: `export * from './dist/v4.js';`, external: ZOD },
  splitCitations: { code: `export { splitCitations } from './dist/index.js';`, external: [] },
  'index with all dependencies': { code: `export * from './dist/index.js';`, external: [] },
};

const unknown = process.argv.slice(2).filter((argument) => argument !== '--record');
if (unknown.length > 0) {
  console.error(`${unknown.join(' ')} means nothing here; there is --record.`);
  process.exit(2);
}

const known = JSON.parse(readFileSync(FILE, 'utf8'));
const entries = {};
const sizes = {};
for (const [name, { code, external }] of Object.entries(BUNDLES)) {
  // A bundle that is new here has no budget until it is given one.
  entries[name] = known[name] ?? { budget: 0, recorded: { bytes: 0, parts: {} } };
  const made = await bundle({ code, from: root, external });
  sizes[name] = { bytes: made.contents.length, parts: bytesByOrigin(made) };
}

const { isWithinBudget, lines } = reportOf(entries, sizes);
console.log(lines.join('\n'));
if (process.argv.includes('--record')) {
  const recorded = Object.entries(sizes).map(([name, size]) => [name, { ...entries[name], recorded: size }]);
  writeFileSync(FILE, `${JSON.stringify(Object.fromEntries(recorded), undefined, 2)}\n`);
  console.log('Recorded.');
}
if (!isWithinBudget) process.exitCode = 1;
