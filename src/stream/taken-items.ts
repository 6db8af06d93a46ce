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

/** What an item of the final output has in common with one that was taken; the surest sign first. */
const SIGNS: ReadonlyArray<(item: TakenItem) => readonly string[]> = [
  ({ identity }) => [identity],
  ({ item }) => callIdsOf(item),
  // The same item, with details that differ between its event and the snapshot.
  ({ index, item }) => looksOf(item, ['type', 'name'], index),
  // A call that lost its ids on the way and moved up.
  ({ item }) => (isCall(item) ? looksOf(item, ['type', 'name', 'arguments']) : []),
];

export function createTakenItems(): TakenItems {
  const all: TakenItem[] = [];
  const identities = new Map<number, Set<string>>();
  const callIds = new Set<string>();

  return {
    all,
    take(index, item) {
      const identity = identityOf(item);
      const here = identities.get(index) ?? new Set();
      const ids = callIdsOf(item);
      if (here.has(identity) || ids.some((id) => callIds.has(id))) return false;
      identities.set(index, here.add(identity));
      for (const id of ids) callIds.add(id);
      all.push({ index, item, identity });
      return true;
    },

    pairWith(output) {
      const pairs = new Map<WireObject, WireObject>();
      const finals = output.map((item, index) => ({ index, item, identity: identityOf(item) }));
      const paired = new Set<TakenItem>();
      for (const signsOf of SIGNS) {
        const bySign = inRows(
          all.filter((taken) => !paired.has(taken)),
          signsOf,
        );
        for (const final of finals) {
          if (pairs.has(final.item)) continue;
          const taken = firstOf(
            signsOf(final).map((sign) => bySign.get(sign)),
            paired,
          );
          if (taken === undefined) continue;
          pairs.set(final.item, taken.item);
          paired.add(taken);
        }
      }
      return pairs;
    },
  };
}

type Row = { items: Array<[order: number, item: TakenItem]>; next: number };

/** Items by what they have in common, in their order. */
function inRows(items: readonly TakenItem[], signsOf: (item: TakenItem) => readonly string[]): Map<string, Row> {
  const rows = new Map<string, Row>();
  items.forEach((item, order) => {
    for (const sign of signsOf(item)) {
      const row = rows.get(sign) ?? { items: [], next: 0 };
      row.items.push([order, item]);
      rows.set(sign, row);
    }
  });
  return rows;
}

/** The first item of some rows that has no pair yet. Each row is gone through once. */
function firstOf(rows: ReadonlyArray<Row | undefined>, paired: ReadonlySet<TakenItem>): TakenItem | undefined {
  let first: [order: number, item: TakenItem] | undefined;
  for (const row of rows) {
    if (row === undefined) continue;
    while (paired.has(row.items[row.next]?.[1] as TakenItem)) row.next++;
    const candidate = row.items[row.next];
    if (candidate !== undefined && (first === undefined || candidate[0] < first[0])) first = candidate;
  }
  return first?.[1];
}

const isCall = (item: WireObject) => item['type'] === 'function_call';

/** Either of a call's two ids may be missing on an event or in the snapshot. */
function callIdsOf(item: WireObject): string[] {
  if (!isCall(item)) return [];
  const [callId, id] = [asText(item['call_id']), asText(item['id'])];
  return [...(callId === undefined ? [] : [`call_id ${callId}`]), ...(id === undefined ? [] : [`id ${id}`])];
}

/** How an item looks by some of its fields; by one that is an object it looks like no other. */
function looksOf(item: WireObject, keys: readonly string[], index?: number): string[] {
  const looks = keys.map((key) => item[key] ?? null);
  return looks.some((look) => typeof look === 'object' && look !== null) ? [] : [JSON.stringify([index, ...looks])];
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
