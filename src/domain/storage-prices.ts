/** What disks cost. Spec: published by the GB and month; charged by the hour. */
import type { VolumeType } from '../model/storage.ts'

// Assumed: a month is 730 hours, a twelfth of a year.
const monthHours = 730

// Spec: 0.10 USD per GB and month for the disks of what runs; a stopped pod's disk costs double.
const diskUsdPerGbMonth = 0.1
const stoppedDiskUsdPerGbMonth = 0.2

// Spec: network volumes cost 0.07 USD up to 1 TB and 0.05 above. Assumed: what is above, and not the
// whole volume; 1 TB is 1000 GB; and fast ones cost double, for which nothing is published.
const volumeUsdPerGbMonth = { upToLimit: 0.07, aboveLimit: 0.05 }
const volumeLimitGb = 1_000
const volumeFactor = { STANDARD: 1, HIGH_PERFORMANCE: 2 } as const satisfies Record<
  VolumeType,
  number
>

/** USD per hour, for as long as the pod or worker runs. */
export function diskUsdPerHour(sizeGb: number): number {
  return (sizeGb * diskUsdPerGbMonth) / monthHours
}

/** USD per hour, for the disk that a stopped pod keeps. */
export function stoppedDiskUsdPerHour(sizeGb: number): number {
  return (sizeGb * stoppedDiskUsdPerGbMonth) / monthHours
}

/** USD per hour, attached or not. */
export function volumeUsdPerHour(sizeGb: number, type: VolumeType): number {
  const { upToLimit, aboveLimit } = volumeUsdPerGbMonth
  const low = Math.min(sizeGb, volumeLimitGb) * upToLimit
  const high = Math.max(0, sizeGb - volumeLimitGb) * aboveLimit
  return ((low + high) * volumeFactor[type]) / monthHours
}
