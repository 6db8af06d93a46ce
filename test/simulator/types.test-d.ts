import {
  createAgentApiSimulator,
  type AgentApiFault,
  type AgentApiResponse,
  type AgentApiRunRecord,
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

  it('takes lives and faults, each with its own fields', () => {
    const simulator = createAgentApiSimulator({
      background: { queueTime: 1, replayWindow: 2, replayTime: 3, cancelPolls: 4 },
      faults: [{ on: 'stream', fault: 'reset', afterEvents: 3, halfEvent: true, skip: 1, times: Infinity }],
    });
    simulator.inject({ on: 'poll', fault: 'status', status: 429, resetIn: 2 }, { on: 'cancel', fault: 'refuse' });
    expectTypeOf(simulator.runs).toEqualTypeOf<readonly AgentApiRunRecord[]>();
    expectTypeOf<Parameters<typeof simulator.inject>>().toEqualTypeOf<AgentApiFault[]>();
    // @ts-expect-error a field of another fault
    simulator.inject({ on: 'poll', fault: 'refuse', afterEvents: 1 });
    // @ts-expect-error without how many
    simulator.inject({ on: 'reconnect', fault: 'duplicate' });
    // @ts-expect-error a status that is not offered
    simulator.inject({ on: 'poll', fault: 'status', status: 418 });
  });

  it('names what it plays and answers', () => {
    expectTypeOf<'auto' | 'cut'>().toExtend<AgentApiScenarioName>();
    expectTypeOf<AgentApiResponse['usage']>().toExtend<object | null>();
    expectTypeOf(listen).returns.resolves.toEqualTypeOf<{ url: string; port: number; close(): Promise<void> }>();
  });
});
