import { createOpenAI } from '@ai-sdk/openai';

export const createModel = ({ baseURL, ...settings }) =>
  createOpenAI({ ...settings, baseURL: `${baseURL}/v1` }).responses('gpt-4o');
