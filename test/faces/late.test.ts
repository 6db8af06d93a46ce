/** A run that is taken up after a number shows dynamic and custom parts once, whichever half they come in. */
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent/v4';
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { describe, expect, it } from 'vitest';
import { faceParts, type Faces } from '../support/faces.js';
import { fixtureEvents } from '../support/fixtures.js';
import { API_KEY, functionTool } from '../support/model.js';
import { asBackground, numberOf } from '../support/resume.js';

type Part = Faces['v4']['part'];

const options: Faces['v4']['options'] = { tools: [functionTool('book_pilot')], includeRawChunks: true };

/** What had come by an event, by the raw parts beside it. */
function partsUntil(parts: Part[], number: number): Part[] {
  const next = parts.findIndex((part) => part.type === 'raw' && numberOf(part.rawValue) > number);
  return next === -1 ? parts : parts.slice(0, next);
}

const resultsIn = (parts: Part[]) =>
  parts.flatMap((part) => (part.type === 'tool-result' ? [`${part.toolCallId} ${part.toolName} ${part.dynamic}`] : []));
const customIn = (parts: Part[]) =>
  parts.flatMap((part) =>
    part.type === 'custom' ? [[part.kind, part.providerMetadata?.['perplexity']?.['item']] as const] : [],
  );

describe.each(['several-tools', 'unknown-items', 'other-items', 'mcp', 'files'])('the rest of %s', (name) => {
  it('joins with its beginning after every event', async () => {
    const events = asBackground(fixtureEvents(name));
    const simulator = createAgentApiSimulator({ seed: 7, scenario: { events } });
    const provider = createPerplexityAgent({ apiKey: API_KEY, fetch: simulator.fetch });
    const providerOptions = { perplexity: { background: true } };
    const whole = await faceParts('v4', provider('openai/gpt-6-luna'), { ...options, providerOptions });
    const id = simulator.runs[0]?.id ?? '';
    expect(resultsIn(whole).length + customIn(whole).length).toBeGreaterThan(0);
    for (const number of events.slice(0, -1).map(numberOf)) {
      const before = partsUntil(whole, number);
      const rest = await faceParts('v4', provider.resume(id, { startingAfter: number }), options);
      expect([number, ...resultsIn(before), ...resultsIn(rest)]).toEqual([number, ...resultsIn(whole)]);
      expect([number, ...customIn(before), ...customIn(rest)]).toEqual([number, ...customIn(whole)]);
    }
  });
});
