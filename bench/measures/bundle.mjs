/** What a bundler makes of the one function that an app imports. Exact, so it is taken once. */
import { gzipSync } from 'node:zlib';
import { bundle } from '../../scripts/bundle.mjs';
import { adapterOf, PEERS } from '../lib/adapters.mjs';
import { at } from '../lib/places.mjs';
import { rowOf } from '../lib/rows.mjs';

export const plans = { full: {}, short: {} };

const KINDS = [
  { title: 'zod external', external: ['zod', 'zod/*'], goal: 45 },
  { title: 'all included', external: [], goal: 150 },
];

export async function measure() {
  const rows = [];
  const raw = {};
  for (const { title, external, goal } of KINDS) {
    const sizes = {};
    for (const id of ['ours', 'ours-v3', 'ours-v4', ...PEERS]) sizes[id] = await sizeOf(adapterOf(id), external);
    raw[title] = sizes;
    const kilobytes = (id) => sizes[id].bytes / 1024;
    const note = `esbuild, minified ES module of the one factory for Node; 1 KB is 1,024 bytes. Exact.`;
    const measure = `Bundle, ${title}`;
    rows.push(
      rowOf({ measure, unit: 'KB', ours: kilobytes('ours'), goal: { atMost: goal }, note }, PEERS, kilobytes),
      rowOf({ measure: 'the same of `./v4`', unit: 'KB', ours: kilobytes('ours-v4'), note }),
    );
  }
  return { rows, raw };
}

async function sizeOf({ ai, package: name, factory }, external) {
  const { contents } = await bundle({
    code: `export { ${factory} } from '${name}';`,
    from: at('apps', `ai-${ai}`),
    external,
  });
  return { bytes: contents.length, gzipped: gzipSync(contents, { level: 9 }).length };
}
