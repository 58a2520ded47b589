/** Runs GraphQL requests against a world: schema, documents, resolvers. Loaded with the first one. */
import {
  buildSchema,
  type ExecutionResult,
  execute,
  type GraphQLFieldResolver,
  getOperationAST,
  isObjectType,
  OperationTypeNode,
} from 'graphql'
import { invariant } from '../../sim/invariant.ts'
import type { Reply } from '../http/reply.ts'
import { compilersLoaded, loadCompilers } from '../http/validate.ts'
import type { Caller } from './caller.ts'
import { Documents } from './documents.ts'
import { refuse, statusOf, toFieldError } from './errors.ts'
import { podFields } from './pod-view.ts'
import { isReply, readRequest } from './request.ts'
import { roots } from './roots.ts'
import { sdl } from './schema.graphql.ts'
import { usesOf } from './uses.ts'

const schema = buildSchema(sdl)
giveResolvers('Pod', podFields)
const documents = new Documents(schema)

/**
 * Everything happens in one turn: no resolver waits. Only the compilers of input schemas, which
 * queries do without, are loaded first.
 */
export function answerGraphql(caller: Caller): Reply | Promise<Reply> {
  const request = readRequest(caller.headers['content-type'], caller.text)
  if (isReply(request)) return request
  const read = documents.read(request.query)
  if ('code' in read) return refuse(read.code, read.errors)
  const operation = getOperationAST(read.document, request.operationName)
  if (operation === null || operation === undefined) {
    return refuse('OPERATION_RESOLUTION_FAILURE', ['operationName must name one of the operations'])
  }
  const uses = usesOf(read.document, operation)
  const run = () => {
    const result = execute({
      schema,
      document: read.document,
      rootValue: roots,
      contextValue: caller,
      variableValues: request.variables,
      operationName: request.operationName,
    })
    invariant(!('then' in result), 'no resolver waits')
    return { ...toReply(result, caller), uses }
  }
  if (operation.operation !== OperationTypeNode.MUTATION || compilersLoaded()) return run()
  return loadCompilers().then(() => caller.turn(run))
}

/** What a type does not answer from its own properties. */
function giveResolvers(
  typeName: string,
  resolvers: Readonly<Record<string, (source: never, args: unknown, caller: Caller) => unknown>>,
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

function toReply({ data, errors = [] }: ExecutionResult, caller: Caller): Reply {
  // Observed: variables that do not fit are refused with 400, like a document that does not.
  if (data === undefined) return refuse('BAD_USER_INPUT', errors)
  if (errors.length === 0) return { status: 200, body: { data } }
  const wireErrors = errors.map((error) => toFieldError(error, caller.reportBug))
  return { status: statusOf(errors), body: { errors: wireErrors, data } }
}
