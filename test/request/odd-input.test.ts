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

describe('a value that the API would refuse', () => {
  const text = (content: unknown) => ({ prompt: [{ role: 'user', content }] });
  const image = (data: string) => text([{ type: 'file', data, mediaType: 'image/png' }]);
  const cycle: Record<string, unknown> = {};
  cycle['self'] = cycle;
  const look = { type: 'function', name: 'look', inputSchema: { type: 'object' } };

  it.each<[string, object, string]>([
    ['a temperature in a text', { temperature: '1' }, "temperature must be a number from 0 to 2, but is '1'."],
    ['a cycle as a setting', { maxOutputTokens: cycle }, 'maxOutputTokens must be an integer of at least 1.'],
    ['a BigInt as a setting', { maxOutputTokens: 5n }, 'maxOutputTokens must be an integer of at least 1, but is 5n.'],
    ['a tool choice of no kind', { toolChoice: { type: 'any' } }, 'toolChoice must be'],
    ['tools that are no list', { tools: { look } }, 'tools must be a list of tools.'],
    ['a tool without a name', { tools: [{ ...look, name: '' }] }, 'tools[0] must be a tool with a name.'],
    [
      'a description that is no text',
      { tools: [{ ...look, description: 7 }] },
      'tools.look.description must be a text',
    ],
    ['a schema that is a text', { tools: [{ ...look, inputSchema: new Date() }] }, 'tools.look.inputSchema must be'],
    [
      'a BigInt in a schema',
      { tools: [{ ...look, inputSchema: { max: 1n } }] },
      'tools[1] of the request cannot be read',
    ],
    ['a response format of no kind', { responseFormat: 'json' }, 'responseFormat must be'],
    ['a header with a line break', { headers: { x: 'a\nb' } }, 'headers.x holds a character that no header may have.'],
    ['a header that is no text', { headers: { x: {} } }, 'headers.x must be a text.'],
    ['a signal that is none', { abortSignal: {} }, 'abortSignal must be an AbortSignal.'],
    ['options that are no object', { providerOptions: 'fast' }, 'providerOptions must be an object'],
    ['a prompt that is no list', { prompt: 'Hi' }, 'Invalid prompt: it must be a list of messages.'],
    ['a message that is none', { prompt: [null] }, 'each message must be an object.'],
    ['an address without a host', image('https:///a.png'), 'https URLs only'],
    ['an image with a long address', image(`https://a.example/${'a'.repeat(2048)}`), 'at most 2048 characters'],
    [
      'too many documents',
      text(Array.from({ length: 31 }, () => ({ type: 'file', data: 'QUJD', mediaType: 'application/pdf' }))),
      'takes at most 30 in a request',
    ],
  ])('is refused before anything is sent: %s', async (_, options, words) => {
    const { model, requests } = modelWith([jsonReply(snapshot({ output: [message('A')] }))]);
    const error = await rejectionOf(generate(model, options));
    expect(error.message).toContain(words);
    expect(error.name).toMatch(/^AI_(InvalidArgument|InvalidPrompt|UnsupportedFunctionality)Error$/);
    expect(requests).toEqual([]);
  });

  it('as reasoning is left out with a warning', async () => {
    const { body, warnings } = await sent({ reasoning: 'utmost' });
    expect(body).not.toHaveProperty('reasoning');
    expect(warnings).toMatchObject([
      { setting: 'reasoning', details: 'The API knows minimal, low, medium, high, xhigh, max; it is not sent.' },
    ]);
  });

  it('in a getter is named by the option whose getter it is', async () => {
    const webSearch = {
      get filters() {
        throw new Error('do not touch me');
      },
    };
    const error = await rejectionOf(sent({ providerOptions: { perplexity: { webSearch } } }));
    expect(error.message).toBe('providerOptions.perplexity.webSearch.filters cannot be read: do not touch me');
  });
});
