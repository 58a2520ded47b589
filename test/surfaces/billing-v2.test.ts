/** Billing histories of REST v2: buckets, windows, filters, totals, and what is refused. */
import type { Cloud } from '../support/cloud.ts'
import { startCloudWith } from '../support/world.ts'

const gpuTypeIds = ['NVIDIA GeForce RTX 4090']
const container = { image: 'example/image:1', diskGb: 73 }
// 0.69 USD an hour for the GPU, 0.01 for the disk.
const pod = { id: 'p', name: 'p', container, gpuTypeIds }
const volumes = [
  { id: 'slow', name: 'slow', sizeGb: 730, dataCenterId: 'EU-RO-1', type: 'STANDARD' },
  { id: 'fast', name: 'fast', sizeGb: 365, dataCenterId: 'EU-RO-1', type: 'HIGH_PERFORMANCE' },
]
const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}T00:00:00.000Z`

const bill = async ({ get }: Cloud, path = '', query = '') => {
  const { status, body } = await get(`/v2/billing${path}?${query}`)
  expect(status).toBe(200)
  return body
}

test('a pod is billed by the bucket, up to this moment, and its parts add up', async () => {
  const cloud = await startCloudWith({ pods: [pod] })
  await cloud.advance('36h')
  const { records, metadata } = await bill(cloud, '/pods', 'lastN=3')
  expect(records).toEqual([
    {
      startTime: day(1),
      endTime: day(2),
      podId: 'p',
      totalAmount: 16.8,
      gpuAmount: 16.56,
      cpuAmount: 0,
      diskAmount: 0.24,
    },
    {
      startTime: day(2),
      endTime: day(3),
      podId: 'p',
      totalAmount: 8.4,
      gpuAmount: 8.28,
      cpuAmount: 0,
      diskAmount: 0.12,
    },
  ])
  expect(metadata).toEqual({
    query: { startTime: '2025-12-31T00:00:00.000Z', endTime: day(3), bucketSize: 'day' },
    recordCount: 2,
    uniquePodCount: 1,
    totals: { totalAmount: 25.2, gpuAmount: 24.84, cpuAmount: 0, diskAmount: 0.36 },
  })
})

test('what is gone stays in the bill, and a filter leaves one resource', async () => {
  const cloud = await startCloudWith({ pods: [pod, { ...pod, id: 'q', name: 'q' }] })
  await cloud.advance('1h')
  await cloud.delete('/v2/pods/q')
  await cloud.advance('1h')
  const all = await bill(cloud, '/pods')
  expect(all.records.map(({ podId }: { podId: string }) => podId).sort()).toEqual(['p', 'q'])
  expect(all.metadata).toMatchObject({ recordCount: 2, uniquePodCount: 2 })
  const one = await bill(cloud, '/pods', 'podId=q')
  expect(one.records).toMatchObject([{ podId: 'q', gpuAmount: 0.69 }])
  expect(one.metadata).toMatchObject({ uniquePodCount: 1, query: { podId: 'q' } })
  const none = await bill(cloud, '/pods', 'podId=nobody')
  expect(none.records).toEqual([])
  expect(none.metadata).toMatchObject({ recordCount: 0, totals: { totalAmount: 0 } })
})

test('buckets are hours, days, weeks from Monday, months and years of the calendar', async () => {
  const cloud = await startCloudWith({ pods: [pod] })
  await cloud.advance('40d')
  const starts = async (bucketSize: string) => {
    const window = 'startTime=2026-01-01T00:00:00Z&endTime=2026-02-10T00:00:00Z'
    const { records } = await bill(cloud, '', `${window}&bucketSize=${bucketSize}`)
    return records.map(({ startTime }: { startTime: string }) => startTime)
  }
  expect(await starts('year')).toEqual([day(1)])
  expect(await starts('month')).toEqual([day(1), '2026-02-01T00:00:00.000Z'])
  expect(await starts('week')).toEqual([
    '2025-12-29T00:00:00.000Z',
    ...[5, 12, 19, 26].map(day),
    '2026-02-02T00:00:00.000Z',
    '2026-02-09T00:00:00.000Z',
  ])
  expect(await starts('day')).toHaveLength(40)
  expect(await starts('hour')).toHaveLength(960)
})

test('a window is snapped outwards to whole buckets and is thirty days unless it is said', async () => {
  const cloud = await startCloudWith({ pods: [pod] })
  await cloud.advance('90m')
  const window = async (query: string) => {
    const { startTime, endTime } = (await bill(cloud, '', query)).metadata.query
    return [startTime, endTime]
  }
  expect(await window('')).toEqual(['2025-12-02T00:00:00.000Z', day(2)])
  expect(await window('bucketSize=hour&lastN=2')).toEqual([day(1), '2026-01-01T02:00:00.000Z'])
  expect(await window('lastN=1&bucketSize=month')).toEqual([day(1), '2026-02-01T00:00:00.000Z'])
  const query = 'startTime=2026-01-03T08:00:00%2B02:00&endTime=2026-01-05T00:00:00Z'
  expect(await window(query)).toEqual([day(3), day(5)])
  expect(await window('startTime=2026-01-03T08:00:00Z&endTime=2026-01-05T00:00:01Z')).toEqual([
    day(3),
    day(6),
  ])
})

test('only what is inside the window is in the bill', async () => {
  const cloud = await startCloudWith({ pods: [pod] })
  await cloud.advance('10d')
  const { metadata } = await bill(
    cloud,
    '/pods',
    'bucketSize=hour&startTime=2026-01-02T10:00:00Z&endTime=2026-01-02T12:00:00Z',
  )
  expect(metadata).toMatchObject({ recordCount: 2, totals: { totalAmount: 1.4 } })
})

test('everything together has a part for each kind of thing, and its total is their sum', async () => {
  const cloud = await startCloudWith({
    pods: [pod],
    networkVolumes: volumes,
    endpoints: [
      { id: 'e', name: 'e', container, gpuTypeIds, workersMin: 1, handler: 'echo' },
      { id: 'pub', name: 'pub', public: true, container, gpuTypeIds, handler: 'public-image' },
    ],
  })
  await cloud.post('/v2/pub/run', { input: { prompt: 'a boat' } })
  await cloud.post('/v2/pods', { name: 'c', image: 'i', cpu: { id: 'cpu3c', vcpuCount: 2 } })
  await cloud.advance('1h')
  const { records, metadata } = await bill(cloud)
  expect(records).toHaveLength(1)
  const { startTime, endTime, totalAmount, ...parts } = records[0]
  expect([startTime, endTime]).toEqual([day(1), day(2)])
  expect(parts).toMatchObject({
    podGpuAmount: 0.69,
    podCpuAmount: 0.06,
    serverlessCpuAmount: 0,
    serverlessFeeAmount: 0,
    storageStandardAmount: 0.07,
    storageHighPerformanceAmount: 0.07,
    endpointAmount: 0.02,
    clusterGpuAmount: 0,
    clusterDiskAmount: 0,
    clusterNetworkingAmount: 0,
  })
  expect(parts.serverlessGpuAmount).toBeGreaterThan(0.7)
  expect(parts.serverlessDiskAmount).toBeGreaterThan(0.009)
  const usd = Object.values<number>(parts).reduce((sum, amount) => sum + amount, 0)
  expect(totalAmount).toBeCloseTo(usd, 9)
  expect(metadata.totals).toEqual({ totalAmount, ...parts })
  const { balanceUsd } = (await cloud.get('/_emulator/state')).body.account
  expect(balanceUsd).toBeCloseTo(1_000 - totalAmount, 6)

  const serverless = await bill(cloud, '/serverless', 'serverlessId=e')
  expect(serverless.records).toMatchObject([
    { serverlessId: 'e', gpuAmount: parts.serverlessGpuAmount, feeAmount: 0 },
  ])
  expect((await bill(cloud, '/serverless')).metadata.uniqueServerlessCount).toBe(1)
  expect((await bill(cloud, '/endpoints')).records).toEqual([
    { startTime: day(1), endTime: day(2), totalAmount: 0.02 },
  ])
  const stored = await bill(cloud, '/network-volumes')
  expect(stored.metadata).toMatchObject({
    uniqueNetworkVolumeCount: 2,
    totals: { totalAmount: 0.14, standardAmount: 0.07, highPerformanceAmount: 0.07 },
  })
  expect((await bill(cloud, '/clusters')).metadata.totals).toEqual({
    totalAmount: 0,
    gpuAmount: 0,
    diskAmount: 0,
    networkingAmount: 0,
  })
})

test("a cluster's pods are on the cluster's bill", async () => {
  const cloud = await startCloudWith({ pods: [pod] })
  const compute = { gpuTypeId: gpuTypeIds[0], gpuCountPerPod: 2, podCount: 2 }
  const { body } = await cloud.post('/v2/clusters', {
    name: 'c',
    type: 'TRAINING',
    image: 'example/image:1',
    disk: 73,
    compute,
  })
  await cloud.advance('1h')
  expect((await bill(cloud, '/clusters', `clusterId=${body.id}`)).records).toEqual([
    {
      startTime: day(1),
      endTime: day(2),
      clusterId: body.id,
      totalAmount: 2.78,
      gpuAmount: 2.76,
      diskAmount: 0.02,
      networkingAmount: 0,
    },
  ])
  expect((await bill(cloud, '/pods')).metadata).toMatchObject({ uniquePodCount: 1 })
  expect((await bill(cloud)).metadata.totals).toMatchObject({
    totalAmount: 3.48,
    podGpuAmount: 0.69,
    clusterGpuAmount: 2.76,
  })
})

test('a bill of an account that used nothing is empty', async () => {
  const cloud = await startCloudWith({})
  await cloud.advance('3d')
  expect((await bill(cloud)).records).toEqual([])
})

const refused: readonly (readonly [query: string, status: number, error: string])[] = [
  ['lastN=2&startTime=2026-01-01T00:00:00Z', 400, 'lastN cannot be combined'],
  ['lastN=2&endTime=2026-01-01T00:00:00Z', 400, 'lastN cannot be combined'],
  ['startTime=2026-01-02T00:00:00Z&endTime=2026-01-01T00:00:00Z', 400, 'before endTime'],
  ['startTime=2030-01-01T00:00:00Z', 400, 'before endTime'],
  ['lastN=0', 422, '$.lastN: must be at least 1'],
  ['lastN=1.5', 422, '$.lastN: got string, want integer'],
  ['lastN=999999999999', 422, '$.lastN: reaches back before the year 1'],
  ['bucketSize=minute', 422, "$.bucketSize: value must be one of 'hour'"],
  ['startTime=yesterday', 422, '$.startTime: must be an RFC 3339 date-time'],
  ['startTime=2026-01-01', 422, '$.startTime: must be an RFC 3339 date-time'],
  ['endTime=2026-13-01T00:00:00Z', 422, '$.endTime: must be an RFC 3339 date-time'],
  [
    'startTime=2026-01-01T00:00:00Z&endTime=9999-12-31T23:59:59.999Z&bucketSize=week',
    422,
    '$.endTime: is after the year 9999',
  ],
]

test.each(refused)('a bill is refused for ?%s with %i', async (query, status, error) => {
  const cloud = await startCloudWith({})
  for (const path of ['', '/pods', '/serverless', '/endpoints', '/network-volumes', '/clusters']) {
    const answer = await cloud.get(`/v2/billing${path}?${query}`)
    expect(answer.status).toBe(status)
    expect([answer.body.detail, ...(answer.body.errors ?? [])].join()).toContain(error)
  }
})
