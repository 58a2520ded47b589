/**
 * The log host, `hapi.runpod.net`: what a pod or a worker has written, all at once.
 *
 * Observed: `flash` reads it, and takes `{"container": [...], "system": [...]}`. It shows the endpoint's
 * own key first, and the user's when that is refused with 401.
 */
import * as Type from '@sinclair/typebox'
import type { LogLine } from '../../model/effects.ts'
import { CloudError } from '../../model/errors.ts'
import { authorize, bearerOrBareKey, noToken } from '../http/access.ts'
import { defineOperation } from '../http/operation.ts'
import { ok, toIso } from '../http/reply.ts'
import { usualStatuses } from '../http/statuses.ts'
import type { Surface } from '../http/surface.ts'

const Lines = Type.Array(Type.String())

const podLogs = defineOperation({
  name: 'podLogs',
  method: 'GET',
  path: '/v1/pod/{podId}/logs',
  summary: 'Lines that are kept of a pod or a worker, by who wrote them.',
  tag: 'logs',
  // Whose endpoint it is about is known once the worker is found.
  needs: 'nothing',
  params: Type.Object({ podId: Type.String() }),
  replies: {
    200: { description: 'Lines.', schema: Type.Object({ container: Lines, system: Lines }) },
  },
  handle: ({ world, access, params: { podId } }) => {
    if (access.anonymous) throw noToken()
    const worker = world.workers.find(podId)
    if (worker === undefined) world.pods.require(podId)
    authorize(access, 'read', worker?.endpointId)
    const lines = world.logs.of(podId)
    const of = (source: LogLine['source']) =>
      lines.filter((line) => line.source === source).map(toText)
    return ok({ container: of('container'), system: of('system') })
  },
})

/** Assumed: as in the console's own downloads. */
function toText({ atMs, text }: LogLine): string {
  return `${toIso(atMs)} ${text}`
}

export const hapiSurface: Surface = {
  name: 'hapi',
  operations: [podLogs],
  keyOf: (headers) => bearerOrBareKey(headers.authorization),
  bodyLimit: 65_536,
  // Assumed: no client reads more than the status.
  renderError: ({ code, message }) => ({ status: usualStatuses[code], body: { error: message } }),
  renderBug: () => ({ status: 500, body: { error: 'internal error' } }),
  unknownPath: (method, path) => new CloudError('not_found', `no log is at ${method} ${path}`),
}
