/** A worker that nothing has happened to yet. */
import type { Endpoint } from '../../model/endpoint.ts'
import type { Worker } from '../../model/worker.ts'
import type { World } from '../../world/world.ts'

export function newWorker(world: World, endpoint: Endpoint, id: string): Worker {
  return {
    id,
    endpointId: endpoint.id,
    backend: endpoint.backend.type,
    status: 'INITIALIZING',
    stage: null,
    placement: null,
    version: endpoint.version,
    image: endpoint.spec.container.image,
    createdAtMs: world.nowMs,
    startedAtMs: null,
    bootingSinceMs: world.nowMs,
    jobId: null,
    requestsInFlight: 0,
    crashes: 0,
    crashingSinceMs: null,
    active: false,
    timer: null,
  }
}
