/** What a renter says about a pod's end, its price and its size, and what comes of it. */
import { type Cloud, startCloud } from '../support/cloud.ts'
import { type Asking, graphqlOf } from '../support/graphql.ts'

let cloud: Cloud
let graphql: Asking

beforeEach(async () => {
  cloud = await startCloud()
  graphql = graphqlOf(cloud)
})

afterEach(() => expect(cloud.bugs).toEqual([]))

const deploy = `mutation ($input: PodFindAndDeployOnDemandInput) {
  podFindAndDeployOnDemand(input: $input) { id costPerHr } }`
const wish = (changes: object) => ({
  input: { imageName: 'i', gpuTypeId: 'NVIDIA RTX A4000', ...changes },
})

async function rent(changes: object): Promise<string> {
  return (await graphql.data(deploy, wish(changes))).podFindAndDeployOnDemand.id
}

async function statusOf(id: string) {
  const { pod } = await graphql.data(
    `{ pod(input: { podId: "${id}" }) { desiredStatus lastStatusChange } }`,
  )
  return pod
}

const passed = () =>
  cloud.world().timeline.past.filter(({ kind }) => kind === 'pod.deadline-passed')

describe('a pod with a moment to stop', () => {
  test('runs until then and is stopped by the platform, which the timeline says', async () => {
    const id = await rent({ stopAfter: '2026-01-01T01:00:00Z' })
    await cloud.advance('59m')
    expect((await statusOf(id)).desiredStatus).toBe('RUNNING')
    await cloud.advance('1m')
    expect(await statusOf(id)).toEqual({
      desiredStatus: 'EXITED',
      lastStatusChange: expect.stringMatching(/^Exited by Runpod: Thu Jan 01 2026 01:00:00/),
    })
    expect(passed()).toMatchObject([{ id, detail: { action: 'stop' } }])
  })

  test('runs on when it is resumed after it', async () => {
    const id = await rent({ stopAfter: '2026-01-01T01:00:00+00:00' })
    await cloud.advance('2h')
    await graphql.data(`mutation { podResume(input: { podId: "${id}" }) { id } }`)
    await cloud.advance('48h')
    expect((await statusOf(id)).desiredStatus).toBe('RUNNING')
  })

  test('that is stopped already stays as it was', async () => {
    const id = await rent({ stopAfter: '2026-01-01T01:00:00Z' })
    await cloud.advance('5s')
    await graphql.data(`mutation { podStop(input: { podId: "${id}" }) { id } }`)
    const before = await statusOf(id)
    await cloud.advance('2h')
    expect(await statusOf(id)).toEqual(before)
  })
})

describe('a pod with a moment to end', () => {
  test.each(['RUNNING', 'EXITED'])('is gone then when it is %s', async (status) => {
    const id = await rent({ terminateAfter: '2026-01-01T01:00:00.500Z' })
    await cloud.advance('5s')
    if (status === 'EXITED') {
      await graphql.data(`mutation { podStop(input: { podId: "${id}" }) { id } }`)
    }
    await cloud.advance('2h')
    expect(await statusOf(id)).toBeNull()
    expect(passed()).toMatchObject([{ id, detail: { action: 'terminate' } }])
  })

  test('stays while it is locked', async () => {
    const id = await rent({ terminateAfter: '2026-01-01T01:00:00Z' })
    await cloud.patch(`/v2/pods/${id}`, { locked: true })
    await cloud.advance('2h')
    expect((await statusOf(id)).desiredStatus).toBe('RUNNING')
  })

  test('leaves no timer behind when it is ended before', async () => {
    const left = () =>
      cloud.world().timeline.pending.filter(({ event }) => event.kind === 'pod.deadline').length
    const id = await rent({
      stopAfter: '2026-01-01T01:00:00Z',
      terminateAfter: '2026-01-01T02:00:00Z',
    })
    await cloud.advance('5s')
    expect(left()).toBe(2)
    await graphql.data(`mutation { podTerminate(input: { podId: "${id}" }) }`)
    expect(left()).toBe(0)
  })
})

test.each([
  ['that has passed', '2025-12-31T23:00:00Z', /stopAfter must be in the future/],
  ['without a zone', '2026-01-02T00:00:00', /must be a moment such as/],
  ['that is none', 'tomorrow', /must be a moment such as/],
])('a moment %s is refused', async (_what, stopAfter, message) => {
  const { size } = cloud.world().pods
  expect(await graphql.refusal(deploy, wish({ stopAfter }))).toMatch(message)
  expect(cloud.world().pods.size).toBe(size)
})

test('a price ceiling finds a cheaper type, or nothing', async () => {
  const types = { gpuTypeId: 'NVIDIA GeForce RTX 4090', gpuTypeIdList: ['NVIDIA RTX A4000'] }
  const { podFindAndDeployOnDemand: pod } = await graphql.data(
    deploy,
    wish({ ...types, deployCost: 0.3 }),
  )
  expect(pod.costPerHr).toBeLessThanOrEqual(0.3)
  expect(await graphql.refusal(deploy, wish({ ...types, deployCost: 0.01 }))).toMatch(
    /no longer any instances/,
  )
})

describe('a stopped pod is resumed', () => {
  const resume = (more: string) =>
    `mutation { podResume(input: { podId: "demopod" ${more} }) { gpuCount costPerHr vcpuCount memoryInGb } }`

  beforeEach(async () => {
    await cloud.advance('5s')
    await graphql.data('mutation { podStop(input: { podId: "demopod" }) { id } }')
  })

  test('with as many GPUs as it had', async () => {
    expect((await graphql.data(resume(''))).podResume.gpuCount).toBe(1)
  })

  test('with more, and pays for them, through every surface', async () => {
    const { costPerHourUsd, vcpuCount } = cloud.world().pods.require('demopod').placement
    const { podResume } = await graphql.data(resume('gpuCount: 2'))
    expect(podResume).toMatchObject({
      gpuCount: 2,
      costPerHr: costPerHourUsd * 2,
      vcpuCount: vcpuCount * 2,
    })
    expect((await cloud.get('/v2/pods/demopod')).body).toMatchObject({ gpu: { count: 2 } })
    expect((await cloud.get('/v1/pods/demopod')).body).toMatchObject({ gpuCount: 2 })
  })

  test('not with more than its machine has, nor as another kind', async () => {
    expect(await graphql.refusal(resume('gpuCount: 99'))).toBe(
      'There are not enough free GPUs on the host machine to start this pod.',
    )
    expect(await graphql.refusal(resume('computeType: CPU'))).toMatch(/cannot be resumed as a CPU/)
    expect(cloud.world().pods.require('demopod')).toMatchObject({
      status: 'EXITED',
      placement: { gpuCount: 1 },
    })
  })
})

test('a CPU pod cannot be resumed with GPUs', async () => {
  const { deployCpuPod } = await graphql.data(
    'mutation { deployCpuPod(input: { imageName: "i", instanceId: "cpu3c-2-4" }) { id } }',
  )
  await graphql.data(`mutation { podStop(input: { podId: "${deployCpuPod.id}" }) { id } }`)
  const resume = `mutation { podResume(input: { podId: "${deployCpuPod.id}", gpuCount: 1 }) { id } }`
  expect(await graphql.refusal(resume)).toMatch(/a CPU pod has no GPUs/)
})

test('a pod that is stopped with incrementVersion is another version from then on', async () => {
  const stop = (wish: string) =>
    graphql.data(
      `mutation { podStop(input: { podId: "demopod"${wish} }) { desiredStatus version } }`,
    )
  const resume = () =>
    graphql.data('mutation { podResume(input: { podId: "demopod" }) { version } }')
  await cloud.advance('1m')
  expect(await stop('')).toEqual({ podStop: { desiredStatus: 'EXITED', version: 1 } })
  await resume()
  const next = { podStop: { desiredStatus: 'EXITED', version: 2 } }
  expect(await stop(', incrementVersion: true')).toEqual(next)
  // It is down already: nothing stops.
  expect(await stop(', incrementVersion: true')).toEqual(next)
  expect(await resume()).toEqual({ podResume: { version: 2 } })
})
