/** The provider: live with a key, else on the simulator that the package brings along. Server only. */
import { createAgentApiSimulator, type AgentApiScenario } from 'ai-sdk-provider-perplexity-agent/simulator';
import { createPerplexityAgent, type PerplexityAgentProvider } from 'ai-sdk-provider-perplexity-agent/v4';

export const isSimulated = !process.env.PERPLEXITY_API_KEY;

const EVENT_DELAY_MS = 40;

/** What the simulator plays for what was asked, so that everything on the page can be tried. */
function scenarioFor(body: { input?: unknown }): AgentApiScenario {
  const asked = JSON.stringify(body.input ?? '').toLowerCase();
  const last = asked.slice(asked.lastIndexOf('"role":"user"'));
  if (/\bnote\b/.test(last)) {
    const note = JSON.stringify({ title: 'Lighthouses', text: 'Unmanned since 1998.' });
    return { name: 'tool-call', calls: [{ name: 'save_note', arguments: note }] };
  }
  if (/\bpython|\bcode\b|\bcompute/.test(last)) return 'sandbox';
  if (/\bfail/.test(last)) return 'failed';
  if (/\bcompare\b/.test(last)) return 'parallel-searches';
  return 'search';
}

const createSimulated = () =>
  createPerplexityAgent({
    apiKey: 'simulated',
    fetch: createAgentApiSimulator({ scenario: scenarioFor, eventDelay: EVENT_DELAY_MS }).fetch,
  });

// One simulator for the process, so that a run is still there when another request asks for it.
const shared = globalThis as { simulatedPerplexity?: PerplexityAgentProvider };

export const perplexity: PerplexityAgentProvider = isSimulated
  ? (shared.simulatedPerplexity ??= createSimulated())
  : createPerplexityAgent();
