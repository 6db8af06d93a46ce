/**
 * Gives out each name once. A name that is taken gets a `+`, and from the second time on a number after it, so that the
 * wire cannot make ids longer and longer by giving the same one again and again.
 */
export function createFreeNames(): (wanted: string) => string {
  const given = new Set<string>();
  const repeats = new Map<string, number>();
  return (wanted) => {
    let name = wanted;
    while (given.has(name)) {
      const count = (repeats.get(wanted) ?? 0) + 1;
      repeats.set(wanted, count);
      name = count === 1 ? `${wanted}+` : `${wanted}+${count}`;
    }
    given.add(name);
    return name;
  };
}
