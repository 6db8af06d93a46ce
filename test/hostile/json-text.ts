/**
 * JSON that `JSON.stringify` cannot write: nesting of 10,000 levels, keys that come twice, keys that poison, numbers without
 * end. Values and keys stand in as texts, and are put in when the JSON is written.
 */
const DEEP = 10_000;

/** What stands for a value: its JSON. */
const VALUES: Readonly<Record<string, string>> = {
  'deep list': `${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
  'deep object': `${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`,
  'deep text': JSON.stringify(`${'{"a":'.repeat(DEEP)}1${'}'.repeat(DEEP)}`),
  'deep poison': `${'{"__proto__":'.repeat(DEEP)}{"polluted":true}${'}'.repeat(DEEP)}`,
  proto: '{"__proto__":{"polluted":true}}',
  constructor: '{"constructor":{"prototype":{"polluted":true}}}',
  prototype: '{"prototype":{"polluted":true},"toString":1,"valueOf":null,"hasOwnProperty":0}',
  escaped: '{"\\u005f_proto__":{"polluted":true}}',
  endless: '1e999',
  'minus zero': '-0',
  huge: '123456789012345678901234567890',
  twice: '{"id":"one","id":"two"}',
};

/** What stands for a field: all of it. */
const FIELDS: Readonly<Record<string, string>> = {
  'field proto': '"__proto__":{"polluted":true}',
  'field constructor': '"constructor":{"prototype":{"polluted":true}}',
  'field toString': '"toString":null,"valueOf":7,"then":{"a":1},"toJSON":1',
  'field type': '"type":"response.output_text.delta"',
  'field null type': '"type":null',
  'field response': '"response":null',
  'field deep': `"deep":${'['.repeat(DEEP)}${']'.repeat(DEEP)}`,
};

const marked = (name: string) => `@@${name}@@`;

/** Texts that stand for a value. */
export const strangeValues: string[] = Object.keys(VALUES).map(marked);
/** Keys that stand for a field. */
export const strangeFields: string[] = Object.keys(FIELDS).map(marked);

/** The JSON of a value, with what stands in for the rest of JSON put in. */
export const toJsonText = (value: unknown): string =>
  (JSON.stringify(value) ?? 'null')
    .replace(/"@@(field [a-zA-Z ]+)@@":(?:null|0)/g, (all, name: string) => FIELDS[name] ?? all)
    .replace(/"@@([a-z ]+)@@"/g, (all, name: string) => VALUES[name] ?? all);
