import type { CoreWarning } from '../spec.js';

/** Collects warnings; one that says the same as an earlier one is not repeated, since a long chat repeats its parts. */
export type Warnings = { readonly list: CoreWarning[]; add(warning: CoreWarning): void; other(message: string): void };

export function createWarnings(): Warnings {
  const list: CoreWarning[] = [];
  const seen = new Set<string>();
  const add = (warning: CoreWarning) => {
    const key = JSON.stringify(warning);
    if (seen.has(key)) return;
    seen.add(key);
    list.push(warning);
  };
  return { list, add, other: (message) => add({ type: 'other', message }) };
}
