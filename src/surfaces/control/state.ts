/** The whole of a world, short enough to look at: counts, and one line for each resource. */
import { balanceOf } from '../../domain/billing.ts'
import type { World } from '../../world/world.ts'
import { toIso } from '../http/reply.ts'

/** How many of each kind are listed; the counts are always of all. */
const listLimit = 100

export function describeWorld(world: World) {
  return {
    now: toIso(world.nowMs),
    account: { id: world.account.id, balanceUsd: balanceOf(world) },
    counts: {
      pods: world.pods.size,
      endpoints: world.endpoints.size,
      workers: world.workers.size,
      jobs: world.jobs.size,
      templates: world.templates.size,
      networkVolumes: world.networkVolumes.size,
      registries: world.registries.size,
      secrets: world.secrets.size,
      clusters: world.clusters.size,
      builds: world.builds.size,
      webhookDeliveries: world.deliveries.size,
      timelineEntries: world.timeline.entryCount,
      pendingEvents: world.timeline.pendingCount,
    },
    pods: first(world.pods.values()).map(({ id, spec, status, placement }) => ({
      id,
      name: spec.name,
      status,
      gpuTypeId: placement.gpuTypeId,
      dataCenterId: placement.dataCenterId,
      costPerHourUsd: placement.costPerHourUsd,
    })),
    endpoints: first(world.endpoints.values()).map(({ id, spec, version, handler }) => ({
      id,
      name: spec.name,
      type: spec.type,
      version,
      handler: handler ?? 'echo',
      jobs: world.queues.of(id).jobs,
      workers: world.queues.of(id).workers,
    })),
    workers: first(world.workers.values()).map(({ id, endpointId, status, jobId, placement }) => ({
      id,
      endpointId,
      status,
      jobId,
      gpuTypeId: placement?.gpuTypeId ?? null,
    })),
  }
}

/** What will happen next, soonest first. */
export function describePending(world: World, limit: number) {
  return world.timeline.pending.slice(0, limit).map(({ atMs, event, cause }) => ({
    at: toIso(atMs),
    inMs: atMs - world.nowMs,
    event,
    cause,
  }))
}

function first<Item>(items: Iterable<Item>): Item[] {
  const taken: Item[] = []
  for (const item of items) {
    if (taken.length === listLimit) break
    taken.push(item)
  }
  return taken
}
