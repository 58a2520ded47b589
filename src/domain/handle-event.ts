/** What happens by itself: one handler for each kind of event, all of them in one table. */
import type { CloudEvent, CloudEventKind } from '../model/events.ts'
import type { World } from '../world/world.ts'
import { clusterEventHandlers } from './clusters.ts'
import { balanceEventHandlers } from './depletion.ts'
import { faultEventHandlers } from './faults/rules.ts'
import { flashAuthEventHandlers } from './flash-auth.ts'
import { containerEventHandlers } from './pod-containers.ts'
import { podEventHandlers } from './pods.ts'
import { bootEventHandlers } from './serverless/boots.ts'
import { buildEventHandlers } from './serverless/builds.ts'
import { healthEventHandlers } from './serverless/health.ts'
import { jobEventHandlers } from './serverless/jobs.ts'
import { programEventHandlers } from './serverless/programs.ts'
import { requestEventHandlers } from './serverless/requests.ts'
import { scalingEventHandlers } from './serverless/scaling.ts'
import { usageEventHandlers } from './serverless/usage.ts'
import { webhookEventHandlers } from './serverless/webhooks.ts'
import { workerEventHandlers } from './serverless/workers.ts'

export type EventHandler<Kind extends CloudEventKind> = (
  world: World,
  event: Extract<CloudEvent, { kind: Kind }>,
) => void

export type EventHandlers<Kind extends CloudEventKind> = { readonly [K in Kind]: EventHandler<K> }

/** An event without a handler does not compile. */
const handlers: EventHandlers<CloudEventKind> = {
  ...podEventHandlers,
  ...containerEventHandlers,
  ...clusterEventHandlers,
  ...buildEventHandlers,
  ...balanceEventHandlers,
  ...flashAuthEventHandlers,
  ...scalingEventHandlers,
  ...workerEventHandlers,
  ...bootEventHandlers,
  ...programEventHandlers,
  ...usageEventHandlers,
  ...jobEventHandlers,
  ...requestEventHandlers,
  ...healthEventHandlers,
  ...webhookEventHandlers,
  ...faultEventHandlers,
  'wait.over': (world, { waitId }) => {
    world.emit({ kind: 'wait.over', waitId })
  },
}

/** Whatever this throws is a bug: nobody asked for an event, so nobody can be refused. */
export function handleEvent(world: World, event: CloudEvent): void {
  const handler = handlers[event.kind] as EventHandler<CloudEventKind>
  try {
    handler(world, event)
  } catch (cause) {
    throw new Error(`event ${JSON.stringify(event)} could not be handled`, { cause })
  }
}

/** Takes and handles what is due by `untilMs`, at most `limit` events. Returns how many. */
export function handleDue(world: World, untilMs: number, limit: number): number {
  for (let handled = 0; handled < limit; handled++) {
    const event = world.timeline.takeDue(untilMs)
    if (event === undefined) return handled
    handleEvent(world, event)
  }
  return limit
}
