/** Replies of a real server that no client should be thrown by: wrong bodies, wrong headers, bodies that never end. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { APICallError } from '@ai-sdk/provider';
import { createPerplexityAgent } from 'ai-sdk-provider-perplexity-agent';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { API_KEY, finishOf, generate, partsOf, rejectionOf, streamParts, textsOf } from '../support/model.js';
import { completed, created, delta, message, snapshot, sseText } from '../support/wire.js';

type Answer = (response: ServerResponse, request: IncomingMessage) => void;

let answer: Answer;
let closed: Promise<void>;
const server = createServer((request, response) => {
  closed = new Promise((resolve) => response.on('close', resolve));
  request.resume();
  if (request.url?.endsWith('/cancel') === true) response.end('{}');
  else answer(response, request);
});
let baseURL: string;
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  baseURL = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => void server.close());

function modelThatGets(given: Answer) {
  answer = given;
  return createPerplexityAgent({ apiKey: API_KEY, baseURL })('openai/gpt-6-luna');
}

const whole = (headers: Record<string, string>, body: string | Uint8Array) =>
  modelThatGets((response) => void response.writeHead(200, headers).end(body));

const TEXT = '«灯台👩‍🚀é»';
const sse = sseText([created(), delta(TEXT), completed([message(TEXT)])]);
const json = JSON.stringify(snapshot({ output: [message(TEXT)] }));
const html = '<!doctype html><title>Busy</title>';

describe('a body', () => {
  it('that is packed with gzip and says so is read', async () => {
    const packed = { 'content-encoding': 'gzip' };
    const events = whole({ 'content-type': 'text/event-stream', ...packed }, gzipSync(sse));
    expect(textsOf(await streamParts(events))).toEqual([TEXT]);
    const object = whole({ 'content-type': 'application/json', ...packed }, gzipSync(json));
    expect((await generate(object)).content).toMatchObject([{ type: 'text', text: TEXT }]);
  });

  it('that is packed with gzip and does not say so is an error, as no events and as no JSON', async () => {
    const events = whole({ 'content-type': 'text/event-stream' }, gzipSync(sse));
    expect((await rejectionOf(streamParts(events))).message).toContain('no terminal event came');
    const object = whole({ 'content-type': 'application/json' }, gzipSync(json));
    const error = await rejectionOf(generate(object));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error.message).toBe(
      'The Agent API sent a body of type "application/json" that is no JSON object with status 200 instead of a JSON response.',
    );
  });

  it('that only pretends to be packed with gzip is an error', async () => {
    const events = whole({ 'content-type': 'text/event-stream', 'content-encoding': 'gzip' }, sse);
    expect(APICallError.isInstance(await rejectionOf(streamParts(events)))).toBe(true);
    const object = whole({ 'content-type': 'application/json', 'content-encoding': 'gzip' }, json);
    expect((await rejectionOf(generate(object))).message).toContain('The reply broke off');
  });

  it.each(['text/html', 'text/event-stream', 'application/json', 'text/plain'])(
    'that is a page of type %s is an error',
    async (type) => {
      expect(APICallError.isInstance(await rejectionOf(streamParts(whole({ 'content-type': type }, html))))).toBe(true);
      expect(APICallError.isInstance(await rejectionOf(generate(whole({ 'content-type': type }, html))))).toBe(true);
    },
  );

  it.each(['text/html', 'text/event-stream', 'application/json', ''])(
    'that is empty, of type "%s", is an error',
    async (type) => {
      const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
      expect(APICallError.isInstance(await rejectionOf(streamParts(whole(headers, ''))))).toBe(true);
      expect(APICallError.isInstance(await rejectionOf(generate(whole(headers, ''))))).toBe(true);
    },
  );

  it('that drips byte by byte is read', async () => {
    const bytes = Buffer.from(sse);
    const model = modelThatGets((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      let at = 0;
      const drip = () => {
        if (at === bytes.length) response.end();
        else response.write(bytes.subarray(at, ++at), () => setImmediate(drip));
      };
      drip();
    });
    const parts = await streamParts(model);
    expect(textsOf(parts)).toEqual([TEXT]);
    expect(finishOf(parts).finishReason).toBe('stop');
  });
});

describe('keep-alives without end', () => {
  /** Comments for ever, behind what is given. */
  const alive = (beginning: string) =>
    modelThatGets((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(beginning);
      const timer = setInterval(() => response.write(': keep-alive\n\n'), 5);
      response.on('close', () => clearInterval(timer));
    });

  it('before the first event can be aborted, and the connection is closed', async () => {
    const controller = new AbortController();
    const reading = streamParts(alive(''), { abortSignal: controller.signal });
    setTimeout(() => controller.abort(new Error('enough')), 60);
    expect((await rejectionOf(reading)).message).toBe('enough');
    await closed;
  });

  it('after the first text can be aborted, and the connection is closed', async () => {
    const controller = new AbortController();
    const { stream } = await alive(sseText([created(), delta('A')])).doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }],
      abortSignal: controller.signal,
    });
    const types: string[] = [];
    const reading = (async () => {
      for await (const { type } of stream) types.push(type);
    })();
    setTimeout(() => controller.abort(new Error('enough')), 60);
    expect((await rejectionOf(reading)).message).toBe('enough');
    expect(types).toEqual(['stream-start', 'response-metadata', 'text-start', 'text-delta']);
    await closed;
  });

  it('that stop end the stream after idleTimeout, with the text that came', async () => {
    const model = modelThatGets((response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.write(sseText([created(), delta('A')]));
      let count = 0;
      const timer = setInterval(() => {
        response.write(': keep-alive\n\n');
        if (++count === 4) clearInterval(timer);
      }, 20);
    });
    const parts = await streamParts(model, { providerOptions: { perplexity: { idleTimeout: 150 } } });
    expect(textsOf(parts)).toEqual(['A']);
    expect((partsOf(parts, 'error')[0]?.error as Error).message).toContain(
      'Nothing came from the Agent API for 150 ms',
    );
    await closed;
  });
});
