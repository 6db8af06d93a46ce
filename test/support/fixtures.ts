/** The hand-written recordings of `test/fixtures`. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../fixtures/', import.meta.url));

export type WireEvent = Record<string, unknown> & { type: string };

export const fixtureNames = readdirSync(folder)
  .filter((file) => file.endsWith('.chunks.txt'))
  .map((file) => file.replace('.chunks.txt', ''));

export const fixtureEvents = (name: string): WireEvent[] =>
  parseLines(readFileSync(`${folder}${name}.chunks.txt`, 'utf8'));

export const fixtureResponse = (name: string) =>
  JSON.parse(readFileSync(`${folder}${name}.json`, 'utf8')) as Record<string, unknown>;

export const parseLines = (text: string): WireEvent[] =>
  text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as WireEvent);
