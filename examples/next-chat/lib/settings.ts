/** What the page sends with each message. */
import { z } from 'zod';

/** The effort levels of the Agent API, and what each is for. */
export const EFFORTS = {
  fast: 'a quick fact',
  low: 'everyday questions',
  medium: 'several searches',
  high: 'deep research, minutes',
  xhigh: 'deeper still',
  ultra: 'the most thorough',
} as const;

export const RECENCIES = {
  any: 'Any time',
  hour: 'Past hour',
  day: 'Past day',
  week: 'Past week',
  month: 'Past month',
  year: 'Past year',
} as const;

const keysOf = <K extends string>(table: Record<K, string>) => Object.keys(table) as [K, ...K[]];

const domain = z
  .string()
  .max(253)
  .regex(/^-?[a-z0-9.-]+\.[a-z]{2,}$/i, { error: 'A domain looks like example.org, or -example.org to leave it out.' });

export const settingsSchema = z.object({
  effort: z.enum(keysOf(EFFORTS)),
  webSearch: z.boolean(),
  domains: z.array(domain).max(20),
  recency: z.enum(keysOf(RECENCIES)),
});

export type Settings = z.infer<typeof settingsSchema>;

export const DEFAULT_SETTINGS: Settings = { effort: 'low', webSearch: true, domains: [], recency: 'any' };

/** Runs that take minutes: they live at Perplexity, so that a reload, a crash or a closed page does not end them. */
export const isDeep = (effort: Settings['effort']): boolean =>
  effort === 'high' || effort === 'xhigh' || effort === 'ultra';
