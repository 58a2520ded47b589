/** Pods, seen through REST v1. */
import { type Cloud, startCloud } from '../support/cloud.ts'

const rtx4090 = 'NVIDIA GeForce RTX 4090'
const request = { name: 'trainer', imageName: 'example/image:1', gpuTypeIds: [rtx4090] }

async function createPod(cloud: Cloud, changes: object = {}) {
  const { status, body } = await cloud.post('/v1/pods', { ...request, ...changes })
  expect({ status, body }).toMatchObject({ status: 201 })
  return body
}

test('a pod that is only given an image gets the defaults of v1', async () => {
  const { post, bugs } = await startCloud()
  const { status, body } = await post('/v1/pods', { imageName: 'example/image:1' })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'my pod',
    image: 'example/image:1',
    imageName: 'example/image:1',
    desiredStatus: 'RUNNING',
    containerDiskInGb: 50,
    volumeInGb: 20,
    volumeMountPath: '/workspace',
    ports: ['8888/http', '22/tcp'],
    env: {},
    dockerEntrypoint: [],
    dockerStartCmd: [],
    gpuCount: 1,
    gpu: { count: 1 },
    interruptible: false,
    locked: false,
    volumeEncrypted: false,
    publicIp: null,
    portMappings: null,
    consumerUserId: 'user_emulator',
    createdAt: '2026-01-01T00:00:00.000Z',
  })
  expect(body).not.toHaveProperty('lastStartedAt')
  expect(body.id).toMatch(/^[a-z0-9]{14}$/)
  expect(bugs).toEqual([])
})

test('a pod shows numbers, whole where clients count on it', async () => {
  const pod = await createPod(await startCloud(), { gpuCount: 2 })
  expect(pod).toMatchObject({
    gpu: { id: rtx4090, count: 2, displayName: 'RTX 4090' },
    gpuCount: 2,
  })
  expect(pod.costPerHr).toBeCloseTo(pod.gpu.securePrice * 2)
  expect(pod.adjustedCostPerHr).toBe(pod.costPerHr)
  for (const field of ['vcpuCount', 'memoryInGb', 'volumeInGb', 'containerDiskInGb']) {
    expect(Number.isInteger(pod[field])).toBe(true)
  }
})

test('a pod is wished to run at once, and is reachable only when its ports are known', async () => {
  const cloud = await startCloud()
  const { id } = await createPod(cloud)
  await cloud.advance(500)
  const started = await cloud.get(`/v1/pods/${id}`)
  expect(started.body).toMatchObject({
    desiredStatus: 'RUNNING',
    lastStartedAt: '2026-01-01T00:00:00.500Z',
    publicIp: null,
    portMappings: null,
  })
  await cloud.advance(100)
  const { body } = await cloud.get(`/v1/pods/${id}`)
  expect(body.publicIp).toMatch(/^203\.0\.113\.\d+$/)
  expect(Object.keys(body.portMappings)).toEqual(['22'])
  expect(body.portMappings['22']).toBeGreaterThanOrEqual(10_000)
})

test('stopping and starting a pod changes its ports and says who did it', async () => {
  const cloud = await startCloud()
  const { id, lastStatusChange } = await createPod(cloud)
  expect(lastStatusChange).toBe(
    'Rented by User: Thu Jan 01 2026 00:00:00 GMT+0000 (Coordinated Universal Time)',
  )
  await cloud.advance('1m')
  const before = (await cloud.get(`/v1/pods/${id}`)).body.portMappings
  const stopped = await cloud.post(`/v1/pods/${id}/stop`)
  expect(stopped).toMatchObject({
    status: 200,
    body: {
      desiredStatus: 'EXITED',
      publicIp: null,
      portMappings: null,
      lastStatusChange:
        'Exited by User: Thu Jan 01 2026 00:01:00 GMT+0000 (Coordinated Universal Time)',
    },
  })
  const started = await cloud.post(`/v1/pods/${id}/start`)
  expect(started).toMatchObject({ status: 200, body: { id, desiredStatus: 'RUNNING' } })
  expect(started.body.lastStatusChange).toMatch(/^Resumed by User: /)
  await cloud.advance('1m')
  expect((await cloud.get(`/v1/pods/${id}`)).body.portMappings).not.toEqual(before)
})

test.each(['reset', 'restart'])('a pod is still wished to run after a %s', async (action) => {
  const cloud = await startCloud()
  const { id } = await createPod(cloud)
  await cloud.advance('1m')
  const { status, body } = await cloud.post(`/v1/pods/${id}/${action}`)
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { id, desiredStatus: 'RUNNING', portMappings: null },
  })
  await cloud.advance('1m')
  expect((await cloud.get(`/v1/pods/${id}`)).body.lastStartedAt).toBe('2026-01-01T00:01:00.350Z')
})

test('a deleted pod is gone', async () => {
  const cloud = await startCloud()
  const { id } = await createPod(cloud)
  expect(await cloud.delete(`/v1/pods/${id}`)).toMatchObject({ status: 204, text: '' })
  const again = await cloud.get(`/v1/pods/${id}`)
  expect(again).toMatchObject({ status: 404 })
  expect(again.body).toEqual({ message: 'pod not found' })
})

test.each([
  ['PATCH', ''],
  ['POST', '/update'],
])('%s pod%s changes name and lock in place and resets for anything else', async (method, end) => {
  const cloud = await startCloud()
  const { id } = await createPod(cloud)
  await cloud.advance('1m')
  const path = `/v1/pods/${id}${end}`
  const renamed = await cloud.send(method, path, { name: 'renamed' })
  expect(renamed.status).toBe(200)
  expect(renamed.body.name).toBe('renamed')
  expect(renamed.body.lastStatusChange).toMatch(/^Rented by User/)
  expect(renamed.body.portMappings).not.toBeNull()
  const remade = await cloud.send(method, path, { env: { A: '1' }, volumeInGb: 40 })
  expect(remade.body).toMatchObject({ env: { A: '1' }, volumeInGb: 40, portMappings: null })
  expect(remade.body.lastStatusChange).toMatch(/^Restarted by User/)
  expect(remade.body.imageName).toBe(request.imageName)
})

test.each([
  ['reset', false],
  ['restart', true],
])('after a %s the public port is the same: %s', async (action, isSame) => {
  const cloud = await startCloud()
  const body = { imageName: 'i', gpuTypeIds: ['NVIDIA L4'], ports: ['22/tcp'] }
  const { id } = (await cloud.post('/v1/pods', body)).body
  const portOf = async () => {
    await cloud.advance('1m')
    return (await cloud.get(`/v1/pods/${id}`)).body.portMappings['22']
  }
  const before = await portOf()
  expect((await cloud.post(`/v1/pods/${id}/${action}`)).status).toBe(200)
  expect((await portOf()) === before).toBe(isSame)
})

test('a locked pod is neither stopped nor reset until it is unlocked', async () => {
  const cloud = await startCloud()
  const { id } = await createPod(cloud, { locked: true })
  await cloud.advance('1m')
  expect(await cloud.post(`/v1/pods/${id}/reset`)).toMatchObject({ status: 400 })
  const refused = await cloud.post(`/v1/pods/${id}/stop`)
  expect(refused.status).toBe(400)
  expect(refused.body).toEqual({ message: `pod ${id} is locked; unlock it to stop it` })
  await cloud.patch(`/v1/pods/${id}`, { locked: false })
  expect(await cloud.post(`/v1/pods/${id}/stop`)).toMatchObject({ status: 200 })
})

test('machine, volume, savings plans and template are shown on request only', async () => {
  const cloud = await startCloud()
  const { id } = await createPod(cloud, {
    templateId: 'podtemplate',
    networkVolumeId: 'demovolume',
  })
  const plain = await cloud.get(`/v1/pods/${id}`)
  for (const field of ['machine', 'networkVolume', 'savingsPlans', 'template']) {
    expect(plain.body).not.toHaveProperty(field)
  }
  const flags = ['Machine', 'NetworkVolume', 'SavingsPlans', 'Template']
  const full = await cloud.get(`/v1/pods/${id}?${flags.map((f) => `include${f}=true`).join('&')}`)
  expect(full.body).toMatchObject({
    templateId: 'podtemplate',
    machine: { gpuTypeId: rtx4090, dataCenterId: 'EU-RO-1', secureCloud: true },
    networkVolume: { id: 'demovolume', name: 'demo volume', size: 10, dataCenterId: 'EU-RO-1' },
    savingsPlans: [],
    template: { id: 'podtemplate', name: 'demo workspace', isServerless: false },
  })
})

test('a network volume takes the place of the pod volume and decides the data center', async () => {
  const cloud = await startCloud()
  const changes = { networkVolumeId: 'demovolume', volumeInGb: 30, volumeMountPath: '/data' }
  const pod = await createPod(cloud, changes)
  expect(pod).toMatchObject({ volumeInGb: 0, volumeMountPath: '/data' })
  const elsewhere = await cloud.post('/v1/pods', {
    ...request,
    networkVolumeId: 'demovolume',
    dataCenterIds: ['US-IL-1'],
  })
  expect(elsewhere).toMatchObject({ status: 400 })
  expect(elsewhere.body).toEqual({ message: 'network volume demovolume is in EU-RO-1' })
})

test('a template gives what the caller does not say, and environments are merged', async () => {
  const cloud = await startCloud()
  const { body: template } = await cloud.post('/v1/templates', {
    name: 'mine',
    imageName: 'example/base:2',
    containerDiskInGb: 77,
    volumeInGb: 33,
    volumeMountPath: '/models',
    ports: ['9000/http'],
    env: { A: 'template', B: 'template' },
    dockerStartCmd: ['serve'],
  })
  const { body, status } = await cloud.post('/v1/pods', {
    templateId: template.id,
    env: { B: 'caller' },
  })
  expect(status).toBe(201)
  expect(body).toMatchObject({
    name: 'my pod',
    imageName: 'example/base:2',
    templateId: template.id,
    containerDiskInGb: 77,
    volumeInGb: 33,
    volumeMountPath: '/models',
    ports: ['9000/http'],
    env: { A: 'template', B: 'caller' },
    dockerStartCmd: ['serve'],
  })
})

test('types are tried by stock, or in the given order when the caller insists', async () => {
  const cloud = await startCloud()
  const gpuTypeIds = ['NVIDIA B200', rtx4090]
  const byStock = await createPod(cloud, { gpuTypeIds })
  expect(byStock.gpu.id).toBe(rtx4090)
  const inOrder = await createPod(cloud, { gpuTypeIds, gpuTypePriority: 'custom' })
  expect(inOrder.gpu.id).toBe('NVIDIA B200')
})

test("v1's odd spellings of GPU types mean the type they resemble", async () => {
  const pod = await createPod(await startCloud(), { gpuTypeIds: ['NVIDIA  RTX A4500'] })
  expect(pod.gpu.id).toBe('NVIDIA RTX A4500')
})

test('a CPU pod ignores GPU fields and has no GPU', async () => {
  const cloud = await startCloud()
  const { id, ...pod } = await createPod(cloud, {
    computeType: 'CPU',
    gpuCount: 3,
    cpuFlavorIds: ['cpu3g'],
    vcpuCount: 4,
  })
  expect(pod).toMatchObject({ cpuFlavorId: 'cpu3g', vcpuCount: 4, memoryInGb: 16, gpuCount: 0 })
  expect(pod).not.toHaveProperty('gpu')
  const { body } = await cloud.get(`/v1/pods/${id}?includeMachine=true`)
  expect(body.machine).toMatchObject({
    gpuTypeId: 'unknown',
    cpuCount: 4,
    cpuTypeId: 'cpu3g',
    cpuType: { id: 'cpu3g', displayName: 'General Purpose Gen 3', cores: 16, threadsPerCore: 2 },
  })
})

test('a pod stays inside the countries and data centers it was asked for', async () => {
  const cloud = await startCloud()
  const { id } = await createPod(cloud, { countryCodes: ['SE'] })
  const { body } = await cloud.get(`/v1/pods/${id}?includeMachine=true`)
  expect(body.machine).toMatchObject({ dataCenterId: 'EU-SE-1', location: 'SE' })
  const nowhere = await cloud.post('/v1/pods', {
    ...request,
    countryCodes: ['SE'],
    dataCenterIds: ['EU-RO-1'],
  })
  expect(nowhere).toMatchObject({ status: 500 })
})

test('every filter narrows the list, and all must hold', async () => {
  const cloud = await startCloud()
  const gpu = await createPod(cloud, { name: 'same' })
  const cpu = await createPod(cloud, { name: 'same', computeType: 'CPU', cpuFlavorIds: ['cpu5c'] })
  await cloud.advance('1m')
  await cloud.post(`/v1/pods/${gpu.id}/stop`)
  const list = async (search: string) => {
    const { body } = await cloud.get(`/v1/pods?${search}`)
    return body.map(({ id }: { id: string }) => id)
  }
  expect(await list('')).toEqual(['demopod', gpu.id, cpu.id])
  expect(await list('name=same')).toEqual([gpu.id, cpu.id])
  expect(await list('computeType=CPU')).toEqual([cpu.id])
  expect(await list('cpuFlavorId=cpu3c&cpuFlavorId=cpu5c')).toEqual([cpu.id])
  expect(await list('desiredStatus=EXITED')).toEqual([gpu.id])
  expect(await list('name=same&desiredStatus=RUNNING')).toEqual([cpu.id])
  expect(await list(`gpuTypeId=${encodeURIComponent(rtx4090)}`)).toEqual(['demopod', gpu.id])
  expect(await list('imageName=example/workspace:1.0')).toEqual(['demopod'])
  expect(await list(`id=${cpu.id}`)).toEqual([cpu.id])
  expect(await list('templateId=podtemplate')).toEqual([])
  expect(await list('networkVolumeId=demovolume')).toEqual([])
  expect(await list('dataCenterId=AP-JP-1&dataCenterId=EU-FR-1')).toEqual([])
})

test('workers of endpoints are listed as pods on request', async () => {
  const cloud = await startCloud()
  expect((await cloud.get('/v1/pods?endpointId=demolb')).body).toEqual([])
  const { body } = await cloud.get('/v1/pods?endpointId=demolb&includeWorkers=true')
  expect(body).toMatchObject([
    { endpointId: 'demolb', aiApiId: 'demolb', slsVersion: 1, imageName: 'example/web:1.0' },
  ])
  const [worker] = body
  expect(await cloud.get(`/v1/pods/${worker.id}`)).toMatchObject({ status: 404 })
  expect(await cloud.get(`/v1/pods/${worker.id}?includeWorkers=true`)).toMatchObject({
    status: 200,
    body: { id: worker.id, desiredStatus: 'RUNNING' },
  })
})
