import { createOpenResponses } from '@ai-sdk/open-responses';

export const createModel = ({ baseURL, ...settings }) =>
  createOpenResponses({ ...settings, name: 'perplexity', url: `${baseURL}/v1/agent` })('openai/gpt-6-luna');
