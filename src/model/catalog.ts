/** What the cloud has to offer: GPU types and pools, CPU flavors, data centers and their stock. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import type { cloudTiers } from './container.ts'
import { OneOf } from './schema.ts'
import { volumeTypes } from './storage.ts'

/** USD per hour. */
const HourlyPrice = Type.Number({ minimum: 0 })
const Whole = Type.Integer({ minimum: 0 })

/** Spec: `major.minor`. */
export const CudaVersion = Type.String({ pattern: '^\\d+\\.\\d+$' })

const strict = { additionalProperties: false }

export const GpuType = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    name: Type.String({ minLength: 1 }),
    vendor: OneOf(['NVIDIA', 'AMD']),
    memoryGb: Type.Integer({ minimum: 1 }),
    /** Per GPU. */
    priceUsd: Type.Object(
      { secure: HourlyPrice, community: HourlyPrice, serverless: HourlyPrice },
      strict,
    ),
    /** How many GPUs one machine has, by cloud tier; 0 where it is not offered. */
    maxCount: Type.Object({ secure: Whole, community: Whole }, strict),
    /** What comes with each GPU. */
    vcpuPerGpu: Type.Integer({ minimum: 1 }),
    ramGbPerGpu: Type.Integer({ minimum: 1 }),
  },
  strict,
)
export type GpuType = Static<typeof GpuType>

export const GpuPool = Type.Object(
  { id: Type.String({ minLength: 1 }), gpuTypeIds: Type.Array(Type.String(), { minItems: 1 }) },
  strict,
)
export type GpuPool = Static<typeof GpuPool>

export const CpuFlavor = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    name: Type.String({ minLength: 1 }),
    group: Type.String({ minLength: 1 }),
    vcpuMin: Type.Integer({ minimum: 1 }),
    vcpuMax: Type.Integer({ minimum: 1 }),
    ramGbPerVcpu: Type.Integer({ minimum: 1 }),
    /** Per vCPU. */
    priceUsd: Type.Object({ secure: HourlyPrice, serverless: HourlyPrice }, strict),
  },
  strict,
)
export type CpuFlavor = Static<typeof CpuFlavor>

/** Assumed: the catalog knows no processors, so a flavor stands for the one that it runs on. */
export function processorOf({ id, name, group, vcpuMax }: CpuFlavor) {
  const threadsPerCore = 2
  return {
    id,
    displayName: `${name} ${group}`,
    cores: vcpuMax / threadsPerCore,
    threadsPerCore,
    groupId: id.slice(0, -1),
  }
}

/** GPUs (or vCPUs, for a flavor) that a data center has, in use or free. */
export const Stock = Type.Object(
  { secure: Type.Optional(Whole), community: Type.Optional(Whole) },
  strict,
)

/** Spec: the continents that REST v2 knows. */
export const regions = [
  'NORTH_AMERICA',
  'SOUTH_AMERICA',
  'EUROPE',
  'ASIA',
  'MIDDLE_EAST',
  'AFRICA',
  'OCEANIA',
  'ANTARCTICA',
  'UNKNOWN',
] as const

/** Spec: what a data center can be certified for. */
export const certificates = [
  'GDPR',
  'ISO_IEC_27001',
  'ISO_14001',
  'PCI_DSS',
  'HITRUST',
  'SOC_1_TYPE_2',
  'SOC_2_TYPE_2',
  'SOC_3_TYPE_2',
  'ITAR',
  'FISMA_HIGH',
  'HIPAA',
  'RENEWABLE',
] as const

export type Certificate = (typeof certificates)[number]

const OwnPrices = Type.Object(
  {
    secure: Type.Optional(HourlyPrice),
    community: Type.Optional(HourlyPrice),
    serverless: Type.Optional(HourlyPrice),
  },
  strict,
)

export const DataCenter = Type.Object(
  {
    id: Type.String({ minLength: 1 }),
    name: Type.String({ minLength: 1 }),
    /** As GraphQL's `location` says it: a country or region. */
    location: Type.String({ minLength: 1 }),
    /** ISO 3166 alpha-2. */
    countryCode: Type.String({ pattern: '^[A-Z]{2}$' }),
    region: OneOf(regions),
    compliance: Type.Array(OneOf(certificates), { default: [] }),
    globalNetwork: Type.Boolean(),
    /** Tiers of network volume it has, the first being the default; empty for none. */
    volumeTypes: Type.Array(OneOf(volumeTypes)),
    /** CUDA versions of its machines, oldest first. */
    cudaVersions: Type.Array(CudaVersion, { minItems: 1 }),
    gpus: Type.Record(Type.String(), Stock),
    /** Free vCPUs of each CPU flavor. */
    cpus: Type.Record(Type.String(), Whole),
    /** What a type costs there, where that is not what it costs elsewhere. */
    priceUsd: Type.Optional(Type.Record(Type.String(), OwnPrices)),
  },
  strict,
)
export type DataCenter = Static<typeof DataCenter>

export function isCertified({ compliance }: DataCenter, wanted: readonly Certificate[]): boolean {
  return wanted.every((certificate) => compliance.includes(certificate))
}

export const Catalog = Type.Object(
  {
    gpus: Type.Array(GpuType),
    pools: Type.Array(GpuPool),
    cpus: Type.Array(CpuFlavor),
    dataCenters: Type.Array(DataCenter),
  },
  strict,
)
export type Catalog = Static<typeof Catalog>

export const tierKey = { SECURE: 'secure', COMMUNITY: 'community' } as const satisfies Record<
  (typeof cloudTiers)[number],
  string
>

/** What a price is for: a pod in one of the clouds, or a worker. */
export const priceTiers = ['secure', 'community', 'serverless'] as const
export type PriceTier = (typeof priceTiers)[number]

/** For an hour of one GPU or vCPU in a data center. */
export function priceIn<Tier extends PriceTier>(
  dataCenter: DataCenter,
  type: { readonly id: string; readonly priceUsd: { readonly [Each in Tier]: number } },
  tier: Tier,
): number {
  return dataCenter.priceUsd?.[type.id]?.[tier] ?? type.priceUsd[tier]
}

/** Numeric, part by part: 12.11 comes after 12.2. */
export function compareCuda(left: string, right: string): number {
  const [leftMajor = 0, leftMinor = 0] = left.split('.').map(Number)
  const [rightMajor = 0, rightMinor = 0] = right.split('.').map(Number)
  return leftMajor - rightMajor || leftMinor - rightMinor
}
