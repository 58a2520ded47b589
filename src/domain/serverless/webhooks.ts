/** Tells a job's caller what came of it, if it left an address. */
import type { Job } from '../../model/job.ts'
import { type WebhookDelivery, webhookAttempts } from '../../model/webhook.ts'
import type { World } from '../../world/world.ts'
import type { EventHandlers } from '../handle-event.ts'

/** Spec: once for each end of a job, whatever the end. */
export function queueWebhook(world: World, job: Job): void {
  const { webhook } = job.request
  if (webhook === null) return
  const id = world.ids.next('delivery')
  const body = JSON.stringify(webhookBody(job))
  world.timeline.record('webhook.queued', id, { jobId: job.id })
  world.deliveries.put({
    id,
    jobId: job.id,
    url: webhook,
    body,
    attempts: [],
    status: 'PENDING',
    timer: null,
  })
  world.emit({ kind: 'webhook.post', deliveryId: id, url: webhook, body })
}

/** What the receiver answered: an HTTP status, or 0 for nothing. Observed: any 2xx will do. */
export function webhookAnswered(world: World, deliveryId: string, status: number): void {
  const delivery = world.deliveries.find(deliveryId)
  if (delivery === undefined || delivery.status !== 'PENDING') return
  const attempts = [...delivery.attempts, { atMs: world.nowMs, status }]
  world.timeline.record('webhook.answered', deliveryId, { status, attempt: attempts.length })
  if (status >= 200 && status < 300) {
    finish(world, { ...delivery, attempts, status: 'DELIVERED' })
  } else if (attempts.length >= webhookAttempts) {
    finish(world, { ...delivery, attempts, status: 'FAILED' })
  } else {
    const timer = world.timeline.after(world.waitMs('webhookRetryMs'), {
      kind: 'webhook.due',
      deliveryId,
    })
    world.deliveries.put({ ...delivery, attempts, timer })
  }
}

export const webhookEventHandlers: EventHandlers<'webhook.due'> = {
  'webhook.due': (world, { deliveryId }) => {
    const delivery = world.deliveries.require(deliveryId)
    const { url, body } = world.deliveries.put({ ...delivery, timer: null })
    world.emit({ kind: 'webhook.post', deliveryId, url, body })
  },
}

/** Only so many finished deliveries stay readable; the oldest go first. */
function finish(world: World, delivery: WebhookDelivery): void {
  world.deliveries.put(delivery)
  if (world.deliveries.size <= world.settings.keep.deliveries) return
  for (const { id, status } of world.deliveries.values()) {
    if (status === 'PENDING') continue
    world.deliveries.remove(id)
    return
  }
}

/** Observed: the status object with the job's input and the webhook's own address. */
function webhookBody(job: Job): Record<string, unknown> {
  const { id, request, status, output, error, workerId, retries } = job
  const startedAtMs = job.startedAtMs ?? job.endedAtMs ?? job.submittedAtMs
  return {
    delayTime: startedAtMs - job.submittedAtMs,
    ...(error === null ? {} : { error }),
    executionTime: (job.endedAtMs ?? startedAtMs) - startedAtMs,
    id,
    input: request.input ?? {},
    ...(output === undefined ? {} : { output }),
    ...(retries === 0 ? {} : { retries }),
    status,
    webhook: request.webhook,
    ...(workerId === null ? {} : { workerId }),
  }
}
