/** Spot pods: what they cost, what is bid for them, and how they are taken away. */
import { reclaimPod } from '../../src/domain/pods.ts'
import { type Cloud, startCloud } from '../support/cloud.ts'
import { type Asking, graphqlOf } from '../support/graphql.ts'

const gpuTypeId = 'NVIDIA L4'
const fields = 'id podType desiredStatus costPerHr lowestBidPriceToResume lastStatusChange gpuCount'

let cloud: Cloud
let graphql: Asking
let lowestBid: number

beforeEach(async () => {
  cloud = await startCloud()
  graphql = graphqlOf(cloud)
  const { gpuTypes } = await graphql.data(
    `{ gpuTypes(input: { id: "${gpuTypeId}" }) { lowestPrice(input: { gpuCount: 1, secureCloud: true }) { minimumBidPrice } } }`,
  )
  lowestBid = gpuTypes[0].lowestPrice.minimumBidPrice
})

afterEach(() => expect(cloud.bugs).toEqual([]))

const rentQuery = `mutation ($input: PodRentInterruptableInput!) { podRentInterruptable(input: $input) { ${fields} } }`
const wish = (changes: object) => ({
  input: { imageName: 'i', gpuTypeId, cloudType: 'SECURE', ...changes },
})

async function rent(changes: object = {}) {
  return (await graphql.data(rentQuery, wish(changes))).podRentInterruptable
}

async function read(id: string) {
  const { pod } = await graphql.data(`{ pod(input: { podId: "${id}" }) { ${fields} } }`)
  return pod
}

describe('a spot pod', () => {
  test('that is reclaimed gets a signal, and is killed when its warning is over', async () => {
    const { id } = await rent()
    await cloud.advance('1s')
    reclaimPod(cloud.world(), id)
    const system = () =>
      cloud
        .world()
        .logs.of(id)
        .map(({ text }) => text)
    expect(system().at(-1)).toBe(`stop container ${id}: SIGTERM`)
    await cloud.advance(249)
    expect(system().at(-1)).toBe(`stop container ${id}: SIGTERM`)
    await cloud.advance(1)
    expect(system().at(-1)).toBe(`container ${id} has not ended: SIGKILL`)
  })

  test('costs the lowest bid when nothing is bid', async () => {
    expect(await rent()).toMatchObject({
      podType: 'INTERRUPTABLE',
      costPerHr: lowestBid,
      lowestBidPriceToResume: lowestBid,
    })
  })

  test('costs what is bid, for each of its GPUs', async () => {
    const bidPerGpu = lowestBid * 2
    expect(await rent({ bidPerGpu, gpuCount: 2 })).toMatchObject({ costPerHr: bidPerGpu * 2 })
  })

  test('is refused for a bid below the lowest', async () => {
    const { size } = cloud.world().pods
    const refusal = await graphql.refusal(rentQuery, wish({ bidPerGpu: lowestBid / 2 }))
    expect(refusal).toMatch(/below the lowest/)
    expect(cloud.world().pods.size).toBe(size)
  })

  test('through REST v1 costs the same', async () => {
    const body = { imageName: 'i', gpuTypeIds: [gpuTypeId], interruptible: true }
    const made = (await cloud.post('/v1/pods', body)).body
    expect(made).toMatchObject({ interruptible: true, costPerHr: lowestBid })
    expect(await read(made.id)).toMatchObject({ podType: 'INTERRUPTABLE', costPerHr: lowestBid })
  })

  test('that is reclaimed is EXITED by Runpod and keeps its disk, through every surface', async () => {
    const { id } = await rent({ volumeInGb: 10 })
    await cloud.advance('5s')
    reclaimPod(cloud.world(), id)
    const pod = await read(id)
    expect(pod.desiredStatus).toBe('EXITED')
    expect(pod.lastStatusChange).toMatch(/^Exited by Runpod: /)
    expect((await cloud.get(`/v2/pods/${id}`)).body).toMatchObject({ status: 'EXITED' })
    expect((await cloud.get(`/v1/pods/${id}`)).body).toMatchObject({
      desiredStatus: 'EXITED',
      volumeInGb: 10,
    })
  })

  test('is resumed at another bid, which is what it then costs', async () => {
    const { id } = await rent()
    await cloud.advance('5s')
    await graphql.data(`mutation { podStop(input: { podId: "${id}" }) { id } }`)
    const resume = (bid: number) =>
      `mutation { podBidResume(input: { podId: "${id}", bidPerGpu: ${bid}, gpuCount: 2 }) { desiredStatus costPerHr gpuCount } }`
    expect(await graphql.refusal(resume(lowestBid / 2))).toMatch(/below the lowest/)
    expect(await read(id)).toMatchObject({ desiredStatus: 'EXITED', costPerHr: lowestBid })
    const bid = lowestBid + 0.01
    expect((await graphql.data(resume(bid))).podBidResume).toEqual({
      desiredStatus: 'RUNNING',
      costPerHr: expect.closeTo(bid * 2, 4),
      gpuCount: 2,
    })
  })
})

test('a pod at the fixed price takes no bid and cannot be reclaimed', async () => {
  await cloud.advance('5s')
  expect(() => reclaimPod(cloud.world(), 'demopod')).toThrow(/is not a spot pod/)
  await graphql.data('mutation { podStop(input: { podId: "demopod" }) { id } }')
  const resume =
    'mutation { podBidResume(input: { podId: "demopod", bidPerGpu: 9, gpuCount: 1 }) { id } }'
  expect(await graphql.refusal(resume)).toMatch(/is not a spot pod/)
  expect(await read('demopod')).toMatchObject({ podType: 'RESERVED', lowestBidPriceToResume: null })
})

describe('where every GPU is taken by spot pods', () => {
  const onDemand = `mutation ($input: PodFindAndDeployOnDemandInput) {
    podFindAndDeployOnDemand(input: $input) { id podType } }`

  /** Two GPUs in all the cloud, both held by spot pods. */
  async function crowd() {
    const { stock } = cloud.world()
    for (const { id } of stock.dataCenters) {
      stock.set(id, gpuTypeId, 'SECURE', id === 'EU-RO-1' ? 2 : 0)
    }
    const dear = await rent({ bidPerGpu: lowestBid * 3 })
    const cheap = await rent({ bidPerGpu: lowestBid * 2 })
    await cloud.advance('5s')
    return { dear: dear.id, cheap: cheap.id }
  }

  test('a pod at the fixed price takes the place of the lowest bid', async () => {
    const { dear, cheap } = await crowd()
    const { podFindAndDeployOnDemand } = await graphql.data(onDemand, wish({}))
    expect(podFindAndDeployOnDemand.podType).toBe('RESERVED')
    expect((await read(cheap)).desiredStatus).toBe('EXITED')
    expect((await read(dear)).desiredStatus).toBe('RUNNING')
  })

  test('another spot pod finds no place, and nobody goes for it', async () => {
    const { dear, cheap } = await crowd()
    expect(await graphql.refusal(rentQuery, wish({ bidPerGpu: 99 }))).toMatch(/no longer any/)
    expect((await read(cheap)).desiredStatus).toBe('RUNNING')
    expect((await read(dear)).desiredStatus).toBe('RUNNING')
  })

  test('a refused pod takes nobody’s place', async () => {
    const { cheap } = await crowd()
    const world = cloud.world()
    world.account = { ...world.account, balanceUsd: 0 }
    expect(await graphql.refusal(onDemand, wish({}))).toMatch(/balance is too low/)
    expect((await read(cheap)).desiredStatus).toBe('RUNNING')
  })
})
