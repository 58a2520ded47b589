/** Endpoints, templates, network volumes and registry credentials, seen through REST v1. */
import { type Cloud, startCloud } from '../support/cloud.ts'

const rtx4090 = 'NVIDIA GeForce RTX 4090'
const request = { name: 'echo', templateId: 'demotemplate', gpuTypeIds: [rtx4090] }

async function createEndpoint(cloud: Cloud, changes: object = {}) {
  const { status, body } = await cloud.post('/v1/endpoints', { ...request, ...changes })
  expect({ status, body }).toMatchObject({ status: 200 })
  return body
}

test('an endpoint that is only given a template gets the defaults of v1', async () => {
  const cloud = await startCloud()
  const { status, body } = await cloud.post('/v1/endpoints', { templateId: 'demotemplate' })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    name: 'demo handler',
    userId: 'user_emulator',
    templateId: 'demotemplate',
    version: 1,
    computeType: 'GPU',
    gpuCount: 1,
    scalerType: 'QUEUE_DELAY',
    scalerValue: 4,
    workersMin: 0,
    workersMax: 3,
    idleTimeout: 5,
    executionTimeoutMs: 600_000,
    flashboot: false,
    networkVolumeIds: [],
    env: {},
    createdAt: '2026-01-01T00:00:00.000Z',
  })
  expect(body.dataCenterIds).toHaveLength(26)
  for (const field of ['template', 'workers', 'instanceIds', 'networkVolumeId']) {
    expect(body).not.toHaveProperty(field)
  }
})

test('an endpoint made through v1 runs the jobs of its queue', async () => {
  const cloud = await startCloud()
  const { id } = await createEndpoint(cloud)
  const { body: job } = await cloud.post(`/v2/${id}/run`, { input: { prompt: 'hi' } })
  await cloud.advance('10s')
  expect(await cloud.get(`/v2/${id}/status/${job.id}`)).toMatchObject({
    body: { status: 'COMPLETED', output: { prompt: 'hi' } },
  })
  expect(cloud.bugs).toEqual([])
})

test('template and workers of an endpoint are shown on request', async () => {
  const cloud = await startCloud()
  const { id } = await createEndpoint(cloud, { workersMin: 2 })
  const { body } = await cloud.get(`/v1/endpoints/${id}?includeTemplate=true&includeWorkers=true`)
  expect(body.template).toMatchObject({ id: 'demotemplate', isServerless: true, volumeInGb: 0 })
  expect(body.workers).toHaveLength(2)
  expect(body.workers[0]).toMatchObject({ endpointId: id, gpu: { id: rtx4090 }, slsVersion: 1 })
  const { body: list } = await cloud.get('/v1/endpoints')
  expect(list.map((endpoint: { id: string }) => endpoint.id)).toEqual([
    'demo',
    'demostream',
    'demolb',
    'demollm',
    id,
  ])
})

test.each([
  ['PATCH', ''],
  ['POST', '/update'],
])('%s endpoint%s scales in place and makes a version of the rest', async (method, end) => {
  const cloud = await startCloud()
  const { id } = await createEndpoint(cloud, { workersMin: 1 })
  await cloud.advance('1m')
  const workerId = async () => {
    const { body } = await cloud.get(`/v1/pods?endpointId=${id}&includeWorkers=true`)
    return body[0].id
  }
  const before = await workerId()
  const path = `/v1/endpoints/${id}${end}`
  const scaled = await cloud.send(method, path, {
    name: 'renamed',
    workersMax: 9,
    idleTimeout: 60,
    scalerType: 'REQUEST_COUNT',
    executionTimeoutMs: 0,
  })
  expect(scaled.status).toBe(200)
  expect(scaled.body).toMatchObject({
    name: 'renamed',
    version: 1,
    workersMin: 1,
    workersMax: 9,
    idleTimeout: 60,
    scalerType: 'REQUEST_COUNT',
    scalerValue: 4,
    executionTimeoutMs: 0,
  })
  expect(await workerId()).toBe(before)
  const rolled = await cloud.send(method, path, { gpuTypeIds: ['NVIDIA A40'] })
  expect(rolled.body).toMatchObject({ version: 2, gpuTypeIds: ['NVIDIA A40'], workersMax: 9 })
  expect(await workerId()).not.toBe(before)
})

test('a new container in a template rolls out to the endpoints linked to it', async () => {
  const cloud = await startCloud()
  const { id } = await createEndpoint(cloud)
  const version = async () => (await cloud.get(`/v1/endpoints/${id}`)).body.version
  await cloud.patch('/v1/templates/demotemplate', { name: 'renamed', readme: 'Read me.' })
  expect(await version()).toBe(1)
  await cloud.patch('/v1/templates/demotemplate', { env: { MODEL: 'large' } })
  expect(await version()).toBe(2)
  expect((await cloud.get(`/v1/endpoints/${id}`)).body.env).toEqual({ MODEL: 'large' })
  expect((await cloud.get('/v1/endpoints/demo')).body).toMatchObject({ version: 1, env: {} })
})

test('another template makes a new version, and the same one does not', async () => {
  const cloud = await startCloud()
  const { id } = await createEndpoint(cloud)
  const { body: other } = await cloud.post('/v1/templates', {
    name: 'other',
    imageName: 'example/other:1',
    isServerless: true,
  })
  const path = `/v1/endpoints/${id}`
  expect((await cloud.patch(path, { templateId: 'demotemplate' })).body.version).toBe(1)
  expect((await cloud.patch(path, { templateId: other.id })).body).toMatchObject({
    version: 2,
    templateId: other.id,
  })
})

test('a CPU endpoint lists its instances by flavor, vCPUs and memory', async () => {
  const cloud = await startCloud()
  const { id, ...endpoint } = await createEndpoint(cloud, {
    computeType: 'CPU',
    cpuFlavorIds: ['cpu3c', 'cpu5g'],
    vcpuCount: 8,
  })
  expect(endpoint).toMatchObject({ computeType: 'CPU', instanceIds: ['cpu3c-8-16', 'cpu5g-8-32'] })
  expect(endpoint).not.toHaveProperty('gpuTypeIds')
  const { body } = await cloud.patch(`/v1/endpoints/${id}`, { vcpuCount: 4 })
  expect(body).toMatchObject({ version: 2, instanceIds: ['cpu3c-4-8', 'cpu5g-4-16'] })
  expect(await cloud.patch(`/v1/endpoints/${id}`, { vcpuCount: 3 })).toMatchObject({
    status: 400,
    body: { message: 'vcpuCount must be a power of two from 2, not 3' },
  })
})

test('network volumes of an endpoint come as one, as several, and go with an empty list', async () => {
  const cloud = await startCloud()
  const { id, ...endpoint } = await createEndpoint(cloud, { networkVolumeId: 'demovolume' })
  expect(endpoint).toMatchObject({
    networkVolumeId: 'demovolume',
    networkVolumeIds: ['demovolume'],
  })
  const { body } = await cloud.patch(`/v1/endpoints/${id}`, { networkVolumeIds: [] })
  expect(body.networkVolumeIds).toEqual([])
})

test.each([
  ['an unknown template', { templateId: 'none' }, 404, 'template not found'],
  [
    'a template for pods',
    { templateId: 'podtemplate' },
    400,
    'template podtemplate is for pods, not for serverless endpoints',
  ],
  [
    'a minimum above the maximum',
    { workersMin: 4 },
    400,
    'workersMin (4) must not exceed workersMax (3)',
  ],
  [
    'an idle timeout of over an hour',
    { idleTimeout: 3_601 },
    400,
    'body/idleTimeout must be at most 3600',
  ],
])('an endpoint is refused for %s', async (_why, changes, status, message) => {
  const answer = await (await startCloud()).post('/v1/endpoints', { ...request, ...changes })
  expect([answer.status, answer.body]).toEqual([status, { message }])
})

test('a deleted endpoint is gone, and its template is free again', async () => {
  const cloud = await startCloud()
  const { id } = await createEndpoint(cloud)
  expect(await cloud.delete('/v1/templates/demotemplate')).toMatchObject({
    status: 400,
    body: { message: `template demotemplate is in use by ${id}` },
  })
  expect(await cloud.delete(`/v1/endpoints/${id}`)).toMatchObject({ status: 204, text: '' })
  expect(await cloud.get(`/v1/endpoints/${id}`)).toMatchObject({ status: 404 })
  expect(await cloud.delete('/v1/templates/demotemplate')).toMatchObject({ status: 204 })
})

test('a pod template has the defaults of v1, and a serverless one has no disk', async () => {
  const { post } = await startCloud()
  const forPods = await post('/v1/templates', { name: 'pods', imageName: 'example/image:1' })
  expect(forPods.status).toBe(200)
  expect(forPods.body).toEqual({
    id: forPods.body.id,
    name: 'pods',
    imageName: 'example/image:1',
    category: 'NVIDIA',
    containerDiskInGb: 50,
    dockerEntrypoint: [],
    dockerStartCmd: [],
    env: {},
    ports: ['8888/http', '22/tcp'],
    isPublic: false,
    isRunpod: false,
    isServerless: false,
    readme: '',
    volumeInGb: 20,
    volumeMountPath: '/workspace',
    earned: 0,
    runtimeInMin: 0,
  })
  const forWorkers = await post('/v1/templates', {
    name: 'workers',
    imageName: 'example/image:1',
    isServerless: true,
    volumeInGb: 10,
  })
  expect(forWorkers.body).toMatchObject({ isServerless: true, volumeInGb: 0 })
})

test('templates are listed, found, changed and deleted; names are unique', async () => {
  const cloud = await startCloud()
  const body = { name: 'mine', imageName: 'example/image:1' }
  const { id } = (await cloud.post('/v1/templates', body)).body
  expect(await cloud.post('/v1/templates', body)).toMatchObject({
    status: 400,
    body: { message: "a template named 'mine' exists already" },
  })
  const list = await cloud.get('/v1/templates?includePublicTemplates=true')
  expect(list.body.map((template: { id: string }) => template.id)).toEqual([
    'demotemplate',
    'podtemplate',
    id,
  ])
  const path = `/v1/templates/${id}`
  await cloud.post(`${path}/update`, { imageName: 'example/image:2', isPublic: true })
  expect((await cloud.get(path)).body).toMatchObject({
    name: 'mine',
    imageName: 'example/image:2',
    isPublic: true,
    volumeInGb: 20,
  })
  expect(await cloud.delete(path)).toMatchObject({ status: 204 })
  expect(await cloud.get(path)).toMatchObject({ status: 404 })
})

test('a network volume has four fields, grows, and never shrinks', async () => {
  const cloud = await startCloud()
  const made = await cloud.post('/v1/networkvolumes', {
    name: 'data',
    size: 50,
    dataCenterId: 'EU-RO-1',
  })
  const { id } = made.body
  expect([made.status, made.body]).toEqual([
    200,
    { id, name: 'data', size: 50, dataCenterId: 'EU-RO-1' },
  ])
  const path = `/v1/networkvolumes/${id}`
  expect((await cloud.patch(path, { size: 60 })).body).toMatchObject({ name: 'data', size: 60 })
  expect((await cloud.post(`${path}/update`, { name: 'more' })).body).toMatchObject({
    name: 'more',
  })
  expect(await cloud.patch(path, { size: 40 })).toMatchObject({
    status: 400,
    body: { message: 'a network volume cannot shrink: it has 60 GB' },
  })
  const { body: list } = await cloud.get('/v1/networkvolumes')
  expect(list.map((volume: { id: string }) => volume.id)).toEqual(['demovolume', id])
  expect((await cloud.get(path)).body).toEqual({
    id,
    name: 'more',
    size: 60,
    dataCenterId: 'EU-RO-1',
  })
  expect(await cloud.delete(path)).toMatchObject({ status: 204 })
})

test('a network volume is refused where there are none, and kept while it is attached', async () => {
  const cloud = await startCloud()
  const body = { name: 'data', size: 50, dataCenterId: 'CA-MTL-1' }
  expect(await cloud.post('/v1/networkvolumes', body)).toMatchObject({ status: 400 })
  await createEndpoint(cloud, { networkVolumeId: 'demovolume' })
  expect(await cloud.delete('/v1/networkvolumes/demovolume')).toMatchObject({ status: 400 })
})

test('registry credentials show their name and nothing else', async () => {
  const cloud = await startCloud()
  const credentials = { name: 'hub', username: 'me', password: 'secret' }
  const { status, body } = await cloud.post('/v1/containerregistryauth', credentials)
  expect([status, body]).toEqual([200, { id: body.id, name: 'hub' }])
  expect((await cloud.get('/v1/containerregistryauth')).body).toEqual([body])
  const path = `/v1/containerregistryauth/${body.id}`
  expect((await cloud.get(path)).body).toEqual(body)
  expect(await cloud.post('/v1/containerregistryauth', credentials)).toMatchObject({
    status: 400,
    body: { message: "a registry named 'hub' exists already" },
  })
  expect(await cloud.delete(path)).toMatchObject({ status: 204, text: '' })
  expect((await cloud.get('/v1/containerregistryauth')).body).toEqual([])
})
