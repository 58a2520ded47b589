/** Explanations: why a job waits or ended as it did, in plain sentences. */
import { startCloud } from '../support/cloud.ts'

const read = (reply: { body: { sentences: string[] } }) => reply.body.sentences.join('\n')

test('a job that waits for a cold worker is told which stage the worker is in', async () => {
  const { post, get } = await startCloud()
  const { body } = await post('/v2/demo/run', { input: 1 })
  const reply = await get(`/_emulator/explain/jobs/${body.id}`)
  expect(reply).toMatchObject({
    status: 200,
    body: { subject: `job ${body.id}`, status: 'IN_QUEUE' },
  })
  expect(read(reply)).toMatch(/is starting: placement, done in 50 ms/)
  expect(read(reply)).toMatch(/It wants 1 worker and has 1, of 0 to 3/)
})

test('a stuck job is told apart: no capacity, no worker allowed, a crash loop', async () => {
  const cloud = await startCloud()
  for (const { id, gpus } of cloud.world().stock.dataCenters) {
    for (const typeId of Object.keys(gpus)) {
      cloud.world().stock.set(id, typeId, 'SECURE', 0)
      cloud.world().stock.set(id, typeId, 'COMMUNITY', 0)
    }
  }
  const throttled = (await cloud.post('/v2/demo/run', { input: 1 })).body
  await cloud.advance('10s')
  expect(read(await cloud.get(`/_emulator/explain/jobs/${throttled.id}`))).toContain('is throttled')

  await cloud.patch('/v2/serverless/demostream', { workers: { max: 0 } })
  const barred = (await cloud.post('/v2/demostream/run', { input: 1 })).body
  expect(read(await cloud.get(`/_emulator/explain/jobs/${barred.id}`))).toContain('workersMax is 0')
})

test('a failed job says what its words mean, and its way there', async () => {
  const { post, get, advance } = await startCloud()
  const { body } = await post('/v2/demo/run', { input: { mock_crash: true } })
  await advance('20m')
  const text = read(await get(`/_emulator/explain/jobs/${body.id}`))
  expect(text).toContain('had not reported back, so it was put in the queue again')
  expect(text).toContain('never reported back, and neither did the next')

  const slow = await post('/v2/demo/run', {
    input: { mock_delay: 60 },
    policy: { executionTimeout: 5_000 },
  })
  await advance('10s')
  expect(read(await get(`/_emulator/explain/jobs/${slow.body.id}`))).toContain(
    'It ran longer than it may',
  )
})

test('a job whose result expired is still explained; one that never was is not found', async () => {
  const { post, get, advance } = await startCloud()
  const { body } = await post('/v2/demo/run', { input: 1 })
  await advance('40m')
  const reply = await get(`/_emulator/explain/jobs/${body.id}`)
  expect(reply.body.status).toBe('GONE')
  expect(read(reply)).toContain('its result was kept as long as results are')
  expect((await get('/_emulator/explain/jobs/none')).status).toBe(404)
})

test('an endpoint says what its autoscaler sees, and each worker what it does', async () => {
  const { post, get, advance } = await startCloud()
  for (let n = 0; n < 9; n++) await post('/v2/demo/run', { input: { mock_delay: 60 } })
  await advance('20s')
  const text = read(await get('/_emulator/explain/endpoints/demo'))
  expect(text).toContain('It is at its maximum')
  expect(text.match(/is running job/g)).toHaveLength(3)
  expect((await get('/_emulator/explain/endpoints/none')).status).toBe(404)
})
