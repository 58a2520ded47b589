/** How the balance goes down, and what happens when it is used up. */
import type { Cloud } from '../support/cloud.ts'
import { graphqlOf } from '../support/graphql.ts'
import { startCloudWith } from '../support/world.ts'

const pod = {
  id: 'p',
  name: 'p',
  container: { image: 'example/image:1', diskGb: 73 },
  gpuTypeIds: ['NVIDIA GeForce RTX 4090'],
  persistentGb: 146,
}
// 0.69 for the GPU, 0.01 for each 73 GB of a pod's disks.
const runningUsd = 0.69 + 0.03
const stoppedUsd = 0.04
const volume = { id: 'v', name: 'v', sizeGb: 730, dataCenterId: 'EU-RO-1' }
const attached = {
  name: 'attached',
  image: 'example/image:1',
  disk: 73,
  gpu: { id: 'NVIDIA GeForce RTX 4090', count: 1 },
  mounts: { network: [{ volumeId: 'v', path: '/workspace' }] },
}

const balanceOf = async ({ get }: Cloud): Promise<number> =>
  (await get('/_emulator/state')).body.account.balanceUsd
const stop = (cloud: Cloud) => cloud.post('/v2/pods/p/action', { action: 'stop' })
const start = (cloud: Cloud) => cloud.post('/v2/pods/p/action', { action: 'start' })

test('the balance goes down although nothing happens, and every surface sees it', async () => {
  const cloud = await startCloudWith({ pods: [pod] })
  await cloud.advance('1h')
  expect(await balanceOf(cloud)).toBeCloseTo(1_000 - runningUsd, 9)
  await cloud.advance('9h')
  expect(await balanceOf(cloud)).toBeCloseTo(1_000 - 10 * runningUsd, 9)
  const { myself } = await graphqlOf(cloud).data('{ myself { clientBalance underBalance } }')
  expect(myself).toEqual({ clientBalance: await balanceOf(cloud), underBalance: false })
})

test('of old charges the sum is kept: what was spent stays right, and so do bills of the time that is kept', async () => {
  const clouds = [
    await startCloudWith({ pods: [pod] }, { keep: { charges: 20 } }),
    await startCloudWith({ pods: [pod] }),
  ] as const
  for (const cloud of clouds) {
    for (let day = 0; day < 30; day++) {
      await cloud.advance('12h')
      await stop(cloud)
      await cloud.advance('12h')
      await start(cloud)
    }
  }
  const [bounded, whole] = clouds
  expect(bounded.world().ledger.size).toBeLessThanOrEqual(22)
  expect(whole.world().ledger.size).toBe(60)
  expect(await balanceOf(bounded)).toBe(await balanceOf(whole))
  const spent = async (cloud: Cloud) => {
    const { body } = await cloud.get('/_emulator/cost')
    const { myself } = await graphqlOf(cloud).data('{ myself { clientLifetimeSpend } }')
    expect(myself.clientLifetimeSpend).toBeCloseTo(body.totalUsd, 9)
    return body
  }
  const [sum, all] = [await spent(bounded), await spent(whole)]
  expect(sum.totalUsd).toBeCloseTo(all.totalUsd, 9)
  expect(all.forgottenUsd).toBeUndefined()
  const kept = sum.resources.reduce((usd: number, { totalUsd }: typeof sum) => usd + totalUsd, 0)
  expect(sum.forgottenUsd + kept).toBeCloseTo(all.totalUsd, 9)
  const recent = '/v2/billing/pods?bucketSize=day&lastN=7'
  expect((await bounded.get(recent)).body).toEqual((await whole.get(recent)).body)
})

test('nothing is rented beyond what the account may spend in an hour, and nothing changes', async () => {
  const account = { spendLimitUsd: 1.5 }
  const cloud = await startCloudWith({ account, pods: [pod] })
  await cloud.advance('1m')
  const another = { name: 'q', image: 'example/image:1', gpu: { id: 'NVIDIA GeForce RTX 4090' } }
  expect((await cloud.post('/v2/pods', another)).status).toBe(201)
  const words = /may not spend more than 1\.5 USD per hour/
  const entries = cloud.world().timeline.entryCount
  const refused = await cloud.post('/v2/pods', another)
  expect(refused).toMatchObject({ status: 402, body: { detail: expect.stringMatching(words) } })
  const v1 = { imageName: 'example/image:1', gpuTypeIds: ['NVIDIA GeForce RTX 4090'] }
  expect((await cloud.post('/v1/pods', v1)).status).toBe(500)
  expect(cloud.world().timeline.entryCount).toBe(entries)
  await stop(cloud)
  expect((await cloud.post('/v2/pods', another)).status).toBe(201)
  expect((await start(cloud)).status).toBe(402)
})

test('a stopped pod pays for the disk it keeps, double, and one that is gone for nothing', async () => {
  const cloud = await startCloudWith({ pods: [pod] })
  await cloud.advance('1h')
  await stop(cloud)
  await cloud.advance('10h')
  expect(await balanceOf(cloud)).toBeCloseTo(1_000 - runningUsd - 10 * stoppedUsd, 9)
  await start(cloud)
  await cloud.advance('1h')
  expect(await balanceOf(cloud)).toBeCloseTo(1_000 - 2 * runningUsd - 10 * stoppedUsd, 9)
  await cloud.delete('/v2/pods/p')
  const left = await balanceOf(cloud)
  await cloud.advance('100h')
  expect(await balanceOf(cloud)).toBe(left)
})

test('a volume is paid for while it exists, at its size, and costs less above a terabyte', async () => {
  const cloud = await startCloudWith({ networkVolumes: [volume] })
  await cloud.advance('1h')
  expect(await balanceOf(cloud)).toBeCloseTo(1_000 - 0.07, 9)
  await cloud.patch('/v2/network-volumes/v', { size: 1_730 })
  await cloud.advance('1h')
  const largeUsd = (1_000 * 0.07 + 730 * 0.05) / 730
  expect(await balanceOf(cloud)).toBeCloseTo(1_000 - 0.07 - largeUsd, 9)
  await cloud.delete('/v2/network-volumes/v')
  await cloud.advance('1h')
  expect(await balanceOf(cloud)).toBeCloseTo(1_000 - 0.07 - largeUsd, 9)
})

test('at zero a pod without a network volume is terminated, at the very moment', async () => {
  const cloud = await startCloudWith({ pods: [pod], account: { balanceUsd: 10 * runningUsd } })
  await cloud.advance(10 * 3_600_000 - 1)
  expect((await cloud.get('/v2/pods/p')).body.status).toBe('RUNNING')
  await cloud.advance(2)
  expect((await cloud.get('/v2/pods/p')).status).toBe(404)
  expect(await balanceOf(cloud)).toBeCloseTo(0, 6)
  const [depleted, ...ends] = cloud.world().timeline.past.slice(-3)
  expect(depleted?.kind).toBe('account.depleted')
  expect(ends).toMatchObject([
    {
      kind: 'pod.container-exited',
      cause: depleted?.seq,
      detail: { why: 'SIGTERM, exit code 143' },
    },
    { kind: 'pod.terminated', cause: depleted?.seq },
  ])
})

test('by the profile realistic the balance is looked at every five minutes, by the clock', async () => {
  const state = { pods: [pod], account: { balanceUsd: runningUsd } }
  const cloud = await startCloudWith(state, { profile: 'realistic' })
  const depleted = () =>
    cloud.world().timeline.past.find(({ kind }) => kind === 'account.depleted')?.atMs
  const startMs = cloud.world().nowMs
  await cloud.advance('59m')
  // What somebody spends at once has it looked at no sooner.
  await cloud.post('/_emulator/faults', { effect: { kind: 'set-balance', balanceUsd: 0 } })
  expect(depleted()).toBeUndefined()
  await cloud.advance('2m')
  expect(depleted()).toBe(startMs + 3_600_000)
})

test('at zero a pod with a network volume is stopped, and is not started again', async () => {
  const cloud = await startCloudWith({ networkVolumes: [volume], account: { balanceUsd: 2 } })
  const { id } = (await cloud.post('/v2/pods', attached)).body
  await cloud.patch(`/v2/pods/${id}`, { locked: true })
  await cloud.advance('3h')
  expect((await cloud.get(`/v2/pods/${id}`)).body.status).toBe('EXITED')
  // The volume is there still, and its price too.
  expect(await balanceOf(cloud)).toBeLessThan(0)
  expect(await cloud.post(`/v2/pods/${id}/action`, { action: 'start' })).toMatchObject({
    status: 402,
    body: { title: 'Payment Required' },
  })
  expect((await cloud.get(`/v2/pods/${id}`)).body.status).toBe('EXITED')
  const told = cloud.world().timeline.past.filter(({ kind }) => kind === 'account.depleted')
  expect(told).toHaveLength(1)
})

test('at zero a cluster goes with its pods', async () => {
  const cloud = await startCloudWith({ account: { balanceUsd: 4 } })
  const compute = { gpuTypeId: pod.gpuTypeIds[0], gpuCountPerPod: 1, podCount: 2 }
  const request = { name: 'c', type: 'TRAINING', image: 'i', disk: 73, compute }
  const { id } = (await cloud.post('/v2/clusters', request)).body
  await cloud.advance('1h')
  expect(cloud.world().pods.size).toBe(2)
  await cloud.advance('3h')
  expect(cloud.world().pods.size).toBe(0)
  expect((await cloud.get(`/v2/clusters/${id}`)).status).toBe(404)
})

test('a condition sees the balance as it is then', async () => {
  const cloud = await startCloudWith({ pods: [pod], account: { balanceUsd: 10 * runningUsd } })
  const runUntil = async (condition: string) =>
    (await cloud.post('/_emulator/clock/run-until', { condition, limit: '1d' })).body
  await cloud.advance('5h')
  const now = '2026-01-01T05:00:00.000Z'
  expect(await runUntil(`account.balanceUsd < ${6 * runningUsd}`)).toMatchObject({ now, events: 0 })
  const usedUp = { now: '2026-01-01T10:00:00.000Z', reached: true }
  expect(await runUntil('account.balanceUsd < 0.000001')).toMatchObject(usedUp)
})

test('the moment moves when something is rented, stopped and started again', async () => {
  const cloud = await startCloudWith({ pods: [pod], account: { balanceUsd: 10 * runningUsd } })
  await cloud.advance('1h')
  await stop(cloud)
  await cloud.advance('18h')
  // Nine hours' worth were left, and the disk took one of them.
  await start(cloud)
  await cloud.advance('7h')
  expect((await cloud.get('/v2/pods/p')).body.status).toBe('RUNNING')
  await cloud.advance('1h')
  expect((await cloud.get('/v2/pods/p')).status).toBe(404)
})

test('an account that paid its way below an hour of a pod rents and starts nothing', async () => {
  const cloud = await startCloudWith({ pods: [pod], account: { balanceUsd: 2 * runningUsd } })
  await cloud.advance('90m')
  await stop(cloud)
  const pods = cloud.world().pods.all()
  expect((await start(cloud)).status).toBe(402)
  const gpuTypeIds = pod.gpuTypeIds
  expect((await cloud.post('/v1/pods', { imageName: 'a', gpuTypeIds })).status).toBe(500)
  expect(cloud.world().pods.all()).toEqual(pods)
})

test('an account that spends nothing has nothing pending', async () => {
  const cloud = await startCloudWith({ pods: [{ ...pod, persistentGb: 0 }] })
  const kinds = () => cloud.world().timeline.pending.map(({ event }) => event.kind)
  await cloud.advance('1m')
  expect(kinds()).toEqual(['balance.due'])
  await stop(cloud)
  expect(kinds()).toEqual([])
})
