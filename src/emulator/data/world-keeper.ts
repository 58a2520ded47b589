/** One world on the disk: what changes in it is written down before anybody hears of it. */
import type { WorldFiles } from '../../adapters/data/world-files.ts'
import type { Settings } from '../../model/settings.ts'
import { Recorder, type WorldChange } from '../../world/changes.ts'
import { collectionsOf, restoreWorld, saveWorld, type WorldSnapshot } from '../../world/snapshot.ts'
import type { World } from '../../world/world.ts'

interface Kept {
  readonly world: World
  readonly recorder: Recorder
}

export class WorldKeeper {
  readonly #files: WorldFiles<WorldSnapshot, WorldChange>
  readonly #onChange: (keeper: WorldKeeper) => void
  readonly #onFailure: (error: unknown) => void
  #kept: Kept | undefined

  /**
   * `onChange`: there is something to write, which can wait until somebody is answered. `onFailure`: of a
   * checkpoint that is written while nobody waits for it.
   */
  constructor(
    files: WorldFiles<WorldSnapshot, WorldChange>,
    onChange: (keeper: WorldKeeper) => void,
    onFailure: (error: unknown) => void,
  ) {
    this.#files = files
    this.#onChange = onChange
    this.#onFailure = onFailure
  }

  /** The world as it was last, and kept from here on; undefined where there was none. */
  restore(settings: Settings): World | undefined {
    const saved = this.#files.read()
    if (saved === undefined) return undefined
    const world = restoreWorld(settings, saved.state, saved.changes)
    this.#begin(world, true)
    return world
  }

  /** From now on this is the world that is kept, whatever was kept before. */
  begin(world: World): void {
    this.#begin(world, false)
  }

  #begin(world: World, follows: boolean): void {
    this.#files.begin(saveWorld(world), follows)
    this.#kept = { world, recorder: new Recorder(world, collectionsOf(world)) }
  }

  /** After every turn. */
  changed(): void {
    if (this.#kept !== undefined) this.#onChange(this)
  }

  /** Between two turns. What has happened so far can be told to anybody then. Throws a DataError. */
  write(): void {
    if (this.#kept === undefined) return
    const { world, recorder } = this.#kept
    const change = recorder.take()
    if (change === undefined) return
    this.#files.append(change)
    if (this.#files.isDue) this.#files.renew(saveWorld(world)).catch(this.#onFailure)
  }

  /** What still happens in the world is no longer kept. */
  close(): void {
    this.#kept = undefined
    this.#files.close()
  }
}
