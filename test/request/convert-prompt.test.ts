import { InvalidPromptError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';

import type { CorePromptPart } from '../../src/spec.js';
import { assistant, build, call, caught, convert, result, system, toolMessage, user } from './helpers.js';

const message = (role: string, content: unknown) => ({ type: 'message', role, content });
const OTHER = (words: string) => ({ type: 'other', message: expect.stringContaining(words) as string });

describe('texts', () => {
  it('become string messages, in order', () => {
    const { input, warnings } = convert([user('A?'), assistant('B.'), user('C?')]);
    expect(input).toStrictEqual([message('user', 'A?'), message('assistant', 'B.'), message('user', 'C?')]);
    expect(warnings).toEqual([]);
  });

  it('of one user message are one string, and no two words run into one', () => {
    expect(convert([user('What is ', 'this?')]).input).toEqual([message('user', 'What is this?')]);
    expect(convert([user('One', 'two', '', 'three')]).input).toEqual([message('user', 'One\ntwo\nthree')]);
    expect(convert([user('One\n', 'two', ' three')]).input).toEqual([message('user', 'One\ntwo three')]);
  });

  it('that are empty make no message', () => {
    const prompt = [user('A?'), assistant('', 'B.', ''), user('', ''), user({ type: 'text' }), assistant()];
    expect(convert(prompt).input).toEqual([message('user', 'A?'), message('assistant', 'B.')]);
  });

  it('keep their order among tool calls', () => {
    const { input } = convert([user('A?'), assistant('First.', call('c1'), 'Then.', call('c2'))]);
    expect(input.map((item) => (item.type === 'message' ? item.content : item.call_id))).toEqual(
      'A? First. c1 Then. c2'.split(' '),
    );
  });
});

describe('system messages', () => {
  const prompt = [system('Be brief.'), user('Hi'), system(''), system('Be kind.')];

  it('are joined into instructions for a plain model', () => {
    expect(convert(prompt)).toMatchObject({ instructions: 'Be brief.\n\nBe kind.', input: [message('user', 'Hi')] });
  });

  it.each([
    ['a level', { modelId: 'low' }],
    ['a level with a model', { perplexity: { effort: 'low' } }],
    ['a profile', { modelId: '', perplexity: { profile: { id: 'p' } } }],
    ['systemMessageMode', { perplexity: { systemMessageMode: 'input' } }],
  ])('stay in their place for %s', (_, call) => {
    const { input, instructions } = convert(prompt, call);
    expect(instructions).toBeUndefined();
    expect(input).toEqual([message('system', 'Be brief.'), message('user', 'Hi'), message('system', 'Be kind.')]);
  });

  it('go into instructions of a level where the caller says so; an empty one clears its prompt', () => {
    const perplexity = { systemMessageMode: 'instructions' };
    expect(convert(prompt, { modelId: 'low', perplexity }).instructions).toBe('Be brief.\n\nBe kind.');
    expect(convert([system(''), user('Hi')], { modelId: 'low', perplexity }).instructions).toBe('');
    expect(convert([user('Hi')], { modelId: 'low', perplexity })).not.toHaveProperty('instructions', '');
    expect(build({ prompt: [system(''), user('Hi')] }).body).not.toHaveProperty('instructions');
  });
});

describe('an empty prompt', () => {
  it.each([[[]], [[user('')]], [[system('Only this.')]], [[assistant({ type: 'reasoning', text: 'hm' })]]])(
    'is refused before sending: %j',
    (prompt) => {
      const error = caught(() => convert(prompt));
      expect(InvalidPromptError.isInstance(error) && error.message).toContain('give a user message');
    },
  );
});

describe('what the API cannot take back', () => {
  it("reasoning and the server's own calls and results go without a word (h14)", () => {
    const { input, warnings } = convert([
      user('Who won?'),
      assistant(
        { type: 'reasoning', text: 'I should search.' },
        '',
        call('s1', { providerExecuted: true }),
        result('s1', { type: 'json', value: {} }),
        call('s2', { providerExecuted: true }),
        result('orphan', { type: 'json', value: {} }),
        'Team A won.[1]',
      ),
      // ai 5 may hand results of the server over in a tool message and without the flag (sdk-matrix.md §2.4).
      toolMessage(
        result('s2', { type: 'text', value: 'x' }),
        result('s3', { type: 'text', value: 'x' }, { providerExecuted: true }),
      ),
      user('By how much?'),
    ]);
    expect(input).toEqual([
      message('user', 'Who won?'),
      message('assistant', 'Team A won.[1]'),
      message('user', 'By how much?'),
    ]);
    expect(warnings).toEqual([]);
  });

  it('a custom part of ours is left out without a word', () => {
    const part = { type: 'custom', kind: 'perplexity.hologram', providerOptions: { perplexity: { item: {} } } };
    const { input, warnings } = convert([user('Hi'), assistant(part, 'Ok.', part)]);
    expect(input).toEqual([message('user', 'Hi'), message('assistant', 'Ok.')]);
    expect(warnings).toEqual([]);
  });

  it.each<[string, CorePromptPart]>([
    ['custom (other.x)', { type: 'custom', kind: 'other.x' }],
    ['custom without a kind', { type: 'custom' }],
    ['reasoning-file', { type: 'reasoning-file', data: 'AA==', mediaType: 'image/png' }],
    ['source', { type: 'source', url: 'https://a.org' }],
    ['file', { type: 'file', mediaType: 'audio/mpeg', data: 'AA==' }],
    ['brand-new', { type: 'brand-new' }],
  ])('an assistant part %s is named in one warning and never throws', (name, part) => {
    const { input, warnings } = convert([user('Hi'), assistant(part, 'Ok.', part)]);
    expect(input).toEqual([message('user', 'Hi'), message('assistant', 'Ok.')]);
    expect(warnings).toEqual([OTHER(name.split(' ')[0] ?? '')]);
  });

  it('unknown parts elsewhere and unknown roles are warnings', () => {
    const prompt = [
      user('Hi', { type: 'hologram' }),
      toolMessage({ type: 'new-result' }),
      { role: 'robot', content: [] } as never,
    ];
    const { input, warnings } = convert(prompt);
    expect(input).toEqual([message('user', [{ type: 'input_text', text: 'Hi' }])]);
    expect(warnings).toEqual([OTHER('hologram'), OTHER('new-result'), OTHER('robot')]);
  });
});

const TEXT = { type: 'text', value: 'found' };

const signed = (model: unknown, signature: unknown = 'c2ln') =>
  call('c1', { providerOptions: { perplexity: { thoughtSignature: signature, thoughtSignatureModel: model } } });
const items = (part: CorePromptPart, more = {}) =>
  convert([user('Hi'), assistant(part), toolMessage(result('c1', TEXT))], more).input.slice(1);

const request = (toolCallId: string) => ({ type: 'tool-approval-request', approvalId: 'ap', toolCallId });
const response = (more: object) => ({ type: 'tool-approval-response', approvalId: 'ap', ...more });

const outputs = (part: CorePromptPart, ...after: CorePromptPart[]) => {
  const { input, warnings } = convert([
    user('Hi'),
    assistant(call('c1'), request('c1')),
    toolMessage(part, ...after),
    user('And?'),
  ]);
  expect(warnings).toEqual([]);
  return input.slice(2).map((item) => (item.type === 'function_call_output' ? item.output : item.type));
};

describe('tool calls and results', () => {
  it('become function_call and function_call_output, in separate or merged tool messages', () => {
    const calls = assistant(call('c1'), call('c2', { toolName: 'other' }));
    const results = [result('c1', TEXT), result('c2', TEXT, { toolName: 'other' })] as const;
    const expected = [
      message('user', 'Hi'),
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":1}' },
      { type: 'function_call', call_id: 'c2', name: 'other', arguments: '{"at":1}' },
      { type: 'function_call_output', call_id: 'c1', name: 'look', output: 'found' },
      { type: 'function_call_output', call_id: 'c2', name: 'other', output: 'found' },
    ];
    expect(convert([user('Hi'), calls, toolMessage(...results)]).input).toStrictEqual(expected);
    expect(convert([user('Hi'), calls, ...results.map((part) => toolMessage(part))]).input).toStrictEqual(expected);
  });

  it('a client result inside the assistant message is sent too', () => {
    expect(convert([assistant(call('c1'), result('c1', TEXT))]).input).toMatchObject([
      { type: 'function_call' },
      { type: 'function_call_output', output: 'found' },
    ]);
  });

  it.each([
    [undefined, '{}'],
    [null, '{}'],
    ['', '{}'],
    ['{"a": 1}', '{"a": 1}'],
    ['{"a": ', '"{\\"a\\": "'],
    ['[1]', '"[1]"'],
    [[1], '[1]'],
    [{ a: undefined }, '{}'],
  ])('arguments are valid JSON whatever the input was: %j', (given, wire) => {
    expect(convert([assistant(call('c1', { input: given }))]).input).toMatchObject([{ arguments: wire }]);
  });

  it('takes the name of a result from its call where it lacks one', () => {
    const { input } = convert([assistant(call('c1')), toolMessage(result('c1', TEXT, { toolName: undefined }))]);
    expect(input[1]).toMatchObject({ type: 'function_call_output', name: 'look' });
  });

  it('tolerates a call without id or name', () => {
    expect(convert([assistant({ type: 'tool-call' })]).input).toEqual([
      { type: 'function_call', call_id: '', name: '', arguments: '{}' },
    ]);
  });

  describe('a thought signature (decision 13)', () => {
    it.each([
      ['openai/gpt-6-luna', {}],
      ['low', { modelId: 'low' }],
      ['a/b,c/d', { perplexity: { models: ['a/b', 'c/d'] } }],
      ['profile:p', { modelId: '', perplexity: { profile: { id: 'p' } } }],
    ])('goes back to its issuer %s, on call and output', (model, more) => {
      expect(items(signed(model), more)).toEqual([
        expect.objectContaining({ type: 'function_call', thought_signature: 'c2ln' }),
        expect.objectContaining({ type: 'function_call_output', thought_signature: 'c2ln' }),
      ]);
    });

    it('goes to nobody else', () => {
      for (const part of [signed('google/x'), signed(undefined), signed('openai/gpt-6-luna', 7)]) {
        expect(JSON.stringify(items(part))).not.toContain('thought_signature');
      }
    });
  });

  describe('approvals (ai 6, 7)', () => {
    it('a denied call gets an output with the reason, before the next message', () => {
      expect(outputs(response({ approved: false, reason: 'too dear' }))).toEqual(['too dear', 'message']);
      expect(outputs(response({ approved: false }))).toEqual([
        'The user denied the execution of this tool.',
        'message',
      ]);
    });

    it('but only one, where the AI SDK made a result of it', () => {
      const denied = result('c1', { type: 'execution-denied', reason: 'no' });
      expect(outputs(response({ approved: false }), denied)).toEqual(['no', 'message']);
      expect(outputs(denied, response({ approved: false }))).toEqual(['no', 'message']);
    });

    it('an approved one, or one of the server, leaves no trace', () => {
      expect(outputs(response({ approved: true }))).toEqual(['message']);
      const prompt = [
        user('Hi'),
        assistant(call('s1', { providerExecuted: true }), request('s1')),
        toolMessage(response({ approved: false }), {
          type: 'tool-approval-response',
          approvalId: 'unknown',
          approved: false,
        }),
        toolMessage(result('s1', { type: 'execution-denied' })),
      ];
      expect(convert(prompt)).toMatchObject({ input: [message('user', 'Hi')], warnings: [] });
    });

    it('at the very end of a prompt is answered too', () => {
      const { input } = convert([assistant(call('c1'), request('c1')), toolMessage(response({ approved: false }))]);
      expect(input.at(-1)).toMatchObject({ type: 'function_call_output', name: 'look' });
    });
  });
});

const told = (text: string, responseId: string) => ({
  type: 'text',
  text,
  providerOptions: { perplexity: { responseId } },
});

describe('previousResponseId sends only what is new', () => {
  const perplexity = { previousResponseId: 'resp_2' };
  const texts = (prompt: Parameters<typeof convert>[0]) =>
    convert(prompt, { perplexity }).input.map((item) => (item.type === 'message' ? item.content : item.type));

  it('after the message that carries the id', () => {
    const prompt = [
      user('A?'),
      assistant(told('B.', 'resp_1')),
      user('C?'),
      assistant(told('D.', 'resp_2')),
      user('E?'),
    ];
    expect(texts(prompt)).toEqual(['E?']);
    const { body } = build({ prompt: [system('Be brief.'), ...prompt], perplexity });
    expect(body).toMatchObject({ previous_response_id: 'resp_2', instructions: 'Be brief.' });
    // The id may also stand on the message, and further turns may follow it.
    const onMessage = { ...assistant('D.'), providerOptions: { perplexity: { responseId: 'resp_2' } } };
    expect(texts([user('A?'), onMessage, user('C?'), assistant('D.'), user('E?')])).toEqual(['C?', 'D.', 'E?']);
  });

  it('else after the last answer before the last question', () => {
    expect(texts([user('A?'), assistant('B.'), user('C?')])).toEqual(['C?']);
    expect(texts([user('A?')])).toEqual(['A?']);
    expect(texts([assistant('B.')])).toEqual(['B.']);
  });

  it('with the whole tool loop of the running turn', () => {
    const prompt = [
      user('A?'),
      assistant('B.'),
      user('C?'),
      assistant(call('c1')),
      toolMessage(result('c1', { type: 'text', value: 'x' })),
    ];
    expect(texts(prompt)).toEqual(['C?', 'function_call', 'function_call_output']);
  });

  it('and repeats the calls that new outputs answer, after the system messages', () => {
    const prompt = [
      system('Be brief.'),
      user('A?'),
      assistant(told('', 'resp_2'), call('c1'), call('s1', { providerExecuted: true }), call('c2')),
      toolMessage(result('c1', { type: 'text', value: 'x' }), result('s1', { type: 'text', value: 'x' })),
    ];
    const { input } = convert(prompt, { perplexity: { ...perplexity, systemMessageMode: 'input' } });
    expect(input).toEqual([
      message('system', 'Be brief.'),
      { type: 'function_call', call_id: 'c1', name: 'look', arguments: '{"at":1}' },
      { type: 'function_call_output', call_id: 'c1', name: 'look', output: 'x' },
    ]);
  });

  it('and refuses when nothing is', () => {
    const error = caught(() => texts([user('A?'), assistant(told('B.', 'resp_2'))]));
    expect(InvalidPromptError.isInstance(error)).toBe(true);
  });
});

const time = (work: () => unknown) => {
  let best = Infinity;
  for (let run = 0; run < 30; run++) {
    const start = performance.now();
    work();
    best = Math.min(best, performance.now() - start);
  }
  return best;
};

describe('a long prompt', () => {
  it('costs about as much as writing it as JSON', () => {
    const prompt = Array.from({ length: 100 }, (_, n) => [
      user(`Question ${n}`.repeat(50)),
      assistant('Answer. '.repeat(200)),
    ]).flat();
    // Generous, since other work shares the machine; bench/ measures it exactly.
    expect(time(() => build({ prompt }))).toBeLessThan(5 * time(() => JSON.stringify(prompt)) + 1);
  });
});
