/** Limits of the request address: on where things are as in the cloud, off where tests are written. */
import { type Cloud, startCloud } from '../support/cloud.ts'

const runMany = async ({ post }: Cloud, times: number) => {
  let last = await post('/v2/demo/run', { input: 1 })
  for (let call = 1; call < times; call++) last = await post('/v2/demo/run', { input: 1 })
  return last
}

test('the 1001st run in ten seconds is refused, and the next window is open again', async () => {
  const cloud = await startCloud({ limits: 'on' })
  expect((await runMany(cloud, 1_000)).status).toBe(200)
  const refused = await cloud.post('/v2/demo/run', { input: 1 })
  expect(refused).toMatchObject({
    status: 429,
    headers: { 'retry-after': '10' },
    body: { status: 429, title: 'Too Many Requests' },
  })
  expect(cloud.world().jobs.size).toBe(1_000)
  await cloud.advance('10s')
  expect((await cloud.post('/v2/demo/run', { input: 1 })).status).toBe(200)
})

test('operations and endpoints are counted apart', async () => {
  const cloud = await startCloud({ limits: 'on' })
  const purge = (endpoint: string) => cloud.post(`/v2/${endpoint}/purge-queue`)
  await purge('demo')
  await purge('demo')
  expect((await purge('demo')).status).toBe(429)
  expect((await purge('demostream')).status).toBe(200)
  expect((await cloud.get('/v2/demo/health')).status).toBe(200)
})

test('only so many callers may wait at once, and each that leaves makes room', async () => {
  const cloud = await startCloud({ limits: 'on' })
  const sync = () => cloud.post('/v2/demo/runsync', { input: { mock_delay: 1 } })
  const waiting = Array.from({ length: 400 }, sync)
  expect((await sync()).status).toBe(429)
  await cloud.advance('90s')
  for (const answer of waiting) expect((await answer).status).toBe(200)
  expect(cloud.world().rates.require('demo/runsync').underWay).toBe(0)
})

test('a body over 10 MiB is refused by run with the words of the platform, and nothing is queued', async () => {
  const cloud = await startCloud({ limits: 'on' })
  const input = 'x'.repeat(10 * 1_048_576)
  expect(await cloud.post('/v2/demo/run', { input })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('exceeded max body size of 10MiB') },
  })
  expect(cloud.world().jobs.size).toBe(0)
  const sync = cloud.post('/v2/demo/runsync', { input })
  await cloud.advance('2s')
  expect((await sync).status).toBe(200)
})

test('limits are on with profile realistic, off with the others, and can be turned either way', async () => {
  const on = async (options: object) => (await startCloud(options)).world().settings.limits
  expect(await on({})).toBe(false)
  expect(await on({ profile: 'realistic' })).toBe(true)
  expect(await on({ profile: 'realistic', limits: 'off' })).toBe(false)
  expect(await on({ limits: 'on' })).toBe(true)
})
