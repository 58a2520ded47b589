/** What callers may ask about availability in the catalog, and what may not be asked together. */
import type { Static, TObject } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { type GpuWish, type Offer, products } from '../../domain/offers.ts'
import { CudaVersion } from '../../model/catalog.ts'
import { CloudTier } from '../../model/container.ts'
import { ruleViolation } from '../../model/errors.ts'
import { OneOf } from '../../model/schema.ts'
import { CommaList } from '../http/comma-lists.ts'

/** Stock differs between products, so there is no default. */
const Include = Type.Optional(CommaList(OneOf(['AVAILABILITY']), { maxItems: 1 }))

export const GpuQuery = Type.Object({
  include: Include,
  product: Type.Optional(CommaList(OneOf(products))),
  // Not filled in: whoever did not say it may leave `include` out.
  count: Type.Optional(Type.Integer({ minimum: 1, 'x-default': 1 })),
  cloud: Type.Optional(CloudTier),
  countryCodes: Type.Optional(CommaList(Type.String({ pattern: '^[A-Z]{2}$' }))),
  cudaVersions: Type.Optional(CommaList(CudaVersion)),
  // Spec: a major version alone will do here.
  minCudaVersion: Type.Optional(Type.String({ pattern: '^\\d+(\\.\\d+)?$' })),
})
type GpuQuery = Static<typeof GpuQuery>

export const CpuQuery = Type.Object({
  include: Include,
  product: Type.Optional(CommaList(OneOf(['POD', 'SERVERLESS']))),
  vcpuCount: Type.Optional(Type.Integer({ minimum: 2 })),
})
type CpuQuery = Static<typeof CpuQuery>

export interface CpuWish {
  /** The smallest size when absent. */
  readonly vcpuCount?: number
}

/** Undefined when availability is not asked for; `rule_violation` for what goes only with it. */
export function gpuWishOf(query: GpuQuery): GpuWish | undefined {
  if (!asksForAvailability(GpuQuery, query)) return undefined
  const { product = [], count = 1, cloud = 'SECURE', countryCodes = [] } = query
  const { cudaVersions: versions, minCudaVersion: least } = query
  if (versions !== undefined && least !== undefined) {
    throw ruleViolation('cudaVersions and minCudaVersion exclude each other')
  }
  return { products: product, count, cloud, countryCodes, cuda: { versions, least } }
}

/** Likewise, for CPU flavors. */
export function cpuWishOf(query: CpuQuery): CpuWish | undefined {
  if (!asksForAvailability(CpuQuery, query)) return undefined
  const { vcpuCount } = query
  if (vcpuCount === undefined) return {}
  if (!Number.isInteger(Math.log2(vcpuCount))) {
    throw ruleViolation(`vcpuCount must be a power of two, not ${vcpuCount}`)
  }
  return { vcpuCount }
}

/** Spec: without a place that has it, the list of places is left out. */
export function toOfferV2({ level, places }: Offer) {
  const dataCenters = places.map(({ place: { id, name }, level }) => ({
    id,
    name,
    availability: level,
  }))
  return { availability: level, ...(dataCenters.length === 0 ? {} : { dataCenters }) }
}

function asksForAvailability(
  { properties }: TObject,
  query: Readonly<Record<string, unknown>>,
): boolean {
  if (query.include !== undefined) {
    if (query.product !== undefined) return true
    throw ruleViolation('include=AVAILABILITY needs a product: stock differs between products')
  }
  // What the contract does not know is ignored.
  const said = Object.keys(properties).find((name) => query[name] !== undefined)
  if (said === undefined) return false
  throw ruleViolation(`${said} is valid only with include=AVAILABILITY`)
}
