/** `/metrics` at the request address: which workers are ready. */
import { startCloud } from '../support/cloud.ts'

const none = { idle: 0, initializing: 0, ready: 0, running: 0, throttled: 0, unhealthy: 0 }

test('a worker is in no list while it starts and while it runs, and in the list once it is ready', async () => {
  const { get, post, advance, world } = await startCloud()
  expect((await get('/v2/demo/metrics')).body).toEqual({ readyWorkers: [], workers: none })

  await post('/v2/demo/run', { input: { mock_delay: 5 } })
  const starting = await get('/v2/demo/metrics')
  expect(starting.body).toEqual({ readyWorkers: [], workers: { ...none, initializing: 1 } })

  await advance('2s')
  const running = await get('/v2/demo/metrics')
  expect(running.body).toEqual({ readyWorkers: [], workers: { ...none, running: 1 } })

  await advance('5s')
  const [worker] = world().workers.where(({ endpointId }) => endpointId === 'demo')
  const ready = await get('/v2/demo/metrics')
  expect(ready.body).toEqual({
    readyWorkers: [worker?.id],
    workers: { ...none, idle: 1, ready: 1 },
  })

  await advance('10s')
  expect((await get('/v2/demo/metrics')).body.readyWorkers).toEqual([])
})

test('the counts are those of /health', async () => {
  const { get, advance } = await startCloud()
  await advance('2s')
  const health = await get('/v2/demolb/health')
  expect((await get('/v2/demolb/metrics')).body.workers).toEqual(health.body.workers)
  expect((await get('/v2/nowhere/metrics')).status).toBe(404)
})
