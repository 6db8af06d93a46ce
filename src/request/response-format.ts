import { asObject, defined } from '../json.js';
import type { CoreCallOptions } from '../spec.js';
import type { WireResponseFormat } from '../wire/request-types.js';
import { complaint, invalid } from '../refusals.js';
import { unsupported } from './unsupported.js';

/**
 * JSON output (`agent-api.md` §2.5, design decision 5): the API has no JSON mode without a schema, so that is refused
 * before anything is sent. The root of a schema must be an object, else the API answers 400.
 */
export function responseFormat(
  format: CoreCallOptions['responseFormat'],
  strictJsonSchema: boolean | undefined,
): WireResponseFormat | undefined {
  if ((format ?? undefined) === undefined || format?.type === 'text') return undefined;
  if (format?.type !== 'json') throw invalid('responseFormat', "must be { type: 'text' } or { type: 'json', schema }");
  const { name, description } = format;
  if (name !== undefined && typeof name !== 'string') throw invalid('responseFormat.name', complaint('a text', name));
  if (description !== undefined && typeof description !== 'string') {
    throw invalid('responseFormat.description', complaint('a text', description));
  }
  if ((format.schema ?? undefined) === undefined) {
    throw unsupported(
      'JSON output without a schema',
      'The Agent API has no JSON output without a schema. ' +
        'Give a schema (generateObject with `schema`, or Output.object), or ask for JSON in the prompt.',
    );
  }
  const jsonSchema = defined<WireResponseFormat['json_schema']>({
    name: legalName(name),
    schema: withObjectRoot(format.schema),
    strict: strictJsonSchema ?? true,
    description,
  });
  return { type: 'json_schema', json_schema: jsonSchema };
}

type Schema = WireResponseFormat['json_schema']['schema'];

function withObjectRoot(given: unknown): Schema {
  if (asObject(given) === undefined) throw invalid('responseFormat.schema', complaint('a JSON schema', given));
  const schema = given as Schema;
  if (schema.type === 'object') return schema;
  // A schema that lists properties and names no type means an object; only the API needs to be told.
  if (schema.type === undefined && schema.properties !== undefined) return { ...schema, type: 'object' };
  const root = typeof schema.type === 'string' ? `is '${schema.type}'` : 'it names no single type';
  throw unsupported(
    'JSON schema whose root is not an object',
    `The root of a JSON schema must be of type 'object' for the Agent API, but ${root}. ` +
      "Wrap it in an object, such as { type: 'object', properties: { result: … }, required: ['result'] }.",
  );
}

/** 1–64 characters of `[A-Za-z0-9_-]`. */
function legalName(name: string | undefined): string {
  const legal = (name ?? '').replace(/[^A-Za-z0-9_-]+/g, '_').slice(0, 64);
  return /[A-Za-z0-9]/.test(legal) ? legal : 'response';
}
