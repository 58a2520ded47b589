/** The health path of load-balancing workers decides who gets requests. */
import { hasCome, startBalancer, workersOf } from '../support/balancer.ts'

const oneWorker = { workersMin: 1, workersMax: 1 }
const ping = (first: readonly object[], rest: object = {}) => ({
  routes: [
    { method: 'GET', path: '/ping', first, ...rest },
    { path: '/work', body: { done: true }, delayMs: 10_000 },
  ],
})

test('a worker that answers 204 initializes, and gets requests from its first 200 on', async () => {
  const cloud = await startBalancer({
    handler: ping([{ status: 204, forMs: 30_000 }]),
    endpoint: oneWorker,
  })
  await cloud.advance('10s')
  expect(workersOf(cloud)).toMatchObject([{ status: 'INITIALIZING' }])
  const answer = cloud.get('/v2/e/ping')
  await cloud.advance('19s')
  expect(await hasCome(answer)).toBe(false)
  await cloud.advance('3s')
  expect((await answer).status).toBe(200)
  expect(workersOf(cloud)).toMatchObject([{ status: 'IDLE' }])
})

test('the change is seen with the next look, not before', async () => {
  const cloud = await startBalancer(
    { handler: ping([{ status: 204, forMs: 1_000 }]), endpoint: oneWorker },
    { profile: 'realistic' },
  )
  const readyAt = async () => {
    await cloud.advance('1h')
    const { past } = cloud.world().timeline
    const at = (kind: string) =>
      past.find((entry) => entry.kind === kind && entry.detail?.endpointId === 'e')?.atMs ?? 0
    return at('worker.ready')
  }
  const ready = await readyAt()
  const { upAtMs } = cloud.world().healthChecks.all()[0] ?? { upAtMs: 0 }
  expect(ready - upAtMs).toBe(30_000)
})

test('a worker that answers anything else leaves the pool, finishes, and may come back', async () => {
  const phases = [
    { status: 200, forMs: 20_000 },
    { status: 500, forMs: 60_000 },
  ]
  const cloud = await startBalancer({ handler: ping(phases), endpoint: oneWorker })
  await cloud.advance('15s')
  const early = cloud.get('/v2/e/work')
  await cloud.advance('8s')
  expect(workersOf(cloud)).toMatchObject([{ status: 'UNHEALTHY', requestsInFlight: 1 }])
  const late = cloud.get('/v2/e/work')
  await cloud.advance('5s')
  expect((await early).status).toBe(200)
  expect(cloud.world().requests.all()).toMatchObject([{ status: 'WAITING' }])
  await cloud.advance('80s')
  expect((await late).status).toBe(200)
  expect(workersOf(cloud)).toMatchObject([{ status: 'IDLE', requestsInFlight: 0 }])
  expect(cloud.bugs).toEqual([])
})

test('a worker that was well and answers 204 again is asked for nothing', async () => {
  const phases = [
    { status: 200, forMs: 20_000 },
    { status: 204, forMs: 20_000 },
  ]
  const cloud = await startBalancer({ handler: ping(phases), endpoint: oneWorker })
  await cloud.advance('25s')
  expect(workersOf(cloud)).toMatchObject([{ status: 'INITIALIZING' }])
  await cloud.advance('25s')
  expect(workersOf(cloud)).toMatchObject([{ status: 'IDLE' }])
})

test('a worker comes back into the pool with the requests it still answers', async () => {
  const phases = [
    { status: 200, forMs: 20_000 },
    { status: 500, forMs: 2_000 },
  ]
  const cloud = await startBalancer({ handler: ping(phases), endpoint: oneWorker })
  await cloud.advance('15s')
  const answer = cloud.get('/v2/e/work')
  await cloud.advance('9s')
  expect(workersOf(cloud)).toMatchObject([{ status: 'RUNNING', requestsInFlight: 1 }])
  await cloud.advance('2s')
  expect((await answer).status).toBe(200)
})

test('without a healthy answer, a request waits in vain and the worker is replaced', async () => {
  const cloud = await startBalancer({ handler: ping([], { status: 502 }), endpoint: oneWorker })
  await cloud.advance('10s')
  const [first] = workersOf(cloud)
  expect(first).toMatchObject({ status: 'UNHEALTHY' })
  const answer = cloud.get('/v2/e/work')
  await cloud.advance('2m')
  expect((await answer).status).toBe(400)
  await cloud.advance('7m')
  const [second] = workersOf(cloud)
  expect(second?.id).not.toBe(first?.id)
  expect(cloud.world().healthChecks.find(first?.id ?? '')).toBeUndefined()
})

test('HEALTH_CHECK_PATH names another path', async () => {
  const endpoint = {
    ...oneWorker,
    container: { image: 'example/web:1', env: { HEALTH_CHECK_PATH: '/healthz' } },
  }
  const sick = { routes: [{ path: '/healthz', status: 500 }, { path: '/ping' }] }
  const one = await startBalancer({ handler: sick, endpoint })
  await one.advance('10s')
  expect(workersOf(one)).toMatchObject([{ status: 'UNHEALTHY' }])
  const other = await startBalancer({ handler: { routes: [] }, endpoint })
  await other.advance('10s')
  expect(workersOf(other)).toMatchObject([{ status: 'IDLE' }])
  const answer = other.get('/v2/e/healthz')
  await other.advance('1s')
  expect(await answer).toMatchObject({ status: 200, body: { status: 'healthy' } })
})

test('a worker that stays healthy is no event', async () => {
  const cloud = await startBalancer({ handler: ping([]), endpoint: oneWorker })
  await cloud.advance('1m')
  const pending = cloud.world().timeline.pending.map(({ event }) => event.kind)
  expect(pending).not.toContain('health.due')
  const [worker] = workersOf(cloud)
  await cloud.advance('1d')
  expect(workersOf(cloud)).toMatchObject([{ id: worker?.id, status: 'IDLE' }])
})

const web = (port: number) => ({ port, routes: [{ path: '/work', body: { done: true } }] })
const endpointWith = (env: object) => ({ ...oneWorker, container: { image: 'example/web:1', env } })

test('a server that listens where PORT and PORT_HEALTH say is reached', async () => {
  const env = { PORT: '8000', PORT_HEALTH: '8000' }
  const cloud = await startBalancer({ handler: web(8_000), endpoint: endpointWith(env) })
  await cloud.advance('5s')
  const answer = cloud.get('/v2/e/work')
  await cloud.advance('1s')
  expect(await answer).toMatchObject({ status: 200, body: { done: true } })
})

test('a server on a port that nobody asks never becomes ready: callers wait in vain, and it is replaced', async () => {
  const cloud = await startBalancer({ handler: web(8_000), endpoint: oneWorker })
  await cloud.advance('5s')
  expect(workersOf(cloud)).toMatchObject([{ status: 'INITIALIZING' }])
  const answer = cloud.get('/v2/e/work')
  await cloud.advance('121s')
  expect(await answer).toMatchObject({ status: 400 })
  const [first] = workersOf(cloud)
  await cloud.advance('8m')
  expect(workersOf(cloud)[0]?.id).not.toBe(first?.id)
})

test('a worker that is healthy on one port and serves on another answers 502', async () => {
  const env = { PORT: '9000', PORT_HEALTH: '8000' }
  const cloud = await startBalancer({ handler: web(8_000), endpoint: endpointWith(env) })
  await cloud.advance('5s')
  const answer = cloud.get('/v2/e/work')
  await cloud.advance('1s')
  expect((await answer).status).toBe(502)
})

test('PORT_HEALTH is PORT unless it is set, or 80 as the reference has it', async () => {
  const balancer = { handler: web(8_000), endpoint: endpointWith({ PORT: '8000' }) }
  const guide = await startBalancer(balancer)
  await guide.advance('5s')
  expect(workersOf(guide)).toMatchObject([{ status: 'IDLE' }])
  const reference = await startBalancer(balancer, { fidelity: { portHealthDefault: '80' } })
  await reference.advance('5s')
  expect(workersOf(reference)).toMatchObject([{ status: 'INITIALIZING' }])
})

test('an answer over 30 MiB does not get through where limits are on', async () => {
  const part = { text: 'x'.repeat(1_048_576) }
  const routes = [{ path: '/work', stream: Array.from({ length: 30 }, () => part) }]
  const statusWith = async (limits: 'on' | 'off') => {
    const cloud = await startBalancer({ handler: { routes }, endpoint: oneWorker }, { limits })
    await cloud.advance('5s')
    const answer = cloud.get('/v2/e/work')
    await cloud.advance('1s')
    return (await answer).status
  }
  expect(await statusWith('on')).toBe(502)
  expect(await statusWith('off')).toBe(200)
})
