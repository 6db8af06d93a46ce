import { createOpenRouter } from '@openrouter/ai-sdk-provider';

export const createModel = ({ baseURL, ...settings }) =>
  createOpenRouter({ ...settings, baseURL: `${baseURL}/v1` }).chat('openai/gpt-6-luna');
