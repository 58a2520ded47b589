/** Stands for GraphQL until it is here: answers that nothing is. */
import { CloudError } from '../../model/errors.ts'
import type { Surface } from '../http/surface.ts'

export const graphqlSurface: Surface = {
  name: 'graphql',
  operations: [],
  owns: (path) => path.startsWith('/graphql'),
  keyOf: () => undefined,
  bodyLimit: 1_048_576,
  renderError: (error) => ({ status: 500, body: { message: error.message } }),
  renderBug: () => ({ status: 500, body: { message: 'internal error' } }),
  unknownPath: () => new CloudError('not_found', 'not found'),
}
