/**
 * The AI SDK that a run of the contract is for. `CONTRACT` names a folder beside this file (`ai6`), whose own installation
 * is taken together with the packed package in it; without it, it is the root's ai 5 and the build in `dist`.
 */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { LanguageModelV2 } from '@ai-sdk/provider';
import type * as v2 from 'ai-sdk-provider-perplexity-agent';
import type * as simulation from 'ai-sdk-provider-perplexity-agent/simulator';

/** A model of any face: what the SDKs make of it is what is tested here. */
export type Model = LanguageModelV2;
export type Provider = ReturnType<typeof v2.createPerplexityAgent>;
export type Face = 'v2' | 'v3' | 'v4';

type Fields = Record<string, unknown>;
export type Part = Fields & { type: string };
type Usage = Fields & { totalTokens?: number; inputTokens?: number; outputTokens?: number };

/** What all majors have of a result; the rest is looked at by name. */
export type Result = {
  text: string;
  content: Part[];
  sources: Part[];
  reasoningText?: string;
  toolCalls: Part[];
  toolResults: Part[];
  steps: Result[];
  finishReason: string;
  rawFinishReason?: string;
  usage: Usage;
  totalUsage: Usage;
  warnings?: Fields[];
  request: { body?: unknown };
  response: Fields & { id: string; messages: Message[]; body?: unknown };
  providerMetadata?: Record<string, Fields>;
  output: unknown;
  experimental_output: unknown;
};
export type Message = { role: string; content: string | Part[] };
export type UIMessage = { id?: string; role: string; parts: Part[] };
export type Streamed = { [K in keyof Omit<Result, 'content'>]: Promise<Result[K]> } & {
  fullStream: AsyncIterable<Part>;
  partialOutputStream: AsyncIterable<unknown>;
  experimental_partialOutputStream: AsyncIterable<unknown>;
  toUIMessageStream(options?: object): AsyncIterable<Part> & ReadableStream<Part>;
  consumeStream(options?: object): Promise<void>;
};
type Agent = { generate(call: object): Promise<Result>; stream(call: object): Promise<Streamed> | Streamed };
type Names = { languageModel(id: string): Model };
type ErrorClass = { isInstance(error: unknown): boolean };

/** The functions of `ai`, as far as its majors agree on them. */
export type Sdk = {
  generateText(call: object): Promise<Result>;
  streamText(call: object): Streamed;
  generateObject(call: object): Promise<Result & { object: unknown }>;
  streamObject(call: object): { partialObjectStream: AsyncIterable<unknown>; object: Promise<unknown> };
  Output: { object(options: object): unknown };
  tool(definition: object): object;
  stepCountIs(count: number): unknown;
  readUIMessageStream(options: object): AsyncIterable<UIMessage>;
  convertToModelMessages(messages: UIMessage[], options?: object): Message[] | Promise<Message[]>;
  createProviderRegistry(providers: object, options?: object): Names;
  customProvider(options: object): Names;
  wrapLanguageModel(options: object): Model;
  wrapProvider?(options: object): Names;
  extractReasoningMiddleware(options: object): object;
  defaultSettingsMiddleware(options: object): object;
  simulateStreamingMiddleware(): object;
  Experimental_Agent: new (settings: object) => Agent;
  ToolLoopAgent?: new (settings: object) => Agent;
  APICallError: ErrorClass;
  RetryError: ErrorClass;
};

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const column = process.env['CONTRACT'];
const modules = join(column === undefined ? root : join(here, column), 'node_modules');
const PACKAGE = 'ai-sdk-provider-perplexity-agent';
const packageRoot = column === undefined ? root : join(modules, PACKAGE);

type Manifest = { version: string; exports: Record<string, { import: string | { default: string } }> };
const manifestOf = (folder: string) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Manifest;

/** Imports what `import` finds at an entry of an installed package, whatever aliases there are for tests. */
function entry<T>(folder: string, subpath = '.'): Promise<T> {
  const found = manifestOf(folder).exports[subpath]?.import;
  if (found === undefined) throw new Error(`${folder} has no ${subpath}`);
  const file = typeof found === 'string' ? found : found.default;
  return import(/* @vite-ignore */ pathToFileURL(join(folder, file)).href) as Promise<T>;
}

/** A release of `ai`: the newest of its major, or an early one for the short form. */
export type Release = { version: string; major: number; isEarly: boolean; ai: Sdk };

async function release(name: string, isEarly: boolean): Promise<Release[]> {
  const folder = join(modules, name);
  if (!existsSync(folder)) return [];
  const { version } = manifestOf(folder);
  return [{ version, major: Number.parseInt(version), isEarly, ai: await entry<Sdk>(folder) }];
}

export const releases: Release[] = [...(await release('ai', false)), ...(await release('ai-early', true))];

/** The SDK of this run; the first release is the newest. */
export const { ai } = releases[0] as Release;

type Entry = { createPerplexityAgent(settings: v2.PerplexityAgentProviderSettings): Provider; VERSION: string };

export const faces: Record<Face, Entry> = {
  v2: await entry<Entry>(packageRoot),
  v3: await entry<Entry>(packageRoot, './v3'),
  v4: await entry<Entry>(packageRoot, './v4'),
};

export const { createAgentApiSimulator } = await entry<typeof simulation>(packageRoot, './simulator');

/** The faces that a major takes. */
export const facesOf = (of: number): Face[] => (['v2', 'v3', 'v4'] as const).slice(0, of - 4);
