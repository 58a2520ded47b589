/** GraphQL as a surface: one address, every operation. */
import { CloudError } from '../../model/errors.ts'
import { bearerKey } from '../http/access.ts'
import { defineOperation } from '../http/operation.ts'
import type { Surface } from '../http/surface.ts'
import { renderGraphqlBug, renderGraphqlError } from './errors.ts'
import { roots } from './roots.ts'
import { answerGraphql } from './server.ts'

const graphqlOperation = defineOperation({
  name: 'graphql',
  method: 'POST',
  path: '/graphql',
  summary: 'Runs one GraphQL operation.',
  tag: 'graphql',
  needs: 'nothing',
  replies: {
    200: { description: 'Data, and what could not be had of it.' },
    400: { description: 'The document or its variables do not fit the schema.' },
    401: { description: 'The key is not valid.' },
    403: { description: 'The key does not allow this.' },
  },
  handle: answerGraphql,
})

export const graphqlSurface: Surface = {
  name: 'graphql',
  operations: [graphqlOperation],
  innerOperations: Object.keys(roots),
  // Assumed: the header wins where both are given.
  keyOf: (headers, search) =>
    bearerKey(headers.authorization) ?? new URLSearchParams(search).get('api_key') ?? undefined,
  bodyLimit: 1_048_576,
  renderError: renderGraphqlError,
  renderBug: renderGraphqlBug,
  unknownPath: (method, path) =>
    new CloudError('not_found', `nothing answers ${method} ${path}; GraphQL is POST /graphql`),
}
