/** Files of runs, as the document gives them (agent-api.md §1), and as the vendor's own SDK asks for them. */
import Perplexity from '@perplexity-ai/perplexity_ai';
import { createAgentApiSimulator, type AgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { beforeEach, describe, expect, it } from 'vitest';
import { ask, call, post } from './helpers.js';

const ID = 'resp_00000000-0000-4000-8000-000000000001';
const shared = (fields: object) => ({ type: 'share_file', call_id: 'call_f', ...fields });
const output = [
  shared({ file_id: 'file_1', filename: 'out.csv', size_bytes: 12 }),
  shared({ file_id: 'file/2' }),
  shared({ error: 'too large' }),
  shared({ file_id: 'file_3', filename: 'large.bin', size_bytes: 150_000 }),
  shared({ file_id: 'file_4', filename: 'empty', size_bytes: 0 }),
  { type: 'message', id: 'msg_1', role: 'assistant', content: [] },
];

let simulator: AgentApiSimulator;
beforeEach(async () => {
  simulator = createAgentApiSimulator({ scenario: { response: { id: ID, created_at: 1_790_000_000, output } } });
  await ask(simulator, { effort: 'xhigh', input: 'x' });
});

const list = async (path: string) => (await call(simulator, path)).json() as Promise<Record<string, unknown>>;

describe('files', () => {
  it.each(['/v1/agent', '/v1/responses', '/responses'])('are listed under %s', async (path) => {
    const file = { object: 'file', created_at: 1_790_000_000 };
    expect(await list(`${path}/${ID}/files`)).toEqual({
      object: 'list',
      data: [
        { ...file, id: 'file_1', filename: 'out.csv', bytes: 12 },
        { ...file, id: 'file/2', bytes: 28 },
        { ...file, id: 'file_3', filename: 'large.bin', bytes: 150_000 },
        { ...file, id: 'file_4', filename: 'empty', bytes: 0 },
      ],
    });
    expect(simulator.requests.at(-1)).toMatchObject({ status: 200, responseId: ID });
  });

  it.each([
    ['file_1', 12],
    ['file%2F2', 28],
    ['file_3', 150_000],
    ['file_4', 0],
  ])('have contents of their size: %s', async (id, size) => {
    const response = await call(simulator, `/v1/agent/${ID}/files/${id}/content`);
    const bytes = new Uint8Array(await response.arrayBuffer());
    expect([response.status, response.headers.get('content-length'), bytes.byteLength]).toEqual([200, `${size}`, size]);
    expect(response.headers.get('content-type')).toBe('application/octet-stream');
    expect(new TextDecoder().decode(bytes.subarray(0, 16))).toBe('Invented content'.slice(0, size));
  });

  it.each([
    ['GET', `/v1/agent/${ID}/files/file_9/content`, 404],
    ['GET', `/v1/agent/${ID}/files/file_1`, 404],
    ['GET', `/v1/agent/${ID}/files/file_1/content/more`, 404],
    ['GET', `/v1/agent/${ID}/nothing`, 404],
    ['POST', `/v1/agent/${ID}/files`, 404],
    ['DELETE', `/v1/agent/${ID}/files`, 404],
    ['GET', `/v1/agent/${ID.replace('1', '2')}/files`, 404],
    ['GET', '/v1/agent/nonsense/files', 400],
    ['GET', '/v1/agent/nonsense/files/file_1/content', 400],
  ])('%s %s is refused with %i', async (method, path, status) => {
    expect((await call(simulator, path, { method })).status).toBe(status);
  });

  it('are none before a run has begun, or where it is not stored', async () => {
    simulator = createAgentApiSimulator({ scenario: 'search' });
    const queued = (await (await post(simulator, { effort: 'low', input: 'x', background: true })).json()) as {
      id: string;
    };
    expect(await list(`/v1/agent/${queued.id}/files`)).toEqual({ object: 'list', data: [] });
    const { id } = await ask(simulator, { effort: 'low', input: 'x', store: false });
    expect((await call(simulator, `/v1/agent/${id}/files`)).status).toBe(404);
  });

  it("are found by the vendor's SDK", async () => {
    const client = new Perplexity({ apiKey: 'test-key', fetch: simulator.fetch, maxRetries: 0 });
    const files = await client.responses.files.list(ID);
    expect(files.data?.[0]).toMatchObject({ id: 'file_1', filename: 'out.csv', bytes: 12 });
    const content = await client.responses.files.content('file_1', { response_id: ID });
    expect(await content.text()).toBe('Invented con');
  });
});
