/** How REST v1 says no, and to whom. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cloud, startCloud } from '../support/cloud.ts'
import { temporaryFolder } from '../support/folder.ts'

const rtx4090 = 'NVIDIA GeForce RTX 4090'
const pod = { imageName: 'example/image:1', gpuTypeIds: [rtx4090] }

const fixtures = temporaryFolder('rest-v1')
mkdirSync(join(fixtures, 'worlds'))
writeFileSync(
  join(fixtures, 'worlds', 'guarded.yaml'),
  `account: { id: user_poor, email: poor@example.com, balanceUsd: 0.01 }
keys:
  - { key: reader, access: read-only }
  - { key: gone, access: revoked }
  - { key: mine-only, access: restricted, endpoints: { mine: READ_WRITE, shown: READ } }
endpoints:
  - { id: mine, name: mine, container: { image: a }, gpuTypeIds: [NVIDIA A40] }
  - { id: shown, name: shown, container: { image: a }, gpuTypeIds: [NVIDIA A40] }
  - { id: other, name: other, container: { image: a }, gpuTypeIds: [NVIDIA A40] }
`,
)

const startGuarded = () => startCloud({ fixtures: [fixtures], world: 'guarded' })
const as = (key: string) => ({ authorization: `Bearer ${key}` })

/** Takes every GPU of a type off the market, held ones excepted. */
function sellOut(cloud: Cloud, gpuTypeId: string): void {
  for (const { id } of cloud.world().stock.dataCenters) {
    cloud.world().stock.set(id, gpuTypeId, 'SECURE', 0)
  }
}

describe('a malformed request is refused with 400', () => {
  const typo = 'body/gpuTypeIds/1 must be one of the allowed values'
  test.each([
    ['an unknown key', { startSsh: true }, 'Extra input keys provided in request body'],
    ['two unknown keys, once', { a: 1, b: 2 }, 'Extra input keys provided in request body'],
    ['an unknown word', { cloudType: 'ALL' }, 'body/cloudType must be one of the allowed values'],
    ['an unknown GPU type', { gpuTypeIds: [rtx4090, 'RTX 4090'] }, typo],
    ['a wrong type', { gpuCount: 'two' }, 'body/gpuCount must be of type integer'],
    ['a value below its least', { gpuCount: 0 }, 'body/gpuCount must be at least 1'],
    [
      'several reasons at once',
      { gpuCount: 0, computeType: 'TPU' },
      'body/computeType must be one of the allowed values; body/gpuCount must be at least 1',
    ],
  ])('for %s', async (_why, changes, message) => {
    const { post } = await startCloud()
    const { status, body } = await post('/v1/pods', { ...pod, ...changes })
    const sorted = (text: string) => text.split('; ').sort()
    expect([status, Object.keys(body), sorted(body.message)]).toEqual([
      400,
      ['message'],
      sorted(message),
    ])
  })

  test('for a pod without image or template', async () => {
    const { status, body } = await (await startCloud()).post('/v1/pods', {})
    expect([status, body]).toEqual([400, { message: "body is missing property 'imageName'" }])
  })

  test('for an endpoint without a template', async () => {
    const { status, body } = await (await startCloud()).post('/v1/endpoints', {})
    expect([status, body]).toEqual([400, { message: "body is missing property 'templateId'" }])
  })

  test('for no body, and for one that is not JSON', async () => {
    const { post } = await startCloud()
    expect(await post('/v1/pods')).toMatchObject({
      status: 400,
      body: { message: 'the request needs a JSON body' },
    })
    const { status, body } = await post('/v1/pods', '{')
    expect(status).toBe(400)
    expect(body.message).toMatch(/^the body is not JSON: /)
  })

  test('for a filter that is not in its list', async () => {
    const { status, body } = await (await startCloud()).get('/v1/pods?desiredStatus=STARTING')
    const message = 'query/desiredStatus must be one of the allowed values'
    expect([status, body]).toEqual([400, { message }])
  })

  test('for CUDA versions that v1 never heard of', async () => {
    const { post } = await startCloud()
    const { status, body } = await post('/v1/pods', { ...pod, allowedCudaVersions: ['13.1'] })
    const message = 'body/allowedCudaVersions/0 must be one of the allowed values'
    expect([status, body]).toEqual([400, { message }])
    const endpoint = { templateId: 'demotemplate', minCudaVersion: '11.0' }
    expect(await post('/v1/endpoints', endpoint)).toMatchObject({
      status: 400,
      body: { message: 'body/minCudaVersion must be one of the allowed values' },
    })
  })

  test('for a CPU flavor that endpoints do not get, and pods do', async () => {
    const { post } = await startCloud()
    const cpu = { computeType: 'CPU', cpuFlavorIds: ['cpu3m'] }
    expect(await post('/v1/endpoints', { templateId: 'demotemplate', ...cpu })).toMatchObject({
      status: 400,
      body: { message: 'body/cpuFlavorIds/0 must be one of the allowed values' },
    })
    expect(await post('/v1/pods', { imageName: 'example/image:1', ...cpu })).toMatchObject({
      status: 201,
      body: { cpuFlavorId: 'cpu3m' },
    })
  })

  test('for a size that is null, but of a pod', async () => {
    const { post } = await startCloud()
    const sizes = { containerDiskInGb: null, volumeInGb: null }
    expect(await post('/v1/pods', { ...pod, ...sizes })).toMatchObject({
      status: 201,
      body: { containerDiskInGb: 50, volumeInGb: 20 },
    })
    const template = { name: 'mine', imageName: 'example/image:1', ...sizes }
    expect(await post('/v1/templates', template)).toMatchObject({ status: 400 })
  })

  test('for a filter that is too long', async () => {
    const { get } = await startCloud()
    expect(await get(`/v1/pods?name=${'x'.repeat(192)}`)).toMatchObject({ status: 400 })
    expect(await get(`/v1/pods?name=${'x'.repeat(191)}`)).toMatchObject({ status: 200, body: [] })
  })
})

test('a stock-out is a 500 that says what was tried', async () => {
  const cloud = await startCloud()
  sellOut(cloud, rtx4090)
  const { status, body } = await cloud.post('/v1/pods', pod)
  const message = 'create pod: There are no instances currently available.'
  expect([status, body]).toEqual([500, { message }])
})

test.each([
  ['a GPU type that the cloud has nowhere', { gpuTypeIds: ['Tesla T4'] }],
  ['a disk faster than any', { minDiskBandwidthMBps: 1_000_000 }],
])('%s is a stock-out', async (_what, changes) => {
  const { post } = await startCloud()
  expect(await post('/v1/pods', { ...pod, ...changes })).toMatchObject({
    status: 500,
    body: { message: 'create pod: There are no instances currently available.' },
  })
})

test.each([
  ['PATCH', '/v1/endpoints/demo'],
  ['POST', '/v1/endpoints/demo/update'],
])('%s %s says of a stock-out that it was a change', async (method, path) => {
  const { send } = await startCloud()
  const { status, body } = await send(method, path, { gpuTypeIds: ['Tesla T4'] })
  const message = 'update endpoint: There are no instances currently available.'
  expect([status, body]).toEqual([500, { message }])
})

test('a stopped pod does not start when its GPUs are taken', async () => {
  const cloud = await startCloud()
  const { body: made } = await cloud.post('/v1/pods', pod)
  await cloud.post(`/v1/pods/${made.id}/stop`)
  sellOut(cloud, rtx4090)
  const { status, body } = await cloud.post(`/v1/pods/${made.id}/start`)
  const message = 'start pod: There are not enough free GPUs on the host machine to start this pod.'
  expect([status, body]).toEqual([500, { message }])
})

test('an account without money rents nothing', async () => {
  const { post } = await startGuarded()
  const { status, body } = await post('/v1/pods', pod)
  const message =
    'create pod: Your account balance is too low to rent a pod. Please add funds to your account.'
  expect([status, body]).toEqual([500, { message }])
})

test.each([
  ['GET', '/v1/pods/none', 'pod not found'],
  ['POST', '/v1/pods/none/start', 'pod not found'],
  ['DELETE', '/v1/pods/none', 'pod not found'],
  ['GET', '/v1/endpoints/none', 'endpoint not found'],
  ['GET', '/v1/templates/none', 'template not found'],
  ['GET', '/v1/networkvolumes/none', 'network volume not found'],
  ['GET', '/v1/containerregistryauth/none', 'registry not found'],
  ['GET', '/v1/nothing', 'v1 has no GET /v1/nothing'],
])('%s %s answers 404', async (method, path, message) => {
  const { status, body } = await (await startCloud()).send(method, path)
  expect([status, body]).toEqual([404, { message }])
})

test('an action that the status does not allow is refused with 400', async () => {
  const { status, body } = await (await startCloud()).post('/v1/pods/demopod/start')
  expect([status, body]).toEqual([400, { message: 'cannot start a pod that is PROVISIONING' }])
})

test('a method that a path does not have is refused with the ones it has', async () => {
  const { status, body, headers } = await (await startCloud()).put('/v1/pods/demopod', {})
  expect([status, body]).toEqual([405, { message: 'this path takes GET, PATCH, DELETE' }])
  expect(headers).toMatchObject({ allow: 'GET, PATCH, DELETE' })
})

test.each([
  ['no key', {}, 'no token provided'],
  ['another scheme', { authorization: 'Basic abc' }, 'no token provided'],
  ['a revoked key', as('gone'), 'invalid api key'],
])('%s opens nothing', async (_what, headers, message) => {
  const { get } = await startGuarded()
  const { status, body } = await get('/v1/pods', { authorization: undefined, ...headers })
  expect([status, body]).toEqual([401, { message }])
})

test('a read-only key may look and not touch', async () => {
  const { get, post } = await startGuarded()
  expect(await get('/v1/endpoints', as('reader'))).toMatchObject({ status: 200 })
  const { status, body } = await post('/v1/pods', pod, as('reader'))
  expect([status, body]).toEqual([403, { message: 'access denied' }])
})

test('a restricted key manages its own endpoints and nothing else', async () => {
  const { get, patch } = await startGuarded()
  const key = as('mine-only')
  expect(await patch('/v1/endpoints/mine', { workersMax: 2 }, key)).toMatchObject({ status: 200 })
  expect(await get('/v1/endpoints/shown', key)).toMatchObject({ status: 200 })
  expect(await patch('/v1/endpoints/shown', {}, key)).toMatchObject({ status: 403 })
  expect(await get('/v1/endpoints/other', key)).toMatchObject({ status: 403 })
  expect(await get('/v1/pods', key)).toMatchObject({ status: 403 })
})

test('the observed form of errors is a switch', async () => {
  const { get } = await startCloud({ fidelity: { v1ErrorBody: 'error-status' } })
  const { status, body } = await get('/v1/pods/none')
  expect([status, body]).toEqual([404, { error: 'pod not found', status: 404 }])
})

test('the description of v1 needs no key and names every operation once', async () => {
  const { get } = await startCloud()
  const { status, body } = await get('/v1/openapi.json', { authorization: undefined })
  expect(status).toBe(200)
  expect(body).toMatchObject({ openapi: '3.0.3', info: { version: '0.1.0' } })
  const operations = Object.values<Record<string, { operationId: string }>>(body.paths).flatMap(
    (methods) => Object.values(methods).map(({ operationId }) => operationId),
  )
  expect(new Set(operations).size).toBe(operations.length)
  expect(operations).toHaveLength(37)
  expect(Object.keys(body.paths['/pods'])).toEqual(['post', 'get'])
  // What has a default may be left out.
  const { content } = body.paths['/pods'].post.requestBody
  expect(content['application/json'].schema).not.toHaveProperty('required')
})
