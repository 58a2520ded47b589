/** Changes of the catalog while a world lives: what things cost there, and which CUDA there is. */
import { type Catalog, compareCuda, type DataCenter, type PriceTier } from './catalog.ts'

export type CatalogChange =
  | {
      /** A change with the same id takes its place. */
      readonly id: string
      readonly kind: 'price'
      /** Null for every data center that has no price of its own. */
      readonly dataCenterId: string | null
      readonly typeId: string
      readonly tier: PriceTier
      /** For an hour of one GPU or vCPU. */
      readonly priceUsd: number
    }
  | {
      readonly id: string
      readonly kind: 'cuda'
      readonly dataCenterId: string
      readonly cudaVersions: readonly string[]
    }

/** The catalog as it is with the change. */
export function changedCatalog(catalog: Catalog, change: CatalogChange): Catalog {
  if (change.kind === 'cuda') {
    const cudaVersions = change.cudaVersions.toSorted(compareCuda)
    return inDataCenter(catalog, change.dataCenterId, () => ({ cudaVersions }))
  }
  const { dataCenterId, typeId, tier, priceUsd } = change
  if (dataCenterId !== null) {
    return inDataCenter(catalog, dataCenterId, ({ priceUsd: prices = {} }) => ({
      priceUsd: { ...prices, [typeId]: { ...prices[typeId], [tier]: priceUsd } },
    }))
  }
  const priced = <Type extends { readonly id: string; readonly priceUsd: object }>(type: Type) =>
    type.id === typeId ? { ...type, priceUsd: { ...type.priceUsd, [tier]: priceUsd } } : type
  return { ...catalog, gpus: catalog.gpus.map(priced), cpus: catalog.cpus.map(priced) }
}

function inDataCenter(
  catalog: Catalog,
  dataCenterId: string,
  change: (dataCenter: DataCenter) => Partial<DataCenter>,
): Catalog {
  const dataCenters = catalog.dataCenters.map((dataCenter) =>
    dataCenter.id === dataCenterId ? { ...dataCenter, ...change(dataCenter) } : dataCenter,
  )
  return { ...catalog, dataCenters }
}
