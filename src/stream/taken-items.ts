import { asObjects, asText, type WireObject } from '../json.js';

/**
 * Items that events have brought, so that each is taken once: the final output repeats them, possibly at other places,
 * since a call that never ended has a place in the stream and none in the output.
 */
export type TakenItems = {
  /** Those that were taken, in their order. */
  readonly all: readonly TakenItem[];
  /** Takes an item from an event. False when it was taken before. */
  take(index: number, item: WireObject): boolean;
  /** Items of the final output → the same items as events brought them. */
  pairWith(output: readonly WireObject[]): ReadonlyMap<WireObject, WireObject>;
};

/** An item, its place in the output, and what it is. */
export type TakenItem = { index: number; item: WireObject; identity: string };

/** Whether an item of the final output is one that was taken; the surest sign first. */
const SIGNS: ReadonlyArray<(taken: TakenItem, final: TakenItem) => boolean> = [
  (taken, final) => taken.identity === final.identity,
  (taken, final) => isSameCall(taken.item, final.item),
  // The same item, with details that differ between its event and the snapshot.
  (taken, final) => taken.index === final.index && isAlike(taken.item, final.item, ['type', 'name']),
  // A call that lost its ids on the way and moved up.
  (taken, final) => isCall(final.item) && isAlike(taken.item, final.item, ['type', 'name', 'arguments']),
];

const isAlike = (one: WireObject, other: WireObject, keys: readonly string[]) =>
  keys.every((key) => one[key] === other[key]);

export function createTakenItems(): TakenItems {
  const all: TakenItem[] = [];

  return {
    all,
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
      const finals = output.map((item, index) => ({ index, item, identity: identityOf(item) }));
      for (const isSame of SIGNS) {
        for (const final of finals) {
          if (pairs.has(final.item)) continue;
          for (const taken of unpaired) {
            if (!isSame(taken, final)) continue;
            pairs.set(final.item, taken.item);
            unpaired.delete(taken);
            break;
          }
        }
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
function identityOf(item: WireObject): string {
  const type = asText(item['type']) ?? '';
  const id = asText(item['call_id']) ?? asText(item['id']);
  if (id !== undefined) return `${type}:${id}`;
  // Pages are told apart by their numbers and addresses; images, tables and programs have neither. Lists may be long,
  // and null in an event where they are empty in the snapshot.
  const list = { search_results: 'results', people_search_results: 'results', fetch_url_results: 'contents' }[type];
  if (list === undefined) return `${type}:${JSON.stringify(item)}`;
  const results = asObjects(item[list]);
  const first = results[0] ?? {};
  const last = results.at(-1) ?? {};
  return JSON.stringify([type, item['queries'], results.length, first['id'], first['url'], last['id'], last['url']]);
}
