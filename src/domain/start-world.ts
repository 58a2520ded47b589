/** Makes a world as its fixture describes it. */
import type { ClusterSpec } from '../model/cluster.ts'
import { gpuCompute } from '../model/compute.ts'
import type { EndpointSpec } from '../model/endpoint.ts'
import type { PodSpec } from '../model/pod.ts'
import type { StartState } from '../model/start-state.ts'
import type { Template } from '../model/template.ts'
import { World, type WorldOptions } from '../world/world.ts'
import { createClusterWithId } from './clusters.ts'
import { plainContainer } from './containers.ts'
import { createDelegationWithId } from './delegations.ts'
import { addEndpoint } from './endpoints.ts'
import { addFault } from './faults/rules.ts'
import { setPodUse } from './pod-use.ts'
import { createPodWithId } from './pods.ts'
import { createRegistryWithId } from './registries.ts'
import { createSecretWithId } from './secrets.ts'
import { recordEndedBuild, startBuildWithId } from './serverless/builds.ts'
import { putVolume, volumeType } from './volumes.ts'

export function startWorld(options: WorldOptions): World {
  const world = new World(options)
  const { start } = options.settings
  for (const { id, ...secret } of start.secrets) createSecretWithId(world, id, secret)
  for (const { id, ...registry } of start.registries) createRegistryWithId(world, id, registry)
  for (const { id, ...delegation } of start.delegations) {
    createDelegationWithId(world, id, delegation)
  }
  for (const template of start.templates) {
    world.templates.put(toTemplate(world, template, null))
  }
  for (const template of start.publicTemplates) {
    const shown = { ...template, public: true }
    world.publicTemplates.put(toTemplate(world, shown, template.source))
  }
  for (const volume of start.networkVolumes) {
    const type = volumeType(world, volume)
    putVolume(world, { ...volume, type, createdAtMs: world.nowMs })
  }
  for (const pod of start.pods) {
    createPodWithId(world, pod.id, toPodSpec(pod), pod.backend)
    if (pod.use !== undefined) setPodUse(world, pod.id, pod.use)
  }
  for (const { id, ...cluster } of start.clusters) {
    createClusterWithId(world, id, toClusterSpec(cluster))
  }
  for (const endpoint of start.endpoints) addStartEndpoint(world, endpoint)
  for (const rule of start.faults) addFault(world, rule)
  return world
}

export function addStartEndpoint(world: World, start: StartState['endpoints'][number]): void {
  const { id, handler = null, backend, public: isPublic, builds, ...endpoint } = start
  const extras = { id, handler, isPublic, ...(backend === undefined ? {} : { backend }) }
  addEndpoint(world, toEndpointSpec(endpoint), extras)
  for (const build of builds) addBuild(world, id, build)
}

function toTemplate(
  world: World,
  template: StartState['templates'][number],
  source: Template['source'],
): Template {
  const { id, name, container, serverless, category, readme } = template
  return {
    id,
    spec: {
      name,
      container: { ...plainContainer, ...container },
      persistent: null,
      serverless,
      public: template.public,
      category,
      readme,
      startSsh: true,
      startJupyter: true,
      allowedCudaVersions: [],
    },
    createdAtMs: world.nowMs,
    boundEndpointId: null,
    source,
  }
}

function toClusterSpec(cluster: Omit<StartState['clusters'][number], 'id'>): ClusterSpec {
  return {
    ...cluster,
    container: { ...plainContainer, ...cluster.container },
    allowedCudaVersions: [],
    locations: [],
    persistent: null,
    network: null,
    templateId: null,
  }
}

function addBuild(
  world: World,
  endpointId: string,
  build: StartState['endpoints'][number]['builds'][number],
): void {
  const { id, status, commitHash, commitMessage, branch, image = null, error = null } = build
  const commit = {
    hash: commitHash ?? null,
    message: commitMessage ?? null,
    branch: branch ?? null,
    atMs: null,
  }
  if (status === 'PENDING') {
    startBuildWithId(world, id, endpointId, { commit, outcome: 'COMPLETED', tested: false })
  } else {
    const ended = { commit, outcome: status, tested: status === 'TEST_FAILED' }
    recordEndedBuild(world, id, endpointId, { ...ended, image, error })
  }
}

function toPodSpec(pod: StartState['pods'][number]): PodSpec {
  const { name, container, gpuTypeIds, gpuCount, persistentGb } = pod
  return {
    name,
    container: { ...plainContainer, ...container },
    compute: gpuCompute(gpuTypeIds, gpuCount),
    clouds: ['SECURE'],
    locations: [],
    persistent: persistentGb === 0 ? null : { sizeGb: persistentGb, path: '/workspace' },
    network: null,
    templateId: null,
    interruptible: false,
    locked: false,
    globalNetworking: false,
  }
}

function toEndpointSpec(
  endpoint: Omit<
    StartState['endpoints'][number],
    'id' | 'handler' | 'backend' | 'public' | 'builds'
  >,
): EndpointSpec {
  const { container, gpuTypeIds, gpuCount, scaling, ...rest } = endpoint
  // Spec: a load-balancing endpoint scales by its requests, a queue by its delay.
  const byType =
    endpoint.type === 'QUEUE'
      ? ({ type: 'QUEUE_DELAY', queueDelayMs: 4_000 } as const)
      : ({ type: 'REQUEST_COUNT', requestCount: 4 } as const)
  return {
    ...rest,
    container: { ...plainContainer, ...container },
    compute: gpuCompute(gpuTypeIds, gpuCount),
    locations: [],
    templateId: null,
    networkVolumeIds: [],
    scaling: scaling ?? byType,
  }
}
