import { describe, expect, it } from 'vitest';
import { againstBest, rowOf } from '../../bench/lib/rows.mjs';
import { isMet, makeTable } from '../../bench/lib/table.mjs';

const titles = { official: 'official 1.0.0', client: 'client 2.0.0' };
const PEERS = ['perplexity-ai-5', 'openai-ai-5', 'openai-ai-7', 'perplexity-sdk-ai-5'];
const FIGURES: Record<string, number> = {
  'perplexity-ai-5': 5.6,
  'openai-ai-5': 7.204,
  'openai-ai-7': 5.1,
  'perplexity-sdk-ai-5': 2.4,
};
const figureOf = (id: string) => FIGURES[id] ?? NaN;

/** Cells of the only row. */
function cellsOf(row: Parameters<typeof makeTable>[0][number]) {
  const line = makeTable([row], titles).split('\n')[2] ?? '';
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

describe('rowOf', () => {
  it('puts each peer where it belongs', () => {
    const row = rowOf({ measure: 'CPU', unit: '×', ours: 1, note: 'How.' }, PEERS, figureOf);
    expect(row).toEqual({
      measure: 'CPU',
      unit: '×',
      ours: 1,
      note: 'How.',
      official: 5.6,
      providers: [7.204, 5.1],
      client: 2.4,
    });
  });
});

describe('againstBest', () => {
  it('is the largest ratio, since the best one is the hardest to beat', () => {
    expect(againstBest(['a', 'b', 'c'], (id) => ({ a: 0.2, b: 0.31, c: NaN })[id] ?? NaN)).toBe(0.31);
  });

  it('is no number without anybody', () => {
    expect(againstBest([], () => 1)).toBeNaN();
  });
});

describe('makeTable', () => {
  it('is one Markdown table with its notes', () => {
    const row = rowOf({ measure: 'CPU', unit: '×', ours: 1.2, goal: { atMost: 1.25 }, note: 'How.' }, PEERS, figureOf);
    const size = rowOf({ measure: 'Size', unit: 'KB', ours: 45.25, goal: { atMost: 45 }, note: 'Exact.' });
    expect(makeTable([row, { ...row, measure: 'CPU again' }, size], titles)).toBe(
      `
| Measure | Ours | official 1.0.0 | Other AI SDK providers | client 2.0.0 | Goal | Met |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| CPU [^1] | 1.20 × | 5.60 × | 5.10 to 7.20 × | 2.40 × | at most 1.25 × | yes |
| CPU again [^1] | 1.20 × | 5.60 × | 5.10 to 7.20 × | 2.40 × | at most 1.25 × | yes |
| Size [^2] | 45.3 KB | – | – | – | at most 45.0 KB | **no** |

[^1]: How.
[^2]: Exact.`.trimStart(),
    );
  });

  it.each([
    ['×', 0.034, '0.034 ×'],
    ['×', 11.52, '11.52 ×'],
    ['%', 19.6, '20 %'],
    ['µs', 3.456, '3.46 µs'],
    ['ms', 84.92, '84.9 ms'],
    ['KB', 480.61, '481 KB'],
    ['MB', 0.333, '0.33 MB'],
    ['count', 0, '0'],
    ['ms', NaN, 'failed'],
    ['ms', Infinity, 'stopped'],
  ])('writes %s %d as %s', (unit, ours, expected) => {
    expect(cellsOf(rowOf({ measure: 'M', unit, ours, note: 'N' }))[1]).toBe(expected);
  });

  it('tells a range by its ends, one figure as itself, and who failed', () => {
    const others = (providers: number[], unit = '×') =>
      cellsOf({ ...rowOf({ measure: 'M', unit, ours: 1, note: 'N' }), providers })[3];
    expect(others([3, 1, 2])).toBe('1.00 to 3.00 ×');
    expect(others([2])).toBe('2.00 ×');
    expect(others([2.001, 2.002])).toBe('2.00 ×');
    expect(others([9, 6], 'count')).toBe('6 to 9');
    expect(others([3, NaN, 2])).toBe('2.00 to 3.00 ×, 1 failed');
    expect(others([NaN, NaN])).toBe('failed');
    expect(others([2, Infinity])).toBe('2.00 to stopped');
    expect(others([])).toBe('–');
  });

  it('tells the goal', () => {
    const goal = (wanted: { atMost?: number; aim?: number; belowProviders?: boolean }) =>
      cellsOf(rowOf({ measure: 'M', unit: 'count', ours: 3, goal: wanted, note: 'N' })).slice(5);
    expect(goal({ atMost: 3 })).toEqual(['at most 3', 'yes']);
    expect(goal({ aim: 1, atMost: 2 })).toEqual(['1, at most 2', '**no**']);
    expect(goal({ belowProviders: true })).toEqual(['below every AI SDK provider', 'yes']);
  });
});

describe('isMet', () => {
  const row = rowOf({ measure: 'M', unit: 'MB', ours: 5, note: 'N' }, PEERS, figureOf);

  it('asks for less than every AI SDK provider has, whatever the client has', () => {
    expect(isMet({ ...row, goal: { belowProviders: true } })).toBe(true);
    expect(isMet({ ...row, ours: 5.1, goal: { belowProviders: true } })).toBe(false);
    expect(isMet({ ...row, ours: 5.3, official: NaN, providers: [6], goal: { belowProviders: true } })).toBe(true);
  });

  it('is not met by a figure that could not be taken', () => {
    expect(isMet({ ...row, ours: NaN, goal: { atMost: 9 } })).toBe(false);
    expect(isMet({ ...row, ours: NaN, providers: [], goal: { belowProviders: true } })).toBe(false);
  });

  it('is not asked without a goal', () => {
    expect(isMet(row)).toBeUndefined();
  });
});
