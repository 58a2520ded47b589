/** REST v1 as a surface: deprecated, flat, and still what pinned clients speak. */
import { CloudError } from '../../model/errors.ts'
import { bearerKey } from '../http/access.ts'
import type { Surface } from '../http/surface.ts'
import { renderV1Bug, renderV1Error } from './errors.ts'
import { v1Operations } from './operations.ts'
import { refuseRetired, retirementHeaders } from './retirement.ts'

export const restV1: Surface = {
  name: 'v1',
  operations: v1Operations,
  keyOf: (headers) => bearerKey(headers.authorization),
  // Assumed: v1 names no limit.
  bodyLimit: 1_048_576,
  renderError: renderV1Error,
  renderBug: renderV1Bug,
  ended: refuseRetired,
  headers: retirementHeaders,
  unknownPath: (method, path) => new CloudError('not_found', `v1 has no ${method} ${path}`),
}
