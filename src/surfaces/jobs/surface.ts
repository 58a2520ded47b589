/** The request address as a surface: jobs of queue endpoints, requests of load-balancing ones. */
import { CloudError, type ErrorSubject } from '../../model/errors.ts'
import { bearerOrBareKey } from '../http/access.ts'
import { notEmulatedYet } from '../http/operation.ts'
import type { Surface } from '../http/surface.ts'
import { batchOperations } from './batch.ts'
import { renderJobBug, renderJobError } from './errors.ts'
import { hostedOperation, proxyOperations } from './load-balancing.ts'
import { metricsOperations } from './metrics.ts'
import { openaiOperations } from './openai.ts'
import { queueOperations } from './operations.ts'
import { paced, workerOperations } from './workers.ts'

/** Spec: 10 MB for /run, 20 MB for /runsync, 30 MB for load-balancing endpoints. */
const bodyLimit = 30 * 1_048_576

const later = notEmulatedYet('jobs', ['GET /v2/{endpointId}/requests requests'])

export const jobsSurface: Surface = {
  name: 'jobs',
  operations: [
    ...queueOperations(),
    ...metricsOperations(),
    ...openaiOperations(),
    ...batchOperations(),
    ...workerOperations(),
    ...later,
    ...proxyOperations(),
  ],
  keyOf: (headers) => bearerOrBareKey(headers.authorization),
  bodyLimit,
  renderError: (error, operation) => paced(renderJobError(error), operation),
  renderBug: renderJobBug,
  hosted: hostedOperation,
  unknownPath: (method, path) => {
    const subject: ErrorSubject = { resource: 'operation' }
    return new CloudError('not_found', `no endpoint answers ${method} ${path}`, subject)
  },
}
