/** The control API on what surrounds the world: what data centers have, and webhooks on their way. */
import * as Type from '@sinclair/typebox'
import { changeStock } from '../../domain/stock-changes.ts'
import { tierKey } from '../../model/catalog.ts'
import { cloudTiers } from '../../model/container.ts'
import { maskSecrets } from '../../model/masking.ts'
import { OneOf } from '../../model/schema.ts'
import type { WebhookDelivery } from '../../model/webhook.ts'
import type { World } from '../../world/world.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok, toIso } from '../http/reply.ts'

const tag = 'outside'

const StockBody = Type.Object(
  {
    dataCenterId: Type.String({ minLength: 1 }),
    typeId: Type.String({ minLength: 1, description: 'A GPU type or a CPU flavor.' }),
    cloud: Type.Optional(OneOf(cloudTiers)),
    total: Type.Integer({ minimum: 0, description: 'GPUs, or vCPUs, held or free.' }),
  },
  { additionalProperties: false },
)

const DeliveryQuery = Type.Object({
  jobId: Type.Optional(Type.String({ minLength: 1 })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000 })),
})
const defaultLimit = 100

const listCapacity = defineOperation({
  name: 'listCapacity',
  method: 'GET',
  path: '/_emulator/capacity',
  summary: 'How much of each type is free, by data center and cloud.',
  tag,
  needs: 'nothing',
  replies: { 200: { description: 'Free GPUs and vCPUs.' } },
  handle: ({ world }) => ok({ capacity: world.stock.dataCenters.flatMap(freeIn(world)) }),
})

const changeCapacity = defineOperation({
  name: 'changeCapacity',
  method: 'PUT',
  path: '/_emulator/capacity',
  summary: 'Sets how much a data center has of a type, from now on.',
  tag,
  needs: 'nothing',
  body: StockBody,
  replies: { 200: { description: 'Free GPUs and vCPUs of that data center.' } },
  handle: ({ world, body }) => {
    changeStock(world, body)
    const dataCenter = world.stock.dataCenters.filter(({ id }) => id === body.dataCenterId)
    return ok({ capacity: dataCenter.flatMap(freeIn(world)) })
  },
})

const listWebhooks = defineOperation({
  name: 'listWebhooks',
  method: 'GET',
  path: '/_emulator/webhooks',
  summary: 'Webhook deliveries with every attempt, oldest first.',
  tag,
  needs: 'nothing',
  query: DeliveryQuery,
  replies: { 200: { description: 'Deliveries.' } },
  handle: ({ world, query }) => {
    const { jobId, limit = defaultLimit } = query
    const found = world.deliveries.where((delivery) => (jobId ?? delivery.jobId) === delivery.jobId)
    return ok({ webhooks: found.slice(-limit).map((each) => describe(world, each)) })
  },
})

export const outsideOperations: readonly Operation[] = [listCapacity, changeCapacity, listWebhooks]

/** A row for all that the catalog lists there, and for all that is there although it does not. */
function freeIn(world: World) {
  const { gpus, cpus } = world.settings.catalog
  return (dataCenter: World['stock']['dataCenters'][number]) => {
    const { id: dataCenterId } = dataCenter
    const gpuRows = gpus.flatMap(({ id: typeId }) =>
      cloudTiers.flatMap((cloud) => {
        const free = world.stock.freeGpus(dataCenter, typeId, cloud)
        const isListed = dataCenter.gpus[typeId]?.[tierKey[cloud]] !== undefined
        return isListed || free > 0 ? [{ dataCenterId, typeId, cloud, free }] : []
      }),
    )
    const cpuRows = cpus.flatMap(({ id: typeId }) => {
      const free = world.stock.freeVcpus(dataCenter, typeId)
      const isListed = dataCenter.cpus[typeId] !== undefined
      return isListed || free > 0 ? [{ dataCenterId, typeId, cloud: 'SECURE' as const, free }] : []
    })
    return [...gpuRows, ...cpuRows]
  }
}

function describe(world: World, delivery: WebhookDelivery) {
  const { id, jobId, url, status, attempts, answer, timer, body } = delivery
  const isNext = timer !== null && answer === undefined
  const dueAtMs = isNext ? world.timeline.dueAtMs(timer) : undefined
  return {
    id,
    jobId,
    url: maskSecrets(url),
    status,
    attempts: attempts.map(({ atMs, status: answered }) => ({ at: toIso(atMs), answered })),
    nextAttemptAt: dueAtMs === undefined ? null : toIso(dueAtMs),
    body: JSON.parse(body) as unknown,
  }
}
