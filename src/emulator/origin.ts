/** What an emulator begins with in the place of its start state. */
import type { World } from '../world/world.ts'
import type { Keeper } from './data/keeper.ts'

export interface Origin {
  /** The default world. */
  readonly world?: World
  /** Where everything is kept beyond the end of the process. */
  readonly keeper?: Keeper
}
