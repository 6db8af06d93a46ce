/** Stands between browser and server, and keeps every byte that the browser gets. */
import { createServer, request, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export class RecordingProxy {
  private open = new Set<ServerResponse>();
  private received: Buffer[] = [];
  /** Paths that were asked for, with method. */
  asked: string[] = [];

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(port: number): Promise<RecordingProxy> {
    const holder: { proxy?: RecordingProxy } = {};
    const server = createServer((incoming, outgoing) => holder.proxy?.pass(port, incoming, outgoing));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port: own } = server.address() as AddressInfo;
    holder.proxy = new RecordingProxy(
      `http://127.0.0.1:${own}`,
      () =>
        new Promise((resolve) => {
          server.close(() => resolve());
          server.closeAllConnections();
        }),
    );
    return holder.proxy;
  }

  /** Head and body of everything since the last `forget`. */
  get text(): string {
    return Buffer.concat(this.received).toString('latin1');
  }

  forget(): void {
    this.received = [];
    this.asked = [];
  }

  /** Breaks all that is being answered off, as a lost line does. */
  cut(): void {
    for (const outgoing of this.open) outgoing.destroy();
  }

  private pass(port: number, incoming: IncomingMessage, outgoing: ServerResponse): void {
    this.asked.push(`${incoming.method ?? ''} ${incoming.url ?? ''}`);
    // Compressed bytes could not be searched.
    const { 'accept-encoding': _encoding, ...headers } = incoming.headers;
    // A connection that is kept would fail where the server has just closed it.
    const target = { host: '127.0.0.1', port, agent: false, method: incoming.method, path: incoming.url, headers };
    const upstream = request(target);
    upstream.once('response', (response) => {
      this.received.push(Buffer.from(`${response.statusCode ?? ''}\n${response.rawHeaders.join('\n')}\n`));
      outgoing.writeHead(response.statusCode ?? 502, response.rawHeaders);
      outgoing.flushHeaders();
      response.on('data', (chunk: Buffer) => {
        this.received.push(chunk);
        outgoing.write(chunk);
      });
      response.once('end', () => outgoing.end());
      response.once('error', () => outgoing.destroy());
    });
    upstream.once('error', () => outgoing.destroy());
    // A browser that hangs up hangs up at the server, too.
    this.open.add(outgoing);
    outgoing.once('close', () => {
      this.open.delete(outgoing);
      upstream.destroy();
    });
    incoming.pipe(upstream);
  }
}
