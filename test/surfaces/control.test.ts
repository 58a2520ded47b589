/** The control API: the clock, the state, the past, and the way back. */
import { startCloud } from '../support/cloud.ts'

const pod = { name: 'p', image: 'example/image:1', gpu: { id: 'NVIDIA GeForce RTX 4090' } }

test('with the clock manual nothing moves until it is told to', async () => {
  const { post, get } = await startCloud()
  const before = (await get('/_emulator/clock')).body
  const { body } = await post('/v2/pods', pod)
  await new Promise<void>((resolve) => setImmediate(resolve))
  expect((await get('/_emulator/clock')).body.now).toBe(before.now)
  expect((await get(`/v2/pods/${body.id}`)).body.status).toBe('PROVISIONING')

  const after = await post('/_emulator/clock/advance', { by: '1h' })
  expect(after).toMatchObject({ status: 200, body: { mode: 'manual', events: expect.any(Number) } })
  expect(Date.parse(after.body.now) - Date.parse(before.now)).toBe(3_600_000)
  expect((await get(`/v2/pods/${body.id}`)).body.status).toBe('RUNNING')
})

test('the clock can be set to an instant, and not back', async () => {
  const { post } = await startCloud()
  expect(await post('/_emulator/clock/set', { to: '2026-01-02T00:00:00Z' })).toMatchObject({
    body: { now: '2026-01-02T00:00:00.000Z' },
  })
  expect(await post('/_emulator/clock/set', { to: '2026-01-01T00:00:00Z' })).toMatchObject({
    status: 409,
  })
})

test.each([[{ by: 'soon' }], [{ by: -1 }], [{}], [{ by: '1h', also: 1 }]])(
  'time does not pass by %j',
  async (body) => {
    const { post, get } = await startCloud()
    const { now } = (await get('/_emulator/clock')).body
    expect(await post('/_emulator/clock/advance', body)).toMatchObject({ status: 422 })
    expect((await get('/_emulator/clock')).body.now).toBe(now)
  },
)

test('a clock that jumps brings a waiting caller its answer at once, and lets results live', async () => {
  const { post, get } = await startCloud({ clock: 'auto' })
  const done = await post('/v2/demo/runsync', { input: { mock_delay: 60 } })
  expect(done.body).toMatchObject({ status: 'COMPLETED', executionTime: 60_000 })
  expect((await get(`/v2/demo/status/${done.body.id}`)).status).toBe(200)
  const { now } = (await get('/_emulator/clock')).body
  expect((await get('/_emulator/clock')).body.now).toBe(now)
})

test('what is due is listed, soonest first, and what happened names its cause', async () => {
  const { post, get, advance } = await startCloud()
  const { body } = await post('/v2/pods', pod)
  const { pending } = (await get('/_emulator/pending')).body
  expect(pending.some(({ event }: { event: { podId?: string } }) => event.podId === body.id)).toBe(
    true,
  )
  await advance('5s')
  const entries = (await get('/_emulator/timeline')).text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ id }) => id === body.id)
  expect(entries.map(({ kind }) => kind)).toEqual([
    'pod.created',
    'pod.provisioning',
    'pod.starting',
    'pod.running',
  ])
  for (const [index, entry] of entries.slice(1).entries()) {
    expect(entry.cause).toBe(entries[index].seq)
  }
})

test('reset puts everything back, answers those who wait, and draws the same ids again', async () => {
  const { post, get } = await startCloud()
  const first = (await post('/v2/pods', pod)).body
  const waiting = post('/v2/demo/runsync', { input: 1 })
  expect(await post('/_emulator/reset')).toMatchObject({ status: 200, body: { status: 'reset' } })
  expect((await waiting).body.status).toBe('IN_QUEUE')
  expect((await get(`/v2/pods/${first.id}`)).status).toBe(404)
  expect((await post('/v2/pods', pod)).body.id).toBe(first.id)

  await post('/_emulator/reset', { seed: 'another' })
  expect((await post('/v2/pods', pod)).body.id).not.toBe(first.id)
})

test('the state shows counts and what there is', async () => {
  const { get } = await startCloud()
  expect((await get('/_emulator/state')).body).toMatchObject({
    counts: { pods: 1, endpoints: 4 },
    endpoints: expect.arrayContaining([expect.objectContaining({ id: 'demo', handler: 'echo' })]),
  })
})

test('requests are remembered with their operation, and never with their key', async () => {
  const { get } = await startCloud()
  await get('/v2/pods?api_key=rpa_SECRET')
  const { text, body } = await get('/_emulator/requests')
  expect(body.requests).toMatchObject([
    { method: 'GET', path: '/v2/pods', operation: 'v2.listPods', status: 200 },
  ])
  expect(text).not.toContain('SECRET')
})

test('a bug hides its details on the wire and is told to whoever runs the emulator', async () => {
  const { get, world, bugs } = await startCloud()
  const broken = world().pods.require('demopod')
  world().pods.put({ ...broken, createdAtMs: Number.NaN })
  const reply = await get('/v2/pods')
  expect(reply).toMatchObject({ status: 500, body: { status: 500, detail: 'internal error' } })
  expect(reply.text).not.toContain('RangeError')
  expect(bugs).toHaveLength(1)
  expect((bugs[0] as Error).stack).toContain('RangeError')
})

test('the clock can change its mode and tells what it was told', async () => {
  const { patch, get } = await startCloud()
  expect((await patch('/_emulator/clock', { paused: true })).body).toMatchObject({ paused: true })
  expect((await patch('/_emulator/clock', { mode: 'auto', paused: false })).body).toMatchObject({
    mode: 'auto',
  })
  expect((await patch('/_emulator/clock', { speed: 0 })).status).toBe(422)
  expect((await get('/_emulator/openapi.json')).body.paths['/_emulator/clock']).toBeDefined()
})
