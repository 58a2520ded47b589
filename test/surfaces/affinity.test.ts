/** Callers that want the worker they had before. */
import { hasCome, startBalancer, workersOf } from '../support/balancer.ts'
import type { Cloud } from '../support/cloud.ts'

const handler = { capacity: 1, routes: [{ path: '/work', body: {}, delayMs: 10_000 }] }
const twoWorkers = { workersMin: 2, workersMax: 2 }
const ask = ({ get }: Cloud, workerId: string) =>
  get('/v2/e/work', { 'x-runpod-worker-id': workerId })
const servedBy = async (answer: ReturnType<typeof ask>) =>
  (await answer).headers['x-runpod-worker-id']

async function startTwo(endpoint: object = {}) {
  const cloud = await startBalancer({ handler, endpoint: { ...twoWorkers, ...endpoint } })
  await cloud.advance('10s')
  const [first, second] = workersOf(cloud)
  if (first === undefined || second === undefined) throw new Error('both workers are up')
  return { cloud, first, second }
}

test('without affinity the worker with the least to do answers, the first among equals', async () => {
  const { cloud, first, second } = await startTwo()
  const answers = [cloud.get('/v2/e/work'), cloud.get('/v2/e/work')]
  await cloud.advance('10s')
  expect(await Promise.all(answers.map(servedBy))).toEqual([first.id, second.id])
})

test('an id alone is a wish: another worker answers where that one cannot', async () => {
  const { cloud, first, second } = await startTwo()
  const wish = ask(cloud, second.id)
  await cloud.advance('1s')
  const busy = ask(cloud, second.id)
  await cloud.advance('1m')
  expect(await servedBy(wish)).toBe(second.id)
  expect(await servedBy(busy)).toBe(first.id)
  const gone = ask(cloud, 'nosuchworker')
  await cloud.advance('1m')
  expect(await servedBy(gone)).toBe(first.id)
})

test('strict waits for its worker while another is free', async () => {
  const { cloud, second } = await startTwo()
  const before = ask(cloud, second.id)
  const strict = ask(cloud, `strict ${second.id}`)
  await cloud.advance('15s')
  expect(await servedBy(before)).toBe(second.id)
  expect(await hasCome(strict)).toBe(false)
  await cloud.advance('5s')
  expect(await servedBy(strict)).toBe(second.id)
})

test('strict is refused at once where the worker is gone, or another endpoint’s', async () => {
  const { cloud } = await startTwo()
  const [stranger] = workersOf(cloud, 'other')
  const refusal = { status: 404, body: { error: 'affinity_worker_gone' } }
  expect(await ask(cloud, 'strict nosuchworker')).toMatchObject(refusal)
  expect(await ask(cloud, `strict ${stranger?.id}`)).toMatchObject(refusal)
  expect(await ask(cloud, `strict-resume ${stranger?.id}`)).toMatchObject(refusal)
})

test('strict gives up after five minutes', async () => {
  const busy = { capacity: 1, routes: [{ path: '/work', body: {}, delayMs: 320_000 }] }
  const cloud = await startBalancer({ handler: busy, endpoint: { workersMin: 1, workersMax: 1 } })
  await cloud.advance('10s')
  const [worker] = workersOf(cloud)
  const first = cloud.get('/v2/e/work')
  const strict = ask(cloud, `strict ${worker?.id}`)
  await cloud.advance(299_999)
  expect(await hasCome(strict)).toBe(false)
  await cloud.advance(1)
  expect(await strict).toMatchObject({ status: 400, body: { error: 'worker_timeout' } })
  await cloud.advance('20s')
  expect((await first).status).toBe(200)
})

test('strict is told when its worker goes while it waits', async () => {
  const warming = {
    routes: [{ path: '/ping', first: [{ status: 204, forMs: 60_000 }] }, { path: '/work' }],
  }
  const cloud = await startBalancer({ handler: warming, endpoint: { workersMin: 1 } })
  await cloud.advance('10s')
  const strict = ask(cloud, `strict ${workersOf(cloud)[0]?.id}`)
  await cloud.advance('1s')
  await cloud.patch('/v2/serverless/e', { workers: { min: 0, max: 0 } })
  expect(await strict).toMatchObject({ status: 404, body: { error: 'affinity_worker_gone' } })
  expect(cloud.bugs).toEqual([])
})

describe.each([['OFF'], ['FLASHBOOT']])(
  'a worker that was scaled down, FlashBoot %s,',
  (flashBoot) => {
    async function startIdledOut() {
      const cloud = await startBalancer({ handler, endpoint: { workersMax: 1, flashBoot } })
      const answer = cloud.get('/v2/e/work')
      await cloud.advance('2m')
      const id = (await answer).headers['x-runpod-worker-id'] ?? ''
      expect(workersOf(cloud)).toEqual([])
      return { cloud, id }
    }

    test('is gone for strict', async () => {
      const { cloud, id } = await startIdledOut()
      expect((await ask(cloud, `strict ${id}`)).status).toBe(404)
    })

    test('comes back under its id for strict-resume', async () => {
      const { cloud, id } = await startIdledOut()
      const answer = ask(cloud, `strict-resume ${id}`)
      await cloud.advance('12s')
      expect(await servedBy(answer)).toBe(id)
      expect(workersOf(cloud)).toMatchObject([{ id, status: 'IDLE' }])
    })

    test('waits for room when the endpoint has all workers it may have', async () => {
      const { cloud, id } = await startIdledOut()
      await cloud.patch('/v2/serverless/e', { workers: { min: 0, max: 0 } })
      const strict = ask(cloud, `strict-resume ${id}`)
      await cloud.advance('1m')
      expect(await hasCome(strict)).toBe(false)
      await cloud.patch('/v2/serverless/e', { workers: { min: 0, max: 1 } })
      await cloud.advance('15s')
      expect(await servedBy(strict)).toBe(id)
    })
  },
)

test('traffic that is pinned keeps its worker from idling out', async () => {
  const cloud = await startBalancer({
    handler: { routes: [{ path: '/work' }] },
    endpoint: { idleTimeoutMs: 5_000 },
  })
  const first = cloud.get('/v2/e/work')
  await cloud.advance('3s')
  const id = (await first).headers['x-runpod-worker-id'] ?? ''
  for (let asked = 0; asked < 5; asked += 1) {
    const answer = ask(cloud, `strict ${id}`)
    await cloud.advance('4s')
    expect(await servedBy(answer)).toBe(id)
  }
  await cloud.advance('6s')
  expect(workersOf(cloud)).toEqual([])
})
