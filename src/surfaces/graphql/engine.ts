/** A schema with its resolvers, and the documents that were read against it. */
import {
  buildSchema,
  type GraphQLFieldResolver,
  type GraphQLSchema,
  isObjectType,
  NoSchemaIntrospectionCustomRule,
  specifiedRules,
} from 'graphql'
import type { Settings } from '../../model/settings.ts'
import { invariant } from '../../sim/invariant.ts'
import type { Caller } from './caller.ts'
import { Documents } from './documents.ts'
import { podFields } from './pod-view.ts'
import { sdlFor } from './schema.graphql.ts'
import { userFields } from './user-view.ts'

export interface Engine {
  readonly schema: GraphQLSchema
  readonly documents: Documents
}

/** The schema is ours: a test checks it, whoever starts an emulator need not wait for that again. */
const asWritten = { assumeValid: true, assumeValidSDL: true, noLocation: true }

/** One for each way in which worlds can be set; there are few, and they take long to make. */
const engines = new Map<string, Engine>()

export function engineFor({ fidelity, introspection }: Settings): Engine {
  const resumeCuda = fidelity.graphqlResumeCuda === 'taken'
  const key = `${introspection}/${resumeCuda}`
  const known = engines.get(key)
  if (known !== undefined) return known
  const schema = buildSchema(sdlFor({ resumeCuda }), asWritten)
  giveResolvers(schema, 'Pod', podFields)
  giveResolvers(schema, 'User', userFields)
  const rules = introspection
    ? specifiedRules
    : [...specifiedRules, NoSchemaIntrospectionCustomRule]
  const engine = { schema, documents: new Documents(schema, rules) }
  engines.set(key, engine)
  return engine
}

/** What a type does not answer from its own properties. */
function giveResolvers(
  schema: GraphQLSchema,
  typeName: string,
  resolvers: Readonly<Record<string, (source: never, args: never, caller: Caller) => unknown>>,
): void {
  const type = schema.getType(typeName)
  invariant(isObjectType(type), `${typeName} is an object type`)
  const fields = type.getFields()
  for (const [name, resolve] of Object.entries(resolvers)) {
    const field = fields[name]
    invariant(field !== undefined, `${typeName} has a field ${name}`)
    // The library hands each resolver what the resolver of its parent answered.
    field.resolve = resolve as unknown as GraphQLFieldResolver<unknown, Caller>
  }
}
