/** An answer as an object that fits a schema. */
import { perplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { generateObject } from 'ai';
import { z } from 'zod';

const { object, usage } = await generateObject({
  model: perplexityAgent('openai/gpt-6-luna'),
  prompt: 'Which lighthouse is the tallest in the world?',
  schemaName: 'lighthouse',
  schema: z.object({
    name: z.string(),
    country: z.string(),
    heightInMetres: z.number().min(1),
    isStillLit: z.boolean(),
  }),
});

console.log(`${object.name} (${object.country}): ${object.heightInMetres} m, ${object.isStillLit ? 'lit' : 'dark'}`);
console.log(`${usage.totalTokens} tokens`);
