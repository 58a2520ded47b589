/** How much there is of something, in the words that GraphQL has for it. */
import { levelOf } from '../../domain/offers.ts'
import type { World } from '../../world/world.ts'

const words = { HIGH: 'High', MEDIUM: 'Medium', LOW: 'Low', NONE: undefined } as const

/** Undefined when there is none. */
export function stockLevel(count: number): 'High' | 'Medium' | 'Low' | undefined {
  return words[levelOf(count)]
}

export function outOfStock(world: World): 'None' | null {
  return world.settings.fidelity.graphqlOutOfStock === 'None' ? 'None' : null
}
