/**
 * One key per message of the answer. Its id is the key; where an event names the message only by its place, or by
 * nothing, the place stands in (`agent-api.md` §14, questions 14 and 31).
 */
export type MessageKeys = { keyOf(id: string | undefined, index: number | undefined): string };

export function createMessageKeys(): MessageKeys {
  const known = new Set<string>();
  const keyAt = new Map<number, string>();
  let last: string | undefined;

  function find(id: string | undefined, index: number | undefined): string {
    if (id !== undefined && known.has(id)) return id;
    const there = index === undefined ? last : keyAt.get(index);
    // A message that began without an id keeps its stand-in when the id turns up.
    if (there !== undefined && (id === undefined || there.startsWith('#'))) return there;
    return id ?? `#${index ?? 0}`;
  }

  return {
    keyOf(id, index) {
      if (id !== undefined && id === last) return id;
      const key = find(id, index);
      known.add(key);
      if (index !== undefined && !keyAt.has(index)) keyAt.set(index, key);
      last = key;
      return key;
    },
  };
}
