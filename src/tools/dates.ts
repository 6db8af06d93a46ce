/**
 * Dates of search filters. The API documents `MM/DD/YYYY` and takes `YYYY-MM-DD` without a word, but nobody knows
 * whether it then filters (`agent-api.md` §3.1); so every date is sent in the documented form.
 */
import { complaint, invalid } from '../refusals.js';
import { type Check } from './checks.js';

/** `MM/DD/YYYY`, or undefined for what is no date of the calendar. `1/31/2020`, as dates are given to Sonar, gets its zeros. */
function wireDate(value: unknown): string | undefined {
  if (value instanceof Date) {
    return Number.isNaN(value.getTime()) ? undefined : wireDate(value.toISOString().slice(0, 10));
  }
  if (typeof value !== 'string') return undefined;
  const american = /^(\d\d?)\/(\d\d?)\/(\d{4})$/.exec(value);
  const iso = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
  const [year, month, day] = american ? [american[3], american[1], american[2]] : iso ? iso.slice(1) : [];
  if (year === undefined || month === undefined || day === undefined) return undefined;
  // A day that the month does not have rolls over in Date.UTC and comes out as another one.
  const date = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day)));
  const exists = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
  return exists ? `${month.padStart(2, '0')}/${day.padStart(2, '0')}/${year}` : undefined;
}

/** Takes each of the forms and gives the one of the wire. */
export const dateFilter: Check<string> = (value, path) => {
  const date = wireDate(value);
  if (date !== undefined) return date;
  throw invalid(path, complaint("an existing date as 'MM/DD/YYYY', 'YYYY-MM-DD' or a Date", value));
};
