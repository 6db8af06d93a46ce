/** Runs in the background to take up again: scripted ones, and what a consumer has had of them by an event. */
import type { LanguageModelV2StreamPart } from '@ai-sdk/provider';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import {
  createAgentApiSimulator,
  type AgentApiSimulator,
  type AgentApiSimulatorOptions,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import type { WireEvent } from './fixtures.js';
import { API_KEY } from './model.js';

export type Parts = LanguageModelV2StreamPart[];
export type World = { simulator: AgentApiSimulator; provider: ReturnType<typeof createPerplexityAgent> };

export const inBackground = { perplexity: { background: true } };

/** A simulator and a provider that talks to it. */
export function worldOf(options: AgentApiSimulatorOptions = {}): World {
  const simulator = createAgentApiSimulator({ seed: 7, ...options });
  return { simulator, provider: providerOf(simulator.fetch) };
}

export const providerOf = (fetch: typeof globalThis.fetch) =>
  createPerplexityAgent({ apiKey: API_KEY, fetch, generateId: () => 'generated' });

/** The events of a run as those of one in the background. */
export const asBackground = (events: readonly WireEvent[]): WireEvent[] =>
  events.map((event) =>
    event['response'] === undefined
      ? event
      : { ...event, response: { ...(event['response'] as Record<string, unknown>), background: true } },
  );

/** Parts without those that only show the wire. */
export const withoutRaw = (parts: Parts): Parts => parts.filter(({ type }) => type !== 'raw');

/** What had been delivered when an event was through; needs `raw` parts. */
export function partsUntil(parts: Parts, number: number): Parts {
  const next = parts.findIndex((part) => part.type === 'raw' && numberOf(part.rawValue) > number);
  return withoutRaw(next === -1 ? parts : parts.slice(0, next));
}

export const numberOf = (event: unknown): number => (event as { sequence_number?: number }).sequence_number ?? -1;

export const metadataOf = (part: unknown): Record<string, unknown> =>
  (part as { providerMetadata?: Record<string, Record<string, unknown>> }).providerMetadata?.['perplexity'] ?? {};

/** The texts of a stream by block. */
export function textsById(parts: Parts): Record<string, string> {
  const texts: Record<string, string> = {};
  for (const part of parts) if (part.type === 'text-delta') texts[part.id] = `${texts[part.id] ?? ''}${part.delta}`;
  return texts;
}
