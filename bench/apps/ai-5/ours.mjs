import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';

export const createModel = (settings) => createPerplexityAgent(settings)('openai/gpt-6-luna');
