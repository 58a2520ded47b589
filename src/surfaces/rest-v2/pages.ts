/** Lists page by page. A cursor belongs to the operation that gave it out. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { CloudError } from '../../model/errors.ts'
import { OrNull } from '../../model/schema.ts'
import type { Collection, Resource } from '../../world/collection.ts'

export const PageQuery = Type.Object({
  cursor: Type.Optional(Type.String()),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, default: 1_000 })),
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
 * The page after the cursor. `list` is the operation with what else it was asked for: Spec: a cursor
 * belongs to both. It says where the page before ended, so that items that came or went in between
 * shift nothing.
 */
export function pageOf<Item extends Resource>(
  list: string,
  collection: Collection<Item>,
  { cursor, limit = 1_000 }: Static<typeof PageQuery>,
  group = '',
): Page<Item> {
  const before = cursor === undefined ? undefined : placeOf(list, cursor)
  const page = collection.page({ before, limit, group })
  if (page === undefined) throw wrongCursor()
  const nextCursor = page.next === null ? null : encode(list, page.next)
  return { items: page.items, pagination: { nextCursor, hasNextPage: nextCursor !== null } }
}

function placeOf(list: string, cursor: string): number {
  const text = Buffer.from(cursor, 'base64url').toString('utf8')
  const end = text.lastIndexOf(':')
  const place = Number(text.slice(end + 1))
  if (text.slice(0, end) !== list || encode(list, place) !== cursor) throw wrongCursor()
  return place
}

// Spec: a malformed or foreign cursor is 422.
const wrongCursor = () => new CloudError('invalid_request', 'the cursor is not valid here')

function encode(list: string, place: number): string {
  return Buffer.from(`${list}:${place}`).toString('base64url')
}
