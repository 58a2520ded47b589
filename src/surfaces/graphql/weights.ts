/** How much a document asks for: how deep it goes, and how many values it may bring. */
import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  GraphQLError,
  type GraphQLOutputType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isListType,
  isNonNullType,
  isObjectType,
  Kind,
  type SelectionSetNode,
} from 'graphql'

/** Known clients go five deep. What is asked about the schema itself does not count. */
export const depthLimit = 15
/** Values, with every list taken for ten. The heaviest request of a known client has 1 200. */
export const costLimit = 10_000

const itemsOfList = 10

interface Weight {
  readonly depth: number
  readonly cost: number
}

const nothing: Weight = { depth: 0, cost: 0 }

/** What is too much about a valid document; undefined for nothing. */
export function complainAboutWeight(
  schema: GraphQLSchema,
  document: DocumentNode,
): GraphQLError | undefined {
  const scale = new Scale(schema, document)
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue
    const root = schema.getRootType(definition.operation)
    if (root === undefined || root === null) continue
    const { depth, cost } = scale.weigh(definition.selectionSet, root)
    const options = { nodes: definition }
    if (depth > depthLimit) {
      return new GraphQLError(
        `the query is ${depth} levels deep; ${depthLimit} are allowed`,
        options,
      )
    }
    if (cost > costLimit) {
      const words = `the query may bring ${cost} values, with ten for each list; ${costLimit} are allowed`
      return new GraphQLError(words, options)
    }
  }
  return undefined
}

class Scale {
  readonly #schema: GraphQLSchema
  readonly #fragments = new Map<string, FragmentDefinitionNode>()
  /** Each fragment is weighed once, however often it is spread. */
  readonly #weighed = new Map<string, Weight>()

  constructor(schema: GraphQLSchema, { definitions }: DocumentNode) {
    this.#schema = schema
    for (const definition of definitions) {
      if (definition.kind === Kind.FRAGMENT_DEFINITION) {
        this.#fragments.set(definition.name.value, definition)
      }
    }
  }

  weigh({ selections }: SelectionSetNode, type: GraphQLCompositeType): Weight {
    let depth = 0
    let cost = 0
    for (const selection of selections) {
      const weight =
        selection.kind === Kind.FIELD
          ? this.#weighField(selection.name.value, selection.selectionSet, type)
          : selection.kind === Kind.INLINE_FRAGMENT
            ? this.weigh(selection.selectionSet, type)
            : this.#weighFragment(selection.name.value)
      depth = Math.max(depth, weight.depth)
      cost += weight.cost
    }
    return { depth, cost }
  }

  #weighField(
    name: string,
    selections: SelectionSetNode | undefined,
    parent: GraphQLCompositeType,
  ): Weight {
    const field = isObjectType(parent) ? parent.getFields()[name] : undefined
    // What is asked about the schema has a limit of the library's own.
    if (field === undefined || selections === undefined) return { depth: 1, cost: 1 }
    const type = getNamedType(field.type)
    const inner = isCompositeType(type) ? this.weigh(selections, type) : nothing
    const items = isList(field.type) ? itemsOfList : 1
    return { depth: 1 + inner.depth, cost: 1 + items * inner.cost }
  }

  #weighFragment(name: string): Weight {
    const known = this.#weighed.get(name)
    if (known !== undefined) return known
    const fragment = this.#fragments.get(name)
    const type = this.#schema.getType(fragment?.typeCondition.name.value ?? '')
    const weight =
      fragment !== undefined && isCompositeType(type)
        ? this.weigh(fragment.selectionSet, type)
        : nothing
    this.#weighed.set(name, weight)
    return weight
  }
}

function isList(type: GraphQLOutputType): boolean {
  return isListType(isNonNullType(type) ? type.ofType : type)
}
