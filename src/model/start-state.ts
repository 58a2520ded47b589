/** A world's start state, as fixtures write it: whose it is and what is in it at the beginning. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { Account, ApiKey } from './account.ts'
import { ContainerSpec } from './container.ts'
import { endpointTypes, flashBootModes, Scaling } from './endpoint.ts'
import { ResourceName } from './pod.ts'
import { OneOf } from './schema.ts'
import { volumeTypes } from './storage.ts'

const strict = { additionalProperties: false }
const Id = Type.String({ pattern: '^[a-z0-9][a-z0-9-]*$' })

/** A container as fixtures write it: everything but the image may be left out. */
const Container = Type.Composite(
  [Type.Pick(ContainerSpec, ['image']), Type.Partial(Type.Omit(ContainerSpec, ['image']))],
  strict,
)

export const StartTemplate = Type.Object(
  {
    id: Id,
    name: ResourceName,
    container: Container,
    serverless: Type.Boolean({ default: false }),
  },
  strict,
)

export const StartPod = Type.Object(
  {
    id: Id,
    name: ResourceName,
    container: Container,
    gpuTypeIds: Type.Array(Type.String(), { minItems: 1 }),
    gpuCount: Type.Integer({ minimum: 1, default: 1 }),
    persistentGb: Type.Integer({ minimum: 0, default: 0 }),
  },
  strict,
)

export const StartEndpoint = Type.Object(
  {
    id: Id,
    name: ResourceName,
    type: OneOf(endpointTypes, { default: 'QUEUE' }),
    container: Container,
    gpuTypeIds: Type.Array(Type.String(), { minItems: 1 }),
    gpuCount: Type.Integer({ minimum: 1, default: 1 }),
    scaling: Type.Optional(Scaling),
    workersMin: Type.Integer({ minimum: 0, default: 0 }),
    workersMax: Type.Integer({ minimum: 0, default: 3 }),
    workersStandby: Type.Optional(Type.Integer({ minimum: 0 })),
    idleTimeoutMs: Type.Integer({ minimum: 1_000, maximum: 3_600_000, default: 5_000 }),
    executionTimeoutMs: Type.Integer({ minimum: 0, default: 600_000 }),
    flashBoot: OneOf(flashBootModes, { default: 'OFF' }),
    handler: Type.Optional(Type.String()),
    /** One of the platform's own, which every account may call. */
    public: Type.Boolean({ default: false }),
  },
  strict,
)

export const StartVolume = Type.Object(
  {
    id: Id,
    name: ResourceName,
    sizeGb: Type.Integer({ minimum: 1 }),
    dataCenterId: Type.String(),
    type: Type.Optional(OneOf(volumeTypes)),
  },
  strict,
)

export const StartState = Type.Object(
  {
    account: Account,
    keys: Type.Array(ApiKey, { default: [] }),
    templates: Type.Array(StartTemplate, { default: [] }),
    networkVolumes: Type.Array(StartVolume, { default: [] }),
    pods: Type.Array(StartPod, { default: [] }),
    endpoints: Type.Array(StartEndpoint, { default: [] }),
  },
  strict,
)
export type StartState = Static<typeof StartState>
