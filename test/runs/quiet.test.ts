/** A run in the background that is queued: nothing comes for a while, and its id must be known all the same. */
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator, type AgentApiSimulatorOptions } from 'ai-sdk-provider-perplexity-agent/simulator';
import { APICallError, streamText } from 'ai';
import { describe, expect, it } from 'vitest';
import { API_KEY, finishOf, modelWith, partsOf, prompt, streamParts } from '../support/model.js';
import { completed, created, eventReply, message } from '../support/wire.js';

const background = { providerOptions: { perplexity: { background: true } } };

function setUp(options: AgentApiSimulatorOptions) {
  const simulator = createAgentApiSimulator({ scenario: 'search', ...options });
  const model = createPerplexityAgent({ apiKey: API_KEY, fetch: simulator.fetch })('high');
  return { simulator, model };
}

describe('a queued run', () => {
  it('tells its id, by the header of the reply, long before its first event', async () => {
    const { simulator, model } = setUp({ background: { queueTime: 20_000 } });
    const begun = Date.now();
    const { stream } = await model.doStream({ prompt, ...background });
    const reader = stream.getReader();
    const parts = [];
    for (let count = 0; count < 3; count++) parts.push((await reader.read()).value);
    expect(Date.now() - begun).toBeLessThan(15_000);
    const id = simulator.runs[0]?.id;
    expect(parts).toEqual([
      { type: 'stream-start', warnings: [] },
      { type: 'response-metadata', id },
      {
        type: 'reasoning-start',
        id: `${id}:reasoning-1`,
        providerMetadata: { perplexity: { responseId: id } },
      },
    ]);
    expect(simulator.runs[0]?.status).toBe('queued');
    await reader.cancel();
  });

  it('comes whole after that, its block of progress opened once', async () => {
    const { model } = setUp({ background: { queueTime: 400 }, seed: 1 });
    const parts = await streamParts(model, background);
    const usual = await streamParts(setUp({ seed: 1 }).model, background);
    const types = (list: typeof parts) => list.map(({ type }) => type).filter((type) => type !== 'response-metadata');
    expect(types(parts)).toEqual(types(usual));
    expect(finishOf(parts).finishReason).toBe('stop');
  });

  it('that is not waited for any longer is no reason to begin, and pay for, another one', async () => {
    const { simulator, model } = setUp({ background: { queueTime: 60_000 } });
    const errors: unknown[] = [];
    await streamText({
      model,
      prompt: 'x',
      onError: ({ error }) => void errors.push(error),
      providerOptions: { perplexity: { background: { timeout: 100 } } },
    }).consumeStream();
    const [error] = errors;
    const id = simulator.runs[0]?.id;
    expect(simulator.runs).toHaveLength(1);
    expect(APICallError.isInstance(error) && [error.isRetryable, error.data]).toEqual([
      false,
      expect.objectContaining({ responseId: id }),
    ]);
    expect((error as Error).message).toContain(`resume('${id}')`);
  });

  it('that drops before its first event keeps its id in the error', async () => {
    const { simulator, model } = setUp({
      background: { queueTime: 60_000 },
      faults: [{ on: 'stream', fault: 'reset', times: Infinity }],
    });
    const parts = await streamParts(model, { providerOptions: { perplexity: { background: true, maxReconnects: 0 } } });
    const [{ error } = { error: undefined }] = partsOf(parts, 'error');
    expect(error).toMatchObject({ isRetryable: false, data: { responseId: simulator.runs[0]?.id } });
    expect(simulator.requests).toHaveLength(1);
  });

  it('goes by the id of its events, should the header have named another one', async () => {
    const headers = { 'x-request-id': '1fbf7849-2f7e-4946-ab3c-7cd0f2e6f3be' };
    const reply = eventReply([created(), completed([message('A')])], { headers });
    const events = reply.body as ReadableStream<Uint8Array>;
    const late = new ReadableStream<Uint8Array>({
      async start(controller) {
        await new Promise((resolve) => setTimeout(resolve, 400));
        for await (const chunk of events) controller.enqueue(chunk);
        controller.close();
      },
    });
    const { model } = modelWith([new Response(late, { headers: reply.headers })]);
    const parts = await streamParts(model, background);
    const ids = partsOf(parts, 'response-metadata').map(({ id }) => id);
    expect(ids.slice(0, 2)).toEqual(['resp_1fbf7849-2f7e-4946-ab3c-7cd0f2e6f3be', 'resp_1']);
    expect(finishOf(parts).metadata['responseId']).toBe('resp_1');
  });
});
