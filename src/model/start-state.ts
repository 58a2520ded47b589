/** A world's start state, as fixtures write it: whose it is and what is in it at the beginning. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { Account, ApiKey } from './account.ts'
import { buildOutcomes } from './build.ts'
import { ClusterSpec } from './cluster.ts'
import { ContainerSpec } from './container.ts'
import { DelegationResource } from './delegation.ts'
import { endpointTypes, flashBootModes, Scaling } from './endpoint.ts'
import { FaultRule } from './fault.ts'
import { Listing } from './hub.ts'
import { podBackends, ResourceName } from './pod.ts'
import { PodUse } from './pod-use.ts'
import { Backend } from './program.ts'
import { OneOf } from './schema.ts'
import { SecretName } from './secret.ts'
import { volumeTypes } from './storage.ts'
import { templateCategories, templateSources } from './template.ts'

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
    public: Type.Boolean({ default: false }),
    category: OneOf(templateCategories, { default: 'NVIDIA' }),
    readme: Type.String({ default: '' }),
  },
  strict,
)

/** One that everybody can read and use, and only its owner can change. */
export const StartPublicTemplate = Type.Composite(
  [
    Type.Omit(StartTemplate, ['public']),
    Type.Object({ source: OneOf(templateSources, { default: 'official' }) }),
  ],
  strict,
)

/** A build of an endpoint's repository: ended before the world began, or about to begin. */
export const StartBuild = Type.Object(
  {
    id: Id,
    status: OneOf(['PENDING', ...buildOutcomes]),
    commitHash: Type.Optional(Type.String()),
    commitMessage: Type.Optional(Type.String()),
    branch: Type.Optional(Type.String()),
    /** What came of one that is complete. */
    image: Type.Optional(Type.String({ minLength: 1 })),
    /** Why it came to nothing. */
    error: Type.Optional(Type.String()),
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
    /** What it uses of its machine while it runs; nothing when absent. */
    use: Type.Optional(PodUse),
    backend: OneOf(podBackends, { default: 'simulated' }),
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
    builds: Type.Array(StartBuild, { default: [] }),
    /** What runs as its workers; simulated when absent. */
    backend: Type.Optional(Backend),
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

export const StartSecret = Type.Object(
  { id: Id, name: SecretName, value: Type.String(), description: Type.Optional(Type.String()) },
  strict,
)

const Word = Type.String({ minLength: 1 })
export const StartRegistry = Type.Object(
  { id: Id, name: Word, username: Word, password: Word },
  strict,
)

export const StartDelegation = Type.Object(
  { id: Id, resource: DelegationResource, name: Type.Optional(Type.String()) },
  strict,
)

export const StartCluster = Type.Composite(
  [
    Type.Object({ id: Id, container: Container }),
    Type.Pick(ClusterSpec, ['name', 'type', 'gpuTypeId', 'gpuCountPerPod', 'podCount']),
  ],
  strict,
)

export const StartState = Type.Object(
  {
    account: Account,
    keys: Type.Array(ApiKey, { default: [] }),
    secrets: Type.Array(StartSecret, { default: [] }),
    registries: Type.Array(StartRegistry, { default: [] }),
    delegations: Type.Array(StartDelegation, { default: [] }),
    templates: Type.Array(StartTemplate, { default: [] }),
    publicTemplates: Type.Array(StartPublicTemplate, { default: [] }),
    networkVolumes: Type.Array(StartVolume, { default: [] }),
    pods: Type.Array(StartPod, { default: [] }),
    clusters: Type.Array(StartCluster, { default: [] }),
    endpoints: Type.Array(StartEndpoint, { default: [] }),
    /** What the hub lists, for everybody. */
    listings: Type.Array(Listing, { default: [] }),
    /** What goes wrong from the beginning. */
    faults: Type.Array(FaultRule, { default: [] }),
  },
  strict,
)
export type StartState = Static<typeof StartState>

/** One with an account and nothing else: every list as its schema has it. */
export function emptyStart(account: Account): StartState {
  const properties: Readonly<Record<string, { readonly default?: unknown }>> = StartState.properties
  const lists = Object.entries(properties).filter(([, schema]) => schema.default !== undefined)
  const empty = Object.fromEntries(lists.map(([name, schema]) => [name, schema.default]))
  return { ...empty, account } as StartState
}
