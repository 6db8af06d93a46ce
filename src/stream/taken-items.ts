import { asObjects, asText, type WireObject } from '../json.js';

/**
 * Items that events have brought, so that each is taken once: the final output repeats them, possibly at other places,
 * since a call that never ended has a place in the stream and none in the output.
 */
export type TakenItems = {
  /** Takes an item from an event. False when the same item stands there already. */
  take(index: number, item: WireObject): boolean;
  /** For the items of the final output, in order: whether events brought this one already. */
  repeatedIn(output: readonly WireObject[]): (item: WireObject, index: number) => boolean;
};

export function createTakenItems(): TakenItems {
  const counts = new Map<string, number>();
  const places = new Map<number, { identity: string; type: unknown }>();

  return {
    take(index, item) {
      const identity = identityOf(item);
      if (places.get(index)?.identity === identity) return false;
      places.set(index, { identity, type: item['type'] });
      counts.set(identity, (counts.get(identity) ?? 0) + 1);
      return true;
    },
    repeatedIn(output) {
      const inOutput = new Set(output.map(identityOf));
      return (item, index) => {
        const identity = identityOf(item);
        const count = counts.get(identity) ?? 0;
        if (count > 0) {
          counts.set(identity, count - 1);
          return true;
        }
        // The same item, with details that differ between its event and the snapshot.
        const there = places.get(index);
        return there !== undefined && there.type === item['type'] && !inOutput.has(there.identity);
      };
    },
  };
}

/**
 * What an item is. Messages and calls have ids; results have none (`agent-api.md` §4.2) and are known by what they
 * hold.
 */
export function identityOf(item: WireObject): string {
  const type = asText(item['type']) ?? '';
  const id = asText(item['call_id']) ?? asText(item['id']);
  if (id !== undefined) return `${type}:${id}`;
  const results = [...asObjects(item['results']), ...asObjects(item['contents'])];
  if (results.length === 0) return `${type}:${JSON.stringify(item)}`;
  const first = results[0] ?? {};
  const last = results.at(-1) ?? {};
  return JSON.stringify([type, item['queries'], results.length, first['id'], first['url'], last['id'], last['url']]);
}
