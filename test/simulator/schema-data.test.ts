import { describe, expect, it } from 'vitest';
import { dataFor } from '../../src/simulator/schema-data.js';

const cases: [name: string, schema: unknown, data: unknown][] = [
  ['const', { const: 3 }, 3],
  ['enum', { enum: ['b', 'a'] }, 'b'],
  ['boolean', { type: 'boolean' }, true],
  ['null', { type: 'null' }, null],
  ['nullable', { type: ['null', 'boolean'] }, true],
  ['only null in a list', { type: ['null'] }, null],
  ['unknown type', { type: 'bogus' }, null],
  ['schema true', true, null],
  ['no type', {}, 'value'],
  ['no type but items', { items: { const: 1 } }, [1]],
  ['no type but properties', { properties: { a: { type: 'string' } } }, { a: 'a' }],
  ['integer', { type: 'integer' }, 1],
  ['minimum', { type: 'integer', minimum: 5 }, 5],
  ['maximum', { type: 'number', maximum: 0.5 }, 0.5],
  ['exclusive minimum', { type: 'integer', exclusiveMinimum: 7 }, 8],
  ['exclusive maximum', { type: 'number', exclusiveMaximum: 1 }, 0],
  ['exclusive range', { type: 'number', exclusiveMinimum: 1, exclusiveMaximum: 2 }, 1.5],
  ['positive', { type: 'number', exclusiveMinimum: 0 }, 1],
  ['multiple', { type: 'integer', minimum: 11, multipleOf: 5 }, 15],
  ['impossible', { type: 'integer', minimum: 2, maximum: 1 }, 1],
  ['format', { type: 'string', format: 'date-time' }, '2026-10-09T12:00:00Z'],
  ['unknown format', { type: 'string', format: 'colour' }, 'value'],
  ['short', { type: 'string', maxLength: 2 }, 'va'],
  ['long', { type: 'string', minLength: 7 }, 'value..'],
  ['list', { type: 'array', items: { type: 'integer' }, minItems: 2 }, [1, 1]],
  ['no items', { type: 'array', maxItems: 0 }, []],
  ['bare list', { type: 'array' }, ['value']],
  ['tuple', { type: 'array', prefixItems: [{ type: 'integer' }, { type: 'string' }] }, [1, 'value']],
  ['anyOf', { anyOf: [{ type: 'integer' }, { type: 'null' }] }, 1],
  ['oneOf', { oneOf: [{ type: 'boolean' }] }, true],
  [
    'allOf',
    {
      allOf: [{ $ref: '#/definitions/a' }, { properties: { b: { const: 2 } }, required: ['b'] }, true],
      definitions: { a: { type: 'object', properties: { a: { const: 1 } } } },
    },
    { a: 1, b: 2 },
  ],
  ['$ref', { $ref: '#/$defs/a~1b', $defs: { 'a/b': { const: 'x' } } }, 'x'],
  ['$ref into a list', { $ref: '#/anyOf/0', anyOf: [{ const: 5 }] }, 5],
  ['$ref to nowhere', { $ref: '#/a/b/c' }, null],
  ['$ref abroad', { $ref: 'https://example.com/schema.json' }, null],
];

describe('data for a schema', () => {
  it.each(cases)('%s', (_name, schema, data) => {
    expect(dataFor(schema)).toEqual(data);
  });

  it('ends recursive schemas', () => {
    const tree = {
      $ref: '#/$defs/node',
      $defs: {
        node: {
          type: 'object',
          properties: {
            name: { type: 'string' },
            next: { anyOf: [{ $ref: '#/$defs/node' }, { type: 'null' }] },
            children: { type: 'array', items: { $ref: '#/$defs/node' } },
          },
          required: ['name', 'next'],
        },
      },
    };
    const text = JSON.stringify(dataFor(tree));
    expect(text).toContain('"next":null');
    expect(text.length).toBeLessThan(2000);
    const endless = {
      $ref: '#/$defs/a',
      $defs: { a: { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, required: ['a'] } },
    };
    expect(JSON.stringify(dataFor(endless))).toMatch(/^(?:\{"a":)+null\}+$/u);
  });
});
