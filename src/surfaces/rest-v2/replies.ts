/** The replies that every v2 operation documents. */
import type { TSchema } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { ReplyShape } from '../http/operation.ts'

export const Problem = Type.Object({
  title: Type.String(),
  status: Type.Integer(),
  detail: Type.String(),
  errors: Type.Optional(Type.Array(Type.String())),
})

export const problem = (description: string): ReplyShape => ({
  description,
  schema: Problem,
  contentType: 'application/problem+json',
})

const always = {
  401: problem('The key is missing or wrong.'),
  403: problem('The key may not do this.'),
  429: problem('Too many requests.'),
}

export function readReplies(description: string, schema: TSchema): Record<number, ReplyShape> {
  return { 200: { description, schema }, ...always, 404: problem('There is no such thing.') }
}

export function writeReplies(
  status: 200 | 201 | 204,
  description: string,
  schema?: TSchema,
): Record<number, ReplyShape> {
  return {
    [status]: schema === undefined ? { description } : { description, schema },
    ...always,
    400: problem('A rule says no.'),
    404: problem('There is no such thing.'),
    409: problem('Its present state does not allow it.'),
    413: problem('The body is too large.'),
    422: problem('The request does not have the right shape.'),
  }
}
