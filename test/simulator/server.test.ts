import { createAgentApiSimulator, type AgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen, type ListeningSimulator } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { eventsIn } from './helpers.js';

const open: ListeningSimulator[] = [];

async function serve(simulator: AgentApiSimulator): Promise<ListeningSimulator> {
  const server = await listen(simulator);
  open.push(server);
  return server;
}

const create = (server: ListeningSimulator, body: object, signal?: AbortSignal) =>
  fetch(`${server.url}/v1/agent`, {
    method: 'POST',
    headers: { authorization: 'Bearer test-key', 'content-type': 'application/json' },
    body: JSON.stringify({ effort: 'fast', input: 'How?', ...body }),
    ...(signal && { signal }),
  });

afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

describe('server', () => {
  it('listens on 127.0.0.1 and answers like fetch', async () => {
    const simulator = createAgentApiSimulator();
    const server = await serve(simulator);
    expect(server.url).toBe(`http://127.0.0.1:${server.port}`);
    const response = await create(server, {});
    const { id } = (await response.json()) as { id: string };
    expect([response.status, `resp_${response.headers.get('x-request-id')}`]).toEqual([200, id]);
    const found = await fetch(`${server.url}/v1/agent/${id}`, { headers: { authorization: 'Bearer test-key' } });
    expect(await found.json()).toMatchObject({ id, status: 'completed' });
    expect((await fetch(`${server.url}/v1/models`)).status).toBe(401);
    expect(simulator.requests.map(({ method, path, status }) => [method, path, status])).toEqual([
      ['POST', '/v1/agent', 200],
      ['GET', `/v1/agent/${id}`, 200],
      ['GET', '/v1/models', 401],
    ]);
  });

  it('sends headers at once and each event as it comes', async () => {
    const server = await serve(createAgentApiSimulator({ eventDelay: 400, scenario: 'failed-early' }));
    const response = await create(server, { stream: true });
    const times = [performance.now()];
    const parts: string[] = [];
    for await (const chunk of response.body ?? []) {
      times.push(performance.now());
      parts.push(new TextDecoder().decode(chunk));
    }
    const types = parts.map((part) => eventsIn(part).map(({ type }) => type));
    expect(types).toEqual([['response.created'], ['response.in_progress'], ['response.failed']]);
    // The headers did not wait for the first event, nor any event for the next. The bound is wide for a busy machine.
    const gaps = times.slice(1).map((time, index) => time - (times[index] ?? 0));
    expect(gaps.filter((gap) => gap < 30)).toEqual([]);
  });

  it('delivers what was sent before it resets the connection, also without a pause', async () => {
    const server = await serve(createAgentApiSimulator({ scenario: { name: 'cut', afterEvents: 4, end: 'reset' } }));
    const response = await create(server, { stream: true });
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body ?? []) text += new TextDecoder().decode(chunk);
    })();
    await expect(reading).rejects.toThrow('terminated');
    expect(eventsIn(text)).toHaveLength(4);
  });

  it('left a listener on the reply with each wait for a slow client', async () => {
    const warnings: string[] = [];
    const onWarning = ({ name, message }: Error) => warnings.push(`${name}: ${message}`);
    process.on('warning', onWarning);
    const delta = 'x'.repeat(1024 * 1024);
    const events = Array.from({ length: 40 }, (_, index) => ({ sequence_number: index, delta }));
    const server = await serve(createAgentApiSimulator({ scenario: { events } }));
    const response = await create(server, { stream: true });
    let bytes = 0;
    for await (const chunk of response.body ?? []) bytes += chunk.byteLength;
    // Warnings come a turn later.
    await new Promise((resolve) => setImmediate(resolve));
    process.off('warning', onWarning);
    expect(bytes).toBe(events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('').length);
    expect(warnings).toEqual([]);
  });

  it('notices a client that hangs up', async () => {
    const simulator = createAgentApiSimulator({ eventDelay: 20 });
    const server = await serve(simulator);
    const controller = new AbortController();
    const response = await create(server, { stream: true }, controller.signal);
    await response.body?.getReader().read();
    controller.abort();
    await vi.waitFor(() => expect(simulator.requests[0]?.aborted).toBe(true));
  });

  it('destroys the socket for a reset, and ends the body for a close', async () => {
    const simulator = createAgentApiSimulator({ scenario: { name: 'cut', afterEvents: 2, end: 'reset' } });
    const server = await serve(simulator);
    const response = await create(server, { stream: true });
    await expect(response.text()).rejects.toThrow('terminated');
    simulator.use({ name: 'cut', afterEvents: 2 });
    expect(eventsIn(await (await create(server, { stream: true })).text())).toHaveLength(2);
    expect(simulator.requests.map(({ aborted }) => aborted)).toEqual([false, false]);
  });

  it('holds the line for a stall', async () => {
    const simulator = createAgentApiSimulator({ scenario: { name: 'cut', afterEvents: 1, end: 'stall' } });
    const server = await serve(simulator);
    const response = await create(server, { stream: true }, AbortSignal.timeout(120));
    await expect(response.text()).rejects.toMatchObject({ name: 'TimeoutError' });
    await vi.waitFor(() => expect(simulator.requests[0]?.aborted).toBe(true));
  });

  it('waits for a slow reader', async () => {
    const big = 'x'.repeat(4 * 1024 * 1024);
    const server = await serve(createAgentApiSimulator({ scenario: { name: 'plain', text: big } }));
    const response = await create(server, {});
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect((await response.text()).length).toBeGreaterThan(big.length);
  });

  it('tells of a scenario that cannot be played', async () => {
    const server = await serve(createAgentApiSimulator({ scenario: { events: [] } }));
    const response = await create(server, {});
    expect([response.status, await response.text()]).toEqual([
      500,
      'TypeError: The scenario has no response for a request that does not stream.',
    ]);
  });

  it('rejects a port that is taken', async () => {
    const server = await serve(createAgentApiSimulator());
    await expect(listen(createAgentApiSimulator(), { port: server.port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
  });
});
