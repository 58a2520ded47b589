/** How busy a pod is said to be. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'

const Percent = Type.Integer({ minimum: 0, maximum: 100, default: 0 })

/** In percent, each of its GPUs alike. */
export const PodUse = Type.Object(
  { gpu: Percent, gpuMemory: Percent, cpu: Percent, memory: Percent },
  { additionalProperties: false },
)
export type PodUse = Static<typeof PodUse>

/** Assumed: a pod that nobody says anything about does nothing, for as long as it runs. */
export const idleUse: PodUse = { gpu: 0, gpuMemory: 0, cpu: 0, memory: 0 }
