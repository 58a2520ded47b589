/** The catalog of REST v2: prices, availability that follows stock, filters and their rules. */
import { type Cloud, startCloud } from '../support/cloud.ts'

const rtx4090 = 'NVIDIA GeForce RTX 4090'
const mi300 = 'AMD Instinct MI300X OAM'
const availability = 'include=AVAILABILITY&product=POD'

interface Listed {
  readonly id: string
  readonly availability?: string
  readonly dataCenters?: readonly { readonly id: string; readonly availability: string }[]
}

const gpu = async ({ get }: Cloud, query = '', id = rtx4090) => {
  const { status, body } = await get(`/v2/catalog/gpus/${encodeURIComponent(id)}?${query}`)
  expect(status).toBe(200)
  return body
}
const gpus = async ({ get }: Cloud, query: string): Promise<Listed[]> =>
  (await get(`/v2/catalog/gpus?${query}`)).body.gpus
const idsOf = (listed: readonly Listed[] = []) => listed.map(({ id }) => id)

/** Leaves so many of a type in one data center, and none elsewhere. */
const leave = ({ world }: Cloud, dataCenterId: string, total: number, typeId = rtx4090) => {
  for (const { id } of world().stock.dataCenters) {
    world().stock.set(id, typeId, 'SECURE', id === dataCenterId ? total : 0)
    world().stock.set(id, typeId, 'COMMUNITY', 0)
  }
}

test('a GPU type has its prices, its pool and its largest machine, and no stock unless asked', async () => {
  const cloud = await startCloud()
  expect(await gpu(cloud)).toEqual({
    id: rtx4090,
    name: 'RTX 4090',
    pool: 'ADA_24',
    manufacturer: 'NVIDIA',
    memory: 24,
    secure: true,
    community: true,
    price: { secure: 0.69, community: 0.34, serverless: 1.1 },
    maxCount: { secure: 8, community: 8 },
  })
  const unpooled = await gpu(cloud, '', mi300)
  expect(unpooled).toMatchObject({ pool: null, manufacturer: 'AMD', community: false })
  expect(unpooled.price).toEqual({ secure: 2.39, community: 0 })
  const all = await gpus(cloud, '')
  expect(idsOf(all)).toEqual(cloud.world().settings.catalog.gpus.map(({ id }) => id))
})

test('availability follows what is free, rented and taken away', async () => {
  const cloud = await startCloud()
  const level = async (query = availability) => (await gpu(cloud, query)).availability
  expect(await level()).toBe('HIGH')
  leave(cloud, 'US-KS-2', 9)
  expect(await level()).toBe('MEDIUM')
  expect((await gpu(cloud, availability)).dataCenters).toEqual([
    { id: 'US-KS-2', name: 'US Kansas 2', availability: 'MEDIUM' },
  ])
  const request = { name: 'p', image: 'i', gpu: { id: rtx4090, count: 2 } }
  expect((await cloud.post('/v2/pods', request)).status).toBe(201)
  expect(await level()).toBe('LOW')
  expect(await level(`${availability}&count=4`)).toBe('LOW')
  expect(await level(`${availability}&count=8`)).toBe('NONE')
  expect(await level(`${availability}&cloud=COMMUNITY`)).toBe('NONE')
  leave(cloud, 'US-KS-2', 0)
  const soldOut = await gpu(cloud, availability)
  expect(soldOut.availability).toBe('NONE')
  expect(soldOut).not.toHaveProperty('dataCenters')
})

test('a cluster needs two machines in one place, and a worker a type of a pool', async () => {
  const cloud = await startCloud()
  const level = async (product: string, id = rtx4090) =>
    (await gpu(cloud, `include=AVAILABILITY&product=${product}&count=8`, id)).availability
  leave(cloud, 'US-KS-2', 15)
  expect([await level('POD'), await level('CLUSTER')]).toEqual(['LOW', 'NONE'])
  leave(cloud, 'US-KS-2', 16)
  expect(await level('CLUSTER')).toBe('LOW')
  leave(cloud, 'EU-RO-1', 16, mi300)
  expect([await level('POD', mi300), await level('SERVERLESS', mi300)]).toEqual(['LOW', 'NONE'])
  expect(await level('SERVERLESS,POD', mi300)).toBe('LOW')
})

test('countries narrow the list, and a single type says that it has none there', async () => {
  const cloud = await startCloud()
  leave(cloud, 'US-KS-2', 9)
  const here = await gpus(cloud, `${availability}&countryCodes=RO,CZ`)
  expect(here.length).toBeGreaterThan(3)
  expect(idsOf(here)).not.toContain(rtx4090)
  for (const { dataCenters } of here) {
    for (const id of idsOf(dataCenters)) expect(id).toMatch(/^EU-(RO|CZ)-/)
  }
  const one = await gpu(cloud, `${availability}&countryCodes=RO`)
  expect(one).toMatchObject({ id: rtx4090, availability: 'NONE' })
  expect(one).not.toHaveProperty('dataCenters')
  expect(await gpus(cloud, `${availability}&countryCodes=ZZ`)).toEqual([])
})

test('CUDA versions are those of the machines, and each says whether one is free', async () => {
  const cloud = await startCloud()
  const versions = async (query: string, id = rtx4090) =>
    (await gpu(cloud, `${availability}&${query}`, id)).cudaVersions
  // US-KS-2 has 12.1, 12.4, 12.8 and 13.0.
  leave(cloud, 'US-KS-2', 4)
  const all = await versions('countryCodes=US')
  expect(all).toContainEqual({ version: '12.1', available: true })
  expect(all).toContainEqual({ version: '12.9', available: false })
  expect(await versions('cudaVersions=12.8,12.1')).toEqual([
    { version: '12.1', available: true },
    { version: '12.8', available: true },
  ])
  const from13 = await versions('minCudaVersion=13')
  expect(from13.every(({ version }: { version: string }) => version.startsWith('13.'))).toBe(true)
  expect((await gpu(cloud, `${availability}&cudaVersions=12.9`)).availability).toBe('NONE')
  expect((await gpu(cloud, `${availability}&minCudaVersion=12.9`)).availability).toBe('LOW')
  expect(await versions('countryCodes=RO', mi300)).toBeUndefined()
  expect((await gpu(cloud, `${availability}&minCudaVersion=12`, mi300)).availability).toBe('NONE')
})

test('CPU flavors have their sizes and prices, and their stock by size', async () => {
  const cloud = await startCloud()
  const { get } = cloud
  expect((await get('/v2/catalog/cpus/cpu5c')).body).toEqual({
    id: 'cpu5c',
    name: 'Compute-Optimized',
    group: 'Gen 5',
    vcpu: { min: 2, max: 32 },
    ramGbPerVcpu: 2,
    price: { securePerVcpu: 0.04, serverlessPerVcpu: 0.03 },
  })
  for (const { id } of cloud.world().stock.dataCenters) {
    cloud.world().stock.set(id, 'cpu5c', 'SECURE', id === 'EU-RO-1' ? 20 : 0)
  }
  const level = async (query: string) =>
    (await get(`/v2/catalog/cpus/cpu5c?include=AVAILABILITY&product=POD${query}`)).body
  expect(await level('')).toMatchObject({
    availability: 'MEDIUM',
    dataCenters: [{ id: 'EU-RO-1', name: 'EU Romania 1', availability: 'MEDIUM' }],
  })
  expect((await level('&vcpuCount=16')).availability).toBe('LOW')
  expect((await level('&vcpuCount=32')).availability).toBe('NONE')
  expect((await level('&vcpuCount=64')).availability).toBe('NONE')
  const { cpus } = (await get('/v2/catalog/cpus?include=AVAILABILITY&product=SERVERLESS')).body
  expect(cpus).toHaveLength(6)
  expect(cpus[0]).toMatchObject({ id: 'cpu3c', availability: 'HIGH' })
})

test('data centers are filtered by region, volume types, certificates and global networking', async () => {
  const cloud = await startCloud()
  const { dataCenters } = cloud.world().settings.catalog
  const ids = async (query: string) =>
    idsOf((await cloud.get(`/v2/catalog/datacenters?${query}`)).body.dataCenters)
  const where = (test: (place: (typeof dataCenters)[number]) => boolean) =>
    idsOf(dataCenters.filter(test))
  expect(await ids('')).toEqual(where(() => true))
  const afar = await ids('regions=ASIA,OCEANIA')
  expect(afar).toEqual(['OC-AU-1', 'AP-JP-1'])
  expect(await ids('networkVolumeTypes=STANDARD,HIGH_PERFORMANCE')).toEqual(
    where(({ volumeTypes }) => volumeTypes.length === 2),
  )
  expect(await ids('compliance=GDPR,SOC_2_TYPE_2')).toEqual(['EU-RO-1'])
  expect(await ids('globalNetwork=false')).toEqual(where(({ globalNetwork }) => !globalNetwork))
  expect(await ids('regions=EUROPE&globalNetwork=true&compliance=RENEWABLE')).toEqual(
    where(
      ({ region, globalNetwork, compliance }) =>
        region === 'EUROPE' && globalNetwork && compliance.includes('RENEWABLE'),
    ),
  )
})

test('a data center tells what it has of each type when it is asked', async () => {
  const cloud = await startCloud()
  const place = async (query: string) =>
    (await cloud.get(`/v2/catalog/datacenters/US-KS-2?${query}`)).body
  expect(await place('')).toEqual({
    id: 'US-KS-2',
    name: 'US Kansas 2',
    region: 'NORTH_AMERICA',
    globalNetwork: true,
    networkVolumeTypes: ['STANDARD', 'HIGH_PERFORMANCE'],
    compliance: ['SOC_2_TYPE_2', 'ISO_IEC_27001'],
  })
  leave(cloud, 'US-KS-2', 8)
  const both = await place('include=GPU_AVAILABILITY,CPU_AVAILABILITY')
  expect(both.gpuAvailability).toContainEqual({
    id: rtx4090,
    name: 'RTX 4090',
    availability: 'MEDIUM',
  })
  leave(cloud, 'US-KS-2', 0, 'NVIDIA A40')
  expect((await place('include=GPU_AVAILABILITY')).gpuAvailability).toContainEqual({
    id: 'NVIDIA A40',
    name: 'A40',
    availability: 'NONE',
  })
  expect(both.cpuAvailability[0]).toMatchObject({ id: 'cpu3c', name: 'Compute-Optimized' })
  expect(await place('include=GPU_AVAILABILITY')).not.toHaveProperty('cpuAvailability')
})

test('public templates are listed by who offers them, and can be read and used by their ids', async () => {
  const { get, post, world } = await startCloud()
  const list = async (query = '') => (await get(`/v2/catalog/templates?${query}`)).body
  const official = await list()
  expect(official).toEqual(await list('source=official'))
  expect(official.pagination).toEqual({ nextCursor: null, hasNextPage: false })
  for (const source of ['official', 'verified', 'community']) {
    const ids = world().publicTemplates.where((template) => template.source === source)
    expect(idsOf((await list(`source=${source}`)).templates)).toEqual(idsOf(ids))
    expect(ids.length).toBeGreaterThan(0)
  }
  const [template] = official.templates
  expect(template).toMatchObject({ public: true, registry: null })
  expect((await get(`/v2/templates/${template.id}`)).body).toEqual(template)
  const own = idsOf((await get('/v2/templates')).body.templates)
  expect(own).not.toContain(template.id)
  const request = { name: 'p', templateId: template.id, gpu: { id: rtx4090, count: 1 } }
  expect((await post('/v2/pods', request)).body.image).toBe(template.image)
})

const refused: readonly (readonly [path: string, status: number, error: string])[] = [
  ['gpus?include=AVAILABILITY', 400, 'needs a product'],
  ['gpus?product=POD', 400, 'product is valid only with include=AVAILABILITY'],
  ['gpus?count=1', 400, 'count is valid only'],
  ['gpus?cloud=SECURE', 400, 'cloud is valid only'],
  ['gpus?countryCodes=FR', 400, 'countryCodes is valid only'],
  ['gpus?cudaVersions=12.8', 400, 'cudaVersions is valid only'],
  ['gpus?minCudaVersion=12', 400, 'minCudaVersion is valid only'],
  [`gpus?${availability}&cudaVersions=12.8&minCudaVersion=12`, 400, 'exclude each other'],
  ['gpus?include=PRICES', 422, '$.include[0]: value must be one of'],
  ['gpus?include=AVAILABILITY,AVAILABILITY&product=POD', 422, '$.include: must have at most 1'],
  ['gpus?include=AVAILABILITY&product=', 422, '$.product[0]: value must be one of'],
  ['gpus?include=AVAILABILITY&product=POD&product=CLUSTER', 422, 'is not exploded, but is specifi'],
  [`gpus?${availability}&count=0`, 422, '$.count: must be at least 1'],
  [`gpus?${availability}&countryCodes=fr`, 422, '$.countryCodes[0]: does not match'],
  [`gpus?${availability}&cudaVersions=12`, 422, '$.cudaVersions[0]: does not match'],
  [`gpus?${availability}&minCudaVersion=new`, 422, '$.minCudaVersion: does not match'],
  ['gpus/unknown', 404, 'GPU type not found'],
  ['cpus?include=AVAILABILITY', 400, 'needs a product'],
  ['cpus?vcpuCount=4', 400, 'vcpuCount is valid only'],
  [`cpus?${availability}&vcpuCount=6`, 400, 'power of two'],
  [`cpus?${availability}&vcpuCount=1`, 422, '$.vcpuCount: must be at least 2'],
  ['cpus?include=AVAILABILITY&product=CLUSTER', 422, '$.product[0]: value must be one of'],
  ['cpus/cpu9x', 404, 'CPU type not found'],
  ['datacenters?regions=MARS', 422, '$.regions[0]: value must be one of'],
  ['datacenters?compliance=gdpr', 422, '$.compliance[0]: value must be one of'],
  ['datacenters?globalNetwork=maybe', 422, '$.globalNetwork: got string, want boolean'],
  ['datacenters/US-KS-2?include=AVAILABILITY', 422, '$.include[0]: value must be one of'],
  ['templates?source=mine', 422, "$.source: value must be one of 'official'"],
  ['datacenters/MARS-1', 404, 'data center not found'],
]

test.each(refused)('%s is refused with %i', async (path, status, error) => {
  const { get } = await startCloud()
  const answer = await get(`/v2/catalog/${path}`)
  expect(answer.status).toBe(status)
  expect([answer.body.detail, ...(answer.body.errors ?? [])].join()).toContain(error)
})

test('what the contract does not know is ignored, and the document says how lists are written', async () => {
  const { get } = await startCloud()
  expect((await get('/v2/catalog/gpus?color=green')).status).toBe(200)
  const { paths } = (await get('/v2/openapi.json')).body
  const product = paths['/v2/catalog/gpus'].get.parameters.find(
    ({ name }: { name: string }) => name === 'product',
  )
  expect(product).toEqual({
    name: 'product',
    in: 'query',
    required: false,
    style: 'form',
    explode: false,
    schema: {
      type: 'array',
      items: { type: 'string', enum: ['POD', 'CLUSTER', 'SERVERLESS'] },
    },
  })
})
