/** Where things are. */
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const bench = fileURLToPath(new URL('..', import.meta.url));

/** A path in `bench/`. */
export const at = (...path) => join(bench, ...path);
