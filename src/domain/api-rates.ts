/** Counts the calls of an account to REST v2, in windows of several lengths at once. */
import { apiWindows } from '../model/rates.ts'
import type { World } from '../world/world.ts'

/** A window as it is after a call. */
export interface CallWindow {
  readonly name: string
  readonly lengthMs: number
  /** In all. */
  readonly calls: number
  readonly left: number
  readonly resetsInMs: number
}

export interface CallCount {
  readonly windows: readonly CallWindow[]
  /** The window that had no call left, and the longest to wait for; the call was counted in none. */
  readonly exceeded: CallWindow | undefined
}

export function countApiCall(world: World): CallCount {
  const before = apiWindows.map((window) => ({ ...window, ...stateOf(world, window) }))
  const full = before.filter(({ made, calls }) => made >= calls)
  const counted = full.length === 0 ? 1 : 0
  const windows = before.map(({ name, lengthMs, calls, made, startMs }) => {
    if (counted === 1) {
      world.rates.put({ id: idOf(name), startMs, calls: made + 1, underWay: 0 })
    }
    const left = calls - made - counted
    return { name, lengthMs, calls, left, resetsInMs: startMs + lengthMs - world.nowMs }
  })
  return {
    windows,
    exceeded: windows.findLast(({ name }) => full.some((each) => each.name === name)),
  }
}

/** A window begins with its first call. */
function stateOf(world: World, { name, lengthMs }: (typeof apiWindows)[number]) {
  const known = world.rates.find(idOf(name))
  if (known === undefined || world.nowMs >= known.startMs + lengthMs) {
    return { startMs: world.nowMs, made: 0 }
  }
  return { startMs: known.startMs, made: known.calls }
}

/** No endpoint's window has such an id: those end with an operation. */
const idOf = (name: string): string => `v2/${name}`
