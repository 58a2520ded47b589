/** The web server in a simulated pod: what its handler fixture says, behind the pod's own address. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Cloud, startCloud } from '../support/cloud.ts'

const image = 'example/app:1.0'
const handler = {
  name: 'workspace',
  images: [image],
  port: 8888,
  routes: [
    { method: 'GET', path: '/api', body: { version: '2.0' }, headers: { 'x-of': 'server' } },
    { path: '/warming', body: 'warm', first: [{ status: 503, forMs: 5_000 }] },
    { path: '/slow', body: { done: true }, delayMs: 30_000 },
  ],
}
const waits = { podPlacementMs: 1_000, podBootMs: 1_000, podServiceMs: 10_000 }

const directory = mkdtempSync(join(tmpdir(), 'pod-service-'))
afterAll(() => rmSync(directory, { recursive: true }))

let cloud: Cloud
let podId: string
beforeAll(() => {
  for (const folder of ['handlers', 'profiles']) mkdirSync(join(directory, folder))
  const whole = { handlers: [{ ...handler, routes: handler.routes }] }
  writeFileSync(join(directory, 'handlers', 'own.json'), JSON.stringify(whole))
  writeFileSync(join(directory, 'profiles', 'own.json'), JSON.stringify(waits))
})
beforeEach(async () => {
  cloud = await startCloud({ fixtures: [directory], profile: 'own' })
  const body = { name: 'p', image, gpu: { id: 'NVIDIA L4' }, ports: ['8888/http', '9000/http'] }
  podId = (await cloud.post('/v2/pods', body)).body.id
})
afterEach(() => expect(cloud.bugs).toEqual([]))

function visit(path: string, { port = 8888, method = 'GET', id = podId } = {}) {
  const { emulator } = cloud
  const hosted = `pods/${id}/${port}`
  const asked = { method, path: `/${hosted}${path}`, search: '', origin: '', text: undefined }
  const wire = { ...asked, headers: {}, onHangUp: () => {} }
  return Promise.resolve(emulator.handle(emulator.route(method, path, hosted), wire))
}

test('answers once it listens, and until then the proxy does', async () => {
  expect(await visit('/api')).toMatchObject({ status: 502 })
  // RUNNING, its runtime and its ports are there.
  await cloud.advance(11_000)
  expect((await cloud.get(`/v1/pods/${podId}`)).body.publicIp).toMatch(/^203\./)
  expect(await visit('/api')).toMatchObject({ status: 502, text: expect.stringContaining('8888') })
  await cloud.advance(2_000)
  const answer = visit('/api')
  await cloud.advance(1_000)
  expect(await answer).toMatchObject({
    ...{ status: 200, body: { version: '2.0' }, headers: { 'x-of': 'server' } },
  })
})

test('has its own 404, and listens on one port', async () => {
  await cloud.advance('1m')
  const asked = [visit('/none'), visit('/api', { method: 'POST' }), visit('/api', { port: 9000 })]
  await cloud.advance(1_000)
  expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([404, 404, 502])
  expect(await visit('/api', { port: 22 })).toMatchObject({ status: 404 })
})

test('warms up from the moment at which it listens', async () => {
  await cloud.advance(13_000)
  const early = visit('/warming')
  await cloud.advance(6_000)
  const late = visit('/warming')
  await cloud.advance(1_000)
  expect([(await early).status, (await late).status]).toEqual([503, 200])
})

test('is cut off with its pod', async () => {
  await cloud.advance('1m')
  const slow = visit('/slow')
  await cloud.advance(5_000)
  await cloud.post(`/v2/pods/${podId}/action`, { action: 'stop' })
  expect(await slow).toMatchObject({ status: 502 })
  expect(await visit('/api')).toMatchObject({ status: 404 })
})

test('is not there in a pod of another image', async () => {
  await cloud.advance('1h')
  expect(await visit('/', { id: 'demopod' })).toMatchObject({ status: 502 })
})
