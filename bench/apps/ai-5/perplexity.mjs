import { createPerplexity } from '@ai-sdk/perplexity';

export const createModel = (settings) => createPerplexity(settings)('openai/gpt-6-luna');
