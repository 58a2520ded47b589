/** Faults that strike the world: jobs, workers, images, webhooks, stock, balance. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type Cloud, startCloud } from '../support/cloud.ts'
import { addFault, entriesOf, faultOf, faultsPath } from '../support/faults.ts'
import { graphqlOf } from '../support/graphql.ts'
import { healthOf, startQueue } from '../support/queue.ts'

const logsOf = async ({ get }: Awaited<ReturnType<typeof startQueue>>, workerId: string) =>
  (await get(`/v2/serverless/e/workers/${workerId}/logs`)).text

test('a job whose worker dies is tried once more, and the fault is the cause', async () => {
  const cloud = await startQueue({})
  await addFault(cloud, { times: 1, resource: 'e', effect: { kind: 'crash-job', afterMs: 500 } })
  const { body } = await cloud.post('/v2/e/run', { input: 'x' })
  await cloud.advance('1m')
  const status = (await cloud.get(`/v2/e/status/${body.id}`)).body
  expect(status).toMatchObject({ status: 'COMPLETED', output: 'x', retries: 1 })
  expect((await healthOf(cloud)).jobs).toMatchObject({ completed: 1, retried: 1 })
  const [hit] = entriesOf(cloud, 'fault.hit')
  expect(entriesOf(cloud, 'worker.crashed')).toMatchObject([{ cause: hit?.seq }])
})

test('a job that runs out of memory each time fails after one retry, and its worker says why', async () => {
  const cloud = await startQueue({})
  await addFault(cloud, { effect: { kind: 'oom-job' } })
  const { body } = await cloud.post('/v2/e/run', { input: 'x' })
  await cloud.advance('1m')
  expect((await cloud.get(`/v2/e/status/${body.id}`)).body).toMatchObject({
    status: 'FAILED',
    error: 'job timed out after 1 retries',
  })
  const [crash] = entriesOf(cloud, 'worker.crashed')
  expect(crash?.detail).toMatchObject({ why: 'out of memory, exit code 137' })
})

test('a job that hangs is ended by its time limit, or by its caller', async () => {
  const cloud = await startQueue({ endpoint: { executionTimeoutMs: 60_000 } })
  const fault = await addFault(cloud, { effect: { kind: 'hang-job' } })
  const first = (await cloud.post('/v2/e/run', { input: 1 })).body.id
  const second = (await cloud.post('/v2/e/run', { input: 2 })).body.id
  await cloud.advance('50s')
  expect((await cloud.get(`/v2/e/status/${first}`)).body.status).toBe('IN_PROGRESS')
  expect((await cloud.post(`/v2/e/cancel/${second}`)).body.status).toBe('CANCELLED')
  await cloud.advance('15s')
  expect((await cloud.get(`/v2/e/status/${first}`)).body).toMatchObject({
    status: 'FAILED',
    error: 'executionTimeout exceeded',
  })
  await cloud.delete(`${faultsPath}/${fault}`)
  const { body } = await cloud.post('/v2/e/run', { input: 3 })
  await cloud.advance('10s')
  expect((await cloud.get(`/v2/e/status/${body.id}`)).body.status).toBe('COMPLETED')
})

test('a worker whose image cannot be pulled initializes on and on, and recovers', async () => {
  const cloud = await startQueue({})
  await addFault(cloud, {
    resource: 'example/handler:1',
    forMs: 60_000,
    effect: { kind: 'fail-pull' },
  })
  const { body } = await cloud.post('/v2/e/run', { input: 'x' })
  await cloud.advance('30s')
  expect((await cloud.get(`/v2/e/status/${body.id}`)).body.status).toBe('IN_QUEUE')
  expect((await healthOf(cloud)).workers).toMatchObject({ initializing: 1, ready: 0 })
  const [worker] = cloud.world().workers.all()
  expect(await logsOf(cloud, worker?.id ?? '')).toContain('error pulling image')
  await cloud.advance('40s')
  expect((await cloud.get(`/v2/e/status/${body.id}`)).body.status).toBe('COMPLETED')
})

test('a worker in a container whose image cannot be pulled initializes on and on, and is then started', async () => {
  const image = 'local/program:1'
  const cloud = await startQueue({}, { workers: { e: `docker:${image}` } })
  await addFault(cloud, { resource: image, forMs: 60_000, effect: { kind: 'fail-pull' } })
  await cloud.post('/v2/e/run', { input: 'x' })
  await cloud.advance('30s')
  const [worker] = cloud.world().workers.all()
  const log = () => cloud.world().logs.of(worker?.id ?? '')
  const texts = () => log().map(({ text }) => text)
  expect(worker?.status).toBe('INITIALIZING')
  expect(texts()).toContain(`error pulling image: manifest for ${image} not found`)
  expect(texts()).not.toContain(`start container for ${image}: begin`)
  await cloud.advance('40s')
  expect(texts()).toContain(`start container for ${image}: begin`)
})

test('a worker that never gets its image is given up after seven minutes, and starts with it again', async () => {
  const cloud = await startQueue({})
  const fault = await addFault(cloud, { effect: { kind: 'fail-pull' } })
  await cloud.post('/v2/e/run', { input: 'x' })
  await cloud.advance('421s')
  expect(entriesOf(cloud, 'worker.crashed')).toHaveLength(1)
  const { hits } = await faultOf(cloud, fault)
  await cloud.advance('10s')
  expect((await faultOf(cloud, fault)).hits).toBeGreaterThan(hits)
})

test('a pod whose image cannot be pulled is made, and then ends without a word', async () => {
  const cloud = await startCloud()
  await addFault(cloud, { resource: 'no/such:image', effect: { kind: 'fail-pull' } })
  const gpu = { id: 'NVIDIA GeForce RTX 4090' }
  const { status, body } = await cloud.post('/v2/pods', { name: 'p', image: 'no/such:image', gpu })
  expect(status).toBe(201)
  await cloud.advance('1m')
  expect((await cloud.get(`/v2/pods/${body.id}`)).body.status).toBe('ERROR')
  const v1 = (await cloud.get(`/v1/pods/${body.id}`)).body
  expect(v1.desiredStatus).toBe('EXITED')
  expect(v1.lastStatusChange).toMatch(/^Exited by Runpod: /)
  const { data } = graphqlOf(cloud)
  expect((await data(`{ pod(input: {podId: "${body.id}"}) { desiredStatus } }`)).pod).toEqual({
    desiredStatus: 'EXITED',
  })
  expect((await cloud.get('/v2/pods/demopod')).body.status).toBe('RUNNING')
})

/** A receiver of webhooks, and how often each job was told of. */
async function receiver(statuses: readonly number[]) {
  const jobs: string[] = []
  const server = createServer((request, response) => {
    let text = ''
    request.on('data', (part) => {
      text += part
    })
    request.on('end', () => {
      jobs.push(JSON.parse(text).id)
      response.writeHead(statuses[jobs.length - 1] ?? 200).end()
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}/`, jobs, close: () => server.close() }
}

test('a webhook that is lost comes again, and one that is doubled comes twice for one attempt', async () => {
  const { url, jobs, close } = await receiver([])
  const cloud = await startQueue({}, { clock: 'auto' })
  await addFault(cloud, { times: 1, effect: { kind: 'drop-webhook' } })
  await addFault(cloud, { nth: 2, effect: { kind: 'duplicate-webhook' } })
  const first = (await cloud.post('/v2/e/runsync', { input: 1, webhook: url })).body.id
  await cloud.advance('1m')
  const second = (await cloud.post('/v2/e/runsync', { input: 2, webhook: url })).body.id
  await cloud.advance('1m')
  expect(jobs).toEqual([first, second, second])
  const { webhooks } = (await cloud.get('/_emulator/webhooks')).body
  const answers = webhooks.map(({ attempts }: { attempts: { answered: number }[] }) =>
    attempts.map(({ answered }) => answered),
  )
  expect(answers).toEqual([[0, 200], [200]])
  close()
})

test('a receiver of webhooks that is slow has them all the same, and gets them again when it is too slow', async () => {
  const { url, jobs, close } = await receiver([])
  const cloud = await startQueue({}, { profile: 'realistic' })
  await addFault(cloud, { times: 1, effect: { kind: 'slow-webhook', ms: 1_500 } })
  await addFault(cloud, { times: 1, effect: { kind: 'slow-webhook', ms: 60_000 } })
  const job = async () => (await cloud.post('/v2/e/run', { input: 1, webhook: url })).body.id
  /** Each attempt's answer, and when it came, in ms since the job ended. */
  const answers = () => {
    const queuedAtMs = entriesOf(cloud, 'webhook.queued').at(-1)?.atMs ?? 0
    const answered = entriesOf(cloud, 'webhook.answered').filter(({ atMs }) => atMs >= queuedAtMs)
    return answered.map(({ atMs, detail }) => [detail?.status, atMs - queuedAtMs])
  }
  const patient = await job()
  await cloud.advance('1h')
  expect(answers()).toEqual([[200, 1_500]])
  const impatient = await job()
  await cloud.advance('1h')
  // It is given up after two seconds, and tried again five seconds later.
  expect(answers()).toEqual([
    [0, 2_000],
    [200, 7_000],
  ])
  expect(jobs).toEqual([patient, impatient, impatient])
  close()
})

test('workers are killed by the clock, again and again, and the jobs they ran are queued again', async () => {
  const cloud = await startQueue({ endpoint: { workersMin: 2, workersMax: 2 } })
  await cloud.advance('5s')
  const rule = { afterMs: 10_000, everyMs: 60_000, times: 2, resource: 'e' }
  const fault = await addFault(cloud, { ...rule, effect: { kind: 'crash-workers' } })
  const { body } = await cloud.post('/v2/e/run', { input: { mock_delay: 30 } })
  await cloud.advance(9_999)
  expect((await healthOf(cloud)).workers).toMatchObject({ running: 1, idle: 1 })
  await cloud.advance(1)
  expect((await healthOf(cloud)).workers).toMatchObject({ unhealthy: 2 })
  await cloud.advance('50s')
  expect((await cloud.get(`/v2/e/status/${body.id}`)).body).toMatchObject({
    status: 'COMPLETED',
    retries: 1,
  })
  await cloud.advance('20s')
  expect(await faultOf(cloud, fault)).toMatchObject({ status: 'EXPIRED', hits: 2 })
  expect(entriesOf(cloud, 'worker.crashed')).toHaveLength(4)
  expect(cloud.world().timeline.pending.some(({ event }) => event.kind === 'fault.due')).toBe(false)
})

test('the balance can run dry with a request, and stock with the clock', async () => {
  const cloud = await startCloud()
  const { post } = cloud
  const gpu = { id: 'NVIDIA GeForce RTX 4090' }
  const pod = { name: 'p', image: 'x', gpu }
  await addFault(cloud, {
    operation: 'v2.createPod',
    nth: 2,
    effect: { kind: 'set-balance', balanceUsd: 0 },
  })
  expect((await post('/v2/pods', pod)).status).toBe(201)
  expect((await post('/v2/pods', pod)).status).toBe(402)
  await addFault(cloud, { effect: { kind: 'set-balance', balanceUsd: 100 } })
  expect((await post('/v2/pods', pod)).status).toBe(201)
  for (const { id: dataCenterId } of cloud.world().stock.dataCenters) {
    const effect = { kind: 'change-stock', dataCenterId, typeId: gpu.id, total: 0 }
    await addFault(cloud, { afterMs: 5_000, effect })
  }
  await cloud.advance('5s')
  expect((await post('/v2/pods', pod)).status).toBe(400)
})

test('a balance that runs dry ends pods, and the fault is the cause', async () => {
  const cloud = await startCloud()
  await cloud.advance('1m')
  await addFault(cloud, { afterMs: 60_000, effect: { kind: 'set-balance' } })
  await cloud.advance('59s')
  expect((await cloud.get('/v2/pods/demopod')).body.status).toBe('RUNNING')
  await cloud.advance('1s')
  expect((await cloud.get('/v2/pods/demopod')).status).toBe(404)
  const kinds = cloud.world().timeline.past.map(({ kind }) => kind)
  expect(kinds.indexOf('account.depleted')).toBeGreaterThan(kinds.indexOf('account.balance-set'))
})

test('a change of stock that is not possible is refused, and nothing changes', async () => {
  const cloud = await startCloud()
  const change = { kind: 'change-stock', dataCenterId: 'EU-RO-1', typeId: 'NVIDIA X', total: 0 }
  expect((await cloud.post(faultsPath, { effect: change })).status).toBe(400)
  const { status, body } = await cloud.post(faultsPath, {
    effect: { ...change, typeId: 'NVIDIA L4' },
    nth: 2,
  })
  expect([status, body.errors]).toEqual([422, ['$.nth: it comes only once without everyMs']])
  expect((await cloud.get(faultsPath)).body).toEqual({ faults: [] })
})

test('the same seed strikes the same jobs', async () => {
  const struck = async (seed: string) => {
    const cloud = await startQueue({}, { seed })
    await addFault(cloud, { id: 'half', probability: 0.5, effect: { kind: 'hang-job' } })
    for (let job = 0; job < 12; job++) await cloud.post('/v2/e/run', { input: job })
    await cloud.advance('1h')
    return cloud.world().timeline.past.map(({ kind, id }) => `${kind} ${id}`)
  }
  expect(await struck('3')).toEqual(await struck('3'))
  expect(await struck('4')).not.toEqual(await struck('3'))
})

const rentSpot = async (cloud: Cloud) => {
  const query = `mutation { podRentInterruptable(input: {
    name: "spot", imageName: "example/image:1", gpuTypeId: "NVIDIA GeForce RTX 4090",
    cloudType: SECURE, gpuCount: 1, volumeInGb: 1, containerDiskInGb: 1, bidPerGpu: 1 }) { id } }`
  const { body } = await cloud.post('/graphql', { query })
  return body.data.podRentInterruptable.id as string
}

test('spot pods are reclaimed by the clock, and others keep their GPUs', async () => {
  const cloud = await startCloud()
  const [first, second] = [await rentSpot(cloud), await rentSpot(cloud)]
  await cloud.advance('5s')
  const status = async (id: string) => (await cloud.get(`/v2/pods/${id}`)).body.status
  await addFault(cloud, { resource: first, afterMs: 1_000, effect: { kind: 'reclaim-spot' } })
  await cloud.advance('2s')
  expect([await status(first), await status(second)]).toEqual(['EXITED', 'RUNNING'])
  await addFault(cloud, { effect: { kind: 'reclaim-spot' } })
  expect([await status(second), await status('demopod')]).toEqual(['EXITED', 'RUNNING'])
})
