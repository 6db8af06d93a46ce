/** A cell of the matrix (a release of `ai` with a face), what a row needs of it, and the form of rows. */
import type { AgentApiSimulator, AgentApiSimulatorOptions } from 'ai-sdk-provider-perplexity-agent/simulator';
import {
  createAgentApiSimulator,
  faces,
  type Face,
  type Model,
  type Part,
  type Provider,
  type Release,
  type UIMessage,
} from './sdk.js';

export type Cell = Release & { face: Face };
export type World = Cell & {
  /** A simulator, a provider of the cell's face that talks to it, and the bodies that it was sent. */
  setUp(options?: AgentApiSimulatorOptions): {
    simulator: AgentApiSimulator;
    provider: Provider;
    model: Model;
    bodies(): Array<Record<string, unknown> & { input: Part[] }>;
    statuses(): Array<number | undefined>;
  };
};

/** A line of the matrix: what is looked at, and what a cell must show. */
export type Row = {
  name: string;
  /** Whether early releases are held to it as well. */
  isShort?: true;
  /** Cells that it is about; by default all. */
  only?(cell: Cell): boolean;
  observe(world: World): Promise<unknown>;
  expected(cell: Cell): unknown;
};

export const isV2 = ({ face }: Cell): boolean => face === 'v2';

export const MODEL = 'openai/gpt-6-luna';

export const worldOf = (cell: Cell): World => ({
  ...cell,
  setUp(options = {}) {
    const simulator = createAgentApiSimulator({ seed: 7, ...options });
    const provider = faces[cell.face].createPerplexityAgent({
      apiKey: 'pplx-test-key-1234567890',
      fetch: simulator.fetch,
      generateId: () => 'generated',
    });
    return {
      simulator,
      provider,
      model: provider(MODEL),
      bodies: () => simulator.requests.map(({ body }) => body as never),
      statuses: () => simulator.requests.map(({ status }) => status),
    };
  },
});

/** All that a stream has. */
export async function all<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const parts: T[] = [];
  for await (const part of stream) parts.push(part);
  return parts;
}

/** Runs of one type as one: what came, in which order. */
export const orderOf = (parts: Part[]): string[] =>
  parts.map(({ type }) => type).filter((type, index, types) => type !== types[index - 1]);

/** The message that a chat has in the end. */
export async function lastMessage({ ai }: World, stream: AsyncIterable<Part>): Promise<UIMessage> {
  const messages = await all(ai.readUIMessageStream({ stream }));
  const last = messages.at(-1);
  if (last === undefined) throw new Error('no message');
  return last;
}

/** How a promise ends: its value, or the name of its error. */
export async function endOf(promise: PromiseLike<unknown>): Promise<unknown> {
  try {
    return await promise;
  } catch (error) {
    return `rejected: ${(error as Error).name}`;
  }
}

/** A warning in the words of the face. */
export const unsupported = (cell: Cell, setting: string, details: string): Record<string, unknown> =>
  isV2(cell) ? { type: 'unsupported-setting', setting, details } : { type: 'unsupported', feature: setting, details };

export const user = (content: string) => ({ role: 'user', content });
export const userUI = (text: string): UIMessage => ({ role: 'user', parts: [{ type: 'text', text }] });

/** The fields named, as far as they are there. */
export const pick = (from: object | undefined, ...names: string[]): Record<string, unknown> =>
  Object.fromEntries(
    names.flatMap((name) =>
      from !== undefined && name in from ? [[name, (from as Record<string, unknown>)[name]]] : [],
    ),
  );
