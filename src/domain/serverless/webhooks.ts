/** Tells a job's caller what came of it, if it left an address. */
import type { Job } from '../../model/job.ts'
import { type WebhookDelivery, webhookAttempts } from '../../model/webhook.ts'
import type { World } from '../../world/world.ts'
import { strikeOnce } from '../faults/strike.ts'
import type { EventHandlers } from '../handle-event.ts'

/** Spec: once for each end of a job, whatever the end. */
export function queueWebhooks(world: World, job: Job): void {
  const { webhook, webhookV2 } = job.request
  if (webhook !== null) queueDelivery(world, job, webhook)
  if (webhookV2 !== undefined) queueDelivery(world, job, webhookV2)
}

function queueDelivery(world: World, job: Job, url: string): void {
  const id = world.ids.next('delivery')
  const body = JSON.stringify(webhookBody(job))
  world.timeline.record('webhook.queued', id, { jobId: job.id })
  const delivery: WebhookDelivery = {
    id,
    jobId: job.id,
    endpointId: job.endpointId,
    url,
    body,
    trace: world.ids.trace(),
    attempts: [],
    status: 'PENDING',
    timer: null,
  }
  post(world, world.deliveries.put(delivery))
}

/**
 * Nobody knows whether an attempt that was under way has arrived, so it is made once more. Faults have
 * seen it.
 */
export function postAgain(world: World, delivery: WebhookDelivery): void {
  if (delivery.status === 'PENDING' && delivery.timer === null) send(world, delivery, 0)
}

function post(world: World, delivery: WebhookDelivery): void {
  const { id, jobId, endpointId } = delivery
  const effect = strikeOnce(world, 'webhook', { ids: [id, jobId, endpointId] })
  switch (effect?.kind) {
    case 'drop-webhook':
      takeAnswer(world, delivery, 0)
      return
    case 'slow-webhook': {
      const slowMs = Math.round(world.random.stream('faults').duration(effect.ms))
      send(world, world.deliveries.put({ ...delivery, slowMs }), 0)
      return
    }
    default:
      send(world, delivery, effect === undefined ? 0 : (effect.copies ?? 1))
  }
}

function send(world: World, { id, url, body, trace }: WebhookDelivery, copies: number): void {
  for (let copy = 0; copy <= copies; copy++) {
    world.emit({ kind: 'webhook.post', deliveryId: id, url, body, trace, copy })
  }
}

/** What the receiver answered: an HTTP status, or 0 for nothing. */
export function webhookAnswered(world: World, deliveryId: string, status: number): void {
  const delivery = world.deliveries.find(deliveryId)
  if (delivery === undefined || delivery.status !== 'PENDING') return
  const { slowMs, ...inTime } = delivery
  if (slowMs === undefined) takeAnswer(world, delivery, status)
  else awaitAnswer(world, inTime, status, slowMs)
}

/** Whoever is slower than the platform is patient has the delivery, and has not answered. */
function awaitAnswer(
  world: World,
  delivery: WebhookDelivery,
  status: number,
  slowMs: number,
): void {
  const patienceMs = world.waitMs('webhookTimeoutMs')
  const timer = world.timeline.after(Math.min(slowMs, patienceMs), {
    kind: 'webhook.due',
    deliveryId: delivery.id,
  })
  world.deliveries.put({ ...delivery, answer: slowMs < patienceMs ? status : 0, timer })
}

function takeAnswer(world: World, delivery: WebhookDelivery, status: number): void {
  const { id: deliveryId } = delivery
  const attempts = [...delivery.attempts, { atMs: world.nowMs, status }]
  world.timeline.record('webhook.answered', deliveryId, { status, attempt: attempts.length })
  if (isReceived(world, status)) {
    finish(world, { ...delivery, attempts, status: 'DELIVERED' })
  } else if (attempts.length >= webhookAttempts) {
    finish(world, { ...delivery, attempts, status: 'FAILED' })
  } else {
    const timer = world.timeline.after(retryMs(world, attempts.length), {
      kind: 'webhook.due',
      deliveryId,
    })
    world.deliveries.put({ ...delivery, attempts, timer })
  }
}

/** This emulator was told not to post there: there is no attempt, and none will follow. */
export function webhookWithheld(world: World, deliveryId: string): void {
  const delivery = world.deliveries.find(deliveryId)
  if (delivery === undefined || delivery.status !== 'PENDING') return
  world.timeline.record('webhook.withheld', deliveryId)
  finish(world, { ...delivery, status: 'WITHHELD' })
}

function isReceived(world: World, status: number): boolean {
  if (world.settings.fidelity.webhookSuccess === '200') return status === 200
  return status >= 200 && status < 300
}

/** `even`: both waits are the mean of the profile's two, which is how the documents have it. */
function retryMs(world: World, attemptsMade: number): number {
  const first = world.waitMs('webhookFirstRetryMs')
  const second = world.waitMs('webhookSecondRetryMs')
  if (world.settings.fidelity.webhookSpacing === 'even') return Math.round((first + second) / 2)
  return attemptsMade === 1 ? first : second
}

export const webhookEventHandlers: EventHandlers<'webhook.due'> = {
  'webhook.due': (world, { deliveryId }) => {
    const { answer, ...delivery } = world.deliveries.require(deliveryId)
    if (answer === undefined) post(world, world.deliveries.put({ ...delivery, timer: null }))
    else takeAnswer(world, { ...delivery, timer: null }, answer)
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
