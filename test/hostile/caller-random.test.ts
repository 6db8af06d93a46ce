/** What passes the checks of the package, the API takes: calls at random, with the simulator in its strictness as the API. */
import fc from 'fast-check';
import { APICallError } from '@ai-sdk/provider';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { optionNames } from '../../src/options.js';
import { API_KEY } from '../support/model.js';
import { call, OPTION_VALUES, realised } from './caller-grammar.js';
import { hold, timeLimit } from './campaign.js';
import { settled, takeUnhandled, watch } from './exercise.js';
import { isPolluted } from './order.js';

watch();

const OWN = /^AI_(InvalidArgument|InvalidPrompt|NoSuchModel|UnsupportedFunctionality)Error$/;

/** Sent with a warning, and refused. */
const RESERVED = /is reserved/;

/** How many calls were sent, of how many. */
const counts = { sent: 0, all: 0 };

describe('a call that passes the checks', () => {
  it('has a value for every option', () => {
    expect(new Set(Object.keys(OPTION_VALUES))).toEqual(new Set(optionNames));
  });

  it(
    'is one that the API takes',
    () =>
      hold(
        'caller',
        fc.asyncProperty(call, async ({ modelId, effortField, options }) => {
          const simulator = createAgentApiSimulator({ scenario: 'plain', seed: 1 });
          const provider = createPerplexityAgent({ apiKey: API_KEY, fetch: simulator.fetch, effortField });
          counts.all++;
          try {
            await settled(Promise.resolve(provider(modelId).doGenerate(realised(options) as never)));
            counts.sent++;
          } catch (error) {
            if (!(error instanceof Error)) throw new Error('what was thrown is no Error', { cause: error });
            const isReserved = APICallError.isInstance(error) && RESERVED.test(error.message);
            if (!OWN.test(error.name) && !isReserved) throw error;
          }
          expect(takeUnhandled()).toEqual([]);
          expect(isPolluted()).toBe(false);
        }),
        { runs: 300, share: 0.9 },
      ),
    timeLimit,
  );

  it('was no rare thing', () => {
    expect(counts.sent / counts.all).toBeGreaterThan(0.1);
  });
});
