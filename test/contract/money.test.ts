/** Replies of the catalog and of billing, held against the reference's own schemas. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { Answer, Cloud } from '../support/cloud.ts'
import { startCloudWith } from '../support/world.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const folder = process.env.COMPUTE_EMULATOR_CONTRACT ?? join(root, '..', 'shared', 'contract')
const isThere = existsSync(join(folder, 'rest-v2.openapi.json'))
if (!isThere) console.warn(`${folder} is not there: replies are not held against it`)
const testIfThere = isThere ? test : test.skip

const container = { image: 'example/image:1' }
const gpuTypeIds = ['NVIDIA GeForce RTX 4090']
const state = {
  keys: [
    { key: 'all', access: 'all' },
    { key: 'none', access: 'restricted', platform: 'NONE' },
  ],
  pods: [{ id: 'p', name: 'p', container, gpuTypeIds, persistentGb: 20 }],
  networkVolumes: [
    { id: 's', name: 's', sizeGb: 10, dataCenterId: 'EU-RO-1', type: 'STANDARD' },
    { id: 'f', name: 'f', sizeGb: 10, dataCenterId: 'EU-RO-1', type: 'HIGH_PERFORMANCE' },
  ],
  endpoints: [
    { id: 'e', name: 'e', container, gpuTypeIds, workersMin: 1, handler: 'echo' },
    { id: 'pub', name: 'pub', container, gpuTypeIds, public: true, handler: 'public-image' },
  ],
}

/** A path of the reference, and queries that it answers with 200, 400 or 422. */
interface Tried {
  readonly path: string
  readonly id?: string
  readonly queries: readonly string[]
  readonly refused: readonly string[]
}

const stocked = 'include=AVAILABILITY&product=POD'
const types = { queries: ['', stocked, `${stocked},SERVERLESS`], refused: ['product=POD'] }
const gpus = {
  queries: [...types.queries, `${stocked}&countryCodes=US,RO&count=2&cudaVersions=12.8`],
  refused: [...types.refused, 'include=PRICES', `${stocked}&product=CLUSTER`],
}
const places = {
  queries: ['', 'include=GPU_AVAILABILITY,CPU_AVAILABILITY'],
  refused: ['include=X'],
}
const bill = {
  queries: ['', 'lastN=2&bucketSize=hour', 'bucketSize=year'],
  refused: ['lastN=0', 'lastN=1&startTime=2026-01-01T00:00:00Z'],
}

const v2: readonly Tried[] = [
  { path: '/v2/catalog/gpus', ...gpus },
  { path: '/v2/catalog/gpus/{id}', id: gpuTypeIds[0] ?? '', ...gpus },
  { path: '/v2/catalog/cpus', ...types },
  { path: '/v2/catalog/cpus/{id}', id: 'cpu5c', ...types },
  { path: '/v2/catalog/datacenters', ...places },
  { path: '/v2/catalog/datacenters/{id}', id: 'US-KS-2', ...places },
  {
    path: '/v2/catalog/templates',
    queries: ['', 'source=verified', 'source=community'],
    refused: ['source=mine'],
  },
  { path: '/v2/billing', ...bill },
  { path: '/v2/billing/pods', ...bill, queries: [...bill.queries, 'podId=p'] },
  { path: '/v2/billing/serverless', ...bill, queries: [...bill.queries, 'serverlessId=e'] },
  { path: '/v2/billing/endpoints', ...bill },
  { path: '/v2/billing/network-volumes', ...bill, queries: [...bill.queries, 'networkVolumeId=s'] },
  { path: '/v2/billing/clusters', ...bill, queries: [...bill.queries, 'clusterId=c'] },
]

const v1: readonly Tried[] = [
  {
    path: '/billing/pods',
    queries: ['', 'grouping=podId', 'bucketSize=hour&podId=p'],
    refused: ['grouping=name'],
  },
  {
    path: '/billing/endpoints',
    queries: ['', 'grouping=podId', 'grouping=gpuTypeId&endpointId=e'],
    refused: ['grouping=name'],
  },
  {
    path: '/billing/networkvolumes',
    queries: ['', 'bucketSize=year'],
    refused: ['startTime=now'],
  },
]

for (const tried of v2) {
  testIfThere(`GET ${tried.path} answers as REST v2 describes it`, async () => {
    const check = checkerOf('rest-v2.openapi.json')
    const cloud = await start()
    const path = tried.path.replace('{id}', encodeURIComponent(tried.id ?? ''))
    for (const query of tried.queries) {
      check(tried.path, 200, await ask(cloud, `${path}?${query}`))
    }
    for (const query of tried.refused) {
      const answer = await ask(cloud, `${path}?${query}`)
      expect([400, 422]).toContain(answer.status)
      check(tried.path, 'default', answer)
    }
    check(tried.path, 401, await cloud.get(path, { authorization: undefined }))
    check(tried.path, 403, await ask(cloud, path, 'none'))
    if (tried.id !== undefined) {
      check(tried.path, 404, await ask(cloud, tried.path.replace('{id}', 'nothing')))
    }
    expect(cloud.bugs).toEqual([])
  })
}

for (const tried of v1) {
  testIfThere(`GET /v1${tried.path} answers as REST v1 describes it`, async () => {
    const check = checkerOf('rest-v1.openapi.json')
    const cloud = await start()
    for (const query of tried.queries) {
      const answer = await ask(cloud, `/v1${tried.path}?${query}`)
      expect(answer.body.length).toBeGreaterThan(0)
      check(tried.path, 200, answer)
    }
    for (const query of tried.refused) {
      expect((await ask(cloud, `/v1${tried.path}?${query}`)).status).toBe(400)
    }
    expect(cloud.bugs).toEqual([])
  })
}

/** A world in which every kind of thing has cost something. */
async function start(): Promise<Cloud> {
  const cloud = await startCloudWith(state)
  await cloud.post('/v2/pub/run', { input: { prompt: 'a boat' } }, { authorization: 'Bearer all' })
  await cloud.advance('26h')
  return cloud
}

function ask(cloud: Cloud, path: string, key = 'all'): Promise<Answer> {
  return cloud.get(path, { authorization: `Bearer ${key}` })
}

type Check = (path: string, status: number | 'default', answer: Answer) => void

/** Expects the status, or any error for `default`, and a body of the shape that is described. */
function checkerOf(file: string): Check {
  const reference = JSON.parse(readFileSync(join(folder, file), 'utf8'))
  const instant = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    formats: { 'date-time': instant, float: true, double: true, currency: true },
  })
  ajv.addSchema({ ...reference, $id: 'reference' })
  return (path, status, answer) => {
    if (status !== 'default') expect([path, answer.status]).toEqual([path, status])
    const described = reference.paths[path].get.responses[status]
    const pointer: string =
      described.$ref ?? pointerTo('#', 'paths', path, 'get', 'responses', `${status}`)
    const content = resolve(reference, pointer).content
    const [mediaType = ''] = Object.keys(content)
    expect(answer.headers['content-type'] ?? 'application/json').toBe(mediaType)
    const schema = pointerTo(pointer, 'content', mediaType, 'schema')
    const validate = ajv.compile({ $ref: `reference${schema}` })
    expect([path, answer.body, validate(answer.body) || validate.errors]).toEqual([
      path,
      answer.body,
      true,
    ])
  }
}

function pointerTo(start: string, ...parts: string[]): string {
  const escaped = parts.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1'))
  return [start, ...escaped.map(encodeURIComponent)].join('/')
}

// biome-ignore lint/suspicious/noExplicitAny: a document of any shape.
function resolve(document: any, pointer: string): any {
  return pointer
    .split('/')
    .slice(1)
    .map((part) => decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~'))
    .reduce((value, part) => value[part], document)
}
