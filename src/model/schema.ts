/** Shapes of schema that come up everywhere. */
import type { SchemaOptions, TNull, TOptional, TSchema, TUnion } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'

/** One of a closed list of words. */
export const OneOf = <const Words extends readonly string[]>(
  words: Words,
  options: SchemaOptions = {},
) => Type.Unsafe<Words[number]>({ type: 'string', enum: [...words], ...options })

export const OrNull = <Schema extends TSchema>(
  schema: Schema,
  options: SchemaOptions = {},
): TUnion<[Schema, TNull]> => Type.Union([schema, Type.Null()], options)

/**
 * A field that may be left out, with the value that then stands for it. Documents show that as its
 * default; validation does not fill it in, so that the handler can tell what was said.
 */
export const Unsaid = <Schema extends TSchema>(schema: Schema, value: unknown): TOptional<Schema> =>
  Type.Optional({ ...schema, 'x-default': value }) as unknown as TOptional<Schema>
