/** The environment that the platform gives to a worker's program. */
import { environmentOf } from '../../domain/environment.ts'
import { pingIntervalMs } from '../../domain/serverless/heartbeats.ts'
import type { Placement } from '../../model/compute.ts'
import type { Endpoint } from '../../model/endpoint.ts'
import type { World } from '../../world/world.ts'

export interface WorkerPlace {
  readonly endpoint: Endpoint
  readonly workerId: string
  /** Null for a worker that runs on a machine of somebody else's. */
  readonly placement: Placement | null
  /** `http://127.0.0.1:4300` */
  readonly url: string
  /** What the worker shows; its endpoint's own key unless several worlds share that. */
  readonly key: string
  /** Whether the SDK may look for memory, disk, network and GPU as it starts. */
  readonly systemChecks: boolean
}

/** Observed: the names and the forms of addresses. What the endpoint's container sets goes over the rest. */
export function workerEnvironment(world: World, place: WorkerPlace): Record<string, string> {
  const { endpoint, workerId, placement, systemChecks } = place
  return {
    ...(systemChecks ? {} : skippedChecks),
    RUNPOD_PING_INTERVAL: String(pingIntervalMs(world)),
    ...environmentOf(world, endpoint.spec.container),
    // A web server has nothing to ask the queue.
    ...(endpoint.spec.type === 'QUEUE' ? addresses(place) : {}),
    RUNPOD_POD_ID: workerId,
    RUNPOD_POD_HOSTNAME: `${workerId}-${placement?.machineId ?? 'attached'}`,
    RUNPOD_ENDPOINT_ID: endpoint.id,
    RUNPOD_AI_API_KEY: place.key,
    ...(placement === null ? {} : machine(placement)),
  }
}

// Observed: without the internet the SDK's network check ends a worker before its first question.
const skippedChecks = { RUNPOD_SKIP_AUTO_SYSTEM_CHECKS: 'true', RUNPOD_SKIP_GPU_CHECK: 'true' }

/** Each has a query, because the SDK appends to it. `$ID` is the SDK's placeholder for a job. */
function addresses({ endpoint, workerId, placement, url }: WorkerPlace): Record<string, string> {
  const gpu = encodeURIComponent(placement?.gpuTypeId ?? 'none').replaceAll('%20', '+')
  const at = (word: string, rest = '') =>
    `${url}/v2/${endpoint.id}/${word}/${workerId}${rest}?gpu=${gpu}`
  return {
    RUNPOD_WEBHOOK_GET_JOB: at('job-take'),
    RUNPOD_WEBHOOK_POST_OUTPUT: at('job-done', '/$ID'),
    RUNPOD_WEBHOOK_POST_STREAM: at('job-stream', '/$ID'),
    RUNPOD_WEBHOOK_PING: at('ping'),
  }
}

function machine(placement: Placement): Record<string, string> {
  const { gpuTypeId, gpuCount, vcpuCount, memoryGb, dataCenterId } = placement
  return {
    ...(gpuTypeId === null ? {} : { RUNPOD_GPU_TYPE_ID: gpuTypeId }),
    RUNPOD_GPU_COUNT: String(gpuCount),
    RUNPOD_CPU_COUNT: String(vcpuCount),
    RUNPOD_MEM_GB: String(memoryGb),
    RUNPOD_DC_ID: dataCenterId,
  }
}
