import type { streamText, StreamTextTransform, ToolSet, UIMessage } from 'ai';
import {
  type CitedSource,
  linkCitations,
  linkCitationsTransform,
  splitCitations,
} from 'ai-sdk-provider-perplexity-agent';
import { expectTypeOf, test } from 'vitest';

declare const result: Awaited<ReturnType<typeof import('ai').generateText>>;
declare const message: UIMessage;

test('the transform fits streamText', () => {
  expectTypeOf(linkCitationsTransform()).toExtend<StreamTextTransform<ToolSet>>();
  type Option = NonNullable<Parameters<typeof streamText<ToolSet>>[0]['experimental_transform']>;
  const one: Option = linkCitationsTransform();
  const several: Option = [linkCitationsTransform(), linkCitationsTransform()];
  expectTypeOf([one, several]).toBeArray();
});

test('sources of results, steps and UI messages are taken, and given back as they are', () => {
  const segments = splitCitations(result.text, result.sources, result.providerMetadata);
  for (const segment of segments) {
    if (segment.type === 'text') continue;
    const { source } = segment;
    expectTypeOf(segment.resultId).toEqualTypeOf<string>();
    expectTypeOf(source?.url).toEqualTypeOf<string | undefined>();
    expectTypeOf(source?.title).toEqualTypeOf<string | undefined>();
    if (source?.type === 'source') expectTypeOf(source.id).toEqualTypeOf<string>();
  }
  const cited = splitCitations('', message.parts).flatMap((segment) => ('source' in segment ? [segment.source] : []));
  const [source] = cited;
  if (source?.type === 'source-url') expectTypeOf(source.sourceId).toEqualTypeOf<string>();
  expectTypeOf(linkCitations('', message.parts, { '7': 'https://a.example' })).toEqualTypeOf<string>();
});

test('a part with a URL that is no source is none, whatever a later major calls it', () => {
  type Titled = { type: 'source'; url: string; title?: string };
  type Wide = { type: string; url: string; title: string };
  type Other = { type: 'reasoning-file' | 'file' | `data-${string}`; url: string; mediaType: string };
  type Bare = { url: string; title?: string };
  type Unknown = { url: string; type?: undefined; title?: undefined };
  expectTypeOf<CitedSource<Titled | Other>>().toEqualTypeOf<Titled | Unknown>();
  expectTypeOf<CitedSource<Wide | Bare>>().toEqualTypeOf<Wide | Bare | Unknown>();
  const parts: Array<Titled | Other | { type: 'text'; text: string }> = [];
  for (const segment of splitCitations('', parts)) {
    if (segment.type === 'citation') expectTypeOf(segment.source?.title).toEqualTypeOf<string | undefined>();
  }
});
