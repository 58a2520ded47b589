/** What a network volume costs, for as long as there is one. */
import type { NetworkVolume } from '../model/storage.ts'
import type { World } from '../world/world.ts'
import { runMeter } from './billing.ts'
import { volumeUsdPerHour } from './storage-prices.ts'

/** To be called when a volume is made or grows. */
export function meterVolume(world: World, { id, sizeGb, type, dataCenterId }: NetworkVolume): void {
  const usd = volumeUsdPerHour(sizeGb, type)
  runMeter(world, id, {
    kind: 'volume',
    resourceId: id,
    usdPerHour: type === 'STANDARD' ? { standard: usd } : { highPerformance: usd },
    diskGb: sizeGb,
    active: false,
    gpuTypeId: null,
    dataCenterId,
    image: null,
    templateId: null,
  })
}
