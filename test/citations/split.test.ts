import { linkCitations, splitCitations, type CitationSegment } from 'ai-sdk-provider-perplexity-agent';
import { describe, expect, it } from 'vitest';

const A = 'https://a.example/';
const B = 'https://b.example/';

const source = (url: string, resultIds: Array<number | string>, responseId = 'resp_1') => ({
  type: 'source' as const,
  sourceType: 'url' as const,
  id: `${responseId}:${resultIds[0]}`,
  url,
  title: `Title of ${url}`,
  providerMetadata: { perplexity: { responseId, resultIds, tool: 'web_search' } },
});

const sources = [source(A, [1, 3]), source(B, [2])];

/** Texts as they are, citations as `<id url>`. */
const shown = (segments: CitationSegment[]) =>
  segments.map((part) =>
    part.type === 'text' ? part.text : `<${part.marker} ${part.resultId} ${part.source?.url ?? '-'}>`,
  );
const split = (text: string) => shown(splitCitations(text, sources));
const cited = (text: string) =>
  splitCitations(text, sources).flatMap((part) => (part.type === 'citation' ? [part.marker] : []));

describe('splitCitations', () => {
  it('gives text and citations with the very source object', () => {
    const segments = splitCitations('One [2], two [1][3]. And [web:2]', sources);
    expect(segments).toEqual([
      { type: 'text', text: 'One ' },
      { type: 'citation', marker: '[2]', resultId: '2', source: sources[1] },
      { type: 'text', text: ', two ' },
      { type: 'citation', marker: '[1]', resultId: '1', source: sources[0] },
      { type: 'citation', marker: '[3]', resultId: '3', source: sources[0] },
      { type: 'text', text: '. And ' },
      { type: 'citation', marker: '[web:2]', resultId: '2', source: sources[1] },
    ]);
    expect(segments[1]?.type === 'citation' && segments[1].source).toBe(sources[1]);
    expect(splitCitations('', sources)).toEqual([]);
    expect(splitCitations('None', undefined)).toEqual([{ type: 'text', text: 'None' }]);
  });

  it('leaves `[n]` of an unknown number in the text, but `[web:n]` is a citation without a source', () => {
    expect(split('In [2024] a[0] [7] [1] [web:7]')).toEqual([
      'In [2024] a[0] [7] ',
      `<[1] 1 ${A}>`,
      ' ',
      '<[web:7] 7 ->',
    ]);
  });

  it('takes no other form', () => {
    const text = '[ 1] [1 ] [1,2] [web: 1] [Web:1] [image:1] [-1] [1.0] [] [web:] [web] [1 (1] ［1］ [1234567890]';
    expect(split(text)).toEqual([text]);
  });

  it('looks the number up in the map first, given alone, in metadata or in providerMetadata', () => {
    const map = { '1': B, '9': 'https://c.example/' };
    const expected = [`<[1] 1 ${B}>`, '<[9] 9 https://c.example/>', `<[2] 2 ${B}>`];
    const metadata = { citations: map, responseId: 'resp_1' };
    for (const lookup of [map, metadata, { perplexity: metadata }]) {
      expect(shown(splitCitations('[1][9][2]', sources, lookup))).toEqual(expected);
    }
    const [first, ninth] = splitCitations('[1][9]', sources, map);
    expect(first).toMatchObject({ source: sources[1] });
    expect(ninth).toMatchObject({ source: { url: 'https://c.example/' } });
  });

  it('reads nothing into a map that is none', () => {
    const odd = { '7': '', '8': 8, toString: 'https://x.example/' };
    expect(shown(splitCitations('[7][8]', [], odd))).toEqual(['[7][8]']);
    expect(shown(splitCitations('[1]', sources, { other: { a: 1 } }))).toEqual([`<[1] 1 ${A}>`]);
  });

  it('resolves within one response only: that of the metadata, else the last one', () => {
    const steps = [source(A, [1]), source(B, [1], 'resp_2'), source(A, [2], 'resp_2')];
    expect(shown(splitCitations('[1]', steps))).toEqual([`<[1] 1 ${B}>`]);
    expect(shown(splitCitations('[1][2]', steps, { responseId: 'resp_1' }))).toEqual([`<[1] 1 ${A}>`, '[2]']);
    expect(splitCitations('[2]', steps, { responseId: 'resp_2', citations: { '2': A } })).toMatchObject([
      { source: { id: 'resp_2:2' } },
    ]);
    expect(splitCitations('[5]', steps, { responseId: 'resp_1', citations: { '5': A } })).toMatchObject([
      { source: { id: 'resp_1:1' } },
    ]);
  });

  it('takes the parts of a UI message, with or without their metadata', () => {
    const parts = [
      { type: 'text' as const, text: 'One [1] [2]' },
      { type: 'file' as const, mediaType: 'image/png', url: 'https://file.example/' },
      { type: 'source-url' as const, sourceId: 'resp_1:1', url: A, providerMetadata: sources[0]?.providerMetadata },
      { type: 'source-url' as const, sourceId: 'resp_1:2', url: B },
      { type: 'source-url' as const, sourceId: 'resp_1:u1', url: 'https://unnumbered.example/' },
      { type: 'source' as const, sourceType: 'document' as const, id: 'resp_1:4', url: 'https://d.example/' },
    ];
    const segments = splitCitations('[3][2][4]', parts);
    expect(shown(segments)).toEqual([`<[3] 3 ${A}>`, `<[2] 2 ${B}>`, '[4]']);
    expect(segments[0]).toMatchObject({ source: parts[2] });
  });

  it('takes bare sources', () => {
    expect(shown(splitCitations('[1]', [{ id: 'x', url: A }], { '1': A }))).toEqual([`<[1] 1 ${A}>`]);
  });
});

describe('not a citation', () => {
  it.each([
    ['code span', 'a `[1]` b [2]', ['[2]']],
    ['code span with longer runs', 'a ``x ` [1]`` b ```[1]``` [2]', ['[2]']],
    ['code span over a line', 'a `x\n[1] y` [2]', ['[2]']],
    ['code span that ends the text', '[2] `[1]`', ['[2]']],
    ['run that nothing closes', 'a ` [1] `` [2]', ['[1]', '[2]']],
    ['run that only the next paragraph would close', 'a ` [1]\n\nb ` [2]', ['[1]', '[2]']],
    ['run that only the next item would close', '- a ` [1]\n- b ` [2]', ['[1]', '[2]']],
    ['run that only the heading would close', 'a ` [1]\n# b ` [2]\nc ` [3]', ['[1]', '[2]', '[3]']],
    ['run that only the next row would close', '| a ` [1] |\n| b ` [2] |', ['[1]', '[2]']],
    ['run that only a quote would close', 'a ` [1]\n> b ` [2]\nc ` [3]', ['[1]', '[3]']],
    ['backtick that is escaped', 'a \\` [1] ` [2] `', ['[1]']],
    ['backslash in code', 'a `\\` [1] ` [2]', ['[1]', '[2]']],
    ['fence', '```\n[1]\n```\n[2]', ['[2]']],
    ['fence with an info string', '```js x=1\na[1]\n\nb[1]\n```\n[2]', ['[2]']],
    ['tilde fence', '~~~ a`b\n[1]\n```\n[1]\n~~~~  \n[2]', ['[2]']],
    ['longer fence', '````\n```\n[1]\n```\n[1]\n`````\n[2]', ['[2]']],
    ['indented fence', '   ```\n[1]\n  ```\n[2]', ['[2]']],
    ['closing line that is indented too far', '```\n[1]\n    ```\n[1]\n```\n[2]', ['[2]']],
    ['closing line that says more', '```\n```js\n[1]\n``` \t\r\n[2]', ['[2]']],
    ['fence without end', 'x [2]\n```\n[1]', ['[2]']],
    ['fence of two', '``\n[1]\n``\n[2]', ['[2]']],
    ['fence whose info has a backtick', '``` a`b\n[2]', ['[2]']],
    ['line that goes on after a fence', '``` x ``` [2]\n[3]', ['[2]', '[3]']],
    ['fence in a list', '- a\n\n    ```\n    [1]\n\n    [1]\n    ```\n  [2]', ['[2]']],
    ['fence in an item', '1. ```\n   [1]\n   ```\n2. [2]', ['[2]']],
    ['fence that its list ends', '- ```\n  [1]\n[2]\n', ['[2]']],
    ['fence in a quote', '> ```\n> [1]\n> ```\n> [2]', ['[2]']],
    ['fence that its quote ends', '> ```\n> [1]\n[2]', ['[2]']],
    ['link', '[1](https://x.example) ![1](y) [1]() [2]', ['[2]']],
    ['link with a title', '[1](<a b> "t") [1](a (t)) [1](a_(b)) [2]', ['[2]']],
    ['no link', '[1](p. 12) [2] (a) [3](a\nb)', ['[1]', '[2]', '[3]']],
    ['link without end', '[1](abc [2]', ['[1]', '[2]']],
    ['text of a link', '[see [1] and *[3]*](u) ![alt [1]](u) [2]', ['[2]']],
    ['address of a link', '[x](u?a[1]=2) [2]', ['[2]']],
    ['link around an image', '[![x [1]](u) [1]](u) [2]', ['[2]']],
    ['link in brackets', '[a [2] [b](u) c](v) [3]', ['[2]', '[3]']],
    ['brackets that are no link', '[as of [1]] [x][2] (z) [y [3]', ['[1]', '[2]', '[3]']],
    ['text that is too long for a link', `[${'x'.repeat(1000)}[1]](u) [2]`, ['[1]', '[2]']],
    ['address that is too long', `[1](${'x'.repeat(2048)}) [2]`, ['[1]', '[2]']],
    ['escape', '\\[1] [1\\] \\\\[2]', ['[2]']],
    ['long beginning of a line', `${' '.repeat(300)}\`\`\`\n[2]`, ['[2]']],
    ['long beginning of a line in a fence', `\`\`\`\n${' '.repeat(300)}[1]\n\`\`\`${' '.repeat(300)}\n[1]`, []],
    ['long run', `${'`'.repeat(300)} [2] ${'~'.repeat(300)}\n[3]`, ['[2]', '[3]']],
    ['long run in a line', `x ${'`'.repeat(256)} [2]`, ['[2]']],
    ['long run in a fence', `\`\`\`\n${'`'.repeat(300)}\n[1]`, []],
    ['long info string', `\`\`\`${'x'.repeat(300)}\n[2]`, ['[2]']],
  ])('%s', (_, text, expected) => {
    expect(cited(text)).toEqual(expected);
    const segments = splitCitations(text, sources);
    expect(segments.map((part) => (part.type === 'text' ? part.text : part.marker)).join('')).toBe(text);
  });
});

describe('linkCitations', () => {
  it('makes links of known citations and leaves all else', () => {
    expect(linkCitations('One [1][web:2], `[1]` [9] [web:9] [x](y)', sources)).toBe(
      `One [[1]](${A})[[web:2]](${B}), \`[1]\` [9] [web:9] [x](y)`,
    );
    expect(linkCitations('[1]', [], { citations: { '1': A } })).toBe(`[[1]](${A})`);
  });

  it('changes nothing that it has linked before', () => {
    const once = linkCitations('One [1][3], two ![2].', sources);
    expect(linkCitations(once, sources)).toBe(once);
  });

  it('makes no image of a citation after an exclamation mark', () => {
    expect(linkCitations('Wow![1] \\![2] ![x](y)', sources)).toBe(`Wow\\![[1]](${A}) \\![[2]](${B}) ![x](y)`);
  });

  it.each([
    ['javascript:alert(1)', undefined],
    ['data:text/html,x', undefined],
    ['//a.example/', undefined],
    ['no url', undefined],
    ['https://', undefined],
    ['java\nscript:alert(1)', undefined],
    ['https://a.example\\@evil.example', undefined],
    ['HTTP://a.example/', 'HTTP://a.example/'],
    ['https://a.example/x_(y)', 'https://a.example/x_%28y%29'],
    ['https://a.example/) [x](javascript:alert(1)', 'https://a.example/%29%20%5Bx%5D%28javascript:alert%281%29'],
    ['https://a.example/<b>"\'`|', 'https://a.example/%3Cb%3E%22%27%60%7C'],
    ['https://a.example/\u202Egnp.exe\u0000\n\u200B', 'https://a.example/%E2%80%AEgnp.exe%00%0A%E2%80%8B'],
    ['https://a.example/\uD800', 'https://a.example/%EF%BF%BD'],
    ['https://a.example/?a=1&copy;=2&b=3', 'https://a.example/?a=1&amp;copy;=2&b=3'],
    ['https://a.example/%20é/日本', 'https://a.example/%20é/日本'],
  ])('with the address %j', (url, expected) => {
    expect(linkCitations('x [1] y', [], { '1': url })).toBe(
      expected === undefined ? 'x [1] y' : `x [[1]](${expected}) y`,
    );
  });
});

describe('brackets that are no citations', () => {
  const sources = [{ url: 'https://a.example/', providerMetadata: { perplexity: { resultIds: [1] } } }];
  const markers = (text: string) =>
    splitCitations(text, sources).flatMap((segment) => (segment.type === 'citation' ? [segment.marker] : []));

  it.each([
    'https://shop.example/list?filter[1]=a',
    '<https://x.example/?ids[1]=3>',
    'rows[1]=2',
    'Code:\n\n    print(a[1])\n    print([1])\n',
    '    a[1]',
    'Text\n\n\ta[1]\n',
  ])('stay text: %j', (text) => {
    expect(markers(text)).toEqual([]);
  });

  it.each([
    'See https://x.example/page[1]',
    'A [1].\n    goes on [1]',
    '- item\n\n    more of it [1]',
    'Code:\n\n    a[1]\n\nText [1]',
  ])('do not hide those that are: %j', (text) => {
    expect(markers(text).length).toBeGreaterThan(0);
  });
});

describe('long texts', () => {
  it.each(['[', '![', '[[1]', '[ ', '`', '[1]', '[1'])('of %j alone take linear time', (piece) => {
    const started = performance.now();
    splitCitations(piece.repeat(500_000 / piece.length), []);
    // Quadratic, these took minutes; the bound only tells the kinds apart.
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
