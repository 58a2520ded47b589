/** Data centers as GraphQL spells them, with what each has of every GPU type. */
import { podsThatFit } from '../../domain/offers.ts'
import { type DataCenter, type GpuType, tierKey } from '../../model/catalog.ts'
import type { World } from '../../world/world.ts'
import { findGpuType, toGpuType } from './gpu-types.ts'
import { said, type Wire } from './inputs.ts'
import { hasCuda, isLargeEnough, type OfferInput, tiersOf } from './prices.ts'
import { stockLevel } from './stock-levels.ts'

export function toDataCenter(world: World, place: DataCenter) {
  return {
    id: place.id,
    name: place.name,
    location: place.location,
    region: place.region,
    storageSupport: place.volumeTypes.length > 0,
    globalNetwork: place.globalNetwork,
    listed: true,
    // Spec: GraphQL has no word for renewable energy.
    compliance: place.compliance.filter((certificate) => certificate !== 'RENEWABLE'),
    // Assumed: volumes can be reached by S3 wherever there are any.
    s3apiEnabled: place.volumeTypes.length > 0,
    gpuAvailability: ({ input }: { input?: Wire<OfferInput> }) =>
      listAvailability(world, place, input ?? {}),
  }
}

/** Every type that the data center has in the clouds asked for, sold out or not. */
function listAvailability(world: World, place: DataCenter, input: OfferInput) {
  const tiers = tiersOf(input)
  return Object.entries(place.gpus)
    .filter(([, stock]) => tiers.some((tier) => stock[tierKey[tier]] !== undefined))
    .flatMap(([id]) => findGpuType(world, id) ?? [])
    .map((gpu) => toAvailability(world, place, gpu, input))
}

function toAvailability(world: World, place: DataCenter, gpu: GpuType, input: OfferInput) {
  const count = said(input.gpuCount) ?? 1
  const fits = hasCuda(place, input) && isLargeEnough(gpu, count, input)
  const pods = fits ? podsThatFit(world, gpu, tiersOf(input), place, count) : 0
  return {
    id: gpu.id,
    gpuTypeId: gpu.id,
    displayName: gpu.name,
    gpuTypeDisplayName: gpu.name,
    available: pods > 0,
    // Observed: clients hide a type that has no level.
    stockStatus: stockLevel(pods) ?? null,
    gpuType: () => toGpuType(world, gpu),
  }
}
