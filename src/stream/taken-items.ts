import { asObjects, asText, type WireObject } from '../json.js';

/**
 * Items that events have brought, so that each is taken once: the final output repeats them, possibly at other places,
 * since a call that never ended has a place in the stream and none in the output.
 */
export type TakenItems = {
  /** Takes an item from an event. False when it was taken before. */
  take(index: number, item: WireObject): boolean;
  /** Items of the final output → the same items as events brought them. */
  pairWith(output: readonly WireObject[]): ReadonlyMap<WireObject, WireObject>;
};

type Taken = { index: number; item: WireObject; identity: string };

/** Whether an item of the final output is one that was taken; the surest sign first. */
const SIGNS: ReadonlyArray<(taken: Taken, item: WireObject, index: number) => boolean> = [
  ({ identity }, item) => identity === identityOf(item),
  ({ item: taken }, item) => isSameCall(taken, item),
  // The same item, with details that differ between its event and the snapshot.
  ({ index: place, item: taken }, item, index) =>
    place === index && taken['type'] === item['type'] && taken['name'] === item['name'],
  // A call that lost its ids on the way and moved up.
  ({ item: taken }, item) =>
    isCall(item) && isCall(taken) && taken['name'] === item['name'] && taken['arguments'] === item['arguments'],
];

export function createTakenItems(): TakenItems {
  const all: Taken[] = [];

  return {
    take(index, item) {
      const identity = identityOf(item);
      const isRepeated = all.some(
        (taken) => (taken.index === index && taken.identity === identity) || isSameCall(taken.item, item),
      );
      if (!isRepeated) all.push({ index, item, identity });
      return !isRepeated;
    },

    pairWith(output) {
      const pairs = new Map<WireObject, WireObject>();
      const unpaired = new Set(all);
      for (const isSame of SIGNS) {
        output.forEach((item, index) => {
          if (pairs.has(item)) return;
          for (const taken of unpaired) {
            if (!isSame(taken, item, index)) continue;
            pairs.set(item, taken.item);
            unpaired.delete(taken);
            return;
          }
        });
      }
      return pairs;
    },
  };
}

const isCall = (item: WireObject) => item['type'] === 'function_call';

/** Either of a call's two ids may be missing on an event or in the snapshot. */
function isSameCall(one: WireObject, other: WireObject): boolean {
  const share = (key: string) => asText(one[key]) !== undefined && one[key] === other[key];
  return isCall(one) && isCall(other) && (share('call_id') || share('id'));
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
  const first = results[0] ?? {};
  // Pages are told apart by their numbers and addresses; images, tables and programs have neither.
  if (first['id'] === undefined && first['url'] === undefined) return `${type}:${JSON.stringify(item)}`;
  const last = results.at(-1) ?? {};
  return JSON.stringify([type, item['queries'], results.length, first['id'], first['url'], last['id'], last['url']]);
}
