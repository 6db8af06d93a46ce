/**
 * A chat endpoint on Hono, for `useChat` pages of any framework.
 *
 *   npm run example -- chat-hono
 *   curl -N http://127.0.0.1:3001/api/chat -d '{"messages":[{"id":"1","role":"user","parts":[{"type":"text","text":"Hi"}]}]}'
 */
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { answerTo, messageOf, PORT } from './servers/answer.js';

const app = new Hono();

app.post('/api/chat', async (context) => {
  // The signal fires when the client goes away: the run is cancelled then.
  const { result, options } = await answerTo(await context.req.json(), context.req.raw.signal);
  return result.toUIMessageStreamResponse(options);
});

app.onError((error, context) => context.text(messageOf(error), 400));

serve({ fetch: app.fetch, port: PORT, hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`http://127.0.0.1:${port}/api/chat`);
});
