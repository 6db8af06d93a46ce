/**
 * Schemas of what Perplexity's tools are asked and give back. What the model sends and gets is Perplexity's business, and a
 * mismatch would cost a billed step in ai 5 (`sdk-matrix.md` §2.2): so they describe more than they demand. Every field may
 * be null or missing, and newer ones pass.
 *
 * They are made of zod's core, which ai 5, 6 and 7 take as it is: an eighth of all that `zod/v4` would bring along.
 */
import * as z from 'zod/v4/core';

export type Schema<T> = z.$ZodType<T>;

/** The fields of an object by what is in them: `strings` is a list of them, fields in turn are a list of such objects. */
export type FieldsOf<T> = { readonly [K in keyof T]-?: KindOf<Exclude<T[K], undefined>> };

type KindOf<V> = unknown extends V
  ? 'any'
  : V extends string
    ? 'string'
    : V extends number
      ? 'number'
      : V extends readonly string[]
        ? 'strings'
        : V extends readonly (infer E)[]
          ? FieldsOf<E>
          : never;

type Fields = { readonly [key: string]: Kind };
type Kind = 'any' | 'string' | 'number' | 'strings' | Fields;

/** The schema of an object, built at the first use, so that importing the package builds none. */
export function lazySchema<T>(fields: FieldsOf<T>): () => Schema<T> {
  let schema: Schema<T> | undefined;
  return () => (schema ??= objectOf(fields) as Schema<T>);
}

function objectOf(fields: Fields): z.$ZodType {
  const shape = Object.fromEntries(Object.entries(fields).map(([key, kind]) => [key, optional(schemaOf(kind))]));
  return new z.$ZodObject({ type: 'object', shape, catchall: schemaOf('any') });
}

const optional = (innerType: z.$ZodType): z.$ZodType =>
  new z.$ZodOptional({ type: 'optional', innerType: new z.$ZodNullable({ type: 'nullable', innerType }) });

function schemaOf(kind: Kind): z.$ZodType {
  switch (kind) {
    case 'any':
      return new z.$ZodUnknown({ type: 'unknown' });
    case 'string':
      return new z.$ZodString({ type: 'string' });
    case 'number':
      return new z.$ZodNumber({ type: 'number' });
    case 'strings':
      return listOf(schemaOf('string'));
    default:
      return listOf(objectOf(kind));
  }
}

const listOf = (element: z.$ZodType): z.$ZodType => new z.$ZodArray({ type: 'array', element });
