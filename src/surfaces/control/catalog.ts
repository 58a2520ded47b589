/** The control API on what data centers ask and have: prices, and CUDA versions. */
import * as Type from '@sinclair/typebox'
import { changeCuda, changePrice } from '../../domain/catalog-changes.ts'
import { CudaVersion, type PriceTier, priceTiers } from '../../model/catalog.ts'
import { OneOf } from '../../model/schema.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok } from '../http/reply.ts'

const tag = 'outside'
const strict = { additionalProperties: false }
const Name = Type.String({ minLength: 1 })

const PriceBody = Type.Object(
  {
    typeId: Type.String({ minLength: 1, description: 'A GPU type or a CPU flavor.' }),
    dataCenterId: Type.Optional(
      Type.String({ minLength: 1, description: 'Everywhere when absent.' }),
    ),
    tier: Type.Optional(OneOf(priceTiers, { description: 'All when absent.' })),
    priceUsd: Type.Number({ minimum: 0, description: 'For an hour of one GPU or vCPU.' }),
  },
  strict,
)
const CudaBody = Type.Object(
  { dataCenterId: Name, cudaVersions: Type.Array(CudaVersion, { minItems: 1 }) },
  strict,
)

const listPrices = defineOperation({
  name: 'listPrices',
  method: 'GET',
  path: '/_emulator/prices',
  summary: 'What each type costs, and what it costs where that is not the same.',
  tag,
  needs: 'nothing',
  replies: { 200: { description: 'Prices for an hour of one GPU or vCPU.' } },
  handle: ({ world }) => ok({ prices: pricesOf(world) }),
})

const setPrice = defineOperation({
  name: 'changePrice',
  method: 'PUT',
  path: '/_emulator/prices',
  summary: 'Sets what a type costs where it is placed from now on.',
  tag,
  needs: 'nothing',
  body: PriceBody,
  replies: { 200: { description: 'Prices of that type.' } },
  handle: ({ world, body }) => {
    changePrice(world, body)
    return ok({ prices: pricesOf(world).filter(({ typeId }) => typeId === body.typeId) })
  },
})

const listCuda = defineOperation({
  name: 'listCudaVersions',
  method: 'GET',
  path: '/_emulator/cuda-versions',
  summary: 'The CUDA versions of each data center, oldest first.',
  tag,
  needs: 'nothing',
  replies: { 200: { description: 'Data centers.' } },
  handle: ({ world }) => ok({ dataCenters: world.stock.dataCenters.map(toCuda) }),
})

const setCuda = defineOperation({
  name: 'changeCudaVersions',
  method: 'PUT',
  path: '/_emulator/cuda-versions',
  summary: 'Sets which CUDA versions a data center has from now on.',
  tag,
  needs: 'nothing',
  body: CudaBody,
  replies: { 200: { description: 'That data center.' } },
  handle: ({ world, body: { dataCenterId, cudaVersions } }) => {
    changeCuda(world, dataCenterId, cudaVersions)
    const changed = world.stock.dataCenters.filter(({ id }) => id === dataCenterId)
    return ok({ dataCenters: changed.map(toCuda) })
  },
})

export const catalogOperations: readonly Operation[] = [listPrices, setPrice, listCuda, setCuda]

interface PriceRow {
  readonly typeId: string
  /** Null for everywhere else. */
  readonly dataCenterId: string | null
  readonly priceUsd: { readonly [Tier in PriceTier]?: number }
}

function pricesOf({ settings }: World): PriceRow[] {
  const { gpus, cpus, dataCenters } = settings.catalog
  return [...gpus, ...cpus].flatMap(({ id: typeId, priceUsd }) => {
    const own = dataCenters.flatMap(({ id: dataCenterId, priceUsd: prices }) => {
      const there = prices?.[typeId]
      return there === undefined ? [] : [{ typeId, dataCenterId, priceUsd: there }]
    })
    return [{ typeId, dataCenterId: null, priceUsd }, ...own]
  })
}

function toCuda({ id, cudaVersions }: World['stock']['dataCenters'][number]) {
  return { dataCenterId: id, cudaVersions }
}
