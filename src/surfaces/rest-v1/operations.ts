/** Everything v1 answers, in one table, and the document made from it. */
import * as Type from '@sinclair/typebox'
import { openapiDocument } from '../http/openapi.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'
import { succeededBy } from '../http/successor.ts'
import { billingOperations } from './billing.ts'
import { defineDocs } from './docs.ts'
import { endpointOperations } from './endpoints.ts'
import { networkVolumeOperations } from './network-volumes.ts'
import { podOperations } from './pods.ts'
import { registryOperations } from './registries.ts'
import { templateOperations } from './templates.ts'

const getOpenapi = defineOperation({
  name: 'GetOpenAPI',
  method: 'GET',
  path: '/v1/openapi.json',
  summary: 'This document',
  tag: 'docs',
  // Spec: the one operation that takes no key.
  needs: 'nothing',
  replies: { 200: { description: 'OpenAPI 3.0.3.', schema: Type.Object({}) } },
  successor: succeededBy('GET /v2/openapi.json getOpenApi'),
  handle: () => {
    document ??= describeV1()
    return ok(document)
  },
})

/** Made when somebody first asks for it. */
let document: ReturnType<typeof openapiDocument> | undefined

export const v1Operations: readonly Operation[] = [
  getOpenapi,
  defineDocs(() => v1Operations),
  ...podOperations,
  ...endpointOperations,
  ...templateOperations,
  ...networkVolumeOperations,
  ...registryOperations,
  ...billingOperations,
]

function describeV1() {
  return openapiDocument({
    version: '3.0.3',
    // Spec: the description's version.
    info: {
      title: 'compute-emulator: REST v1',
      version: '0.1.0',
      description: "What compute-emulator answers of the cloud's first REST interface.",
    },
    operations: v1Operations,
    basePath: '/v1',
  })
}
