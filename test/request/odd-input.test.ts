/** Input that the AI SDK would not make, and that a caller without it may. */
import { InvalidPromptError, UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import { generate, modelWith, rejectionOf } from '../support/model.js';
import { jsonReply, message, snapshot } from '../support/wire.js';

async function sent(options: object) {
  const { model, requests } = modelWith([jsonReply(snapshot({ output: [message('A')] }))]);
  const { warnings } = await generate(model, options);
  return { body: requests[0]?.body, warnings };
}

const file = (data: unknown, mediaType = 'application/pdf') => ({
  prompt: [{ role: 'user', content: [{ type: 'file', data, mediaType, filename: 'a' }] }],
});

describe('a file', () => {
  it.each([
    new URL('file:///etc/passwd'),
    'gs://bucket/a.png',
    'blob:https://a.example/1',
    new URL('http://a.example/a.pdf'),
  ])('from %s is refused, not sent as if it were base64', async (data) => {
    for (const type of ['application/pdf', 'image/png']) {
      const error = await rejectionOf(sent(file(data, type)));
      expect(UnsupportedFunctionalityError.isInstance(error)).toBe(true);
      expect(error.message).toContain('https URLs only');
    }
  });
});

describe('a file of any type', () => {
  it('is an image where its bytes say so', async () => {
    const png = new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
    const { body } = await sent(file(png, '*/*'));
    expect(body).toMatchObject({ input: [{ content: [{ type: 'input_image' }] }] });
  });
});

describe('a prompt', () => {
  it('may hold plain strings as content', async () => {
    const prompt = [
      { role: 'user', content: 'Hello?' },
      { role: 'assistant', content: 'Hi.' },
      { role: 'user', content: 'More?' },
    ];
    expect((await sent({ prompt })).body).toMatchObject({
      input: [
        { role: 'user', content: 'Hello?' },
        { role: 'assistant', content: 'Hi.' },
        { role: 'user', content: 'More?' },
      ],
    });
  });

  it.each([[[null]], [['text']], [7], [null], [{}]])('with the content %j is refused', async (content) => {
    const error = await rejectionOf(sent({ prompt: [{ role: 'user', content }] }));
    expect(InvalidPromptError.isInstance(error)).toBe(true);
    expect(error.message).toContain('must be a list of parts');
  });

  it('with a tool result in broken base64 names the file instead', async () => {
    const output = { type: 'content', value: [{ type: 'media', data: '%%%', mediaType: 'text/plain' }] };
    const prompt = [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
      { role: 'assistant', content: [{ type: 'tool-call', toolCallId: '1', toolName: 'f', input: {} }] },
      { role: 'tool', content: [{ type: 'tool-result', toolCallId: '1', toolName: 'f', output }] },
    ];
    const { body, warnings } = await sent({ prompt });
    expect(body).toMatchObject({ input: [{}, {}, { output: '[a file of media type text/plain, left out]' }] });
    expect(warnings).toHaveLength(1);
  });
});

describe('settings', () => {
  it('that set nothing are not warned about', async () => {
    expect((await sent({ stopSequences: [] })).warnings).toEqual([]);
  });

  it('of a schema without a type are completed or refused', async () => {
    const format = (schema: object) => ({ responseFormat: { type: 'json', schema } });
    const { body } = await sent(format({ type: undefined, properties: {} }));
    expect(body).toMatchObject({ response_format: { json_schema: { schema: { type: 'object' } } } });
    expect((await rejectionOf(sent(format({ anyOf: [] })))).message).toContain('it names no single type');
  });
});
