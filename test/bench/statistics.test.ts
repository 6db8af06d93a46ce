import { describe, expect, it } from 'vitest';
import { interleave } from '../../bench/lib/rounds.mjs';
import { samplesOf } from '../../bench/lib/samples.mjs';
import { median, pairedRatio } from '../../bench/lib/statistics.mjs';

describe('median', () => {
  it('is the middle one', () => {
    expect(median([9, 1, 4])).toBe(4);
  });

  it('is the mean of the two in the middle', () => {
    expect(median([10, 1, 4, 2])).toBe(3);
  });

  it('leaves what it was given as it was', () => {
    const numbers = [3, 1, 2];
    median(numbers);
    expect(numbers).toEqual([3, 1, 2]);
  });

  it('is no number for none', () => {
    expect(median([])).toBeNaN();
  });
});

describe('pairedRatio', () => {
  it('forms the ratios round by round: a slow round slows both', () => {
    // The ratio of the medians would be 40 / 10.
    expect(pairedRatio([10, 40, 90], [5, 10, 60])).toBe(2);
  });

  it('leaves out rounds in which one is missing', () => {
    expect(pairedRatio([6, 8, 1000], [2, 4])).toBe(2.5);
    expect(pairedRatio([6], [2, 4])).toBe(3);
  });
});

describe('interleave', () => {
  it('takes each once a round, and turns the order', async () => {
    const taken: string[] = [];
    await interleave(['a', 'b', 'c'], 4, async (entry) => {
      taken.push(entry);
    });
    expect(taken.join('')).toBe('abcbcacababc');
  });
});

describe('samplesOf', () => {
  const samples = samplesOf(
    new Map([
      ['ours', [{ cpu: 2 }, { cpu: 6 }, { cpu: 3 }]],
      ['floor', [{ cpu: 1 }, { cpu: 2 }, { cpu: 3 }]],
      ['failed', []],
    ]),
  );

  it('forms figures of series', () => {
    expect(samples.middle('ours', 'cpu')).toBe(3);
    expect(samples.most('ours', 'cpu')).toBe(6);
    expect(samples.ratio('ours', 'floor', 'cpu')).toBe(2);
  });

  it('has no figure of a series that failed', () => {
    expect(samples.middle('failed', 'cpu')).toBeNaN();
    expect(samples.most('failed', 'cpu')).toBeNaN();
    expect(samples.ratio('failed', 'floor', 'cpu')).toBeNaN();
    expect(samples.ratio('ours', 'failed', 'cpu')).toBeNaN();
  });
});
