/** Conditions, the request log, verification and the timeline in its forms. */
import type { Sink } from '../../src/surfaces/http/reply.ts'
import { startCloud, testKey } from '../support/cloud.ts'

test('time passes until a condition holds, and not a moment longer', async () => {
  const { post, get } = await startCloud()
  const { body: job } = await post('/v2/demo/run', { input: { mock_delay: 7 } })
  const until = (condition: string, limit?: string) =>
    post('/_emulator/clock/run-until', { condition, limit })
  expect((await until(`jobs.${job.id}.status == IN_PROGRESS`)).body.reached).toBe(true)
  const started = Date.parse((await get('/_emulator/clock')).body.now)
  const ended = await until(
    `jobs.${job.id}.status == COMPLETED and endpoints.demo.workers.IDLE >= 1`,
  )
  expect(ended.body).toMatchObject({ reached: true, events: expect.any(Number) })
  expect(Date.parse(ended.body.now) - started).toBe(7_000)
  expect((await until('counts.jobs == 0', '10m')).body.reached).toBe(false)
  expect((await until('counts.jobs == 0')).body.reached).toBe(true)
  expect((await until(`jobs.${job.id} == null`, '0s')).body.reached).toBe(true)
})

test.each([
  '',
  'jobs',
  'jobs.x.status',
  'jobs.x.status = DONE',
  'nothing.x == 1',
  '__proto__.x == 1',
])('the condition %j is refused with one that would do', async (condition) => {
  const { post } = await startCloud()
  const refused = await post('/_emulator/clock/run-until', { condition })
  expect(refused.status).toBe(422)
})

test('the request log can be looked through', async () => {
  const { post, get } = await startCloud()
  await post('/v2/demo/run', { input: 1 }, { 'user-agent': 'my-app/1' })
  await get('/v2/pods')
  await get('/v2/pods/none')
  const list = async (query: string) =>
    (await get(`/_emulator/requests?${query}`)).body.requests.map(
      ({ operation }: { operation: string }) => operation,
    )
  expect(await list('operation=jobs.run')).toEqual(['jobs.run'])
  expect(await list('operation=v2.*')).toEqual(['v2.listPods', 'v2.getPod'])
  expect(await list('status=404')).toEqual(['v2.getPod'])
  expect(await list('status=2xx&path=/v2/*')).toEqual(['jobs.run', 'v2.listPods'])
  expect(await list('userAgent=my-app')).toEqual(['jobs.run'])
  expect(await list('after=1&method=get&path=/v2/pods')).toEqual(['v2.listPods'])
  expect((await get('/_emulator/requests?status=9')).status).toBe(422)
})

test('the request log comes as lines and as an HTTP archive', async () => {
  const { get } = await startCloud()
  await get('/v2/pods')
  const lines = await get('/_emulator/requests?format=ndjson')
  expect(lines.headers['content-type']).toBe('application/x-ndjson')
  expect(
    lines.text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).operation),
  ).toEqual(['v2.listPods'])
  const { body } = await get('/_emulator/requests?format=har&operation=v2.*')
  expect(body.log).toMatchObject({
    version: '1.2',
    creator: { name: 'compute-emulator' },
    entries: [
      {
        request: { method: 'GET', url: 'http://127.0.0.1:4300/v2/pods' },
        response: { status: 200 },
      },
    ],
  })
})

test('what was expected of a client is held against the log', async () => {
  const { post, get } = await startCloud()
  await post('/v2/demo/run', { input: 1 })
  await post('/v2/demo/run', { input: 1 })
  const verify = async (body: object) => (await post('/_emulator/verify', body)).body
  expect(await verify({ operation: 'jobs.run' })).toMatchObject({ holds: true, count: 2 })
  expect(await verify({ operation: 'jobs.run', times: 2 })).toMatchObject({ holds: true })
  expect(await verify({ operation: 'jobs.run', times: 3 })).toMatchObject({
    holds: false,
    count: 2,
    expected: 'exactly 3',
    requests: [{ operation: 'jobs.run' }, { operation: 'jobs.run' }],
  })
  expect(await verify({ operation: 'jobs.run', atMost: 1 })).toMatchObject({ holds: false })
  expect(await verify({ operation: 'v2.createPod', atMost: 0 })).toMatchObject({ holds: true })
  await get('/v2/pods')
  expect(await verify({ path: '/v2/pods', method: 'POST' })).toMatchObject({
    holds: false,
    requests: [{ method: 'GET', path: '/v2/pods' }],
  })
  expect((await post('/_emulator/verify', { atLeast: 2, atMost: 1 })).status).toBe(422)
  expect((await post('/_emulator/verify', { operaton: 'jobs.run' })).status).toBe(422)
})

test('a verification says when the log no longer has all requests', async () => {
  const { post, get } = await startCloud({ keep: { requests: 2 } })
  for (let call = 0; call < 3; call++) await get('/v2/pods')
  const { body } = await post('/_emulator/verify', { operation: 'v2.listPods', times: 3 })
  expect(body).toMatchObject({ holds: false, incomplete: true })
})

test('the timeline can be followed from any entry on', async () => {
  const { emulator, post } = await startCloud()
  await post('/v2/demo/run', { input: 1 })
  const parts: string[] = []
  const sink: Sink = { write: (part) => void parts.push(String(part)), end: () => {} }
  const reply = await emulator.handle(emulator.route('GET', '/_emulator/timeline/follow'), {
    method: 'GET',
    path: '/_emulator/timeline/follow',
    search: '',
    headers: testKey,
    origin: 'http://127.0.0.1:4300',
    text: undefined,
    onHangUp: () => {},
  })
  const stop = reply.stream?.(sink)
  expect(parts).toEqual([])
  const { body: job } = await post('/v2/demo/run', { input: 2 })
  expect(parts.join('')).toMatch(new RegExp(`^id: \\d+\\ndata: .*"job.submitted","id":"${job.id}"`))
  const heard = parts.length
  stop?.()
  await post('/v2/demo/run', { input: 3 })
  expect(parts).toHaveLength(heard)
})

test('the timeline becomes a trace with a row for each worker', async () => {
  const { post, get, advance } = await startCloud()
  const { body: job } = await post('/v2/demo/run', { input: { mock_delay: 3 } })
  await advance('30s')
  const { traceEvents } = (await get('/_emulator/timeline?format=perfetto')).body
  const names = traceEvents.filter(({ ph }: { ph: string }) => ph === 'M')
  expect(names.map(({ args }: { args: { name: string } }) => args.name)).toContain('endpoint demo')
  const [run] = traceEvents.filter(({ name }: { name: string }) => name === `job.started ${job.id}`)
  expect(run).toMatchObject({ ph: 'X', dur: 3_000_000 })
  for (const event of traceEvents)
    expect(event).toMatchObject({ pid: expect.any(Number), tid: expect.any(Number) })
})

test('a key can be made known, revoked and forgotten, and is never shown whole', async () => {
  const { put, get, delete: remove } = await startCloud()
  const reader = { authorization: 'Bearer key-that-only-reads' }
  const pods = () => get('/v2/pods', reader)
  expect((await pods()).status).toBe(200)
  const known = await put('/_emulator/keys', { key: 'key-that-only-reads', access: 'revoked' })
  expect(known.body).toEqual({ key: 'key-…eads', access: 'revoked' })
  expect((await pods()).status).toBe(401)
  expect((await get('/_emulator/accounts')).text).not.toContain('key-that-only-reads')
  expect((await remove('/_emulator/keys/key-that-only-reads')).status).toBe(204)
  expect((await pods()).status).toBe(200)
  expect((await remove('/_emulator/keys/key-that-only-reads')).status).toBe(404)
  expect((await put('/_emulator/keys', { key: 'k', access: 'everything' })).status).toBe(422)
})
