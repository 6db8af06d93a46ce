/** The Agent API of the tests: one address for the server under test, behind which each test plays a simulator of its own. */
import {
  createAgentApiSimulator,
  type AgentApiRequestRecord,
  type AgentApiSimulator,
  type AgentApiSimulatorOptions,
} from 'ai-sdk-provider-perplexity-agent/simulator';
import { listen } from 'ai-sdk-provider-perplexity-agent/simulator/node';

/** A JSON object of the wire. */
export type Json = Record<string, unknown>;

/** What the API sent in one stream, so far. */
interface WireStream {
  text: string;
}

export class TestApi {
  /** The simulator of the running test. */
  simulator: AgentApiSimulator = createAgentApiSimulator();
  private streams: WireStream[] = [];
  private bodies: Promise<string>[] = [];

  private constructor(
    readonly url: string,
    readonly close: () => Promise<void>,
  ) {}

  static async start(): Promise<TestApi> {
    const holder: { api?: TestApi } = {};
    const front: AgentApiSimulator = {
      ...createAgentApiSimulator(),
      fetch: async (input, init) => {
        if (holder.api === undefined) throw new Error('No request may come before the API is there.');
        return holder.api.answer(input, init);
      },
    };
    const { url, close } = await listen(front);
    holder.api = new TestApi(url, close);
    return holder.api;
  }

  /** Begins anew with another simulator. */
  play(options: AgentApiSimulatorOptions): AgentApiSimulator {
    this.simulator = createAgentApiSimulator({ seed: 'browser tests', ...options });
    this.streams = [];
    this.bodies = [];
    return this.simulator;
  }

  /** The create requests so far. */
  get creates(): AgentApiRequestRecord[] {
    return this.simulator.requests.filter(({ method, path }) => method === 'POST' && path === '/v1/agent');
  }

  /** The body of a create request. */
  sent(index: number): Json {
    const record = this.creates[index];
    if (record === undefined) throw new Error(`There was no create request ${index}.`);
    return record.body as Json;
  }

  /** The cancel requests so far, whatever they were answered. */
  get cancels(): AgentApiRequestRecord[] {
    return this.simulator.requests.filter(({ method, path }) => method === 'POST' && path.endsWith('/cancel'));
  }

  /** The events of one stream, in the order in which streams were opened. */
  events(index: number): Json[] {
    const lines = (this.streams[index]?.text ?? '').split('\n');
    return lines.filter((line) => line.startsWith('data: {')).map((line) => JSON.parse(line.slice(6)) as Json);
  }

  /** The text that one stream has brought. */
  text(index: number): string {
    const deltas = this.events(index).filter(({ type }) => type === 'response.output_text.delta');
    return deltas.map(({ delta }) => String(delta)).join('');
  }

  /** The response in the last event of a stream that came to its end. */
  response(index: number): Json {
    const last = this.events(index).at(-1);
    if (last?.type !== 'response.completed') throw new Error(`Stream ${index} did not end well: ${String(last?.type)}`);
    return last.response as Json;
  }

  /** The messages of the API's errors so far. */
  async errorMessages(): Promise<string[]> {
    const bodies = await Promise.all(this.bodies);
    return bodies.map((body) => (JSON.parse(body) as { error: { message: string } }).error.message);
  }

  private async answer(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    const response = await this.simulator.fetch(input, init);
    if (!response.ok) this.bodies.push(response.clone().text());
    if (response.body === null || !response.headers.get('content-type')?.startsWith('text/event-stream'))
      return response;
    const stream: WireStream = { text: '' };
    this.streams.push(stream);
    const decoder = new TextDecoder();
    const listener = new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        stream.text += decoder.decode(chunk, { stream: true });
        controller.enqueue(chunk);
      },
    });
    return new Response(response.body.pipeThrough(listener), response);
  }
}
