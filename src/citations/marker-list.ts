import type { Marker } from './paragraph.js';

/** Where a text cites what. */
export type CitedPlace = Pick<Marker, 'start' | 'end' | 'resultId'>;

/**
 * The markers of a text, kept until its end. Packed, since they are all that grows with an answer: by the middle of 500,000
 * deltas the heap had grown by 0.8 MB with an object for each, and by 0.5 with this (`npm run bench -- --only growth`).
 */
export type MarkerList = Iterable<CitedPlace> & { add(marker: Marker): void };

export function createMarkerList(): MarkerList {
  const starts: number[] = [];
  const ends: number[] = [];
  const resultIds: string[] = [];
  /** Each id once: a long text cites few results many times. */
  const ids = new Map<string, string>();

  function once(id: string): string {
    const known = ids.get(id);
    if (known !== undefined) return known;
    ids.set(id, id);
    return id;
  }

  return {
    add({ start, end, resultId }) {
      starts.push(start);
      ends.push(end);
      resultIds.push(once(resultId));
    },
    *[Symbol.iterator]() {
      for (const [index, resultId] of resultIds.entries()) {
        yield { start: starts[index] as number, end: ends[index] as number, resultId };
      }
    },
  };
}
