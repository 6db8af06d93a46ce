import { describe, expect, it } from 'vitest';
import { MEASURES, readArguments, UsageError } from '../../bench/lib/arguments.mjs';

describe('the command line of the bench', () => {
  it('runs everything, at length, without a word', () => {
    expect(readArguments([])).toEqual({ mode: 'full', measures: MEASURES, rounds: undefined });
  });

  it('takes a few measures, in the order of the table', () => {
    expect(readArguments(['--short', '--only', 'bundle,turns', '--rounds', '2'])).toEqual({
      mode: 'short',
      measures: ['turns', 'bundle'],
      rounds: 2,
    });
  });

  it.each([
    [['--quick'], "Unknown option '--quick'"],
    [['throughput'], "Unexpected argument 'throughput'"],
    [['--only', 'speed,turns'], 'There is no measure speed; there are throughput, turns,'],
    [['--only'], "Option '--only <value>' argument missing"],
    [['--rounds', '0'], '--rounds takes a whole number, 1 or more, not 0.'],
    [['--rounds', 'many'], '--rounds takes a whole number, 1 or more, not many.'],
  ])('refuses %j and tells the usage', (argv, problem) => {
    expect(() => readArguments(argv)).toThrow(UsageError);
    expect(() => readArguments(argv)).toThrow(problem);
    expect(() => readArguments(argv)).toThrow('Usage: npm run bench -- [--short]');
  });
});
