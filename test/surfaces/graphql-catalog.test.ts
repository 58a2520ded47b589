/** Prices, stock, places, volumes and credentials through GraphQL. */
import { type Cloud, startCloud } from '../support/cloud.ts'
import { type Asking, graphqlOf } from '../support/graphql.ts'

let cloud: Cloud
let graphql: Asking

beforeEach(async () => {
  cloud = await startCloud()
  graphql = graphqlOf(cloud)
})

afterEach(() => expect(cloud.bugs).toEqual([]))

const offer = `query ($types: GpuTypeFilter, $price: GpuLowestPriceInput) {
  gpuTypes(input: $types) { id manufacturer memoryInGb maxGpuCount secureCloud securePrice
    lowestPrice(input: $price) { uninterruptablePrice minimumBidPrice stockStatus minMemory
      minVcpu availableGpuCounts gpuTypeCudaVersions { cudaVersion availability } } } }`
const a4000 = { id: 'NVIDIA RTX A4000' }

async function lowestPrice(price: object, types: object = a4000) {
  const { gpuTypes } = await graphql.data(offer, { types, price })
  return gpuTypes[0].lowestPrice
}

describe('GPU types', () => {
  test('are all listed, and one that stands for no GPU', async () => {
    const { gpuTypes } = await graphql.data('{ gpuTypes { id } }')
    expect(gpuTypes).toHaveLength(cloud.world().settings.catalog.gpus.length + 1)
    expect(gpuTypes).toContainEqual({ id: 'unknown' })
  })

  test('are found by id, by ids, and not at all', async () => {
    const ids = async (types: object) =>
      (await graphql.data(offer, { types })).gpuTypes.map(({ id }: { id: string }) => id)
    expect(await ids(a4000)).toEqual([a4000.id])
    expect(await ids({ ids: ['NVIDIA L4', a4000.id] })).toHaveLength(2)
    expect(await ids({ id: 'nope' })).toEqual([])
    expect(await ids({ cluster: true, ids: ['unknown', a4000.id] })).toEqual([a4000.id])
  })

  test('cost what the catalog says, for all GPUs together', async () => {
    const type = cloud.world().settings.catalog.gpus.find(({ id }) => id === a4000.id)
    const price = type?.priceUsd.secure ?? 0
    const { uninterruptablePrice, minimumBidPrice } = await lowestPrice({
      gpuCount: 2,
      secureCloud: true,
    })
    expect(uninterruptablePrice).toBeCloseTo(price * 2, 4)
    expect(minimumBidPrice).toBeLessThan(uninterruptablePrice)
    const serverless = await lowestPrice({ gpuCount: 1, includeAiApi: true })
    expect(serverless.uninterruptablePrice).toBe(type?.priceUsd.serverless)
  })

  test('take empty filters as none', async () => {
    const blanks = {
      ...{ gpuCount: 1, secureCloud: null, dataCenterId: '', countryCode: '', minMemoryInGb: 0 },
      ...{ allowedCudaVersions: [], minCudaVersion: '', compliance: [], minDisk: 0 },
    }
    expect(await lowestPrice(blanks)).toEqual(await lowestPrice({ gpuCount: 1 }))
  })

  test.each([
    ['in no data center', { dataCenterId: 'XX-1' }],
    ['with more memory than there is', { minMemoryInGb: 100_000 }],
    ['with a CUDA version that nobody has', { minCudaVersion: '99.0' }],
    ['on a faster line than there is', { minDownload: 1_000_000 }],
  ])('%s have an offer without prices', async (_where, price) => {
    expect(await lowestPrice({ gpuCount: 1, ...price })).toMatchObject({
      ...{
        stockStatus: 'None',
        uninterruptablePrice: null,
        minimumBidPrice: null,
        minMemory: null,
      },
    })
  })

  test('without stock have no level where the switch says so', async () => {
    const other = await startCloud({ fidelity: { graphqlOutOfStock: 'null' } })
    const data = await graphqlOf(other).data(offer, {
      types: a4000,
      price: { dataCenterId: 'XX-1' },
    })
    expect(data.gpuTypes[0].lowestPrice.stockStatus).toBeNull()
  })

  test('become scarce as pods take them', async () => {
    const place = { gpuCount: 1, dataCenterId: 'EU-RO-1', secureCloud: true }
    expect(await lowestPrice(place)).toMatchObject({ stockStatus: 'High' })
    // One of these is held by the worker of the start state's load balancer.
    cloud.world().stock.set('EU-RO-1', a4000.id, 'SECURE', 4)
    expect(await lowestPrice(place)).toMatchObject({
      stockStatus: 'Low',
      availableGpuCounts: [1, 2, 3],
    })
    const rent = `mutation { podFindAndDeployOnDemand(input: {imageName: "i", gpuCount: 2,
      gpuTypeId: "${a4000.id}", dataCenterId: "EU-RO-1", cloudType: SECURE}) { id } }`
    await graphql.data(rent)
    expect(await lowestPrice(place)).toMatchObject({ availableGpuCounts: [1] })
    expect(await graphql.refusal(rent)).toMatch(/no longer any instances available/)
  })
})

test('data centers show what they have of each GPU type', async () => {
  const query = `query ($input: GpuAvailabilityInput) { dataCenters { id location storageSupport
    gpuAvailability(input: $input) { gpuTypeId displayName available stockStatus } } }`
  cloud.world().stock.set('EU-RO-1', a4000.id, 'SECURE', 0)
  const { dataCenters } = await graphql.data(query, { input: { gpuCount: 1, secureCloud: true } })
  const romania = dataCenters.find(({ id }: { id: string }) => id === 'EU-RO-1')
  expect(romania).toMatchObject({ location: 'Romania', storageSupport: true })
  expect(romania.gpuAvailability).toContainEqual({
    ...{ gpuTypeId: a4000.id, displayName: 'RTX A4000', available: false, stockStatus: null },
  })
  expect(romania.gpuAvailability).toContainEqual(
    expect.objectContaining({ gpuTypeId: 'NVIDIA L4', available: true, stockStatus: 'High' }),
  )
})

test('CPU flavors cost by their size', async () => {
  const { cpuFlavors } = await graphql.data(`{ cpuFlavors(input: {id: "cpu3c"}) {
    minVcpu maxVcpu ramMultiplier diskLimitPerVcpu
    small: specifics(input: {dataCenterId: "EU-RO-1"}) { stockStatus securePrice }
    large: specifics(input: {instanceId: "cpu3c-8-16"}) { securePrice }
  } }`)
  expect(cpuFlavors).toEqual([
    {
      ...{ minVcpu: 2, maxVcpu: 32, ramMultiplier: 2, diskLimitPerVcpu: 10 },
      small: { stockStatus: 'High', securePrice: 0.06 },
      large: { securePrice: 0.24 },
    },
  ])
})

test('serverless pools are those that endpoints name', async () => {
  const { serverlessGpuPools } = await graphql.data('{ serverlessGpuPools { id gpuTypeIds } }')
  expect(serverlessGpuPools).toContainEqual({
    id: 'ADA_24',
    gpuTypeIds: ['NVIDIA GeForce RTX 4090'],
  })
})

test('a network volume is made, grows, does not shrink, and is deleted', async () => {
  const make =
    'mutation ($name: String, $size: Int, $place: String) { createNetworkVolume(input: {name: $name, size: $size, dataCenterId: $place}) { id size dataCenter { id } } }'
  const { createNetworkVolume: made } = await graphql.data(make, {
    ...{ name: 'v', size: 50, place: 'EU-RO-1' },
  })
  expect(made).toMatchObject({ size: 50, dataCenter: { id: 'EU-RO-1' } })
  const resize = (size: number) =>
    `mutation { updateNetworkVolume(input: {id: "${made.id}", size: ${size}}) { name size } }`
  expect(await graphql.data(resize(60))).toEqual({ updateNetworkVolume: { name: 'v', size: 60 } })
  expect(await graphql.refusal(resize(40))).toMatch(/cannot shrink/)
  const drop = `mutation { deleteNetworkVolume(input: {id: "${made.id}"}) }`
  expect(await graphql.data(drop)).toEqual({ deleteNetworkVolume: null })
  expect(await graphql.refusal(drop)).toMatch(/^Tried to delete nonexistent network volume/)
  expect(await graphql.refusal(make, { name: 'v', place: 'EU-RO-1' })).toMatch(
    /input.size is required/,
  )
})

test('registry credentials are saved, changed, listed by age and deleted', async () => {
  const save = (name: string) =>
    `mutation { saveRegistryAuth(input: {name: "${name}", username: "u", password: "p"}) { id name } }`
  const { saveRegistryAuth: first } = await graphql.data(save('first'))
  await graphql.data(save('second'))
  expect(await graphql.refusal(save('first'))).toMatch(/exists already/)
  const change = `mutation { updateRegistryAuth(input: {id: "${first.id}", username: "u", password: "q"}) { name } }`
  expect(await graphql.data(change)).toEqual({ updateRegistryAuth: { name: 'first' } })
  expect(cloud.world().registries.require(first.id).password).toBe('q')
  const list = '{ myself { containerRegistryCreds { name } } }'
  expect(await graphql.data(list)).toEqual({
    myself: { containerRegistryCreds: [{ name: 'first' }, { name: 'second' }] },
  })
  await graphql.data(`mutation { deleteRegistryAuth(registryAuthId: "${first.id}") }`)
  expect((await graphql.data(list)).myself.containerRegistryCreds).toHaveLength(1)
})
