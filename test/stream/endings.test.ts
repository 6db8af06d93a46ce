import { APICallError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';
import {
  finishOf,
  functionTool,
  generate,
  modelWith,
  partsOf,
  rejectionOf,
  streamParts,
  textsOf,
  type CallOptions,
} from '../support/model.js';
import {
  completed,
  created,
  delta,
  eventReply,
  itemDone,
  jsonReply,
  message,
  nativeCall,
  result,
  searchItem,
  snapshot,
  usage,
} from '../support/wire.js';

const streamed = (events: (object | string)[], options: CallOptions = {}, end: 'close' | Error = 'close') =>
  streamParts(modelWith([eventReply(events, { end })]).model, options);

const call = nativeCall('weather', 'call_1', {});
const weather = { tools: [functionTool('weather')] };

describe('finish reason', () => {
  it.each([
    ['completed', {}, [], 'stop'],
    ['completed', {}, [call], 'tool-calls'],
    ['requires_action', {}, [call], 'tool-calls'],
    ['incomplete', { incomplete_details: { reason: 'max_output_tokens' } }, [], 'length'],
    ['incomplete', { incomplete_details: { reason: 'content_filter' } }, [], 'content-filter'],
    ['incomplete', { incomplete_details: { reason: 'max_steps' } }, [], 'other'],
    ['incomplete', { incomplete_details: null }, [], 'other'],
    ['incomplete', { incomplete_details: { reason: 'max_output_tokens' } }, [call], 'tool-calls'],
  ])('of a run that is %s %j with %j is right, streamed or not', async (status, fields, output, expected) => {
    const response = snapshot({ status, output, ...fields });
    const generated = await generate(modelWith([jsonReply(response)]).model, weather);
    expect(generated.finishReason).toBe(expected);
    for (const type of [`response.${status}`, 'response.completed']) {
      const parts = await streamed([created(), { type, response }], weather);
      expect(finishOf(parts).finishReason).toBe(expected);
      expect(partsOf(parts, 'error')).toEqual([]);
    }
  });

  it('of an incomplete run keeps its reason, usage and partial text', async () => {
    const response = snapshot({ status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, usage });
    const parts = await streamed([created(), delta('Chapter'), { type: 'response.incomplete', response }]);
    expect(textsOf(parts)).toEqual(['Chapter']);
    expect(finishOf(parts)).toMatchObject({
      usage: { inputTokens: 110, outputTokens: 45, totalTokens: 155 },
      metadata: { status: 'incomplete', incompleteReason: 'max_output_tokens' },
    });
  });
});

describe('a run that does not end well', () => {
  const failures: Array<[string, object, string]> = [
    [
      'response.failed, error on top',
      { type: 'response.failed', error: { message: 'backend gone', type: 'internal_error', code: '500' } },
      'backend gone',
    ],
    [
      'response.failed, error inside',
      {
        type: 'response.failed',
        response: snapshot({ status: 'failed', error: { message: 'backend gone', type: 'internal_error' } }),
      },
      'backend gone',
    ],
    ['response.failed, no error at all', { type: 'response.failed' }, 'The run failed without a message.'],
    ['response.failed, a message alone', { type: 'response.failed', message: 'backend gone' }, 'backend gone'],
    ['an error without a type', { error: { message: 'quota gone' } }, 'quota gone'],
    ['response.error', { type: 'response.error', error: { message: 'backend gone' } }, 'backend gone'],
    ['a bare error event', { type: 'error', message: 'stream broke' }, 'stream broke'],
    [
      'an error event with an object',
      { type: 'error', error: { message: 'stream broke', param: 'tools' } },
      'stream broke (param: tools)',
    ],
    [
      'response.cancelled',
      {
        type: 'response.cancelled',
        response: snapshot({
          status: 'cancelled',
          error: { code: 'cancelled', message: 'cancelled', type: 'cancelled' },
        }),
      },
      'The run was cancelled.',
    ],
    [
      'response.completed with status cancelled',
      { type: 'response.completed', response: snapshot({ status: 'cancelled' }) },
      'The run was cancelled.',
    ],
    ['response.completed with an error', completed([], { error: { message: 'sorry' } }), 'sorry'],
    [
      'response.completed while in progress',
      completed([], { status: 'in_progress' }),
      'The reply ended while the run had the status "in_progress", which is not a final one.',
    ],
    [
      'requires_action without a call of ours',
      completed([], { status: 'requires_action' }),
      'The run waits for a client tool that this request did not offer.',
    ],
  ];

  it.each(failures)('in mid-text (%s) keeps the text, then one error, then finish', async (_, event, text) => {
    const parts = await streamed([created(), delta('Partial'), event]);
    expect(textsOf(parts)).toEqual(['Partial']);
    expect(parts.slice(-3).map(({ type }) => type)).toEqual(['text-end', 'error', 'finish']);
    const [{ error }] = partsOf(parts, 'error') as unknown as [{ error: APICallError }];
    expect(error).toBeInstanceOf(Error);
    expect(error.message).toBe(text);
    expect(error.isRetryable).toBe(false);
    expect(error.data).toMatchObject({ responseId: 'resp_1', requestId: 'req-1' });
    expect(finishOf(parts).finishReason).toBe('error');
  });

  it.each(failures)('before any output (%s) is thrown by doStream', async (_, event, text) => {
    const { model } = modelWith([
      eventReply([created(), { type: 'response.in_progress', response: snapshot({ status: 'in_progress' }) }, event]),
    ]);
    const error = await rejectionOf(streamParts(model));
    expect(APICallError.isInstance(error)).toBe(true);
    expect(error.message).toBe(text);
    expect(error['statusCode']).toBe(200);
    expect(error['url']).toBe('https://api.perplexity.ai/v1/agent');
  });

  it.each([
    [{ message: 'm', type: 'internal_error' }, true],
    [{ message: 'm', type: 'request_rate_limit_exceeded' }, true],
    [{ message: 'm', type: 'upstream_structured_output_failed' }, true],
    [{ message: 'm', type: 'invalid_request', code: 400 }, false],
    [{ message: 'm', type: 'something_new' }, false],
    [{ message: 'm', code: '503' }, true],
    [{ message: 'm', code: 429 }, true],
    [{ message: 'm', code: 400 }, false],
    [{ message: 'm', code: 'internal_error' }, true],
    [{ message: 'm' }, false],
  ])('before any output is retryable by its type: %j → %s', async (error, isRetryable) => {
    const streaming = modelWith([eventReply([created(), { type: 'response.failed', error }])]).model;
    expect((await rejectionOf(streamParts(streaming)))['isRetryable']).toBe(isRetryable);
    const generating = modelWith([jsonReply(snapshot({ status: 'failed', error }))]).model;
    expect((await rejectionOf(generate(generating)))['isRetryable']).toBe(isRetryable);
  });

  it('is never retryable once it had output or usage', async () => {
    const error = { message: 'm', type: 'internal_error' };
    for (const fields of [{ output: [message('A')] }, { usage }, { output: [{ type: 'skill_loaded', name: 'x' }] }]) {
      const { model } = modelWith([jsonReply(snapshot({ status: 'failed', error, ...fields }))]);
      expect((await rejectionOf(generate(model)))['isRetryable']).toBe(false);
    }
  });

  it('keeps text, sources, usage and cost in the data of the error that generate throws', async () => {
    const output = [searchItem(['q'], [result(1, 'https://a.example/')]), message('Partial [1]')];
    const response = snapshot({
      status: 'failed',
      error: { message: 'm', type: 'internal_error', code: 500 },
      output,
      usage,
    });
    for (const reply of [jsonReply(response), eventReply([created(), { type: 'response.failed', response }])]) {
      const error = await rejectionOf(generate(modelWith([reply], { modelId: 'low' }).model));
      expect(error['data']).toEqual({
        type: 'internal_error',
        code: 500,
        requestId: 'req-1',
        responseId: 'resp_1',
        status: 'failed',
        text: 'Partial [1]',
        sources: [{ id: 'resp_1:1', url: 'https://a.example/', title: 'Title of https://a.example/' }],
        usage,
        cost: {
          currency: 'USD',
          inputCost: 0.0001,
          outputCost: 0.0002,
          toolCallsCost: 0.006,
          toolCallsCostDetails: { search_web: 0.005, fetch_url: 0.001 },
          totalCost: 0.0063,
        },
      });
      expect(JSON.parse(error['responseBody'] as string)).toEqual(response);
    }
  });

  it('with partial output in its only snapshot is thrown by doStream with that output', async () => {
    const response = snapshot({ status: 'failed', error: { message: 'm' }, output: [message('Partial')] });
    const error = await rejectionOf(
      streamParts(modelWith([eventReply([created(), { type: 'response.failed', response }])]).model),
    );
    expect(error['data']).toMatchObject({ text: 'Partial', responseId: 'resp_1', status: 'failed' });
  });

  it.each(['queued', 'in_progress', 'cancelling', 'paused'])('and is still "%s" is never a success', async (status) => {
    const error = await rejectionOf(generate(modelWith([jsonReply(snapshot({ status, output: [] }))]).model));
    expect(error.message).toContain(status);
  });
});

describe('an error in place of a response', () => {
  it.each([
    ['{"error":"quota gone"}', 'quota gone', 'failed'],
    ['{"error":{"message":"quota gone","type":"forbidden"}}', 'quota gone', 'failed'],
    ['{"detail":"Not authenticated"}', 'Not authenticated', 'failed'],
    ['{"id":"resp_1","status":"cancelled"}', 'The run was cancelled.', 'cancelled'],
    ['{"id":"resp_1","status":"failed"}', 'The run failed without a message.', 'failed'],
  ])('%s with status 200 is that error, not retryable', async (body, text, status) => {
    for (const type of ['application/json', 'text/event-stream', 'text/plain']) {
      for (const call of [generate, streamParts]) {
        const error = await rejectionOf(
          call(modelWith([jsonReply(body, { headers: { 'content-type': type } })]).model),
        );
        expect(error).toMatchObject({ message: text, isRetryable: false });
        expect(error['data']).toMatchObject({ status });
      }
    }
  });

  it('that a gateway names in the frame of the event is read', async () => {
    const { model } = modelWith([eventReply([created(), 'event: error\ndata: {"message":"gateway gone"}\n\n'])]);
    expect((await rejectionOf(streamParts(model))).message).toBe('gateway gone');
  });
});

describe('a cut stream', () => {
  it.each([
    [
      'clean end',
      'close' as const,
      'The stream ended before the run did: no terminal event came, so the answer may be incomplete.',
    ],
    ['broken socket', new TypeError('terminated'), 'The stream broke off before the run ended: terminated'],
  ])('(%s) keeps the text and says so', async (_, end, text) => {
    const parts = await streamed([created(), delta('Sentence tw')], {}, end);
    expect(textsOf(parts)).toEqual(['Sentence tw']);
    const [{ error }] = partsOf(parts, 'error') as unknown as [{ error: APICallError }];
    expect(error.message).toBe(text);
    expect(error.data).toMatchObject({ responseId: 'resp_1', status: 'in_progress' });
    if (end !== 'close') expect(error.cause).toBe(end);
    expect(finishOf(parts)).toMatchObject({
      finishReason: 'error',
      metadata: { responseId: 'resp_1', status: 'in_progress' },
    });
    expect(finishOf(parts).usage.inputTokens).toBeUndefined();
  });

  it('before any output is thrown and retryable', async () => {
    for (const end of ['close' as const, new TypeError('terminated')]) {
      const error = await rejectionOf(streamParts(modelWith([eventReply([created()], { end })]).model));
      expect(error['isRetryable']).toBe(true);
      const generated = await rejectionOf(
        generate(modelWith([eventReply([created()], { end })], { modelId: 'low' }).model),
      );
      expect(generated['isRetryable']).toBe(true);
    }
  });

  it('in generate keeps what had arrived and is not retryable', async () => {
    const error = await rejectionOf(
      generate(
        modelWith([eventReply([created(), delta('Partial'), itemDone(0, message('Partial'))])], { modelId: 'low' })
          .model,
      ),
    );
    expect(error['isRetryable']).toBe(false);
    expect(error['data']).toMatchObject({ text: 'Partial', responseId: 'resp_1' });
  });

  it('in the middle of an event loses only that event', async () => {
    const parts = await streamed([created(), delta('Whole'), 'data: {"type":"response.output_text.delta","del']);
    expect(textsOf(parts)).toEqual(['Whole']);
    expect(finishOf(parts).finishReason).toBe('error');
  });

  it('whose last event lacks its blank line still counts that event', async () => {
    const parts = await streamed([created(), delta('Whole'), `data: ${JSON.stringify(completed([message('Whole')]))}`]);
    expect(finishOf(parts).finishReason).toBe('stop');
  });
});

describe('after the terminal event', () => {
  it('nothing counts any more', async () => {
    const parts = await streamed([
      created(),
      completed([message('A')]),
      delta('B'),
      { type: 'error', message: 'late' },
    ]);
    expect(textsOf(parts)).toEqual(['A']);
    expect(finishOf(parts).finishReason).toBe('stop');
  });

  it('the reply need not end', async () => {
    const { model } = modelWith([eventReply([created(), completed([message('A')])], { end: 'stall' as never })]);
    const parts = await streamParts(model);
    expect(finishOf(parts).finishReason).toBe('stop');
  });
});
