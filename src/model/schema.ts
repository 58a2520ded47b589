/** Two shapes of schema that come up everywhere. */
import type { SchemaOptions, TNull, TSchema, TUnion } from '@sinclair/typebox'
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
