/** What each data center has free: the catalog's stock less what pods and workers hold. */
import type { Catalog, DataCenter } from '../model/catalog.ts'
import { tierKey } from '../model/catalog.ts'
import type { Placement } from '../model/compute.ts'
import type { CloudTier } from '../model/container.ts'
import { holdsCompute, type Pod } from '../model/pod.ts'
import type { Worker } from '../model/worker.ts'

export class Stock {
  #catalog: Catalog
  /** In use, by `dataCenter/type/cloud`. */
  readonly #used = new Map<string, number>()
  /** Changed at run time, by the same key: it stands for what the catalog says. */
  readonly #changed = new Map<string, number>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** GPUs of a type, in use or free. */
  totalGpus(dataCenter: DataCenter, gpuTypeId: string, cloud: CloudTier): number {
    const changed = this.#changed.get(`${dataCenter.id}/${gpuTypeId}/${cloud}`)
    return changed ?? dataCenter.gpus[gpuTypeId]?.[tierKey[cloud]] ?? 0
  }

  /** Free GPUs of a type. */
  freeGpus(dataCenter: DataCenter, gpuTypeId: string, cloud: CloudTier): number {
    const listed = dataCenter.gpus[gpuTypeId]?.[tierKey[cloud]] ?? 0
    // Most data centers do not have most types: there is nothing to look up.
    if (listed === 0 && this.#changed.size === 0) return 0
    const key = `${dataCenter.id}/${gpuTypeId}/${cloud}`
    const total = this.#changed.get(key) ?? listed
    return Math.max(0, total - (this.#used.get(key) ?? 0))
  }

  /** Free vCPUs of a flavor. Spec: CPU compute exists in the secure cloud only. */
  freeVcpus(dataCenter: DataCenter, flavorId: string): number {
    const key = `${dataCenter.id}/${flavorId}/SECURE`
    const total = this.#changed.get(key) ?? dataCenter.cpus[flavorId] ?? 0
    return Math.max(0, total - (this.#used.get(key) ?? 0))
  }

  /** True when more is held there than there is: stock was taken away from under it. */
  isOverdrawn(placement: Placement): boolean {
    if (this.#changed.size === 0) return false
    const key = keyOf(placement)
    const total = this.#changed.get(key)
    return total !== undefined && (this.#used.get(key) ?? 0) > total
  }

  /** Sets how much there is in all, held or free. */
  set(dataCenterId: string, typeId: string, cloud: CloudTier, total: number): void {
    this.#changed.set(`${dataCenterId}/${typeId}/${cloud}`, total)
    this.revision += 1
  }

  /** Grows with every change at run time. */
  revision = 0

  /** What was changed at run time: totals by `dataCenter/type/cloud`. */
  get changes(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#changed)
  }

  /** Has what another one has. There are as many entries as the catalog has places for. */
  share(other: Stock): void {
    for (const [key, amount] of other.#used) this.#used.set(key, amount)
    for (const [key, total] of other.#changed) this.#changed.set(key, total)
    this.revision = other.revision
  }

  restore(changes: Readonly<Record<string, number>>): void {
    for (const [key, total] of Object.entries(changes)) this.#changed.set(key, total)
  }

  /** The catalog has changed, but for what it says of stock. */
  useCatalog(catalog: Catalog): void {
    this.#catalog = catalog
  }

  get dataCenters(): readonly DataCenter[] {
    return this.#catalog.dataCenters
  }

  podChanged(before: Pod | undefined, after: Pod | undefined): void {
    const held = before !== undefined && holdsCompute(before.status) ? before.placement : null
    const holds = after !== undefined && holdsCompute(after.status) ? after.placement : null
    this.#move(held, holds)
  }

  workerChanged(before: Worker | undefined, after: Worker | undefined): void {
    this.#move(before?.placement ?? null, after?.placement ?? null)
  }

  #move(held: Placement | null, holds: Placement | null): void {
    if (held === holds) return
    if (held !== null) this.#add(held, -1)
    if (holds !== null) this.#add(holds, 1)
  }

  #add(placement: Placement, sign: 1 | -1): void {
    const { gpuTypeId, gpuCount, vcpuCount } = placement
    const key = keyOf(placement)
    const amount = gpuTypeId === null ? vcpuCount : gpuCount
    this.#used.set(key, (this.#used.get(key) ?? 0) + sign * amount)
  }
}

function keyOf({ dataCenterId, gpuTypeId, flavorId, cloud }: Placement): string {
  return `${dataCenterId}/${gpuTypeId ?? flavorId}/${cloud}`
}
