/** What the receivers of an endpoint's webhooks answered, over time. */
import { bucketStart } from '../../model/buckets.ts'
import type { World } from '../../world/world.ts'
import { toIso } from '../http/reply.ts'
import type { Wire } from './inputs.ts'

const sizes = { HOURLY: 'hour', DAILY: 'day', WEEKLY: 'week', MONTHLY: 'month' } as const

export interface WebhookRequestsArgs {
  readonly input?: Wire<{ readonly granularity?: Wire<'LIVE' | keyof typeof sizes> }>
}

/**
 * Assumed: a row for each slice of time in which something was delivered, oldest first, with the
 * statuses that came back, 0 for no answer. LIVE, and nothing said, is a row for each moment.
 */
export function toWebhookRequests(
  world: World,
  endpointId: string,
  { input }: WebhookRequestsArgs,
) {
  const granularity = input?.granularity ?? 'LIVE'
  const sliceOf = (atMs: number) =>
    granularity === 'LIVE' ? atMs : bucketStart(atMs, sizes[granularity])
  const rows = new Map<number, number[]>()
  const attempts = world.deliveries
    .where((delivery) => delivery.endpointId === endpointId)
    .flatMap((delivery) => delivery.attempts)
    .sort((left, right) => left.atMs - right.atMs)
  for (const { atMs, status } of attempts) {
    const slice = sliceOf(atMs)
    rows.set(slice, [...(rows.get(slice) ?? []), status])
  }
  return [...rows].map(([atMs, responses]) => ({ time: toIso(atMs), responses }))
}
