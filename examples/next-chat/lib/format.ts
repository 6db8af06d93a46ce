import type { PerplexityAgentCost } from 'ai-sdk-provider-perplexity-agent/v4';

/** `$0.00111`: five decimals, as the API gives them. */
export const dollars = ({ totalCost }: PerplexityAgentCost): string =>
  totalCost === undefined ? '–' : `$${totalCost.toFixed(5)}`;

export const count = (amount: number): string => amount.toLocaleString('en-US');
