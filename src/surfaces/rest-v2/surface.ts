/** REST v2 as a surface: its table of operations, its document, and its way to say no. */
import { CloudError } from '../../model/errors.ts'
import { bearerKey } from '../http/access.ts'
import { openapiDocument } from '../http/openapi.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import type { Surface } from '../http/surface.ts'
import { billingOperations } from './billing.ts'
import { buildOperations } from './builds.ts'
import { typeOperations } from './catalog.ts'
import { dataCenterOperations } from './catalog-data-centers.ts'
import { publicTemplateOperations } from './catalog-templates.ts'
import { clusterOperations } from './clusters.ts'
import { bodyLimit } from './container.ts'
import { delegationOperations } from './delegations.ts'
import { renderBug, renderProblem } from './errors.ts'
import { podOperations } from './pods.ts'
import { meterAccount } from './rates.ts'
import { releaseOperations } from './releases.ts'
import { secretOperations } from './secrets.ts'
import { serverlessOperations } from './serverless.ts'
import { sshKeyOperations } from './ssh-keys.ts'
import { registryOperations, volumeOperations } from './storage.ts'
import { templateOperations } from './templates.ts'

const documented: readonly Operation[] = [
  ...podOperations,
  ...serverlessOperations,
  ...releaseOperations,
  ...buildOperations,
  ...templateOperations,
  ...volumeOperations,
  ...registryOperations,
  ...delegationOperations,
  ...secretOperations,
  ...clusterOperations,
  ...sshKeyOperations,
  ...billingOperations,
  ...typeOperations,
  ...dataCenterOperations,
  ...publicTemplateOperations,
]
let document: Record<string, unknown> | undefined

const getDocument = defineOperation({
  name: 'getOpenApi',
  method: 'GET',
  path: '/v2/openapi.json',
  summary: 'This document.',
  tag: 'docs',
  needs: 'nothing',
  replies: { 200: { description: 'OpenAPI 3.1.' } },
  handle: () => {
    document ??= openapiDocument({
      version: '3.1.0',
      info: {
        title: 'REST API v2, emulated',
        version: '2.0.0',
        description: 'What this emulator answers, and what it does not yet (x-not-emulated).',
      },
      operations: documented,
      basePath: '',
    })
    return ok(document)
  },
})

/** First segments below /v2 that are this surface's; everything else there is an endpoint's id. */
export const reservedNouns: ReadonlySet<string> = new Set(
  [...documented, getDocument].map(({ path }) => path.split('/')[2] ?? ''),
)

export function isOfRestV2(path: string): boolean {
  return path === '/v2' || reservedNouns.has(nounOf(path))
}

export const restV2: Surface = {
  name: 'v2',
  operations: [...documented, getDocument],
  // Observed: v2 takes the key in the header only.
  keyOf: (headers) => bearerKey(headers.authorization),
  // Spec: larger bodies are refused before anything is looked at.
  bodyLimit,
  plainNames: true,
  meter: meterAccount,
  // Observed: every reply of v2 has it.
  nameRequest: (seq) => ({ 'x-request-id': String(seq) }),
  renderError: renderProblem,
  renderBug,
  // Observed: these very words.
  unknownPath: () => new CloudError('not_found', 'The requested path was not found.'),
}

function nounOf(path: string): string {
  if (!path.startsWith('/v2/')) return ''
  const end = path.indexOf('/', 4)
  return end === -1 ? path.slice(4) : path.slice(4, end)
}
