import { describe, expect, it } from 'vitest';
import { bytesByOrigin } from '../../scripts/bytes-by-origin.mjs';
import { reportOf, whatGrew } from '../../scripts/size-report.mjs';

describe('whatGrew', () => {
  it('names what has grown or is new, most first, and nothing else', () => {
    const before = { 'src/a.ts': 100, 'src/b.ts': 50, 'src/same.ts': 7, 'src/gone.ts': 9, zod: 20 };
    const after = { 'src/a.ts': 90, 'src/b.ts': 80, 'src/same.ts': 7, 'src/new.ts': 12, zod: 2020 };
    expect(whatGrew(before, after)).toEqual([
      { name: 'zod', bytes: 2020, by: 2000 },
      { name: 'src/b.ts', bytes: 80, by: 30 },
      { name: 'src/new.ts', bytes: 12, by: 12 },
    ]);
  });
});

describe('reportOf', () => {
  const recorded = { bytes: 1000, parts: { 'src/a.ts': 600, zod: 400 } };

  it('is one line where the budget is kept', () => {
    const sizes = { index: { bytes: 1060, parts: { 'src/a.ts': 660, zod: 400 } } };
    expect(reportOf({ index: { budget: 1100, recorded } }, sizes)).toEqual({
      isWithinBudget: true,
      lines: ['index: 1,060 bytes, 40 below its budget of 1,100; +60 since the record'],
    });
  });

  it('says that a budget is met to the byte, and that something has shrunk', () => {
    const sizes = { index: { bytes: 1000, parts: {} }, v3: { bytes: 990, parts: {} } };
    expect(reportOf({ index: { budget: 1000, recorded }, v3: { budget: 1000, recorded } }, sizes)).toEqual({
      isWithinBudget: true,
      lines: [
        'index: 1,000 bytes, 0 below its budget of 1,000; as recorded',
        'v3: 990 bytes, 10 below its budget of 1,000; −10 since the record',
      ],
    });
  });

  it('tells what grew where one budget is not kept', () => {
    const sizes = {
      index: { bytes: 3101, parts: { 'src/a.ts': 650, 'src/new.ts': 2051, zod: 400 } },
      v3: { bytes: 1000, parts: recorded.parts },
    };
    expect(reportOf({ index: { budget: 1100, recorded }, v3: { budget: 1100, recorded } }, sizes)).toEqual({
      isWithinBudget: false,
      lines: [
        'index: 3,101 bytes, 2,001 OVER its budget of 1,100; +2,101 since the record',
        '  +2,051 src/new.ts, now 2,051',
        '  +50 src/a.ts, now 650',
        'v3: 1,000 bytes, 100 below its budget of 1,100; as recorded',
      ],
    });
  });

  it('says when the record itself is over the budget', () => {
    const { isWithinBudget, lines } = reportOf({ index: { budget: 900, recorded } }, { index: recorded });
    expect(isWithinBudget).toBe(false);
    expect(lines.at(-1)).toBe('  nothing has grown since the record');
  });
});

describe('bytesByOrigin', () => {
  it('follows the source map to files and packages, and counts bytes', () => {
    const map = JSON.stringify({
      version: 3,
      sources: [
        'src/a.ts',
        'node_modules/@ai-sdk/provider/src/errors.ts',
        'node_modules/.pnpm/zod@4/node_modules/zod/v4/core.js',
      ],
      names: [],
      // Line 1: columns 0 to 2 from the first, from 3 on from the second. Line 2: all from the third.
      mappings: 'AAAA,GCAA;ACAA',
    });
    const contents = Buffer.from('aaa"ø"\nzz');
    expect(bytesByOrigin({ contents, map })).toEqual({ '@ai-sdk/provider': 5, 'src/a.ts': 3, zod: 2 });
  });
});
