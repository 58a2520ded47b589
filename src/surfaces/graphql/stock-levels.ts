/** How much there is of something, in the words that GraphQL has for it. */
import type { World } from '../../world/world.ts'

/** Spec: Low means very few. Assumed: how many of each size asked for make which level. */
const mediumFrom = 8
const highFrom = 32

/** Undefined when there is none. */
export function stockLevel(count: number): 'High' | 'Medium' | 'Low' | undefined {
  if (count >= highFrom) return 'High'
  if (count >= mediumFrom) return 'Medium'
  return count > 0 ? 'Low' : undefined
}

export function outOfStock(world: World): 'None' | null {
  return world.settings.fidelity.graphqlOutOfStock === 'None' ? 'None' : null
}
