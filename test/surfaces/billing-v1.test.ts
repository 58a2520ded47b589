/** Billing histories of REST v1: bare lists, grouped and filtered. */
import type { Cloud } from '../support/cloud.ts'
import { startCloudWith } from '../support/world.ts'

const rtx4090 = 'NVIDIA GeForce RTX 4090'
const container = { image: 'example/image:1', diskGb: 73 }
const time = '2026-01-01T00:00:00.000Z'
const hourMs = 3_600_000

const bill = async ({ get }: Cloud, path: string) => {
  const { status, body } = await get(`/v1/billing/${path}`)
  expect(status).toBe(200)
  return body
}

test('pods are billed by GPU type unless they are asked for one by one', async () => {
  const pod = (id: string, gpuTypeId: string) => ({
    id,
    name: id,
    container,
    gpuTypeIds: [gpuTypeId],
    persistentGb: 73,
  })
  const cloud = await startCloudWith({
    pods: [pod('a', rtx4090), pod('b', rtx4090), pod('c', 'NVIDIA A40')],
  })
  await cloud.post('/v1/pods/b/stop')
  await cloud.advance('1h')
  expect(await bill(cloud, 'pods')).toEqual([
    // A stopped pod's disk, 73 GB at double the price, and one that runs.
    { amount: 0.73, timeBilledMs: hourMs, diskSpaceBilledGb: 219, time, gpuTypeId: rtx4090 },
    { amount: 0.42, timeBilledMs: hourMs, diskSpaceBilledGb: 146, time, gpuTypeId: 'NVIDIA A40' },
  ])
  const byPod = await bill(cloud, 'pods?grouping=podId&bucketSize=hour')
  expect(byPod).toHaveLength(3)
  expect(byPod).toContainEqual({
    amount: 0.02,
    timeBilledMs: 0,
    diskSpaceBilledGb: 73,
    time,
    podId: 'b',
  })
  expect(await bill(cloud, 'pods?podId=b')).toMatchObject([{ amount: 0.02 }])
  const asked = encodeURIComponent('NVIDIA A40')
  expect(await bill(cloud, `pods?grouping=podId&gpuTypeId=${asked}`)).toMatchObject([
    { podId: 'c' },
  ])
})

test('a pod without a GPU is of the type unknown', async () => {
  const cloud = await startCloudWith({})
  await cloud.post('/v1/pods', { imageName: 'i', computeType: 'CPU', cpuFlavorIds: ['cpu3c'] })
  await cloud.advance('1h')
  expect(await bill(cloud, 'pods')).toMatchObject([{ gpuTypeId: 'unknown', timeBilledMs: hourMs }])
})

test('endpoints are billed each, or by worker or type, and found by what they are made from', async () => {
  const endpoint = (id: string, image: string, gpuTypeId: string) => ({
    id,
    name: id,
    container: { image },
    gpuTypeIds: [gpuTypeId],
    workersMin: 1,
    handler: 'echo',
  })
  const cloud = await startCloudWith({
    endpoints: [endpoint('e', 'example/a:1', rtx4090), endpoint('f', 'example/b:1', 'NVIDIA A40')],
  })
  await cloud.advance('1d')
  const all = await bill(cloud, 'endpoints')
  expect(all.map(({ endpointId }: { endpointId: string }) => endpointId)).toEqual(['e', 'f'])
  expect(all[0].diskSpaceBilledGb).toBe(50)
  const only = async (query: string) =>
    (await bill(cloud, `endpoints?${query}`)).map((record: { endpointId: string }) => {
      return record.endpointId
    })
  expect(await only('endpointId=f')).toEqual(['f'])
  expect(await only('imageName=example/a:1')).toEqual(['e'])
  expect(await only(`gpuTypeId=${encodeURIComponent('NVIDIA A40')}`)).toEqual(['f'])
  expect(await only('gpuTypeId=Tesla T4')).toEqual([])
  expect(await only('templateId=none')).toEqual([])
  const place = cloud.world().workers.all()[0]?.placement?.dataCenterId
  expect(await only(`dataCenterId=${place}`)).toContain('e')
  expect(await only('dataCenterId=OC-AU-1')).toEqual([])
  const workers = await bill(cloud, 'endpoints?grouping=podId&endpointId=e')
  expect(workers).toMatchObject([{ podId: cloud.world().workers.all()[0]?.id }])
  const types = await bill(cloud, 'endpoints?grouping=gpuTypeId')
  expect(types).toMatchObject([{ gpuTypeId: rtx4090 }, { gpuTypeId: 'NVIDIA A40' }])
})

test('volumes are billed together, and the fast ones are named again', async () => {
  const volume = (id: string, sizeGb: number, type: string) => ({
    id,
    name: id,
    sizeGb,
    type,
    dataCenterId: 'EU-RO-1',
  })
  const networkVolumes = [volume('s', 730, 'STANDARD'), volume('f', 365, 'HIGH_PERFORMANCE')]
  const cloud = await startCloudWith({ networkVolumes })
  await cloud.advance('1h')
  expect(await bill(cloud, 'networkvolumes?bucketSize=month')).toEqual([
    {
      amount: 0.14,
      diskSpaceBilledGb: 1_095,
      highPerformanceStorageAmount: 0.07,
      highPerformanceStorageDiskSpaceBilledGb: 365,
      time,
    },
  ])
  expect(await bill(cloud, 'networkvolumes?endTime=2026-01-01T00:00:00Z')).toEqual([])
})

test.each([
  'pods?grouping=endpointId',
  'pods?bucketSize=minute',
  'pods?gpuTypeId=none',
  'pods?startTime=now',
  'endpoints?grouping=imageName',
  'endpoints?dataCenterId=MARS-1',
  'networkvolumes?startTime=2026-02-01T00:00:00Z&endTime=2026-01-01T00:00:00Z',
])('a bill is refused for %s', async (path) => {
  const { get } = await startCloudWith({})
  expect((await get(`/v1/billing/${path}`)).status).toBe(400)
})
