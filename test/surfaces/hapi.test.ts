/** The log host: what a pod or a worker has written, as `flash` reads it. */
import { type Cloud, startCloud } from '../support/cloud.ts'

let cloud: Cloud
beforeEach(async () => {
  cloud = await startCloud()
})

test('the lines of a pod are told apart by who wrote them', async () => {
  await cloud.advance('1m')
  const { status, body } = await cloud.get('/v1/pod/demopod/logs')
  expect(status).toBe(200)
  expect(body.system.length).toBeGreaterThan(0)
  for (const line of [...body.system, ...body.container]) {
    expect(line).toMatch(/^2026-01-01T00:0\d:\d\d\.\d{3}Z ./)
  }
})

test('the lines of a worker are there for its endpoint’s own key, and for no other endpoint’s', async () => {
  const input = { mock_logs: [{ level: 'info', message: 'painting' }] }
  await cloud.post('/v2/demo/run', { input })
  await cloud.advance('2s')
  const { endpoints, queues } = cloud.world()
  const [worker] = queues.workersOf('demo')
  const path = `/v1/pod/${worker?.id}/logs`
  const by = (id: string) => ({ authorization: `Bearer ${endpoints.require(id).aiKey}` })
  const own = await cloud.get(path, by('demo'))
  expect(own.body.container.join('\n')).toContain('painting')
  expect((await cloud.get(path, by('demostream'))).status).toBe(403)
  expect((await cloud.get(path)).body).toEqual(own.body)
})

test('nobody’s log is not found, and no key reads nothing', async () => {
  expect((await cloud.get('/v1/pod/nobody/logs')).status).toBe(404)
  expect((await cloud.get('/v1/pod/demopod/logs', { authorization: undefined })).status).toBe(401)
  expect((await cloud.get('/v1/pod/demopod/other')).status).toBe(404)
  expect((await cloud.post('/v1/pod/demopod/logs')).status).toBe(405)
})

test('REST v1 keeps its own paths, and its end does not end the log host', async () => {
  cloud = await startCloud({ restV1: 'retired' })
  expect((await cloud.get('/v1/pods')).status).toBe(410)
  expect((await cloud.get('/v1/pod/demopod/logs')).status).toBe(200)
})
