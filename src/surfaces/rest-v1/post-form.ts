/** Every change of v1 has two forms: PATCH, and POST to `…/update` for callers that cannot PATCH. */
import type { Operation } from '../http/operation.ts'

/** Spec: synonyms. The documents give both the same name; ours are unique. */
export function withPostForm(update: Operation): readonly Operation[] {
  const { name, path } = update
  return [update, { ...update, name: `${name}ByPost`, method: 'POST', path: `${path}/update` }]
}
