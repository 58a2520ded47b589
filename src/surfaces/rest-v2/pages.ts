/** Lists page by page. A cursor belongs to the operation that gave it out. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { CloudError } from '../../model/errors.ts'
import { OrNull } from '../../model/schema.ts'

export const PageQuery = Type.Object({
  cursor: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000 })),
})

export const Pagination = Type.Object({
  nextCursor: OrNull(Type.String()),
  hasNextPage: Type.Boolean(),
})

export interface Page<Item> {
  readonly items: readonly Item[]
  readonly pagination: Static<typeof Pagination>
}

/** Of a list that always comes whole. */
export const onlyPage: Static<typeof Pagination> = { nextCursor: null, hasNextPage: false }

/**
 * The page after the cursor. The cursor names the last item of the page before, so items that came
 * or went in between shift nothing.
 */
export function pageOf<Item extends { readonly id: string }>(
  operation: string,
  all: readonly Item[],
  { cursor, limit = 1_000 }: Static<typeof PageQuery>,
): Page<Item> {
  const start = cursor === undefined ? 0 : positionAfter(operation, all, cursor)
  const items = all.slice(start, start + limit)
  const last = items.at(-1)
  const hasNextPage = start + limit < all.length
  const nextCursor = hasNextPage && last !== undefined ? encode(operation, last.id) : null
  return { items, pagination: { nextCursor, hasNextPage } }
}

function positionAfter(
  operation: string,
  all: readonly { readonly id: string }[],
  cursor: string,
): number {
  const [owner, id] = Buffer.from(cursor, 'base64url').toString('utf8').split(':')
  const index = owner === operation ? all.findIndex((item) => item.id === id) : -1
  if (index === -1) throw new CloudError('invalid_request', 'the cursor is not valid here')
  return index + 1
}

function encode(operation: string, id: string): string {
  return Buffer.from(`${operation}:${id}`).toString('base64url')
}
