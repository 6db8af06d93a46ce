/** The built package as the case runner wants it: `node ../shared/cases/score.mjs handed scripts/case-adapter.mjs`. */
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';

export function make({ fetch, modelId, preset }) {
  return createPerplexityAgent({ apiKey: 'test', fetch })(modelId ?? preset);
}

export function webSearch(args) {
  return createPerplexityAgent({ apiKey: 'test' }).tools.webSearch(args);
}
