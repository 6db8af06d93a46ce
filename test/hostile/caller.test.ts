/** Callers that give what they should not: an error of ours that names it, or a call that the API would take. */
import { readFileSync } from 'node:fs';
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { optionNames } from '../../src/options.js';
import { API_KEY } from '../support/model.js';
import { OPTIONS, positions, SETTINGS, type Position } from './caller-positions.js';
import { hostile, hostileNames } from './caller-values.js';
import { settled, takeUnhandled, watch } from './exercise.js';
import { isPolluted } from './order.js';

/**
 * What the package leaves to the API, since names come and go without a release of it (README, "Models and effort levels"), and
 * `extraBody`, which is for what the package does not know.
 */
const LEFT_TO_THE_API =
  /unknown (effort|preset)|invalid model|skills\[0\]: name must be one of|continues previousResponseId|resource not found|invalid response id/;

watch();
beforeAll(() => void vi.stubEnv('PERPLEXITY_API_KEY', ''));
afterAll(() => void vi.unstubAllEnvs());

const OWN = /^AI_(InvalidArgument|InvalidPrompt|NoSuchModel|UnsupportedFunctionality|LoadAPIKey)Error$/;

/** What is wrong with how a call with a value at a place went; undefined where nothing is. */
async function faultOf(position: Position, value: unknown): Promise<string | undefined> {
  const simulator = createAgentApiSimulator({ scenario: 'plain', seed: 1 });
  try {
    await settled(Promise.resolve(position.call(value, { apiKey: API_KEY, fetch: simulator.fetch })));
    return undefined;
  } catch (error) {
    if (!(error instanceof Error)) return 'what was thrown is no Error';
    const { name, message } = error;
    if (OWN.test(name)) return position.names.test(message) ? undefined : `is not named: ${message}`;
    if (name === 'AI_APICallError' && LEFT_TO_THE_API.test(message)) return undefined;
    // A `fetch` that fails is a connection that fails.
    if (position.name === 'the setting fetch' && message.includes('do not touch me')) return undefined;
    if (position.name.startsWith('extraBody') && simulator.requests.length > 0) return undefined;
    return `${name}: ${message}`;
  }
}

describe('a hostile caller', () => {
  it('is asked about every option there is', () => {
    expect(new Set(OPTIONS)).toEqual(new Set(optionNames));
    const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
    const rowsOf = (title: string) =>
      [...(readme.split(`### ${title}\n`)[1]?.split('\n#')[0] ?? '').matchAll(/^\| `(\w+)` \|/gm)].map(
        ([, name]) => name,
      );
    expect(new Set(rowsOf('Provider options'))).toEqual(new Set(OPTIONS));
    expect(new Set(rowsOf('Provider settings'))).toEqual(new Set(SETTINGS));
  });

  it.each(positions)('gets an error that names it, or an answer, for any value of $name', async (position) => {
    const faults: string[] = [];
    for (const name of hostileNames) {
      const fault = await faultOf(position, hostile(name));
      if (fault !== undefined) faults.push(`${name}: ${fault.slice(0, 300)}`);
    }
    expect(faults).toEqual([]);
    expect(takeUnhandled()).toEqual([]);
    expect(isPolluted()).toBe(false);
  });
});
