/** Live where there is a key, else the simulator. */
import { createPerplexityAgent, perplexityAgent, type PerplexityAgentProvider } from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator, parseRecording } from 'ai-sdk-provider-perplexity-agent/simulator';
import { UsageError } from './arguments.js';

const SIMULATED =
  'No PERPLEXITY_API_KEY is set, so the built-in simulator answers, with invented text and sources. ' +
  'To ask the live API: PERPLEXITY_API_KEY=pplx-… npm start';

/** `recording`: the text of a recorded stream, which only the simulator can play. */
export function chooseProvider(recording: string | undefined): {
  provider: PerplexityAgentProvider;
  notice?: string;
} {
  if (recording !== undefined) return { provider: simulated({ replay: recordedEvents(recording) }) };
  if ((process.env.PERPLEXITY_API_KEY ?? '').trim() !== '') return { provider: perplexityAgent };
  // On a terminal, slow enough to be seen.
  return { provider: simulated({ eventDelay: process.stdout.isTTY ? 25 : 0 }), notice: SIMULATED };
}

function simulated(options: Parameters<typeof createAgentApiSimulator>[0]): PerplexityAgentProvider {
  const { fetch } = createAgentApiSimulator(options);
  // A key of its own: a real one has no business in a simulator.
  return createPerplexityAgent({ apiKey: 'simulator', baseURL: 'https://simulator.example', fetch });
}

function recordedEvents(text: string): unknown[] {
  try {
    return parseRecording(text);
  } catch (error) {
    throw new UsageError(`--replay: ${error instanceof Error ? error.message : String(error)}`);
  }
}
