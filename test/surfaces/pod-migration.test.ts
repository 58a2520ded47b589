/** What the console's button does for a stopped pod: another pod gets its data. */
import { type Cloud, startCloud } from '../support/cloud.ts'
import { entriesOf } from '../support/faults.ts'

const gpu = 'NVIDIA GeForce RTX 4090'
const inProgress = 'This pod has a migration in progress. Cancel the migration before terminating.'

let cloud: Cloud
let podId: string
beforeEach(async () => {
  cloud = await startCloud({ profile: 'realistic', world: 'empty' })
  const mounts = { persistent: { size: 20, path: '/data' } }
  const body = {
    name: 'trainer',
    image: 'i',
    gpu: { id: gpu, count: 2 },
    mounts,
    ports: ['22/tcp'],
  }
  podId = (await cloud.post('/v2/pods', body)).body.id
  await cloud.advance('1h')
  await cloud.post(`/v2/pods/${podId}/action`, { action: 'stop' })
})
afterEach(() => expect(cloud.bugs).toEqual([]))

const path = (id: string) => `/_emulator/pods/${id}/migration`
const pod = async (id: string) => (await cloud.get(`/v2/pods/${id}`)).body

test('the new pod has the same GPUs and a disk of its own, and another id and address', async () => {
  const { status, body } = await cloud.post(path(podId))
  expect(status).toBe(201)
  expect(body.podId).not.toBe(podId)
  expect(await pod(body.podId)).toMatchObject({
    ...{ status: 'PROVISIONING', gpu: { id: gpu, count: 2 }, cost: 0, ports: ['22/tcp'] },
    mounts: { persistent: { size: 20, path: '/data' } },
  })
  await cloud.advance('2h')
  expect(await pod(body.podId)).toMatchObject({ status: 'RUNNING', cost: expect.any(Number) })
  expect((await pod(body.podId)).cost).toBeGreaterThan(0)
  expect(await pod(podId)).toMatchObject({ status: 'EXITED' })
  const [own, other] = [podId, body.podId].map((id) => cloud.world().pods.require(id))
  expect(own?.publicIp).not.toBe(other?.publicIp)
  expect(entriesOf(cloud, 'pod.migrated')).toMatchObject([
    { id: podId, detail: { to: body.podId } },
  ])
})

test('while the data are on their way neither pod may be touched, and nothing is charged', async () => {
  const before = (await cloud.get('/_emulator/cost')).body.totalUsd
  const { podId: target } = (await cloud.post(path(podId))).body
  for (const action of ['start', 'terminate']) {
    const refused = await cloud.post(`/v2/pods/${podId}/action`, { action })
    expect([refused.status, refused.body.detail]).toEqual([409, inProgress])
  }
  expect((await cloud.post(path(podId))).status).toBe(409)
  expect((await cloud.post(`/v2/pods/${target}/action`, { action: 'stop' })).status).toBe(409)
  await cloud.advance('30s')
  const { totalUsd, resources } = (await cloud.get('/_emulator/cost')).body
  expect(resources.map(({ resourceId }: { resourceId: string }) => resourceId)).not.toContain(
    target,
  )
  // The old pod's disk alone.
  expect(totalUsd - before).toBeLessThan(0.001)
})

test('a migration that is cancelled leaves the old pod as it was', async () => {
  const { podId: target } = (await cloud.post(path(podId))).body
  expect((await cloud.delete(path(podId))).status).toBe(204)
  expect((await cloud.get(`/v2/pods/${target}`)).status).toBe(404)
  expect((await cloud.delete(path(podId))).status).toBe(409)
  const started = await cloud.post(`/v2/pods/${podId}/action`, { action: 'start' })
  expect(started.status).toBe(200)
})

test('it needs the same GPU somewhere, a stopped pod, and one that is there', async () => {
  const running = { name: 'other', image: 'i', gpu: { id: gpu } }
  const { id: other } = (await cloud.post('/v2/pods', running)).body
  expect((await cloud.post(path(other))).status).toBe(409)
  expect((await cloud.post(path('nosuchpod'))).status).toBe(404)
  for (const { id, gpus } of cloud.world().stock.dataCenters) {
    if (!(gpu in gpus)) continue
    await cloud.put('/_emulator/capacity', { dataCenterId: id, typeId: gpu, total: 0 })
  }
  const { status, body } = await cloud.post(path(podId))
  expect([status, body.detail]).toEqual([400, expect.stringMatching(/no longer any instances/)])
  expect(await pod(podId)).toMatchObject({ status: 'EXITED' })
})
