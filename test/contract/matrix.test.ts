/**
 * The matrix: every expectation, under one major of `ai` with each face that it takes. Here that is the root's ai 5;
 * `npm run test:contract` installs and runs the other majors, `npm run test:contract 6` one of them.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { expectations } from './expectations.js';
import { facesOf, releases } from './sdk.js';
import { worldOf } from './world.js';

const scope = globalThis as { AI_SDK_LOG_WARNINGS?: boolean };
beforeAll(() => {
  scope.AI_SDK_LOG_WARNINGS = false;
});
afterAll(() => {
  delete scope.AI_SDK_LOG_WARNINGS;
});

const cells = releases.flatMap((release) =>
  facesOf(release.major).map((face) => [`ai ${release.version} with ${face}`, { ...release, face }] as const),
);

describe.each(cells)('%s', (_name, cell) => {
  const rows = expectations
    .filter((row) => row.only?.(cell) !== false && (!cell.isEarly || row.isShort === true))
    .map((row) => [row.name, row] as const);

  it.each(rows)('%s', async (_row, { observe, expected }) => {
    expect(await observe(worldOf(cell))).toEqual(expected(cell));
  });
});
