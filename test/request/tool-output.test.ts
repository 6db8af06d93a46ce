import { UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';

import { assistant, call, caught, convert, result, toolMessage } from './helpers.js';

const PNG = 'iVBORw0KGgoAAAANSUhEUg==';

function sent(output: unknown) {
  const { input, warnings } = convert([assistant(call('c1')), toolMessage(result('c1', output))]);
  const item = input[1];
  return { output: item?.type === 'function_call_output' ? item.output : undefined, warnings };
}
const content = (...value: unknown[]) => sent({ type: 'content', value });
const text = (value: string) => ({ type: 'input_text', text: value });
const image = (url: string) => ({ type: 'input_image', image_url: url });

describe('the output of a client tool', () => {
  it.each([
    [{ type: 'text', value: 'found' }, 'found'],
    [{ type: 'text', value: 7 }, '7'],
    [{ type: 'error-text', value: 'broken' }, 'broken'],
    [{ type: 'json', value: { a: [1] } }, '{"a":[1]}'],
    [{ type: 'json', value: null }, 'null'],
    [{ type: 'json', value: undefined }, 'null'],
    [{ type: 'error-json', value: { code: 1 } }, '{"code":1}'],
    [{ type: 'execution-denied', reason: 'no' }, 'no'],
    [{ type: 'execution-denied' }, 'The user denied the execution of this tool.'],
    [
      {
        type: 'content',
        value: [
          { type: 'text', text: 'a' },
          { type: 'text', text: 'b' },
        ],
      },
      'a\nb',
    ],
    [{ type: 'content', value: [{ type: 'text' }] }, ''],
    [{ type: 'content', value: [] }, ''],
    [{ type: 'content' }, ''],
  ])('%j → %s', (output, wire) => {
    expect(sent(output)).toEqual({ output: wire, warnings: [] });
  });

  it.each([
    [{ type: 'hologram', value: { a: 1 } }, '{"a":1}', 'hologram'],
    [{ type: 'hologram' }, '{"type":"hologram"}', 'hologram'],
    ['bare', '"bare"', 'undefined'],
    [undefined, 'null', 'undefined'],
  ])('of an unknown type is sent as JSON with a warning: %j', (output, wire, words) => {
    const { output: actual, warnings } = sent(output);
    expect(actual).toBe(wire);
    expect(warnings).toEqual([{ type: 'other', message: expect.stringContaining(words) as string }]);
  });
});

describe('images in it', () => {
  const uri = `data:image/png;base64,${PNG}`;
  it.each([
    ['media (ai 5)', { type: 'media', data: PNG, mediaType: 'image/png' }, uri],
    ['image-data (ai 6)', { type: 'image-data', data: PNG, mediaType: 'image/png' }, uri],
    ['image-data without type', { type: 'image-data', data: PNG }, uri],
    ['image-url (ai 6)', { type: 'image-url', url: 'https://a.org/c' }, 'https://a.org/c'],
    ['image-url as data URI', { type: 'image-url', url: uri }, uri],
    ['file-data (ai 6, 7)', { type: 'file-data', data: PNG, mediaType: 'image/*' }, uri],
    ['file-url (ai 6)', { type: 'file-url', url: 'https://a.org/c', mediaType: 'image/png' }, 'https://a.org/c'],
    ['file-url without type (ai 7)', { type: 'file-url', url: 'https://a.org/c.JPG?x' }, 'https://a.org/c.JPG?x'],
    ['file, tagged data (V4)', { type: 'file', data: { type: 'data', data: PNG }, mediaType: 'image' }, uri],
    [
      'file, tagged url (V4)',
      { type: 'file', data: { type: 'url', url: new URL('https://a.org/c') }, mediaType: 'image/png' },
      'https://a.org/c',
    ],
  ])('%s', (_, item, url) => {
    expect(content({ type: 'text', text: 'chart' }, item)).toEqual({
      output: [text('chart'), image(url)],
      warnings: [],
    });
  });
});

describe('files in it that have no place there', () => {
  it.each([
    [
      'a URL as text',
      { type: 'file-url', url: 'https://a.org/x.pdf', mediaType: 'application/pdf' },
      'https://a.org/x.pdf',
      'URL',
    ],
    ['a URL of unknown type', { type: 'file-url', url: 'https://a.org/x' }, 'https://a.org/x', 'URL'],
    ['an http image', { type: 'image-url', url: 'http://a.org/x.png' }, 'http://a.org/x.png', 'URL'],
    [
      'bytes',
      { type: 'file-data', data: 'AA==', mediaType: 'application/pdf', filename: 'a.pdf' },
      "[a file 'a.pdf' of media type application/pdf, left out]",
      'a.pdf',
    ],
    [
      'bytes without name',
      { type: 'media', data: 'AA==', mediaType: 'application/pdf' },
      '[a file of media type application/pdf, left out]',
      'application/pdf',
    ],
    [
      'a reference',
      { type: 'file', data: { type: 'reference' } },
      '[a file of media type unknown, left out]',
      'unknown',
    ],
    ['an id', { type: 'file-id', fileId: { perplexity: 'f' } }, '[a file, left out: it was given by an id]', 'id'],
    ['an image id', { type: 'image-file-id', fileId: 'f' }, '[a file, left out: it was given by an id]', 'id'],
    ['custom', { type: 'custom' }, '[a part of type custom, left out]', 'custom'],
    ['what is no object', 'x', '[a part of type undefined, left out]', 'undefined'],
  ])('%s leaves a note and a warning', (_, item, wire, words) => {
    const { output, warnings } = content(item);
    expect(output).toBe(wire);
    expect(warnings).toEqual([{ type: 'other', message: expect.stringContaining(words) as string }]);
  });

  it('texts are read', () => {
    const csv = Buffer.from('a,é').toString('base64');
    expect(content({ type: 'file-data', data: csv, mediaType: 'text/csv' })).toEqual({ output: 'a,é', warnings: [] });
    const tagged = { type: 'file', data: { type: 'text', text: 'hello' }, mediaType: 'text/plain' };
    expect(content(tagged)).toEqual({ output: 'hello', warnings: [] });
  });

  it.each(['application/json', 'application/pdf', 'image/svg+xml', 'image/*', 'text/*', undefined])(
    'text that is tagged as such (V4) is sent as text, also as %s',
    (mediaType) => {
      const tagged = { type: 'file', data: { type: 'text', text: '{"é":1}' }, mediaType };
      expect(content(tagged)).toEqual({ output: '{"é":1}', warnings: [] });
      const picture = { type: 'image-url', url: 'https://a.org/c' };
      expect(content(tagged, picture).output).toEqual([text('{"é":1}'), image('https://a.org/c')]);
    },
  );

  it('audio and video are refused by media type', () => {
    for (const item of [
      { type: 'media', data: 'AA==', mediaType: 'audio/mpeg' },
      { type: 'file-url', url: 'https://a.org/x', mediaType: 'video/mp4' },
    ]) {
      const error = caught(() => content(item));
      expect(UnsupportedFunctionalityError.isInstance(error) && error.message).toContain(item.mediaType);
    }
  });
});
