import { describe, expect, it } from 'vitest';
import { createMarkerList } from '../../src/citations/marker-list.js';

const marker = (start: number, resultId: string) => ({
  start,
  end: start + resultId.length + 2,
  resultId,
  isExplicit: false,
  isAfterBang: false,
});

describe('the markers of a text', () => {
  it('come back in their order, with their places', () => {
    const markers = createMarkerList();
    for (const one of [marker(0, '1'), marker(3, '12'), marker(40, '1')]) markers.add(one);
    expect([...markers]).toEqual([
      { start: 0, end: 3, resultId: '1' },
      { start: 3, end: 7, resultId: '12' },
      { start: 40, end: 43, resultId: '1' },
    ]);
  });

  it('are none where nothing is cited', () => {
    expect([...createMarkerList()]).toEqual([]);
  });
});
