import { UnsupportedFunctionalityError } from '@ai-sdk/provider';
import { describe, expect, it } from 'vitest';

import { responseFormat } from '../../src/request/response-format.js';
import { build, caught } from './helpers.js';

const schema = { type: 'object', properties: { city: { type: 'string' } } } as const;
const name = (given: string | undefined) =>
  responseFormat({ type: 'json', schema, name: given }, undefined)?.json_schema.name;

describe('JSON output', () => {
  it('is a json_schema with a default name and strict', () => {
    expect(build({ responseFormat: { type: 'json', schema } }).body.response_format).toStrictEqual({
      type: 'json_schema',
      json_schema: { name: 'response', schema, strict: true },
    });
  });

  it('carries description and the strictness that was asked for', () => {
    const format = { type: 'json', schema, name: 'city', description: 'facts' } as const;
    expect(
      build({ responseFormat: format, perplexity: { strictJsonSchema: false } }).body.response_format,
    ).toStrictEqual({
      type: 'json_schema',
      json_schema: { name: 'city', schema, strict: false, description: 'facts' },
    });
  });

  it('gets a legal name', () => {
    expect(name('City facts (v1)')).toBe('City_facts_v1_');
    expect(name('x'.repeat(90))).toBe('x'.repeat(64));
    expect(name('城市')).toBe('response');
    expect(name('')).toBe('response');
    expect(name('a-b_C9')).toBe('a-b_C9');
  });

  it('without a schema is refused before anything is sent', () => {
    const error = caught(() => build({ responseFormat: { type: 'json' } }));
    expect(UnsupportedFunctionalityError.isInstance(error) && error.message).toContain('Give a schema');
  });

  it.each([
    { type: 'array', items: {} } as const,
    { anyOf: [] },
    { $ref: '#/x' },
    { type: ['object', 'null'] as never },
  ])('with the root %j is refused with the way out', (root) => {
    const error = caught(() => responseFormat({ type: 'json', schema: root }, undefined));
    expect(UnsupportedFunctionalityError.isInstance(error) && error.message).toContain('Wrap it in an object');
  });

  it('with properties but no type is told to be an object', () => {
    const format = responseFormat({ type: 'json', schema: { properties: {} } }, undefined);
    expect(format?.json_schema.schema).toEqual({ type: 'object', properties: {} });
  });
});
