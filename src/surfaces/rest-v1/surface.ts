/** Stands for REST v1 until it is here: answers that nothing is. */
import { CloudError } from '../../model/errors.ts'
import type { Surface } from '../http/surface.ts'

export const restV1: Surface = {
  name: 'v1',
  operations: [],
  owns: (path) => path.startsWith('/v1'),
  keyOf: () => undefined,
  bodyLimit: 1_048_576,
  renderError: (error) => ({ status: 500, body: { message: error.message } }),
  renderBug: () => ({ status: 500, body: { message: 'internal error' } }),
  unknownPath: () => new CloudError('not_found', 'not found'),
}
