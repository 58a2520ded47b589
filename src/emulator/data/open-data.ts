/** An emulator that goes on where the one before it ended, with the options of this one. */
import { createHash } from 'node:crypto'
import type { Fixtures } from '../../adapters/fixtures/load.ts'
import { changeWorkers } from '../../domain/endpoints.ts'
import { addStartEndpoint } from '../../domain/start-world.ts'
import type { Settings } from '../../model/settings.ts'
import type { World } from '../../world/world.ts'
import { Emulator } from '../emulator.ts'
import { OptionError } from '../option-error.ts'
import type { EmulatorOptions } from '../options.ts'
import { type Keeper, openKeeper } from './keeper.ts'

interface Wanted {
  readonly options: EmulatorOptions
  readonly settings: Settings
  readonly fixtures: Fixtures
}

/** Rejects with a DataError where the directory cannot be used, or nothing in it can be read. */
export async function openData(directory: string, wanted: Wanted): Promise<Emulator> {
  const { options, settings, fixtures } = wanted
  const { seed = '0', world = 'default' } = options
  const start = digestOf(fixtures.worlds[world])
  const keeper = await openKeeper(directory, { seed, world, start })
  let emulator: Emulator | undefined
  try {
    emulator = new Emulator(options, settings, { keeper })
    const { main, reportBug } = emulator
    keeper.onFailure = (error) => reportBug(error, 'the data directory')
    main.turn(() => applyOptions(main.world, wanted))
    keeper.notices.push(...missingHandlers(main.world))
    keeper.flush()
    return emulator
  } catch (error) {
    closeQuietly(emulator ?? keeper)
    throw error
  }
}

/** What went wrong before is what is told. */
function closeQuietly(opened: Emulator | Keeper): void {
  try {
    opened.close()
  } catch {}
}

function digestOf(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex')
}

/** Handlers and workers that are named for this run are meant for endpoints that are there already. */
function applyOptions(world: World, { options, settings }: Wanted): void {
  const { handlers = {}, workers = {} } = options
  for (const start of settings.start.endpoints) {
    const { id, handler = null, backend = { type: 'simulated' as const } } = start
    const isWorker = Object.hasOwn(workers, id)
    if (!isWorker && !Object.hasOwn(handlers, id)) continue
    const endpoint = world.endpoints.find(id)
    if (endpoint !== undefined) {
      changeWorkers(world, endpoint, isWorker ? { handler, backend } : { handler })
    } else if (isWorker) addStartEndpoint(world, start)
    else throw new OptionError(`endpoint '${id}' was deleted: it has no use for a handler`)
  }
}

/** Without its handler an endpoint echoes, as one does that never had any. */
function missingHandlers(world: World): string[] {
  const names = new Set(world.settings.handlers.map(({ name }) => name))
  return world.endpoints.everything().flatMap(({ id, handler }) => {
    if (handler === null || names.has(handler)) return []
    return [`Endpoint ${id} echoes: its handler '${handler}' is no longer there.`]
  })
}
