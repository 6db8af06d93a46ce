import {
  createAgentApiSimulator,
  type AgentApiResponse,
  type AgentApiScenarioName,
  type AgentApiSimulator,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import { describe, expectTypeOf, it } from 'vitest';

describe('types of the simulator', () => {
  it('takes scenarios by name, with settings, scripted, or chosen', () => {
    const simulator = createAgentApiSimulator({ scenario: { name: 'cut', afterEvents: 3, end: 'reset' }, seed: 'x' });
    expectTypeOf(simulator).toEqualTypeOf<AgentApiSimulator>();
    expectTypeOf(simulator.fetch).toEqualTypeOf<typeof globalThis.fetch>();
    simulator.use('parallel-searches');
    simulator.use({ events: [{ type: 'x' }], end: 'stall' });
    simulator.use((body) => (body.stream === true ? 'search' : { status: 503 }));
    // @ts-expect-error no such scenario
    simulator.use('perfect');
    // @ts-expect-error a setting of another scenario
    simulator.use({ name: 'search', count: 2 });
    // @ts-expect-error a 5xx that is not offered
    simulator.use({ name: 'server-error', status: 501 });
  });

  it('names what it plays and answers', () => {
    expectTypeOf<'auto' | 'cut'>().toExtend<AgentApiScenarioName>();
    expectTypeOf<AgentApiResponse['usage']>().toExtend<object | null>();
    expectTypeOf(listen).returns.resolves.toEqualTypeOf<{ url: string; port: number; close(): Promise<void> }>();
  });
});
