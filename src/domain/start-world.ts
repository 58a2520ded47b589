/** Makes a world as its fixture describes it. */
import { gpuCompute } from '../model/compute.ts'
import type { EndpointSpec } from '../model/endpoint.ts'
import type { PodSpec } from '../model/pod.ts'
import type { StartState } from '../model/start-state.ts'
import { World, type WorldOptions } from '../world/world.ts'
import { plainContainer } from './containers.ts'
import { addEndpoint } from './endpoints.ts'
import { createPodWithId } from './pods.ts'
import { volumeType } from './volumes.ts'

export function startWorld(options: WorldOptions): World {
  const world = new World(options)
  const { start } = options.settings
  for (const template of start.templates) addTemplate(world, template)
  for (const volume of start.networkVolumes) {
    const type = volumeType(world, volume)
    world.networkVolumes.put({ ...volume, type, createdAtMs: world.nowMs })
  }
  for (const pod of start.pods) createPodWithId(world, pod.id, toPodSpec(pod))
  for (const { id, handler = null, public: isPublic, ...endpoint } of start.endpoints) {
    addEndpoint(world, toEndpointSpec(endpoint), { id, handler, isPublic })
  }
  return world
}

function addTemplate(world: World, template: StartState['templates'][number]): void {
  const { id, name, container, serverless } = template
  world.templates.put({
    id,
    spec: {
      name,
      container: { ...plainContainer, ...container },
      persistent: null,
      serverless,
      public: false,
      category: 'NVIDIA',
      readme: '',
      startSsh: true,
      startJupyter: true,
      allowedCudaVersions: [],
    },
    createdAtMs: world.nowMs,
    boundEndpointId: null,
  })
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
  endpoint: Omit<StartState['endpoints'][number], 'id' | 'handler' | 'public'>,
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
