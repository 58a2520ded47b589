/** What data centers ask and have can change while a world lives. */
import { startCloud } from '../support/cloud.ts'
import { addFault, entriesOf } from '../support/faults.ts'
import { graphqlOf } from '../support/graphql.ts'
import { startQueue } from '../support/queue.ts'

const typeId = 'NVIDIA GeForce RTX 4090'
const pod = { name: 'p', image: 'x', gpu: { id: typeId } }

test('a price holds for what is placed from now on, and in the catalog', async () => {
  const cloud = await startCloud()
  const { get, put, post } = cloud
  const { data } = graphqlOf(cloud)
  const before = (await get('/v2/pods/demopod')).body
  expect((await put('/_emulator/prices', { typeId, priceUsd: 1.25 })).body.prices).toEqual([
    {
      typeId,
      dataCenterId: null,
      priceUsd: { secure: 1.25, community: 1.25, serverless: 1.25 },
    },
  ])
  const { body } = await post('/v2/pods', pod)
  expect(cloud.world().pods.require(body.id).placement.costPerHourUsd).toBe(1.25)
  expect((await get('/v2/pods/demopod')).body.cost).toEqual(before.cost)
  const query = `{ gpuTypes(input: {id: "${typeId}"}) { securePrice
    lowestPrice(input: {gpuCount: 2}) { uninterruptablePrice } } }`
  expect((await data(query)).gpuTypes).toEqual([
    { securePrice: 1.25, lowestPrice: { uninterruptablePrice: 2.5 } },
  ])
})

test('a data center can have a price of its own', async () => {
  const cloud = await startCloud()
  const { put, post } = cloud
  const change = { typeId, dataCenterId: 'EU-RO-1', tier: 'secure', priceUsd: 9 }
  expect((await put('/_emulator/prices', change)).status).toBe(200)
  const cost = async (dataCenterIds: string[]) => {
    const { body } = await post('/v2/pods', { ...pod, dataCenterIds })
    return cloud.world().pods.require(body.id).placement.costPerHourUsd
  }
  expect(await cost(['EU-RO-1'])).toBe(9)
  expect(await cost(['EU-CZ-1'])).toBeLessThan(9)
  const { data } = graphqlOf(cloud)
  const query = `{ gpuTypes(input: {id: "${typeId}"}) { securePrice lowestPrice(
    input: {gpuCount: 1, secureCloud: true, dataCenterId: "EU-RO-1"}) { uninterruptablePrice } } }`
  const [{ securePrice, lowestPrice }] = (await data(query)).gpuTypes
  expect(lowestPrice).toEqual({ uninterruptablePrice: 9 })
  expect(securePrice).toBeLessThan(9)
})

test('a worker is placed at the price of serverless', async () => {
  const cloud = await startQueue({ endpoint: { gpuTypeIds: [typeId] } })
  await addFault(cloud, {
    effect: { kind: 'change-price', typeId, tier: 'serverless', priceUsd: 3 },
  })
  await cloud.post('/v2/e/run', { input: 1 })
  await cloud.advance('5s')
  expect(cloud.world().workers.all()[0]?.placement?.costPerHourUsd).toBe(3)
  const [hit] = entriesOf(cloud, 'fault.hit')
  expect(entriesOf(cloud, 'price.changed')).toMatchObject([{ cause: hit?.seq }])
})

test('a data center can lose a CUDA version, and get one', async () => {
  const cloud = await startCloud()
  const { put, post, get } = cloud
  const dataCenterId = 'EU-RO-1'
  const changed = await put('/_emulator/cuda-versions', {
    dataCenterId,
    cudaVersions: ['12.10', '12.2'],
  })
  expect(changed.body).toEqual({ dataCenters: [{ dataCenterId, cudaVersions: ['12.2', '12.10'] }] })
  const wish = { ...pod, dataCenterIds: [dataCenterId] }
  const asks = (allowed: string[]) =>
    post('/v2/pods', { ...wish, gpu: { ...wish.gpu, allowedCudaVersions: allowed } })
  const made = await asks(['12.2'])
  expect(cloud.world().pods.require(made.body.id).placement.cudaVersion).toBe('12.2')
  expect((await asks(['12.8'])).status).toBe(400)
  const { body } = await get('/_emulator/cuda-versions')
  expect(body.dataCenters).toHaveLength(cloud.world().stock.dataCenters.length)
})

test('a snapshot keeps prices, CUDA versions and faults', async () => {
  const cloud = await startCloud()
  const { put, post, get } = cloud
  await put('/_emulator/prices', { typeId, priceUsd: 1.25 })
  await put('/_emulator/cuda-versions', { dataCenterId: 'EU-RO-1', cudaVersions: ['12.2'] })
  await addFault(cloud, { id: 'one', operation: 'jobs.run', effect: { kind: 'reset' } })
  const [prices, cuda, faults] = ['prices', 'cuda-versions', 'faults'].map(
    (part) => `/_emulator/${part}`,
  )
  const seen = () =>
    Promise.all([prices, cuda, faults].map(async (path) => (await get(path ?? '')).text))
  const kept = await seen()
  expect((await post('/_emulator/snapshots', { name: 'a' })).status).toBeLessThan(300)
  await post('/_emulator/reset')
  expect(await seen()).not.toEqual(kept)
  expect((await post('/_emulator/snapshots/a/load')).status).toBe(200)
  expect(await seen()).toEqual(kept)
  expect((await post('/v2/demo/run', { input: 1 })).status).toBe(0)
})

// prettier-ignore
test.each([
  ['prices', 'a type there is not', { typeId: 'NVIDIA X', priceUsd: 1 }, 400],
  ['prices', 'a data center there is not', { typeId, dataCenterId: 'XX-1', priceUsd: 1 }, 404],
  ['prices', 'less than nothing', { typeId, priceUsd: -1 }, 422],
  [
    'prices',
    'CPUs in the community cloud',
    { typeId: 'cpu3c', tier: 'community', priceUsd: 1 },
    400,
  ],
  [
    'cuda-versions',
    'a data center there is not',
    { dataCenterId: 'XX-1', cudaVersions: ['12.2'] },
    404,
  ],
  ['cuda-versions', 'no version', { dataCenterId: 'EU-RO-1', cudaVersions: [] }, 422],
  ['cuda-versions', 'what is no version', { dataCenterId: 'EU-RO-1', cudaVersions: ['new'] }, 422],
])('%s of %s are refused, and nothing changes', async (part, _what, body, status) => {
  const { put, get } = await startCloud()
  const before = [(await get(`/_emulator/${part}`)).text, (await get('/_emulator/timeline')).text]
  expect((await put(`/_emulator/${part}`, body)).status).toBe(status)
  const after = [(await get(`/_emulator/${part}`)).text, (await get('/_emulator/timeline')).text]
  expect(after).toEqual(before)
})
