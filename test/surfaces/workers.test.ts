/** How workers come, wait, crash, park and go. */
import { balanceOf } from '../../src/domain/billing.ts'
import type { Cloud } from '../support/cloud.ts'
import { gpuTypes, healthOf as health, setStock, startQueue } from '../support/queue.ts'

const handlers = [
  { name: 'crashing', boot: { fails: true } },
  { name: 'slow', boot: { modelLoadMs: 600_000 } },
]
const startWith = (endpoint: object, account: object = {}, profile = 'fast') =>
  startQueue({ endpoint, account, handlers }, { profile })
const sellOut = (cloud: Cloud, typeIds = gpuTypes, total = 0) => setStock(cloud, total, typeIds)
const workersOf = async ({ get }: Cloud) => (await get('/v2/serverless/e/workers')).body

test('a cold start goes through placement, pull, boot and load, and the image is pulled once', async () => {
  const cloud = await startWith({ workersMax: 2 })
  const { workerPlacementMs, imagePullMs, workerBootMs, modelLoadMs } =
    cloud.world().settings.profile
  const [placement, pull, boot, load] = [
    workerPlacementMs,
    imagePullMs,
    workerBootMs,
    modelLoadMs,
  ] as number[]
  await cloud.post('/v2/e/run', { input: { mock_delay: 60 } })
  const [worker] = cloud.world().workers.all()
  const stage = () => cloud.world().workers.require(worker?.id ?? '').stage
  expect(stage()).toBe('placement')
  await cloud.advance(placement ?? 0)
  expect(stage()).toBe('pull')
  await cloud.advance(pull ?? 0)
  expect(stage()).toBe('boot')
  await cloud.advance(boot ?? 0)
  expect(stage()).toBe('load')
  await cloud.advance(load ?? 0)
  expect(cloud.world().workers.all()).toMatchObject([{ status: 'RUNNING', stage: null }])

  await cloud.post('/v2/e/run', { input: { mock_delay: 60 } })
  await cloud.advance('5s')
  const second = cloud.world().workers.all()[1]
  expect(second).toMatchObject({ status: 'RUNNING' })
  const tookMs = cloud.world().jobs.all()[1]?.startedAtMs ?? 0
  expect(tookMs - (second?.bootingSinceMs ?? 0)).toBe((placement ?? 0) + (boot ?? 0) + (load ?? 0))
})

test('without capacity a worker is throttled and unpaid, and starts when capacity returns', async () => {
  const cloud = await startWith({})
  await sellOut(cloud)
  const job = (await cloud.post('/v2/e/run', { input: 1 })).body
  await cloud.advance('2m')
  expect((await health(cloud)).workers).toMatchObject({ throttled: 1, idle: 0, running: 0 })
  expect((await cloud.get(`/v2/e/status/${job.id}`)).body.status).toBe('IN_QUEUE')
  expect([cloud.world().ledger.size, cloud.world().meters.size]).toEqual([0, 0])

  await sellOut(cloud, gpuTypes, 8)
  await cloud.advance('2s')
  expect((await cloud.get(`/v2/e/status/${job.id}`)).body.status).toBe('COMPLETED')
})

test('the first GPU type with stock is taken, in the order that was asked', async () => {
  const cloud = await startWith({ workersMin: 1 })
  await cloud.advance('1s')
  expect((await workersOf(cloud)).workers).toMatchObject([{ gpuTypeId: gpuTypes[0] }])

  const fallback = await startWith({ workersMax: 1 })
  await sellOut(fallback, gpuTypes.slice(0, 1))
  await fallback.post('/v2/e/run', { input: 1 })
  await fallback.advance('1s')
  expect((await workersOf(fallback)).workers).toMatchObject([{ gpuTypeId: gpuTypes[1] }])
})

test('fewer than five workers stay on one type, five are spread over three', async () => {
  const types = async (workersMax: number) => {
    const cloud = await startWith({ workersMin: workersMax, workersMax })
    await cloud.advance('1s')
    const { workers } = await workersOf(cloud)
    return new Set(workers.map(({ gpuTypeId }: { gpuTypeId: string }) => gpuTypeId)).size
  }
  expect(await types(4)).toBe(1)
  expect(await types(5)).toBe(3)
})

test('a worker that crashes as it starts is unhealthy, tried again ever later, and its job waits', async () => {
  const cloud = await startWith({ handler: 'crashing', workersMax: 1 })
  const job = (await cloud.post('/v2/e/run', { input: 1 })).body
  await cloud.advance('1m')
  expect((await health(cloud)).workers.unhealthy + (await health(cloud)).workers.initializing).toBe(
    1,
  )
  expect((await cloud.get(`/v2/e/status/${job.id}`)).body.status).toBe('IN_QUEUE')
  const crashes = cloud.world().timeline.past.filter(({ kind }) => kind === 'worker.crashed')
  const pauses = crashes.slice(1).map(({ atMs }, index) => atMs - (crashes[index]?.atMs ?? 0))
  expect(pauses.length).toBeGreaterThan(3)
  expect(pauses).toEqual(pauses.toSorted((left, right) => left - right))
  const [worker] = (await workersOf(cloud)).workers
  const log = (await cloud.get(`/v2/serverless/e/workers/${worker.id}/logs`)).text
  expect(log.match(/start container/g)?.length).toBeGreaterThan(3)
  expect(log).not.toContain('"source":"container"')
})

test('an endpoint whose workers crash for seven days is scaled down', async () => {
  const cloud = await startWith({ handler: 'crashing', workersMin: 1 }, {}, 'realistic')
  await cloud.advance('8d')
  expect(cloud.world().endpoints.require('e').spec).toMatchObject({ workersMin: 0, workersMax: 0 })
  expect(cloud.world().workers.size).toBe(0)
})

test('a worker that is not ready within seven minutes is unhealthy, or within what its environment says', async () => {
  const cloud = await startWith({ handler: 'slow', workersMin: 1, workersMax: 1 })
  await cloud.advance('419s')
  expect((await health(cloud)).workers).toMatchObject({ initializing: 1, unhealthy: 0 })
  await cloud.advance('1s')
  expect((await health(cloud)).workers).toMatchObject({ initializing: 0, unhealthy: 1 })

  const env = { RUNPOD_INIT_TIMEOUT: '30' }
  const short = await startWith({
    handler: 'slow',
    workersMin: 1,
    workersMax: 1,
    container: { image: 'x', env },
  })
  await short.advance('30s')
  expect((await health(short)).workers.unhealthy).toBe(1)
})

test('FlashBoot parks idle workers: they count as idle and ready, are in no list, and come back fast', async () => {
  const cloud = await startWith({ flashBoot: 'FLASHBOOT', workersMax: 1 })
  await cloud.post('/v2/e/run', { input: 1 })
  await cloud.advance('10s')
  expect((await health(cloud)).workers).toMatchObject({ idle: 1, ready: 1, running: 0 })
  expect(await workersOf(cloud)).toMatchObject({ workers: [], summary: { total: 0 } })
  expect(cloud.world().workers.all()).toMatchObject([{ status: 'PARKED', placement: null }])

  const job = (await cloud.post('/v2/e/run', { input: 2 })).body
  expect((await health(cloud)).workers).toMatchObject({ idle: 0, initializing: 1 })
  await cloud.advance('1s')
  const { workerResumeMs } = cloud.world().settings.profile
  expect((await cloud.get(`/v2/e/status/${job.id}`)).body).toMatchObject({
    status: 'COMPLETED',
    delayTime: workerResumeMs,
  })
  expect(cloud.world().workers.size).toBe(1)
})

test('the workers of all endpoints together stay within the quota that the balance gives', async () => {
  const cloud = await startWith({ workersMax: 3 }, { balanceUsd: 150 })
  const endpoint = {
    name: 'more',
    type: 'QUEUE',
    image: 'x',
    gpu: { pools: ['ADA_24'] },
    scaling: { type: 'QUEUE_DELAY', queueDelay: 4 },
  }
  const create = (max: number) => cloud.post('/v2/serverless', { ...endpoint, workers: { max } })
  expect(await create(8)).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('workers quota (10)') },
  })
  expect((await create(7)).status).toBe(201)
  expect(await cloud.patch('/v2/serverless/e', { workers: { max: 4 } })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('at most 3') },
  })
})

test('an endpoint that nobody uses has two workers at most after three days and none after seven', async () => {
  const cloud = await startWith({ workersMax: 3 })
  const max = () => cloud.world().endpoints.require('e').spec.workersMax
  await cloud.advance('2d')
  await cloud.post('/v2/e/run', { input: 1 })
  await cloud.advance('71h')
  expect(max()).toBe(3)
  await cloud.advance('1h')
  expect(max()).toBe(2)
  await cloud.advance('4d')
  expect(max()).toBe(0)
  const job = (await cloud.post('/v2/e/run', { input: 1 })).body
  await cloud.advance('1h')
  expect((await cloud.get(`/v2/e/status/${job.id}`)).body.status).toBe('IN_QUEUE')
  await cloud.patch('/v2/serverless/e', { workers: { max: 1 } })
  await cloud.advance('2s')
  expect((await cloud.get(`/v2/e/status/${job.id}`)).body.status).toBe('COMPLETED')
})

test('a worker is charged for its time at work and its idle window, and off the balance', async () => {
  const cloud = await startWith({ workersMax: 1, idleTimeoutMs: 5_000 })
  await cloud.post('/v2/e/run', { input: { mock_delay: 3_600 }, policy: { executionTimeout: 0 } })
  await cloud.advance('2h')
  const worker = cloud.world().timeline.past.find(({ kind }) => kind === 'worker.ready')
  const gone = cloud.world().timeline.past.find(({ kind }) => kind === 'worker.removed')
  const paidMs = (gone?.atMs ?? 0) - (worker?.atMs ?? 0)
  expect(paidMs).toBe(3_605_000)
  const gpu = cloud.world().settings.catalog.gpus.find(({ id }) => id === gpuTypes[0])
  const usdPerHour = { gpu: gpu?.priceUsd.serverless, disk: (50 * 0.1) / 730 }
  const ledger = cloud.world().ledger.all()
  expect(ledger).toMatchObject([{ tariff: { kind: 'serverless', usdPerHour, active: false } }])
  expect(ledger.map(({ fromMs, toMs }) => toMs - fromMs)).toEqual([paidMs])
  const usd = ((usdPerHour.gpu ?? 0) + usdPerHour.disk) * (paidMs / 3_600_000)
  expect(balanceOf(cloud.world())).toBeCloseTo(1_000 - usd, 9)
})

test('workers that are always there are active and cheaper than those that come with the load', async () => {
  const cloud = await startWith({ workersMin: 1, workersMax: 2, idleTimeoutMs: 1_000 })
  await cloud.advance('10s')
  for (let n = 0; n < 2; n++) await cloud.post('/v2/e/run', { input: { mock_delay: 60 } })
  await cloud.advance('5m')
  await cloud.delete('/v2/serverless/e')
  const paidMs = (active: boolean) =>
    cloud
      .world()
      .ledger.where(({ tariff }) => tariff.active === active)
      .reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0)
  expect(paidMs(true)).toBeGreaterThan(300_000)
  expect(paidMs(false)).toBeGreaterThan(59_000)
  expect(paidMs(false)).toBeLessThan(70_000)
})
