import Perplexity from '@perplexity-ai/perplexity_ai';

/** No AI SDK model: the vendor's client, whose events stand in for parts. It takes items of the wire for a prompt. */
export const createModel = (settings) => {
  const client = new Perplexity({ ...settings, maxRetries: 0 });
  return {
    doStream: async ({ input }) => ({
      stream: await client.responses.create({ model: 'openai/gpt-6-luna', input, stream: true }),
    }),
  };
};

export const textOf = (event) => (event.type === 'response.output_text.delta' ? event.delta : undefined);
