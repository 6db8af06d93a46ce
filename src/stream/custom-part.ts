import type { JSONObject } from '@ai-sdk/provider';
import { asText, type WireObject } from '../json.js';
import type { CoreCustom, CoreMetadata } from '../spec.js';
import type { PerplexityAgentItemMetadata } from './metadata.js';

/**
 * An item of the output as a part of its own. It is told at the end, when it is known whole: its event and the final
 * response may tell it differently.
 */
export const customPart = (item: WireObject, { perplexity }: CoreMetadata): CoreCustom => ({
  type: 'custom',
  kind: `perplexity.${asText(item['type']) ?? 'item'}`,
  providerMetadata: {
    perplexity: { item: item as JSONObject, ...perplexity } satisfies PerplexityAgentItemMetadata,
  },
});
