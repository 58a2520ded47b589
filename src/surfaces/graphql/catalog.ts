/** What the cloud offers, as GraphQL spells it. Everybody may look. */
import type { Caller } from './caller.ts'
import { toCpuFlavor, toCpuType } from './cpus.ts'
import { toDataCenter } from './data-centers.ts'
import { type GpuTypeFilter, listGpuTypes } from './gpu-types.ts'
import { said, type Wire } from './inputs.ts'

export const catalogQueries = {
  gpuTypes: ({ input }: { input?: Wire<GpuTypeFilter> }, { world }: Caller) =>
    listGpuTypes(world, input ?? {}),

  cpuTypes: (_args: unknown, { world }: Caller) => world.settings.catalog.cpus.map(toCpuType),

  cpuFlavors({ input }: { input?: Wire<{ id?: Wire<string> }> }, { world }: Caller) {
    const id = said(input?.id)
    const { cpus } = world.settings.catalog
    return cpus
      .filter((flavor) => id === undefined || flavor.id === id)
      .map((flavor) => toCpuFlavor(world, flavor))
  },

  dataCenters: (_args: unknown, { world }: Caller) =>
    world.stock.dataCenters.map((place) => toDataCenter(world, place)),

  countryCodes(_args: unknown, { world }: Caller) {
    const codes = world.stock.dataCenters.map(({ countryCode }) => countryCode)
    return [...new Set(codes)].sort()
  },

  serverlessGpuPools: (_args: unknown, { world }: Caller) => world.settings.catalog.pools,
}
