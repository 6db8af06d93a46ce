/** Filters of web_search (agent-api.md §3.1). */
import { Refusal, validationFailed } from '../errors.js';
import { asArray, type JsonObject } from '../json.js';
import { checkOneOf } from './rules.js';

const DATE_FILTERS = [
  'search_after_date_filter',
  'search_before_date_filter',
  'last_updated_after_filter',
  'last_updated_before_filter',
];
const MAX_DOMAINS = 20;
const MAX_DOMAIN_LENGTH = 253;

/** Rules on `filters`. A mix of allowed and excluded domains passes, as it did live. */
export function checkFilters(filters: JsonObject, label: string): void {
  checkOneOf(filters.search_recency_filter, `${label}: search recency filter`, [
    'hour',
    'day',
    'week',
    'month',
    'year',
  ]);
  const dates = DATE_FILTERS.filter((name) => name in filters);
  if ('search_recency_filter' in filters && dates.length > 0) {
    throw validationFailed(`${label}: search recency filter cannot be combined with date filters`);
  }
  for (const name of dates) checkDate(String(filters[name]), name, label);
  checkDomains(asArray(filters.search_domain_filter), label);
}

function checkDate(date: string, name: string, label: string): void {
  const american = /^(?<month>\d{1,2})\/(?<day>\d{1,2})\/(?<year>\d{4})$/u.exec(date);
  // Live took this form too; whether it filtered is unknown.
  const iso = /^(?<year>\d{4})-(?<month>\d{2})-(?<day>\d{2})$/u.exec(date);
  const groups = (american ?? iso)?.groups;
  if (groups !== undefined && isCalendarDay(Number(groups.year), Number(groups.month), Number(groups.day))) return;
  throw new Refusal(
    400,
    'invalid_date_format',
    `${label}: ${name} must be a date of the form MM/DD/YYYY (got "${date}")`,
  );
}

function isCalendarDay(year: number, month: number, day: number): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

function checkDomains(domains: unknown[], label: string): void {
  const refuse = (problem: string) =>
    new Refusal(400, 'invalid_search_domain_filter', `${label}: search domain filter ${problem}`);
  if (domains.length > MAX_DOMAINS) throw refuse(`must have at most ${MAX_DOMAINS} entries`);
  for (const entry of domains) {
    const domain = String(entry).replace(/^-/u, '');
    if (domain.includes('://')) throw refuse(`must not have a scheme (got "${domain}")`);
    if (domain === '' || domain.length > MAX_DOMAIN_LENGTH) {
      throw refuse(`entries must have between 1 and ${MAX_DOMAIN_LENGTH} characters`);
    }
  }
}
