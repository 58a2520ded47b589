/** GraphQL as a surface: one address, every operation. */
import { CloudError } from '../../model/errors.ts'
import { bearerKey } from '../http/access.ts'
import { defineOperation } from '../http/operation.ts'
import type { Surface } from '../http/surface.ts'
import { renderGraphqlBug, renderGraphqlError } from './errors.ts'

type Server = typeof import('./server.ts')

let server: Server | undefined

/** The engine takes long to load, and many runs never ask it anything. */
export async function loadGraphql(): Promise<Server> {
  server ??= await import('./server.ts')
  return server
}

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
  handle: (context) => {
    if (server !== undefined) return server.answerGraphql(context)
    return loadGraphql().then(({ answerGraphql }) => context.turn(() => answerGraphql(context)))
  },
})

export const graphqlSurface: Surface = {
  name: 'graphql',
  operations: [graphqlOperation],
  innerOperations: async () => Object.keys((await import('./roots.ts')).roots),
  owns: (path) => path === '/graphql' || path.startsWith('/graphql/'),
  // Assumed: the header wins where both are given.
  keyOf: (headers, search) =>
    bearerKey(headers.authorization) ?? new URLSearchParams(search).get('api_key') ?? undefined,
  bodyLimit: 1_048_576,
  renderError: renderGraphqlError,
  renderBug: renderGraphqlBug,
  unknownPath: (method, path) =>
    new CloudError('not_found', `nothing answers ${method} ${path}; GraphQL is POST /graphql`),
}
