/** Which root fields a GraphQL operation asks for: the log names them, and migration counts them. */
import {
  type DocumentNode,
  type FieldNode,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql'
import type { Use } from '../http/successor.ts'
import { successors } from './successors.ts'

/** Clients send the same documents again and again. */
const known = new WeakMap<OperationDefinitionNode, readonly Use[]>()

/** Each field once, in the order of the document; a list of `myself` as `myself.pods`. */
export function usesOf(document: DocumentNode, operation: OperationDefinitionNode): readonly Use[] {
  const before = known.get(operation)
  if (before !== undefined) return before
  const names = new Set(
    fieldsOf(document, operation.selectionSet).flatMap((field) => namesOf(document, field)),
  )
  const uses = [...names].flatMap((name) => {
    const successor = successors.get(name)
    return successor === undefined ? [] : [{ name, successor }]
  })
  known.set(operation, uses)
  return uses
}

function namesOf(document: DocumentNode, { name, selectionSet }: FieldNode): string[] {
  if (name.value !== 'myself' || selectionSet === undefined) return [name.value]
  return fieldsOf(document, selectionSet).map((field) => {
    const path = `myself.${field.name.value}`
    return successors.has(path) ? path : 'myself'
  })
}

/** The fields of a selection, fragments opened. A validated document has no circles. */
function fieldsOf(document: DocumentNode, { selections }: SelectionSetNode): FieldNode[] {
  return selections.flatMap((selection): FieldNode[] => {
    if (selection.kind === Kind.FIELD) return [selection]
    if (selection.kind === Kind.INLINE_FRAGMENT) return fieldsOf(document, selection.selectionSet)
    const fragment = document.definitions.find(
      (definition) =>
        definition.kind === Kind.FRAGMENT_DEFINITION &&
        definition.name.value === selection.name.value,
    )
    return fragment?.kind === Kind.FRAGMENT_DEFINITION
      ? fieldsOf(document, fragment.selectionSet)
      : []
  })
}
