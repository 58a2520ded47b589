/** A world to measure: the built-in fixtures, with more stock and money than anybody asks for. */
import { loadFixtures } from '../../src/adapters/fixtures/load.ts'
import { Emulator } from '../../src/emulator/emulator.ts'
import type { EmulatorOptions } from '../../src/emulator/options.ts'
import { readSettings } from '../../src/emulator/settings.ts'
import type { DataCenter } from '../../src/model/catalog.ts'
import type { Profile } from '../../src/model/profile.ts'
import type { Settings } from '../../src/model/settings.ts'
import type { StartState } from '../../src/model/start-state.ts'

const enough = 1e9

export interface PlentyOptions extends EmulatorOptions {
  readonly waits?: Partial<Profile>
  /** Queues that stand in for those of the default world. */
  readonly queues?: readonly { readonly id: string; readonly workersMax: number }[]
}

/** An emulator without sockets, whose bugs end the measurement. */
export async function startPlenty({ waits, queues, ...options }: PlentyOptions) {
  const settings = readSettings(await loadFixtures(), options)
  const onBug = (bug: unknown) => {
    throw bug
  }
  return new Emulator(
    { onBug, ...options },
    {
      ...settings,
      catalog: { ...settings.catalog, dataCenters: settings.catalog.dataCenters.map(stocked) },
      profile: { ...settings.profile, ...waits },
      start: {
        ...settings.start,
        account: { ...settings.start.account, balanceUsd: enough, spendLimitUsd: enough },
        endpoints: queues === undefined ? settings.start.endpoints : toEndpoints(settings, queues),
      },
    },
  )
}

/** One JSON value a line is what a measurement tells whoever started it. */
export function tell(value: unknown): void {
  process.stdout.write(`${JSON.stringify(value)}\n`)
}

/** Like the queue of the default world, but for their size. */
function toEndpoints(
  { start }: Settings,
  queues: NonNullable<PlentyOptions['queues']>,
): StartState['endpoints'] {
  const example = start.endpoints.find(({ type }) => type === 'QUEUE')
  if (example === undefined) throw new Error('the default world has a queue to copy')
  return queues.map((queue) => ({ ...example, name: queue.id, ...queue }))
}

function stocked(dataCenter: DataCenter): DataCenter {
  const ids = Object.keys(dataCenter.gpus)
  const gpus = ids.map((id) => [id, { secure: enough, community: enough }] as const)
  return { ...dataCenter, gpus: Object.fromEntries(gpus) }
}
