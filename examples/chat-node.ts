/**
 * The same endpoint on node:http, without a framework: `npm run example -- chat-node`
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { answerTo, messageOf, PORT } from './servers/answer.js';

const server = createServer((request, response) => {
  if (request.method !== 'POST' || request.url !== '/api/chat') return void response.writeHead(404).end();
  chat(request, response).catch((error: unknown) => {
    if (!response.headersSent) response.writeHead(400, { 'content-type': 'text/plain' });
    response.end(messageOf(error));
  });
});

async function chat(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const gone = new AbortController();
  // Also after a good end, when there is nothing left to abort.
  response.once('close', () => gone.abort());
  const { result, options } = await answerTo(await json(request), gone.signal);
  // A promise under ai 7.
  await Promise.resolve(result.pipeUIMessageStreamToResponse(response, options));
}

server.listen(PORT, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/api/chat`);
});
