/** The simulator as a real server. The only file of it that names Node built-ins. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { AgentApiSimulator } from './types.js';

/** Settings of `listen`. */
export interface ListenOptions {
  /** Port on 127.0.0.1, default 0: any free one. */
  port?: number;
}

/** A listening simulator. */
export interface ListeningSimulator {
  /** Base URL without a trailing slash, for instance `http://127.0.0.1:40123`. */
  url: string;
  port: number;
  /** Stops listening and breaks what is still open. */
  close(): Promise<void>;
}

/** Connections that may wait to be taken: Node's 511 are too few for thousands of calls at once, which were reset. */
const MOST_WAITING = 4096;

/**
 * Serves a simulator on 127.0.0.1 with real sockets: every event is flushed as it comes, a client that hangs up is recorded
 * as aborted, and a `reset` destroys the socket, which a client sees as `TypeError: terminated`.
 *
 * Rejects when the port is taken.
 */
export async function listen(simulator: AgentApiSimulator, options: ListenOptions = {}): Promise<ListeningSimulator> {
  const server = createServer((incoming, outgoing) => void serve(simulator, incoming, outgoing));
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port: options.port ?? 0, host: '127.0.0.1', backlog: MOST_WAITING }, resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

async function serve(simulator: AgentApiSimulator, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const controller = new AbortController();
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) controller.abort();
  });
  try {
    // Beside the request, not in it: that is told of an abort only as long as it is not collected.
    const response = await simulator.fetch(await toRequest(incoming), { signal: controller.signal });
    outgoing.writeHead(response.status, Object.fromEntries(response.headers));
    outgoing.flushHeaders();
    await send(response, outgoing);
  } catch (error) {
    if (isConnectionReset(error)) return reset(incoming);
    // Before the headers this is a mistake in a scenario; after them it is a cut, which the client must see as one. What
    // was written in this turn has not left yet, and would be lost with the socket.
    if (outgoing.headersSent && !controller.signal.aborted) await new Promise((resolve) => setImmediate(resolve));
    if (outgoing.headersSent || controller.signal.aborted) outgoing.destroy();
    else outgoing.writeHead(500, { 'content-type': 'text/plain' }).end(String(error));
  }
}

/** A `refuse` fault. */
function isConnectionReset(error: unknown): boolean {
  return error instanceof TypeError && (error.cause as { code?: unknown } | undefined)?.code === 'ECONNRESET';
}

function reset({ socket }: IncomingMessage): void {
  // Node 18.0 to 18.2 cannot send a RST.
  const { resetAndDestroy }: { resetAndDestroy?: unknown } = socket;
  if (resetAndDestroy === undefined) socket.destroy();
  else socket.resetAndDestroy();
}

async function toRequest(incoming: IncomingMessage): Promise<Request> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Uint8Array);
  const method = incoming.method ?? 'GET';
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    headers.set(name, Array.isArray(value) ? value.join(', ') : (value ?? ''));
  }
  return new Request(`http://${incoming.headers.host ?? '127.0.0.1'}${incoming.url ?? '/'}`, {
    method,
    headers,
    ...(method === 'GET' || method === 'HEAD' ? {} : { body: Buffer.concat(chunks) }),
  });
}

async function send(response: Response, outgoing: ServerResponse): Promise<void> {
  const reader = response.body?.getReader();
  for (let read = await reader?.read(); read !== undefined && !read.done; read = await reader?.read()) {
    const isFlushed = outgoing.write(read.value);
    if (!isFlushed) await drained(outgoing);
  }
  outgoing.end();
}

/** Waits until the client has taken what was written, or has gone. */
function drained(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const events = ['drain', 'close'];
    const onEvent = () => {
      for (const event of events) outgoing.off(event, onEvent);
      resolve();
    };
    for (const event of events) outgoing.on(event, onEvent);
    if (outgoing.closed) onEvent();
  });
}
