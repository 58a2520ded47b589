/** How v2 tells an account what is left of its calls. */
import { type CallWindow, countApiCall } from '../../domain/api-rates.ts'
import { CloudError } from '../../model/errors.ts'
import type { World } from '../../world/world.ts'
import type { Metering } from '../http/surface.ts'

/** Spec: not there for callers without limits: where limits are off, every caller is one. */
export function meterAccount(world: World): (() => Metering) | undefined {
  return world.settings.limits ? () => countCall(world) : undefined
}

function countCall(world: World): Metering {
  const { windows, exceeded } = countApiCall(world)
  const headers = {
    ratelimit: windows.map(toState).join(', '),
    'ratelimit-policy': windows.map(toPolicy).join(', '),
  }
  return { headers, refusal: exceeded && tooMany(exceeded) }
}

// Spec: `"minute";r=0;t=12`: calls that are left, and whole seconds until there are new ones.
const toState = ({ name, left, resetsInMs }: CallWindow) =>
  `"${name}";r=${left};t=${seconds(resetsInMs)}`
const toPolicy = ({ name, calls, lengthMs }: CallWindow) =>
  `"${name}";q=${calls};w=${seconds(lengthMs)}`

const seconds = (ms: number): number => Math.ceil(ms / 1_000)

function tooMany({ name, resetsInMs }: CallWindow): CloudError {
  const message = `rate limit exceeded for the ${name} window`
  return new CloudError('rate_limited', message, { retryAfterSeconds: seconds(resetsInMs) })
}
