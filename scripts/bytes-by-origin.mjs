/** Whose bytes those of a bundle are. */
import { SourceMap } from 'node:module';

/**
 * Bytes of a bundle by where they come from: a file of `src/`, or a package. Source maps lead through the built package back
 * to its sources, so it is the published code that is measured, and yet the file is named that somebody has to look at.
 *
 * @param {{ contents: Uint8Array, map: string }} bundled The code, and its source map as JSON.
 * @returns {Record<string, number>} Sorted by name.
 */
export function bytesByOrigin({ contents, map }) {
  const sourceMap = new SourceMap(JSON.parse(map));
  const bytes = new Map();
  const lines = Buffer.from(contents).toString().split('\n');
  for (const [line, text] of lines.entries()) {
    let column = 0;
    // By character, since a unit of UTF-16 has no number of bytes. A line break belongs to the line that it ends.
    for (const character of line < lines.length - 1 ? `${text}\n` : text) {
      const origin = originOf(sourceMap.findEntry(line, column).originalSource);
      bytes.set(origin, (bytes.get(origin) ?? 0) + Buffer.byteLength(character));
      column += character.length;
    }
  }
  return Object.fromEntries([...bytes].sort(([left], [right]) => (left < right ? -1 : 1)));
}

/** `src/model.ts`, the name of a package, or the bundler itself. */
function originOf(source) {
  if (source === undefined) return 'the bundler';
  const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source) ?? [];
  return name ?? source;
}
