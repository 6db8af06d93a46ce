/** The chat endpoints, as processes, asked as `useChat` asks. */
import { describe, expect, it } from 'vitest';
import { readUIMessageStream, type UIMessage, type UIMessageChunk } from 'ai';
import type { AgentApiSimulatorOptions } from 'ai-sdk-provider-perplexity-agent/simulator';
import { runTs, withServer, type Server } from './run.js';

type Chat = (messages: unknown, signal?: AbortSignal) => Promise<Response>;

const question = { id: '1', role: 'user', parts: [{ type: 'text', text: 'When were lighthouses automated?' }] };

/** Starts an example on a port of its own and gives a way to ask it. */
async function withChat<T>(
  name: string,
  options: AgentApiSimulatorOptions,
  use: (ask: Chat, server: Server) => Promise<T>,
): Promise<T> {
  return withServer(options, async (server) => {
    let stop = () => {};
    let listens: (url: string) => void = () => {};
    const listening = new Promise<string>((resolve) => (listens = resolve));
    const ended = runTs(`examples/${name}.ts`, [], {
      env: { PORT: '0', ...server.env },
      onStart: (kill) => (stop = () => kill('SIGTERM')),
      onOutput: (stdout) => listens(stdout.trim()),
    });
    const early = ended.then(({ stderr }) => Promise.reject(new Error(`It ended before it listened: ${stderr}`)));
    try {
      const url = await Promise.race([listening, early]);
      return await use(
        (messages, signal) =>
          fetch(url, { method: 'POST', body: JSON.stringify({ messages }), signal: signal ?? null }),
        server,
      );
    } finally {
      early.catch(() => {});
      stop();
      await ended;
    }
  });
}

type Chunk = { type: string; delta?: string; errorText?: string; messageMetadata?: { cost?: { totalCost: number } } };

const chunksOf = (body: string): Chunk[] =>
  body
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)) as Chunk);

/** The message that `useChat` makes of the answer, and sends back with the next question. */
async function messageOf(chunks: Chunk[]): Promise<UIMessage | undefined> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk as UIMessageChunk);
      controller.close();
    },
  });
  let message: UIMessage | undefined;
  for await (message of readUIMessageStream({ stream }));
  return message;
}

const textOf = (chunks: Chunk[]) => chunks.map(({ type, delta }) => (type === 'text-delta' ? delta : '')).join('');

describe.each(['chat-hono', 'chat-node'])('%s', (name) => {
  it('streams text, sources and cost, and takes a second turn', async () => {
    await withChat(name, { scenario: 'search' }, async (ask, { simulator }) => {
      const response = await ask([question]);
      expect(response.headers.get('content-type')).toContain('text/event-stream');
      const body = await response.text();
      expect(body).not.toContain('test-key');
      const chunks = chunksOf(body);
      expect(textOf(chunks)).toMatch(/^Lighthouses on this coast have been unmanned since 1998/);
      expect(chunks.filter(({ type }) => type === 'source-url')).toHaveLength(10);
      expect(chunks.flatMap(({ messageMetadata }) => messageMetadata?.cost?.totalCost ?? []).at(-1)).toBe(0.00262);
      const answer = await messageOf(chunks);
      const kinds = new Set(answer?.parts.map(({ type }) => type));
      expect(kinds).toEqual(new Set(['step-start', 'reasoning', 'source-url', 'text']));
      const second = chunksOf(await (await ask([question, answer, { ...question, id: '3' }])).text());
      expect(textOf(second)).toContain('Lighthouses');
      expect(simulator.requests.map(({ status }) => status)).toEqual([200, 200]);
      const { input } = simulator.requests[1]?.body as { input: { role: string }[] };
      expect(input.map(({ role }) => role)).toEqual(['user', 'assistant', 'user']);
    });
  });

  it('tells the message of the API where that refuses', async () => {
    await withChat(name, { scenario: 'rate-limited' }, async (ask, { simulator }) => {
      const chunks = chunksOf(await (await ask([question])).text());
      expect(chunks.find(({ type }) => type === 'error')?.errorText).toBe('rate limit exceeded');
      expect(simulator.requests).toHaveLength(1);
    });
  });

  it('cancels the run of a client that goes away', async () => {
    await withChat(name, { scenario: 'search', eventDelay: 40 }, async (ask, { simulator }) => {
      const gone = new AbortController();
      const reader = (await ask([question], gone.signal)).body?.getReader();
      for (let seen = ''; !seen.includes('text-delta');) {
        seen += new TextDecoder().decode((await reader?.read())?.value);
      }
      gone.abort();
      await expect
        .poll(() => simulator.requests.filter(({ path }) => path.endsWith('/cancel')).length, { timeout: 5000 })
        .toBe(1);
    });
  });

  it('answers 400 to what is no chat, and says why', async () => {
    await withChat(name, {}, async (ask, { simulator }) => {
      const refused = await Promise.all(
        [undefined, 'nothing', [], [{ id: '1', role: 'user' }]].map((messages) => ask(messages)),
      );
      expect(refused.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
      const reasons = await Promise.all(refused.map((response) => response.text()));
      expect(reasons[0]).toContain('messages parameter must be provided');
      expect(reasons[3]).toContain('expected array, received undefined');
      expect(simulator.requests).toEqual([]);
    });
  });
});
