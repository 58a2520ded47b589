/** Runs GraphQL requests against a world: schema, documents, resolvers. */
import { type ExecutionResult, execute, getOperationAST, OperationTypeNode } from 'graphql'
import { invariant } from '../../sim/invariant.ts'
import type { Reply } from '../http/reply.ts'
import { compilersLoaded, loadCompilers } from '../http/validate.ts'
import type { Caller } from './caller.ts'
import { engineFor } from './engine.ts'
import { refuse, statusOf, toFieldError } from './errors.ts'
import { isReply, readRequest } from './request.ts'
import { roots } from './roots.ts'
import { usesOf } from './uses.ts'

/**
 * Everything happens in one turn: no resolver waits. Only the compilers of input schemas, which
 * queries do without, are loaded first.
 */
export function answerGraphql(caller: Caller): Reply | Promise<Reply> {
  const request = readRequest(caller.headers['content-type'], caller.text)
  if (isReply(request)) return request
  const { schema, documents } = engineFor(caller.world.settings)
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

function toReply({ data, errors = [] }: ExecutionResult, caller: Caller): Reply {
  // Observed: variables that do not fit are refused with 400, like a document that does not.
  if (data === undefined) return refuse('BAD_USER_INPUT', errors)
  if (errors.length === 0) return { status: 200, body: { data } }
  const wireErrors = errors.map((error) => toFieldError(error, caller.reportBug))
  return { status: statusOf(errors), body: { errors: wireErrors, data } }
}
