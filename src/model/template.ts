/** A template: a container's settings under a name, for pods or for endpoints. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { CudaVersion } from './catalog.ts'
import { ContainerSpec } from './container.ts'
import { ResourceName } from './pod.ts'
import { OneOf } from './schema.ts'

export const templateCategories = ['NVIDIA', 'AMD', 'CPU'] as const

/** `port`: its number, as a text. */
const PortLabel = Type.Object({
  port: Type.String({ pattern: '^[1-9][0-9]{0,4}$' }),
  name: Type.String({ minLength: 1 }),
})

export const TemplateSpec = Type.Object({
  name: ResourceName,
  container: ContainerSpec,
  /** Null for none. */
  persistent: Type.Union([
    Type.Object({ sizeGb: Type.Integer({ minimum: 1 }), path: Type.String({ minLength: 1 }) }),
    Type.Null(),
  ]),
  serverless: Type.Boolean(),
  public: Type.Boolean(),
  category: OneOf(templateCategories),
  readme: Type.String(),
  startSsh: Type.Boolean(),
  startJupyter: Type.Boolean(),
  allowedCudaVersions: Type.Array(CudaVersion),
  /** What people call its ports; absent for no names. */
  portLabels: Type.Optional(Type.Array(PortLabel)),
})
export type TemplateSpec = Static<typeof TemplateSpec>

/** Who offers a template to everybody: the platform, or another account, looked at by it or not. */
export const templateSources = ['official', 'verified', 'community'] as const
export type TemplateSource = (typeof templateSources)[number]

export interface Template {
  readonly id: string
  readonly spec: TemplateSpec
  readonly createdAtMs: number
  /** The endpoint it was made for and goes with; null for a template of its own. */
  readonly boundEndpointId: string | null
  /** Null for the account's own. */
  readonly source: TemplateSource | null
}
