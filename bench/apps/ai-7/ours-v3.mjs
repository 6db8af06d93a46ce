import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent/v3';

export const createModel = (settings) => createPerplexityAgent(settings)('openai/gpt-6-luna');
