/**
 * What a pod costs: its machine and its disks while it has the machine, and then the disk it keeps. A
 * cluster's pods are on the cluster's bill. Assumed: its network costs nothing, as no price is known.
 */
import type { Amounts, Tariff } from '../model/ledger.ts'
import { holdsCompute, type Pod, type PodStatus } from '../model/pod.ts'
import { Alike } from '../sim/alike.ts'
import type { World } from '../world/world.ts'
import { runMeter, stopMeter } from './billing.ts'
import { diskUsdPerHour, stoppedDiskUsdPerHour } from './storage-prices.ts'

/**
 * To be called before a changed pod is put: what costs as before runs on. `status`: the one that it is
 * about to enter.
 */
export function meterPod(world: World, pod: Pod, status = pod.status): void {
  // Spec: what brings the data of a pod that migrates is not charged.
  if (status === 'TERMINATED' || pod.migratesFrom !== undefined) stopMeter(world, pod.id)
  else if (!costsTheSame(world.pods.find(pod.id), pod, status)) {
    runMeter(world, pod.id, tariffOf(pod, status))
  }
}

/** Most steps change nothing that is paid for. */
function costsTheSame(before: Pod | undefined, after: Pod, status: PodStatus): boolean {
  const { spec, placement, migratesFrom } = after
  return (
    before?.spec === spec &&
    before.placement === placement &&
    before.migratesFrom === migratesFrom &&
    holdsCompute(before.status) === holdsCompute(status)
  )
}

function tariffOf(pod: Pod, status: PodStatus): Tariff {
  const { id, spec, placement, cluster } = pod
  return {
    kind: cluster === null ? 'pod' : 'cluster',
    resourceId: cluster === null ? id : cluster.clusterId,
    usdPerHour: ratesOf(pod, status),
    diskGb: diskGbOf(pod, status),
    active: false,
    gpuTypeId: placement.gpuTypeId,
    dataCenterId: placement.dataCenterId,
    image: spec.container.image,
    templateId: spec.templateId,
  }
}

/** Assumed: paid for from the moment it has a machine, while it starts too, as its `cost` says. */
function ratesOf(pod: Pod, status: PodStatus): Amounts {
  const diskGb = diskGbOf(pod, status)
  if (!holdsCompute(status)) return { disk: stoppedDiskUsdPerHour(diskGb) }
  const { gpuTypeId, costPerHourUsd } = pod.placement
  const disk = diskUsdPerHour(diskGb)
  return rates.of(
    gpuTypeId === null ? { cpu: costPerHourUsd, disk } : { gpu: costPerHourUsd, disk },
  )
}

const rates = new Alike<Amounts>()

/** Spec: a stop wipes the container's disk and keeps the persistent one. */
function diskGbOf({ spec }: Pod, status: PodStatus): number {
  const keptGb = spec.persistent?.sizeGb ?? 0
  return holdsCompute(status) ? keptGb + spec.container.diskGb : keptGb
}
