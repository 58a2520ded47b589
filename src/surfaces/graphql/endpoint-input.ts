/** What a GraphQL caller says about an endpoint, and the endpoint that this asks for. */
import { typesOfPools } from '../../domain/gpu-pools.ts'
import type { Certificate } from '../../model/catalog.ts'
import { type Compute, gpuCompute } from '../../model/compute.ts'
import type { ContainerSpec } from '../../model/container.ts'
import {
  EndpointSpec,
  type EndpointType,
  type FlashBoot,
  type Scaling,
} from '../../model/endpoint.ts'
import { invalidField, notFound, ruleViolation } from '../../model/errors.ts'
import type { World } from '../../world/world.ts'
import { validate } from '../http/validate.ts'
import { findGpuType } from './gpu-types.ts'
import { findRelease } from './hub.ts'
import { parts, refuseUnemulated, said, saidList, type Wire } from './inputs.ts'
import { toInstance } from './instances.ts'
import type { TemplateInput } from './templates.ts'

export interface EndpointInput {
  readonly id?: Wire<string>
  readonly name: string
  readonly templateId?: Wire<string>
  readonly template?: Wire<TemplateInput>
  readonly type?: Wire<string>
  readonly gpuIds?: Wire<string>
  readonly gpuCount?: Wire<number>
  readonly instanceIds?: Wire<readonly Wire<string>[]>
  readonly workersMin?: Wire<number>
  readonly workersStandby?: Wire<number>
  readonly workersMax?: Wire<number>
  readonly idleTimeout?: Wire<number>
  readonly scalerType?: Wire<string>
  readonly scalerValue?: Wire<number>
  readonly locations?: Wire<string>
  readonly dataCenterIds?: Wire<readonly Wire<string>[]>
  readonly networkVolumeId?: Wire<string>
  readonly networkVolumeIds?: Wire<readonly Wire<{ readonly networkVolumeId: string }>[]>
  readonly executionTimeoutMs?: Wire<number>
  readonly allowedCudaVersions?: Wire<string>
  readonly minCudaVersion?: Wire<string>
  readonly flashBootType?: Wire<FlashBoot>
  readonly flashEnvironmentId?: Wire<string>
  readonly hubReleaseId?: Wire<string>
  readonly modelReferences?: Wire<readonly Wire<string>[]>
  readonly compliance?: Wire<readonly Wire<Certificate>[]>
}

/** What holds where the caller says nothing, by what there was before. */
export interface Base {
  readonly container: ContainerSpec
  readonly templateId: string | null
  /** Undefined for a new endpoint. */
  readonly before: EndpointSpec | undefined
}

/** Spec: 5 seconds for a new endpoint. Observed: 10 in an update that names none. */
const idleTimeoutS = { create: 5, update: 10 }
/** Observed: an update that does not name them puts them back to these. */
const workersMax = 3
const scalerValue = 4
/** Spec (v1): ten minutes. */
const executionTimeoutMs = 600_000

export function toEndpointSpec(world: World, input: EndpointInput, base: Base): EndpointSpec {
  refuseUnemulated('saveEndpoint', input)
  const { before } = base
  const type = toType(input.type, before?.type)
  const workersStandby = said(input.workersStandby) ?? before?.workersStandby
  const idle = said(input.idleTimeout) ?? (before ? idleTimeoutS.update : idleTimeoutS.create)
  const spec: EndpointSpec = {
    name: input.name,
    type,
    container: base.container,
    compute: toCompute(world, input, before?.compute),
    locations: toLocations(world, input) ?? before?.locations ?? [],
    templateId: base.templateId,
    networkVolumeIds: toVolumeIds(input) ?? before?.networkVolumeIds ?? [],
    scaling: toScaling(type, input, before?.scaling),
    workersMin: input.workersMin ?? before?.workersMin ?? 0,
    workersMax: input.workersMax ?? workersMax,
    ...(workersStandby !== undefined && { workersStandby }),
    idleTimeoutMs: idle * 1_000,
    executionTimeoutMs:
      input.executionTimeoutMs ?? before?.executionTimeoutMs ?? executionTimeoutMs,
    flashBoot: toFlashBoot(input) ?? before?.flashBoot ?? 'OFF',
    ...toOrigins(world, input, before),
  }
  validate(EndpointSpec, spec, 'bodies')
  return spec
}

type Origins = Pick<
  EndpointSpec,
  'flashEnvironmentId' | 'hubReleaseId' | 'modelReferences' | 'compliance'
>

/** Where it comes from and what it asks for. Observed: an update that names none changes none. */
function toOrigins(world: World, input: EndpointInput, before: Origins | undefined): Origins {
  const flashEnvironmentId = said(input.flashEnvironmentId) ?? before?.flashEnvironmentId
  const hubReleaseId = said(input.hubReleaseId) ?? before?.hubReleaseId
  const modelReferences = saidList(input.modelReferences) ?? before?.modelReferences
  const compliance = saidList(input.compliance) ?? before?.compliance
  if (flashEnvironmentId !== undefined) world.flashEnvironments.require(flashEnvironmentId)
  if (hubReleaseId !== undefined && findRelease(world, hubReleaseId) === undefined) {
    throw notFound('hub release', hubReleaseId)
  }
  return {
    ...(flashEnvironmentId !== undefined && { flashEnvironmentId }),
    ...(hubReleaseId !== undefined && { hubReleaseId }),
    ...(modelReferences !== undefined && { modelReferences }),
    ...(compliance !== undefined && { compliance }),
  }
}

const types: Readonly<Record<string, EndpointType>> = { QB: 'QUEUE', LB: 'LOAD_BALANCER' }

function toType(type: Wire<string>, before: EndpointType | undefined): EndpointType {
  const word = said(type)
  if (word === undefined) return before ?? 'QUEUE'
  const known = types[word]
  if (known === undefined) throw invalidField(['input', 'type'], 'must be QB or LB')
  return known
}

/** Observed: instances with no pools make it a CPU endpoint; there is no field that says so. */
function toCompute(world: World, input: EndpointInput, before: Compute | undefined): Compute {
  const { catalog } = world.settings
  const entries = parts(input.gpuIds)
  const instanceIds = saidList(input.instanceIds)
  if (entries.length === 0 && instanceIds !== undefined) {
    return { kind: 'CPU', instances: instanceIds.map((id) => toInstance(catalog, id)) }
  }
  if (entries.length === 0 && before === undefined) {
    throw ruleViolation('gpuIds or instanceIds is required')
  }
  if (entries.length === 0 && before?.kind === 'CPU') return before
  const gpus = before?.kind === 'GPU' ? before : gpuCompute([])
  return {
    ...gpus,
    gpuTypeIds: entries.length === 0 ? gpus.gpuTypeIds : toTypes(world, entries),
    count: said(input.gpuCount) ?? gpus.count,
    allowedCudaVersions: said(parts(input.allowedCudaVersions)) ?? gpus.allowedCudaVersions,
    minCudaVersion: said(input.minCudaVersion) ?? gpus.minCudaVersion,
  }
}

/** Entries are pools, and types with a minus that are not wanted of them. */
function toTypes(world: World, entries: readonly string[]): string[] {
  const { catalog } = world.settings
  const pools = entries.filter((entry) => !entry.startsWith('-'))
  const members = catalog.pools.filter(({ id }) => pools.includes(id))
  const excluded = entries.filter((entry) => entry.startsWith('-')).map((entry) => entry.slice(1))
  for (const id of excluded) {
    if (findGpuType(world, id) === undefined) throw ruleViolation(`unknown GPU type '${id}'`)
  }
  // Observed: clients also exclude types that are in none of the pools, which changes nothing.
  const excludedTypeIds = excluded.filter((id) =>
    members.some(({ gpuTypeIds }) => gpuTypeIds.includes(id)),
  )
  return typesOfPools(catalog, { pools, excludedTypeIds })
}

/** Spec: the countries that a location may be. */
const countries = ['CZ', 'FR', 'GB', 'NO', 'RO', 'US']

/** Spec: empty and null mean anywhere. Undefined when the caller says nothing at all. */
function toLocations(world: World, input: EndpointInput): string[] | undefined {
  if (input.locations === undefined && input.dataCenterIds === undefined) return undefined
  const locations = [...parts(input.locations), ...(saidList(input.dataCenterIds) ?? [])]
  const known = new Set([...countries, ...world.stock.dataCenters.map(({ id }) => id)])
  for (const location of locations) {
    if (known.has(location)) continue
    throw ruleViolation(
      `unknown location '${location}'; use ${countries.join(', ')} or the id of a data center`,
    )
  }
  return locations
}

function toVolumeIds(input: EndpointInput): string[] | undefined {
  if (input.networkVolumeId === undefined && input.networkVolumeIds === undefined) return undefined
  const listed = saidList(input.networkVolumeIds) ?? []
  const single = said(input.networkVolumeId)
  const ids = listed.map(({ networkVolumeId }) => networkVolumeId)
  return [...new Set(single === undefined ? ids : [single, ...ids])]
}

/** Assumed: a new load balancer scales by its requests, like one made elsewhere. */
function toScaling(type: EndpointType, input: EndpointInput, before: Scaling | undefined): Scaling {
  const byType = type === 'QUEUE' ? 'QUEUE_DELAY' : 'REQUEST_COUNT'
  const scaler = said(input.scalerType) ?? before?.type ?? byType
  const value = said(input.scalerValue) ?? scalerValue
  if (scaler === 'QUEUE_DELAY') return { type: scaler, queueDelayMs: value * 1_000 }
  if (scaler === 'REQUEST_COUNT') return { type: scaler, requestCount: value }
  throw invalidField(['input', 'scalerType'], 'must be QUEUE_DELAY or REQUEST_COUNT')
}

/** Observed: before there was a field for it, a name that ends in -fb asked for it. */
function toFlashBoot({ flashBootType, name }: EndpointInput): FlashBoot | undefined {
  return said(flashBootType) ?? (name.endsWith(' -fb') ? 'FLASHBOOT' : undefined)
}
