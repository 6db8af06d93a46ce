import { runInNewContext } from 'node:vm';

import { UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';

import { documentName } from '../../src/request/file-name.js';
import { supportedUrls } from '../../src/request/supported-urls.js';
import { caught, convert, user } from './helpers.js';

const PDF = 'JVBERi0xLjQK';
const PNG = 'iVBORw0KGgoAAAANSUhEUg==';
const bytes = (base64: string) => Uint8Array.from(Buffer.from(base64, 'base64'));
/** Bytes for which `instanceof Uint8Array` is false. */
const foreign = (data: string): unknown => runInNewContext(`Uint8Array.from([${bytes(data).join()}])`);
const base64 = (binary: string) => Buffer.from(binary, 'latin1').toString('base64');

/** The one part that a file of a user message becomes. */
function part(file: object): unknown {
  const { input, warnings } = convert([user({ type: 'file', ...file })]);
  expect(warnings).toEqual([]);
  expect(input).toHaveLength(1);
  const [item] = input;
  if (item?.type !== 'message' || typeof item.content === 'string') throw new Error('no parts');
  expect(item.content).toHaveLength(1);
  return item.content[0];
}
const image = (url: string) => ({ type: 'input_image', image_url: url });

describe('images', () => {
  const uri = `data:image/png;base64,${PNG}`;
  it.each<[string, object, string]>([
    ['bytes', { mediaType: 'image/png', data: bytes(PNG) }, uri],
    ['base64', { mediaType: 'image/png', data: PNG }, uri],
    ['image/* bytes', { mediaType: 'image/*', data: bytes(PNG) }, uri],
    ['bare image (ai 7)', { mediaType: 'image', data: PNG }, uri],
    ['no media type', { data: PNG }, uri],
    ['data URI', { mediaType: 'image/*', data: uri }, uri],
    ['data URI without media type', { data: uri }, uri],
    ['data URL object', { mediaType: 'image/*', data: new URL(uri) }, uri],
    ['bytes of another realm', { mediaType: 'image/png', data: foreign(PNG) }, uri],
    ['upper-case media type', { mediaType: 'IMAGE/PNG', data: PNG }, uri],
    ['https text', { mediaType: 'image/*', data: 'https://a.org/x.png' }, 'https://a.org/x.png'],
    ['https URL', { mediaType: 'image/png', data: new URL('https://a.org/x') }, 'https://a.org/x'],
    ['tagged data (V4)', { mediaType: 'image/png', data: { type: 'data', data: bytes(PNG) } }, uri],
    [
      'tagged url (V4)',
      { mediaType: 'image', data: { type: 'url', url: new URL('https://a.org/x') } },
      'https://a.org/x',
    ],
    ['an image part', { type: 'image', image: PNG }, uri],
    ['an image part with data', { type: 'image', data: 'https://a.org/x' }, 'https://a.org/x'],
    [
      'unknown bytes',
      { mediaType: 'image/*', data: base64('nothing known here') },
      `data:image/png;base64,${base64('nothing known here')}`,
    ],
    ['no base64 at all', { mediaType: 'image/*', data: '§§§§' }, 'data:image/png;base64,§§§§'],
  ])('%s', (_, file, url) => {
    expect(part(file)).toEqual(image(url));
  });

  it.each([
    ['image/jpeg', '\xff\xd8\xff\xe0'],
    ['image/gif', 'GIF89a'],
    ['image/webp', 'RIFF\x01\x02\x03\x04WEBPVP8 '],
    ['image/bmp', 'BM\x01\x02'],
    ['image/tiff', 'II*\0\x08'],
    ['image/avif', '\0\0\0\x20ftypavif'],
    ['image/heic', '\0\0\0\x20ftypheic'],
    ['image/svg+xml', '<svg xmlns'],
  ])('%s is told by its first bytes', (type, start) => {
    const data = base64(`${start}${'\0'.repeat(20)}`);
    expect(part({ mediaType: 'image/*', data })).toEqual(image(`data:${type};base64,${data}`));
  });

  it('stand beside texts in their order', () => {
    const { input } = convert([user('Look:', { type: 'file', mediaType: 'image/png', data: PNG }, '', 'Well?')]);
    expect(input).toMatchObject([
      { content: [{ type: 'input_text', text: 'Look:' }, image(uri), { type: 'input_text', text: 'Well?' }] },
    ]);
  });
});

const file = (filename: string, rest: object) => ({ type: 'input_file', filename, ...rest });

describe('documents', () => {
  it.each<[string, object, object]>([
    [
      'bytes (h16)',
      { mediaType: 'application/pdf', filename: 'a.pdf', data: bytes(PDF) },
      file('a.pdf', { file_data: `data:application/pdf;base64,${PDF}` }),
    ],
    [
      'media type with parameters',
      { mediaType: 'Text/Plain; charset=utf-8', data: 'eA==' },
      file('document.txt', { file_data: 'data:text/plain;base64,eA==' }),
    ],
    [
      'no name',
      { mediaType: 'application/pdf', data: PDF },
      file('document.pdf', { file_data: `data:application/pdf;base64,${PDF}` }),
    ],
    [
      'URL',
      { mediaType: 'application/pdf', data: new URL('https://a.org/b/plan.pdf?x=1') },
      file('plan.pdf', { file_url: 'https://a.org/b/plan.pdf?x=1' }),
    ],
    [
      'URL without a name',
      { mediaType: 'text/csv', data: 'https://a.org/' },
      file('document.csv', { file_url: 'https://a.org/' }),
    ],
    [
      'text (V4)',
      { mediaType: 'text/markdown', data: { type: 'text', text: '# é' } },
      file('document.md', { file_data: 'data:text/markdown;base64,IyDDqQ==' }),
    ],
    [
      'text without media type',
      { data: { type: 'text', text: 'x' } },
      file('document.txt', { file_data: 'data:text/plain;base64,eA==' }),
    ],
    [
      'text that is none',
      { mediaType: 'text/plain', data: { type: 'text' } },
      file('document.txt', { file_data: 'data:text/plain;base64,' }),
    ],
    [
      'percent-encoded data URI',
      { mediaType: 'text/plain', data: 'data:text/plain,a%20b' },
      file('document.txt', { file_data: 'data:text/plain;base64,YSBi' }),
    ],
    [
      'broken percent-encoding',
      { mediaType: 'text/plain', data: 'data:,100%' },
      file('document.txt', { file_data: 'data:text/plain;base64,MTAwJQ==' }),
    ],
    ['a range of types', { mediaType: 'application/*', data: PDF }, file('document.bin', { file_data: PDF })],
    ['no media type', { data: PDF }, file('document.bin', { file_data: PDF })],
    [
      'a data URI that knows better',
      { mediaType: '*/*', data: `data:application/pdf;base64,${PDF}` },
      file('document.pdf', { file_data: `data:application/pdf;base64,${PDF}` }),
    ],
    [
      'a data URI that contradicts',
      { mediaType: 'application/*', data: `data:text/plain;base64,${PDF}` },
      file('document.bin', { file_data: PDF }),
    ],
  ])('%s', (_, given, expected) => {
    expect(part(given)).toEqual(expected);
  });

  it.each([
    ['report', 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'report.docx'],
    ['report.', 'application/vnd.ms-excel', 'report.xls'],
    ['C:\\tmp\\a.b.txt', 'text/plain', 'a.b.txt'],
    ['/tmp/x.pdf', 'application/pdf', 'x.pdf'],
    ['.env', 'text/plain', '.env.txt'],
    ['x', 'application/json; charset=utf-8', 'x.json'],
    ['x', 'text/x-python', 'x.python'],
    ['x', 'application/atom+xml', 'x.atom'],
    ['x', 'text/very-long-subtype', 'x.txt'],
    ['x', 'text', 'x.txt'],
    ['x', 'application/vnd.unknown', 'x.bin'],
    [undefined, 'application/pdf', 'document.pdf'],
    ['...', 'application/pdf', 'document.pdf'],
  ])('%s as %s is called %s', (name, mediaType, expected) => {
    expect(documentName(name, mediaType)).toBe(expected);
  });

  it('are called after their URL, and never longer than 255 bytes', () => {
    expect(documentName(undefined, 'application/pdf', 'https://a.org/Q3%20plan.pdf#p2')).toBe('Q3 plan.pdf');
    expect(documentName(undefined, 'application/pdf', 'https://a.org/100%.pdf')).toBe('100%.pdf');
    const long = documentName(`${'é'.repeat(300)}.pdf`, 'application/pdf');
    expect(new TextEncoder().encode(long)).toHaveLength(254);
    expect(long).toMatch(/^é+\.pdf$/);
  });
});

describe('refused before sending', () => {
  it.each<[string, object]>([
    ['audio/mpeg', { mediaType: 'audio/mpeg', data: 'SUQz' }],
    ['video/mp4', { mediaType: 'video/mp4', data: new URL('https://a.org/x.mp4') }],
    ['audio/wav', { mediaType: '*/*', data: 'data:audio/wav;base64,AA==' }],
    ['audio', { mediaType: 'audio', data: { type: 'reference', reference: {} } }],
    ['reference', { mediaType: 'image/png', data: { type: 'reference', reference: { perplexity: 'f1' } } }],
    ['http://a.org', { mediaType: 'image/png', data: 'http://a.org/x.png?token=s' }],
    ['form that is not known', { mediaType: 'image/png', data: 7 }],
    ['form that is not known', { mediaType: 'image/png', data: { type: 'hologram' } }],
    ['form that is not known', { mediaType: 'image/png', data: {} }],
    ['form that is not known', { mediaType: 'image/png' }],
  ])('%s', (words, file) => {
    const error = caught(() => part(file));
    expect((error as Error).message).not.toContain('token');
    expect(UnsupportedFunctionalityError.isInstance(error) && error.message).toContain(words);
  });
});

// As the AI SDK matches: by the prefix before the star.
const supported = (mediaType: string, url: string) =>
  Object.entries(supportedUrls).some(
    ([range, patterns]) =>
      (range === '*/*' || mediaType.startsWith(range.replace('*', ''))) &&
      patterns.some((pattern) => pattern.test(url)),
  );

describe('supportedUrls', () => {
  it('let https images and documents through, and download http ones', () => {
    for (const type of ['image/png', 'image/*', 'application/pdf', 'text/csv']) {
      expect(supported(type, 'https://a.org/x')).toBe(true);
      expect(supported(type, 'http://a.org/x')).toBe(false);
    }
  });

  it('download no audio and video, which are refused anyway', () => {
    expect(supported('audio/mpeg', 'http://a.org/x')).toBe(true);
    expect(supported('video/mp4', 'https://a.org/x')).toBe(true);
  });
});
