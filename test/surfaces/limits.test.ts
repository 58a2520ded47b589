/** Limits of the request address: on where things are as in the cloud, off where tests are written. */
import type { Reply, Sink } from '../../src/surfaces/http/reply.ts'
import { type Cloud, startCloud, testKey } from '../support/cloud.ts'
import { startQueue } from '../support/queue.ts'

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

const mebibyte = 1_048_576
const huge = { name: 'huge', outputBytes: 10 * mebibyte }

test('a result over 10 MiB is refused: the job completes without output, and only the worker log knows', async () => {
  const queue = { endpoint: { handler: 'huge', workersMin: 1 }, handlers: [huge] }
  const cloud = await startQueue(queue, { limits: 'on' })
  const { body } = await cloud.post('/v2/e/run', { input: 1 })
  await cloud.advance('2s')
  const status = (await cloud.get(`/v2/e/status/${body.id}`)).body
  expect(status).toMatchObject({ status: 'COMPLETED', workerId: expect.any(String) })
  expect(status).not.toHaveProperty('output')
  expect(
    cloud
      .world()
      .logs.of(status.workerId)
      .map(({ text }) => text),
  ).toContain("Failed to return job results. | 400, message='Bad Request'")
  const { sentences } = (await cloud.get(`/_emulator/explain/jobs/${body.id}`)).body
  expect(sentences.join(' ')).toMatch(/too large for the platform/)
  const sync = cloud.post('/v2/e/runsync', { input: 1 })
  await cloud.advance('2s')
  expect((await sync).body.output).toHaveLength(10 * mebibyte)
})

test('without limits a result of any size comes back', async () => {
  const cloud = await startQueue({ endpoint: { handler: 'huge' }, handlers: [huge] })
  const { body } = await cloud.post('/v2/e/run', { input: 1 })
  await cloud.advance('2s')
  expect((await cloud.get(`/v2/e/status/${body.id}`)).body.output).toHaveLength(10 * mebibyte)
})

test('a chunk over 1 MiB comes in parts, none of which ends inside a character', async () => {
  const chunk = `x${'€'.repeat(mebibyte / 2)}`
  const queue = {
    endpoint: { handler: 'long' },
    handlers: [{ name: 'long', stream: [chunk, { n: 1 }] }],
  }
  const cloud = await startQueue(queue, { limits: 'on' })
  const { body } = await cloud.post('/v2/e/run', { input: 1 })
  await cloud.advance('2s')
  const { stream } = (await cloud.get(`/v2/e/stream/${body.id}`)).body
  const outputs = stream.map(({ output }: { output: unknown }) => output)
  expect(outputs).toHaveLength(3)
  expect(outputs[0] + outputs[1]).toBe(chunk)
  expect(Buffer.byteLength(outputs[0])).toBeLessThanOrEqual(mebibyte)
  expect(outputs[2]).toEqual({ n: 1 })
})

test('what was counted for an endpoint is forgotten with it', async () => {
  const cloud = await startCloud({ limits: 'on' })
  await cloud.post('/v2/demo/run', { input: 1 })
  const counted = () => cloud.world().rates.where(({ id }) => id.startsWith('demo/')).length
  expect(counted()).toBe(1)
  expect((await cloud.delete('/v2/serverless/demo')).status).toBe(204)
  expect(counted()).toBe(0)
})

test('a call that streams is under way until its stream ends, or its caller hangs up', async () => {
  const { emulator, world, advance } = await startCloud({ limits: 'on' })
  const path = '/v2/demollm/openai/v1/chat/completions'
  const messages = [{ role: 'user', content: 'hello' }]
  const open = async () => {
    const reply = emulator.handle(emulator.route('POST', path), {
      method: 'POST',
      path,
      search: '',
      headers: { ...testKey, 'content-type': 'application/json' },
      origin: 'http://127.0.0.1:4300',
      text: JSON.stringify({ model: 'example/llm', messages, stream: true }),
      onHangUp: () => {},
    })
    let begun: Reply | undefined
    void Promise.resolve(reply).then((made) => {
      begun = made
    })
    while (begun === undefined) await emulator.clock.advance(emulator.main, 20)
    return begun.stream
  }
  const underWay = () => world().rates.require('demollm/openai').underWay
  const sink: Sink = { write: () => {}, end: () => {} }
  const first = await open()
  expect(underWay()).toBe(1)
  first?.(sink)
  await advance('1m')
  expect(underWay()).toBe(0)
  const stop = (await open())?.(sink)
  expect(underWay()).toBe(1)
  stop?.()
  expect(underWay()).toBe(0)
})
