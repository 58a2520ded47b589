/**
 * What is new about a resource, field by field. A resource is replaced and never edited, so a field
 * that holds the same thing as before has not changed, however large it is.
 */
import type { Resource } from './collection.ts'

/** The fields that changed, and the names of those that are no more. */
export type Patch = readonly [id: string, changed: object, gone?: readonly string[]]

type Fields = Readonly<Record<string, unknown>>

export function patchOf(before: Resource, after: Resource): Patch {
  const [old, now] = [before as unknown as Fields, after as unknown as Fields]
  const changed: Record<string, unknown> = {}
  let gone: string[] | undefined
  for (const name in now) {
    if (now[name] !== old[name] && now[name] !== undefined) changed[name] = now[name]
  }
  for (const name in old) {
    if (old[name] === undefined || now[name] !== undefined) continue
    gone ??= []
    gone.push(name)
  }
  return gone === undefined ? [after.id, changed] : [after.id, changed, gone]
}

export function patched(before: Resource, [, changed, gone = []]: Patch): Resource {
  const after: Record<string, unknown> = { ...before, ...changed }
  for (const name of gone) delete after[name]
  return after as unknown as Resource
}
