/** Recorded traffic maps to what it says. Read beside the project, never copied into it. */
import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { finishOf, generate, modelWith, partsOf, rejectionOf, streamParts, textsOf } from './support/model.js';
import { capture, captureJson, hasCaptures } from './support/shared.js';
import { parseLines } from './support/fixtures.js';
import { eventReply, jsonReply } from './support/wire.js';

type Item = {
  type: string;
  queries?: string[] | null;
  results?: Array<{ id: number; url: string }>;
  contents?: Array<{ url: string }>;
  content?: Array<{ text: string }>;
};

const folder = fileURLToPath(new URL('../../shared/captures/', import.meta.url));
const files = hasCaptures ? readdirSync(folder).filter((file) => file.endsWith('.json')) : [];
const replies = files.filter((file) => Array.isArray(captureJson(file)['output']));
const errors = files.filter((file) => /_4\d\d\.json$/.test(file));

describe.skipIf(!hasCaptures)('the recorded stream (needs ../shared)', () => {
  it('gives the answer, ten sources, tokens, cost and the served model', async () => {
    const { model } = modelWith([eventReply(parseLines(capture('agent-web-search.chunks.txt')))], { modelId: 'fast' });
    const parts = await streamParts(model);
    const sources = partsOf(parts, 'source');
    const { metadata, usage, finishReason } = finishOf(parts);
    const [text] = textsOf(parts);
    expect(text).toMatch(/^The official TypeScript website is .*\.\[7\]$/);
    expect(sources).toHaveLength(10);
    const seventh = sources.find(({ id }) => id.endsWith(':7'));
    expect(seventh).toMatchObject({ url: 'https://www.typescriptlang.org/' });
    expect((metadata['citations'] as Record<string, string>)['7']).toBe('https://www.typescriptlang.org/');
    expect([usage.inputTokens, usage.outputTokens]).toEqual([3007, 37]);
    expect(metadata).toMatchObject({
      servedModel: 'openai/gpt-6-luna',
      requestedModel: 'fast',
      cost: { totalCost: 0.00105 },
    });
    expect(finishReason).toBe('stop');
    expect(parts[0]).toEqual({ type: 'stream-start', warnings: [] });
    expect(partsOf(parts, 'reasoning-delta').map((part) => part.delta)).toEqual([
      'Searching the web...\n- Find the official TypeScript website and describe TypeScript in one sentence with a citation.',
      '\nFound 10 results',
    ]);
  });
});

describe.skipIf(!hasCaptures)('each recorded reply (needs ../shared)', () => {
  it.each(replies)('%s maps without a warning to what it says', async (file) => {
    const response = captureJson(file);
    const output = response['output'] as Item[];
    const { model } = modelWith([jsonReply(response)], { modelId: 'fast' });
    if (!['completed', 'incomplete'].includes(String(response['status']))) {
      const error = await rejectionOf(generate(model));
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error['data']).toMatchObject({ responseId: response['id'], status: response['status'] });
      expect(error.message).toContain(String(response['status']));
      const urls = (error['data'] as { sources?: Array<{ url: string }> }).sources?.map(({ url }) => url);
      expect(urls).toEqual(sourceUrls(output).length === 0 ? undefined : sourceUrls(output));
      return;
    }
    const result = await generate(model);
    expect(result.warnings).toEqual([]);
    expect(result.content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')).toBe(
      output.flatMap(({ content }) => content?.map(({ text }) => text) ?? []).join(''),
    );
    expect(
      result.content.flatMap((part) => (part.type === 'source' && part.sourceType === 'url' ? [part.url] : [])),
    ).toEqual(sourceUrls(output));
    const usage = response['usage'] as { input_tokens: number; output_tokens: number; cost: { total_cost: number } };
    expect([result.usage.inputTokens, result.usage.outputTokens]).toEqual([usage.input_tokens, usage.output_tokens]);
    expect(result.providerMetadata?.['perplexity']).toMatchObject({
      responseId: response['id'],
      servedModel: 'openai/gpt-6-luna',
      cost: { totalCost: usage.cost.total_cost },
    });
    const items = output.filter(({ type }) => type !== 'message');
    expect(result.providerMetadata?.['perplexity']?.['items']).toEqual(items.length === 0 ? undefined : items);
    expect(result.finishReason).toBe(response['status'] === 'incomplete' ? 'length' : 'stop');
    for (const marker of String(output.flatMap(({ content }) => content?.map(({ text }) => text) ?? [])).matchAll(
      /\[(?:web:)?(\d+)\]/g,
    )) {
      expect(result.providerMetadata?.['perplexity']?.['citations']).toHaveProperty(marker[1] as string);
    }
  });
});

const sourceUrls = (output: Item[]) => [
  ...new Set(output.flatMap(({ results, contents }) => (results ?? contents ?? []).map(({ url }) => url))),
];

describe.skipIf(!hasCaptures)('each recorded error body (needs ../shared)', () => {
  it.each(errors)('%s becomes the right error', async (file) => {
    const body = captureJson(file) as { error: { message: string; type: string; code: number } };
    const status = Number(/_(\d{3})\.json$/.exec(file)?.[1]);
    for (const call of [generate, streamParts]) {
      const error = await rejectionOf(call(modelWith([jsonReply(body, { status })]).model));
      expect(APICallError.isInstance(error)).toBe(true);
      expect(error).toMatchObject({ message: body.error.message, statusCode: status, isRetryable: false });
      expect(error['data']).toEqual({ type: body.error.type, code: body.error.code, requestId: 'req-1' });
      expect(JSON.parse(error['responseBody'] as string)).toEqual(body);
    }
  });
});
