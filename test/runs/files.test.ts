/** Files of runs: what is sent, what is read, and streams that break. */
import { APICallError, InvalidArgumentError } from '@ai-sdk/provider';
import {
  createPerplexityAgent,
  type PerplexityAgentFileContent,
  type PerplexityAgentMetadata,
} from 'ai-sdk-provider-perplexity-agent';
import { createAgentApiSimulator } from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen } from 'ai-sdk-provider-perplexity-agent/simulator/node';
import { generateText, streamText } from 'ai';
import { describe, expect, it, vi } from 'vitest';
import { API_KEY, rejectionOf } from '../support/model.js';
import { bodyOf, jsonReply, message, snapshot, stubFetch } from '../support/wire.js';

function setUp(...replies: Parameters<typeof stubFetch>) {
  const { fetch, requests } = stubFetch(...replies);
  return { requests, ...createPerplexityAgent({ apiKey: API_KEY, fetch }).responses };
}

const bytesOf = async ({ stream }: PerplexityAgentFileContent) =>
  new Uint8Array(await new Response(stream).arrayBuffer());
const textOf = async (content: PerplexityAgentFileContent) => new TextDecoder().decode(await bytesOf(content));

describe('files', () => {
  const file = { id: 'file_1', object: 'file', filename: 'out.xlsx', bytes: 12, created_at: 1_790_000_000, new: 1 };

  it('are listed, typed', async () => {
    const { files, requests } = setUp(jsonReply({ object: 'list', data: [file] }));
    expect(await files('resp_1', { headers: { 'x-one': '1' } })).toEqual([
      { id: 'file_1', filename: 'out.xlsx', bytes: 12, createdAt: new Date('2026-09-21T14:13:20.000Z') },
    ]);
    const [sent] = requests;
    expect([sent?.method, sent?.url]).toEqual(['GET', 'https://api.perplexity.ai/v1/agent/resp_1/files']);
    expect([sent?.headers.get('accept'), sent?.headers.get('x-one')]).toEqual(['application/json', '1']);
  });

  it('need no more than an id; nulls and entries without an id are passed over', async () => {
    const odd = { id: 'file_2', filename: null, bytes: -1, created_at: 0 };
    const data = [odd, { ...file, id: null }, null, 'file_3', { id: 'file_4', bytes: 0 }];
    expect(await setUp(jsonReply({ object: 'list', data })).files('resp_1')).toEqual([
      { id: 'file_2' },
      { id: 'file_4', bytes: 0 },
    ]);
  });

  it.each([{ object: 'list', data: [] }, { object: 'list', data: null }, { object: 'list' }])(
    'are none in %j',
    async (body) => {
      expect(await setUp(jsonReply(body)).files('resp_1')).toEqual([]);
    },
  );

  it('of an unknown response are refused, with what may be wrong', async () => {
    const refused = jsonReply(
      { error: { message: 'resource not found', type: 'not_found', code: 404 } },
      { status: 404 },
    );
    const error = await rejectionOf(setUp(refused).files('resp_1'));
    expect(error.message).toMatch(/^resource not found\. The response or file .*store: false\.$/);
    expect(error).toMatchObject({
      statusCode: 404,
      isRetryable: false,
      data: { type: 'not_found', requestId: 'req-1' },
    });
  });
});

describe('ids', () => {
  it.each(['', ' ', '.', '..', undefined, null, 5])('such as %j are refused before anything is sent', async (id) => {
    const { files, fileContent, requests } = setUp(jsonReply({}));
    for (const [argument, call] of [
      ['responseId', files(id as string)],
      ['responseId', fileContent(id as string, 'file_1')],
      ['fileId', fileContent('resp_1', id as string)],
    ] as const) {
      const error = await rejectionOf(call);
      expect(InvalidArgumentError.isInstance(error)).toBe(true);
      expect(error['argument']).toBe(argument);
      expect(error.message).toContain(argument);
    }
    expect(requests).toEqual([]);
  });

  it('stay where they belong in the path', async () => {
    const { fileContent, requests } = setUp(() => new Response('x'));
    await textOf(await fileContent('resp_1/../x', 'a b?c#d%2F'));
    expect(requests[0]?.url).toBe(
      'https://api.perplexity.ai/v1/agent/resp_1%2F..%2Fx/files/a%20b%3Fc%23d%252F/content',
    );
  });
});

describe('the content of a file', () => {
  const reply = (headers: Record<string, string> = {}, ...body: Parameters<typeof bodyOf>) =>
    new Response(bodyOf(...body), { headers: { 'content-type': 'application/octet-stream', ...headers } });

  it('comes as a stream with its size, type and name', async () => {
    const headers = {
      'content-length': '5',
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="out.csv"',
    };
    const { fileContent, requests } = setUp(reply(headers, ['ab', new Uint8Array([0, 255, 10])]));
    const content = await fileContent('resp_1', 'file_1');
    expect(content).toEqual({
      stream: expect.any(ReadableStream),
      size: 5,
      mediaType: 'text/csv',
      filename: 'out.csv',
    });
    expect([...(await bytesOf(content))]).toEqual([97, 98, 0, 255, 10]);
    expect(requests[0]?.headers.get('accept')).toBe('application/octet-stream');
  });

  it('may say nothing of itself, or be empty', async () => {
    const untold = await setUp(new Response(bodyOf(['abc']))).fileContent('resp_1', 'file_1');
    expect(Object.keys(untold)).toEqual(['stream']);
    expect(await textOf(untold)).toBe('abc');
    const empty = await setUp(new Response(null, { status: 204 })).fileContent('resp_1', 'file_1');
    expect((await bytesOf(empty)).byteLength).toBe(0);
  });

  it.each([
    [{ 'content-length': '5', 'content-encoding': 'gzip' }],
    [{ 'content-length': 'many' }],
    [{ 'content-length': '-1' }],
  ])('has no size by %j', async (headers) => {
    const content = await setUp(reply(headers, ['abc'])).fileContent('resp_1', 'file_1');
    expect(content.size).toBeUndefined();
    expect(await textOf(content)).toBe('abc');
  });

  it.each([
    ['attachment; filename="a \\"b\\".txt"', 'a "b".txt'],
    ['attachment; filename=plain.txt; size=3', 'plain.txt'],
    [`attachment; filename="x.txt"; filename*=UTF-8''%E2%82%AC%20rates.txt`, '€ rates.txt'],
    [`attachment; filename*=UTF-8''%E2; filename="x.txt"`, 'x.txt'],
    ['attachment; filename="../../etc/passwd"', 'passwd'],
    ['attachment; filename="C:\\\\temp\\\\x.txt"', 'x.txt'],
    ['attachment; filename="folder/"', undefined],
    ['inline', undefined],
  ])('is named by %s', async (disposition, name) => {
    const { filename } = await setUp(reply({ 'content-disposition': disposition }, ['x'])).fileContent('r', 'f');
    expect(filename).toBe(name);
  });

  it('is read only as far as it is asked for, and let go when cancelled', async () => {
    const cancel = vi.fn();
    const pull = vi.fn((controller: ReadableStreamDefaultController<Uint8Array>) =>
      controller.enqueue(new Uint8Array(10)),
    );
    const source = new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
    const { stream } = await setUp(new Response(source)).fileContent('resp_1', 'file_1');
    expect(pull).not.toHaveBeenCalled();
    const reader = stream.getReader();
    await reader.read();
    await reader.read();
    expect(pull).toHaveBeenCalledTimes(2);
    await reader.cancel('enough');
    expect(cancel).toHaveBeenCalledWith('enough');
  });

  it.each([
    ['a lost connection', {}, new TypeError('terminated'), 'The file broke off: terminated'],
    [
      'a lost connection that shows the key',
      {},
      new TypeError(`lost ${API_KEY}`),
      'The file broke off: lost [redacted]',
    ],
    ['too few bytes', { 'content-length': '9' }, 'close', 'The file broke off after 3 of 9 bytes.'],
  ] as const)('that ends in %s is never a whole file', async (_name, headers, end, text) => {
    const content = await setUp(reply(headers, ['abc'], end)).fileContent('resp_1', 'file_1');
    const error = await rejectionOf(bytesOf(content));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error).toMatchObject({ message: text, statusCode: 200, isRetryable: true });
    expect(error['url']).toBe('https://api.perplexity.ai/v1/agent/resp_1/files/file_1/content');
  });

  it('ends with the reason of an abort, whatever fetch does', async () => {
    const cancel = vi.fn();
    const source = new ReadableStream<Uint8Array>({
      start: (controller) => controller.enqueue(new Uint8Array(3)),
      cancel,
    });
    const controller = new AbortController();
    const { signal: abortSignal } = controller;
    const { stream } = await setUp(new Response(source)).fileContent('resp_1', 'file_1', { abortSignal });
    const reader = stream.getReader();
    expect((await reader.read()).value?.byteLength).toBe(3);
    const pending = rejectionOf(reader.read());
    const reason = new Error('stop');
    controller.abort(reason);
    expect(await pending).toBe(reason);
    expect(cancel).toHaveBeenCalledWith(reason);
  });

  it('that is refused throws before there is a stream', async () => {
    const refused = jsonReply({ error: { message: 'no rights', type: 'forbidden', code: 403 } }, { status: 403 });
    const error = await rejectionOf(setUp(refused).fileContent('resp_1', 'file_1'));
    expect(error).toMatchObject({ message: 'no rights', statusCode: 403, data: { type: 'forbidden' } });
  });
});

describe('a run that shares files', () => {
  const share = { type: 'share_file', call_id: 'call_f', file_id: 'file_1', filename: 'out.xlsx', size_bytes: 200_000 };
  const failed = { type: 'share_file', call_id: 'call_g', error: 'too large' };
  const response = snapshot({
    id: 'resp_00000000-0000-4000-8000-000000000001',
    output: [share, failed, message('Here is the table.')],
  });

  it.each(['generateText', 'streamText'] as const)('leads from the metadata of %s to the bytes', async (way) => {
    const simulator = createAgentApiSimulator({ scenario: { response } });
    const server = await listen(simulator);
    try {
      const provider = createPerplexityAgent({ apiKey: API_KEY, baseURL: server.url });
      const call = { model: provider('xhigh'), prompt: 'A table, please' };
      const run = way === 'generateText' ? await generateText(call) : streamText(call);
      expect(await run.text).toBe('Here is the table.');
      const { responseId = '', items = [] } = (await run.providerMetadata)?.['perplexity'] as PerplexityAgentMetadata;
      expect(items).toEqual([share, failed]);
      const [shared] = items as unknown as [typeof share];
      expect(await provider.responses.files(responseId)).toEqual([
        { id: 'file_1', filename: 'out.xlsx', bytes: 200_000, createdAt: new Date(1_790_000_000_000) },
      ]);
      const content = await provider.responses.fileContent(responseId, shared.file_id);
      expect([content.size, content.mediaType]).toEqual([200_000, 'application/octet-stream']);
      expect((await bytesOf(content)).byteLength).toBe(200_000);
      expect(await rejectionOf(provider.responses.fileContent(responseId, 'file_9'))).toMatchObject({
        statusCode: 404,
      });
    } finally {
      await server.close();
    }
  });

  it('with an office skill has them in its metadata, ready to be fetched', async () => {
    const { fetch } = createAgentApiSimulator({ scenario: 'office-skill' });
    const provider = createPerplexityAgent({ apiKey: API_KEY, fetch });
    const { providerMetadata } = await generateText({
      model: provider('high'),
      prompt: 'A table, please',
      providerOptions: { perplexity: { skills: [{ type: 'builtin', name: 'office/xlsx' }] } },
    });
    const { responseId = '', files = [] } = providerMetadata?.['perplexity'] as PerplexityAgentMetadata;
    const [file] = files;
    expect(files).toHaveLength(1);
    const { size, stream } = await provider.responses.fileContent(responseId, file?.fileId ?? '');
    expect([size, file?.sizeBytes]).toEqual([5120, 5120]);
    expect((await bytesOf({ stream })).byteLength).toBe(5120);
    expect(await provider.responses.files(responseId)).toMatchObject([{ id: file?.fileId, filename: file?.filename }]);
  });
});
