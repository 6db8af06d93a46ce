/** Wherever a text is cut, its citations are the same, and no character of it is lost. */
import { linkCitations, linkCitationsTransform, splitCitations } from 'ai-sdk-provider-perplexity-agent';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createMarkerScanner, type Marker } from '../../src/citations/scanner.js';
import { markersIn } from '../../src/citations/split.js';
import { capture, captureJson, hasCaptures } from '../support/shared.js';

const WORDS = ['word ', 'a', ' ', '.', '!', '1998', '42. ', '- ', '* ', '> ', '# ', '| ', '\t', '    ', 'web:', '🙂'];
const LINES = ['\n', '\n', '\n\n', '\r\n'];
const CODE = ['`', '``', '```', '~~~', '````', '```js', '\\'];
const MARKERS = ['[1]', '[2]', '[web:1]', '[web:3]', '[7]', '[web:0]', '[', ']', '[7', '[we'];
const LINKS = ['(', ')', '](', '](https://x.example/a[1])', '(p. 3)', '![', '"', '<'];

const text = fc
  .array(fc.constantFrom(...WORDS, ...LINES, ...CODE, ...MARKERS, ...MARKERS, ...LINKS), { maxLength: 40 })
  .map((tokens) => tokens.join(''));

const cut = (whole: string) =>
  fc.array(fc.nat(whole.length), { maxLength: 20 }).map((points) => {
    const places = [0, ...points.sort((a, b) => a - b), whole.length];
    return places.slice(1).map((place, index) => whole.slice(places[index], place));
  });

const pieces = fc.oneof(
  text.chain(cut),
  text.map((whole) => whole.split('')),
);

const citations = { '1': 'https://a.example/', '2': 'https://b.example/x_(y)', '3': 'javascript:alert(1)' };
const metadata = { perplexity: { responseId: 'resp_1', citations } };

type Part = { type: string; [key: string]: unknown };

async function transformed(parts: Part[]): Promise<Part[]> {
  const out: Part[] = [];
  const stream = new ReadableStream<Part>({
    start(controller) {
      parts.forEach((part) => controller.enqueue(part));
      controller.close();
    },
  });
  for await (const part of stream.pipeThrough(linkCitationsTransform()<Part>())) out.push(part);
  return out;
}

const block = (texts: string[], id = 'b'): Part[] => [
  { type: 'text-start', id, providerMetadata: metadata },
  ...texts.map((delta) => ({ type: 'text-delta', id, text: delta })),
  { type: 'text-end', id },
];

const textOf = (parts: Part[], id = 'b') =>
  parts.map((part) => (part.type === 'text-delta' && part['id'] === id ? String(part['text']) : '')).join('');

describe('a text that comes in pieces', () => {
  it('has the markers of the whole, each found as soon as it is settled', () => {
    fc.assert(
      fc.property(pieces, (texts) => {
        const whole = texts.join('');
        const found: Marker[] = [];
        const scanner = createMarkerScanner((marker) => found.push(marker));
        let settled = 0;
        let length = 0;
        for (const piece of texts) {
          const known = found.length;
          scanner.push(piece);
          length += piece.length;
          for (const { start, isAfterBang } of found.slice(known)) {
            expect(start - (isAfterBang ? 1 : 0)).toBeGreaterThanOrEqual(settled);
          }
          expect(scanner.settled()).toBeGreaterThanOrEqual(settled);
          expect(scanner.settled()).toBeLessThanOrEqual(length);
          settled = scanner.settled();
        }
        scanner.end();
        expect(scanner.settled()).toBe(whole.length);
        expect(found).toEqual(markersIn(whole));
      }),
      { numRuns: 2000 },
    );
  });

  it('joins from its segments', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const segments = splitCitations(whole, [], citations);
        expect(segments.map((part) => (part.type === 'text' ? part.text : part.marker)).join('')).toBe(whole);
        expect(segments.every((part) => part.type === 'citation' || part.text !== '')).toBe(true);
      }),
      { numRuns: 1000 },
    );
  });

  it('is linked as the whole is, and linking again changes nothing', async () => {
    await fc.assert(
      fc.asyncProperty(pieces, async (texts) => {
        const whole = linkCitations(texts.join(''), [], citations);
        expect(textOf(await transformed(block(texts)))).toBe(whole);
        expect(linkCitations(whole, [], citations)).toBe(whole);
      }),
      { numRuns: 500 },
    );
  });
});

describe('what a stream holds back', () => {
  const heldAfter = (...texts: string[]) => {
    let whole = '';
    const scanner = createMarkerScanner(() => undefined);
    for (const piece of texts) {
      scanner.push(piece);
      whole += piece;
    }
    return whole.slice(scanner.settled());
  };

  it.each([
    ['text', ['Some text, (even) *this*, 1998.'], ''],
    ['a bracket', ['x ['], '['],
    ['a cut marker', ['x [we', 'b:1'], '[web:1'],
    ['a marker until the next character', ['x [1]'], '[1]'],
    ['a marker before the address of a link', ['x [1](http'], '[1](http'],
    ['a marker after all', ['x [1] '], ''],
    ['a bracket that is none', ['x [see'], ''],
    ['a marker in what may be a link', ['x [see [1] y'], '[1] y'],
    ['a marker in what cannot be a link any more', ['x [see [1] y', 'z'.repeat(1000)], ''],
    ['an exclamation mark', ['x!'], '!'],
    ['backticks', ['x `', 'code'], ''],
    ['a bracket in what may be code', ['x `co', 'de a[', '1'], '[1'],
    ['an exclamation mark in what may be code', ['x `co!', '[1'], '![1'],
    ['only the exclamation mark', ['x `co!'], '!'],
    ['a bracket in code', ['x `co[1]`', ' y'], ''],
    ['a bracket after a fence', ['```', 'js [1]'], '[1]'],
    ['code in a fence', ['```', 'js\n[1', ']!'], ''],
    ['an escaped bracket', ['\\[1]'], ''],
    ['the beginning of a line', ['a\n', '1'], ''],
  ])('%s', (_, texts, expected) => {
    expect(heldAfter(...texts)).toBe(expected);
  });

  it('is looked at once, however long it gets', () => {
    const started = performance.now();
    for (const [first, piece] of [
      ['x `', 'ab [1] '],
      ['x [', 'ab [1] '],
      ['[1](', 'abc'],
      ['```', 'abc'],
      ['', '['],
      ['', '` [1]('],
      ['', ' '],
      ['', '``'],
    ] as const) {
      const scanner = createMarkerScanner(() => undefined);
      scanner.push(first);
      for (let count = 0; count < 20_000; count++) scanner.push(piece);
      scanner.end();
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

describe.skipIf(!hasCaptures)('the recordings (need ../shared)', () => {
  type Item = { type: string; results?: Array<{ id: number; url: string }>; contents?: Array<{ url: string }> } & {
    content?: Array<{ text: string }>;
  };
  const names = ['agent_fast', 'agent_low_fetch_url', 'agent_chat_depth_switch', 'agent-web-search'];

  it.each(names)('%s: every marker resolves', (name) => {
    const output = captureJson(`${name}.json`)['output'] as Item[];
    const results = output.flatMap((item) => item.results ?? []);
    const fetched = output.flatMap((item) => item.contents ?? []);
    const map = Object.fromEntries(results.map(({ id, url }) => [String(id), url]));
    const lookup = results.length === 0 ? { '0': String(fetched[0]?.url) } : map;
    const whole = output.flatMap((item) => item.content ?? []).map((part) => part.text);
    const marked = whole.flatMap((part) => part.match(/\[(?:web:)?\d+\]/g) ?? []);
    const cited = whole
      .flatMap((part) => splitCitations(part, [], lookup))
      .flatMap((part) => (part.type === 'citation' ? [part] : []));
    expect(cited.map(({ marker }) => marker)).toEqual(marked);
    expect(cited.every(({ source }) => source !== undefined)).toBe(true);
    expect(capture(`${name}.json`)).not.toBe('');
  });
});
