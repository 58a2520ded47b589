/** What can be done to endpoints. How their workers come and go is the autoscaler's. */
import type { Endpoint, EndpointSpec } from '../model/endpoint.ts'
import { ruleViolation } from '../model/errors.ts'
import { endedStatuses } from '../model/job.ts'
import type { Backend } from '../model/program.ts'
import type { SettingChange } from '../model/release.ts'
import type { World } from '../world/world.ts'
import { requireKnownTypes } from './capacity.ts'
import { requireQuota } from './quota.ts'
import { requireRegistry } from './registries.ts'
import { forgetBatches } from './serverless/batches.ts'
import { forgetBuilds } from './serverless/builds.ts'
import { cancelJob } from './serverless/jobs.ts'
import { retireProgram } from './serverless/leases.ts'
import { forgetCalls } from './serverless/rates.ts'
import { changesBetween, recordRelease } from './serverless/releases.ts'
import { scaleEndpoint } from './serverless/scaling.ts'
import { beginUsage, endUsage } from './serverless/usage.ts'
import { removeWorker } from './serverless/workers.ts'
import { requireTemplate } from './templates.ts'

/** What an endpoint is made with besides its spec. */
export interface EndpointExtras {
  /** An id of the caller's choice, for fixtures; drawn when absent. */
  readonly id?: string
  /** The fixture that answers; echo when absent. */
  readonly handler?: string | null
  /** What runs as its workers; simulated when absent. */
  readonly backend?: Backend
  /** One of the platform's own. */
  readonly isPublic?: boolean
}

export function createEndpoint(
  world: World,
  spec: EndpointSpec,
  extras: EndpointExtras = {},
): Endpoint {
  requireSound(world, spec)
  requireQuota(world, null, spec.workersMax)
  return addEndpoint(world, spec, extras)
}

/** For fixtures, which choose ids and handlers, and are not held to a quota. */
export function addEndpoint(
  world: World,
  spec: EndpointSpec,
  extras: EndpointExtras = {},
): Endpoint {
  requireSound(world, spec)
  const { id = world.ids.next('endpoint'), handler = null, isPublic = false } = extras
  const endpoint: Endpoint = {
    id,
    spec,
    version: 1,
    createdAtMs: world.nowMs,
    aiKey: world.ids.apiKey(),
    handler,
    backend: extras.backend ?? { type: 'simulated' },
    public: isPublic,
    timer: null,
  }
  world.timeline.record('endpoint.created', id)
  world.endpoints.put(endpoint)
  beginUsage(world, id)
  recordRelease(world, endpoint, [])
  scaleEndpoint(world, id)
  return world.endpoints.require(id)
}

/**
 * Spec: changes of scaling, workers, timeouts and name apply in place; a change of what workers are
 * made from makes a new version, and workers are replaced: idle ones at once, busy ones after their
 * job. `buildId`: the build that asks for it, if one does.
 */
export function updateEndpoint(
  world: World,
  endpointId: string,
  spec: EndpointSpec,
  buildId: string | null = null,
): Endpoint {
  const endpoint = world.endpoints.requireListed(endpointId)
  requireSoundChange(world, endpoint, spec)
  const changes = changesBetween(world, endpoint.spec, spec)
  const rolls = changes.length > 0
  const version = endpoint.version + (rolls ? 1 : 0)
  world.timeline.record('endpoint.updated', endpointId, { version })
  const updated = world.endpoints.put({ ...endpoint, spec, version })
  if (rolls) {
    recordRelease(world, updated, changes, buildId)
    replaceIdleWorkers(world, endpointId)
  }
  scaleEndpoint(world, endpointId)
  return world.endpoints.require(endpointId)
}

/** What its workers run has changed, and nothing that the platform knows of: a version all the same. */
export function releaseProgram(world: World, endpointId: string, change: SettingChange): Endpoint {
  const endpoint = world.endpoints.requireListed(endpointId)
  if (endpoint.backend.type === 'simulated') {
    throw ruleViolation(`endpoint ${endpointId} has simulated workers: there is nothing to replace`)
  }
  return release(world, endpoint, change)
}

/** What its workers do, and what runs as them where that is named, is another from now on. */
export function changeWorkers(
  world: World,
  endpoint: Endpoint,
  { handler, backend = endpoint.backend }: Pick<EndpointExtras, 'handler' | 'backend'>,
): void {
  const changed = world.endpoints.put({ ...endpoint, handler: handler ?? null, backend })
  const [old, now] = [JSON.stringify(endpoint.backend), JSON.stringify(backend)]
  if (old !== now) release(world, changed, { field: 'program', old, new: now })
}

function release(world: World, endpoint: Endpoint, change: SettingChange): Endpoint {
  const { id } = endpoint
  const version = endpoint.version + 1
  world.timeline.record('endpoint.updated', id, { version })
  const updated = world.endpoints.put({ ...endpoint, version })
  recordRelease(world, updated, [change])
  replaceIdleWorkers(world, id)
  scaleEndpoint(world, id)
  return world.endpoints.require(id)
}

/** Spec: cancels its jobs, stops its workers, and deletes the template that is bound to it. */
export function deleteEndpoint(world: World, endpointId: string): void {
  const endpoint = world.endpoints.requireListed(endpointId)
  // Without workers to hand them to, jobs that end make no new work.
  for (const workerId of [...world.queues.of(endpointId).workerIds]) {
    removeWorker(world, world.workers.require(workerId), 'endpoint deleted')
  }
  const spec = { ...endpoint.spec, workersMin: 0, workersMax: 0 }
  world.endpoints.put({ ...endpoint, spec })
  for (const job of world.jobs.where((job) => job.endpointId === endpointId)) {
    const ended = endedStatuses.has(job.status) ? job : cancelJob(world, job)
    world.timeline.cancel(ended.timer)
    world.jobs.remove(ended.id)
  }
  forgetBatches(world, endpointId)
  for (const request of world.requests.where((request) => request.endpointId === endpointId)) {
    world.timeline.cancel(request.timer)
    world.requests.remove(request.id)
    world.emit({ kind: 'request.ended', id: request.id, answer: null, workerId: null })
  }
  for (const release of world.releases.where((release) => release.endpointId === endpointId)) {
    world.releases.remove(release.id)
  }
  forgetBuilds(world, endpointId)
  for (const template of world.templates.all()) {
    if (template.boundEndpointId === endpointId) world.templates.remove(template.id)
  }
  world.timeline.cancel(world.endpoints.require(endpointId).timer)
  endUsage(world, endpointId)
  forgetCalls(world, endpointId)
  world.timeline.record('endpoint.deleted', endpointId)
  world.endpoints.remove(endpointId)
  world.queues.forget(endpointId)
}

/** Spec: GraphQL deletes an endpoint only when it is scaled to zero. */
export function requireScaledToZero(world: World, endpointId: string): void {
  const { spec } = world.endpoints.requireListed(endpointId)
  if (world.settings.fidelity.deleteEndpoint === 'always') return
  if (spec.workersMin > 0 || spec.workersMax > 0) {
    throw ruleViolation('set workersMin and workersMax to 0 before deleting an endpoint')
  }
}

/** Every reason there is to refuse such a change. */
export function requireSoundChange(world: World, endpoint: Endpoint, spec: EndpointSpec): void {
  if (spec.type !== endpoint.spec.type) {
    throw ruleViolation('the type of an endpoint is fixed when it is created')
  }
  requireSound(world, spec)
  requireQuota(world, endpoint.id, spec.workersMax)
}

/** Every reason there is to refuse such an endpoint. */
export function requireSound(world: World, spec: EndpointSpec): void {
  requireKnownTypes(world, spec.compute)
  requireRegistry(world, spec.container.registryId)
  if (spec.workersMin > spec.workersMax) {
    throw ruleViolation(
      `workersMin (${spec.workersMin}) must not exceed workersMax (${spec.workersMax})`,
    )
  }
  if (spec.templateId !== null) requireTemplate(world, spec.templateId)
  const dataCenterIds = spec.networkVolumeIds.map(
    (id) => world.networkVolumes.require(id).dataCenterId,
  )
  if (new Set(dataCenterIds).size < dataCenterIds.length) {
    throw ruleViolation('an endpoint has at most one network volume in each data center')
  }
}

function replaceIdleWorkers(world: World, endpointId: string): void {
  for (const workerId of [...world.queues.of(endpointId).workerIds]) {
    const worker = world.workers.require(workerId)
    const why = 'replaced by a new version'
    if (worker.status === 'RUNNING') retireProgram(world, worker, why)
    else removeWorker(world, worker, why)
  }
}
