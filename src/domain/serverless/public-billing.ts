/** What a call of one of the platform's public endpoints costs: what its answer says. */
import type { Job } from '../../model/job.ts'
import type { World } from '../../world/world.ts'
import { chargeOnce } from '../billing.ts'

/** Called with a job that is completed. Assumed: an answer that names no cost is not charged for. */
export function chargeCall(world: World, { id, endpointId, output }: Job): void {
  const endpoint = world.endpoints.require(endpointId)
  if (!endpoint.public) return
  const parts = Array.isArray(output) ? output : [output]
  const usd = parts.reduce((sum: number, part) => sum + costIn(part), 0)
  if (usd === 0) return
  const tariff = {
    kind: 'public-endpoint',
    resourceId: endpointId,
    usdPerHour: {},
    diskGb: 0,
    active: false,
    gpuTypeId: null,
    dataCenterId: null,
    image: null,
    templateId: null,
  } as const
  chargeOnce(world, id, tariff, { requests: usd })
}

// Observed: `cost`, in USD, in the output itself or in each of its parts.
function costIn(output: unknown): number {
  if (typeof output !== 'object' || output === null || !('cost' in output)) return 0
  const { cost } = output
  return typeof cost === 'number' && Number.isFinite(cost) && cost > 0 ? cost : 0
}
