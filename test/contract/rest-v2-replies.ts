/** How a test comes by each reply of REST v2. */
import type { Answer, Cloud } from '../support/cloud.ts'

export const gpu = { id: 'NVIDIA GeForce RTX 4090' }
const pod = { name: 'mine', image: 'example/image:1', gpu, ports: ['8888/http', '22/tcp'] }
const endpoint = {
  name: 'mine',
  type: 'QUEUE',
  image: 'example/handler:1',
  gpu: { pools: ['AMPERE_16'] },
  scaling: { type: 'QUEUE_DELAY', queueDelay: 4 },
}
const cluster = {
  name: 'mine',
  type: 'SLURM',
  compute: { gpuTypeId: 'NVIDIA H100 80GB HBM3', gpuCountPerPod: 8, podCount: 2 },
  image: 'example/image:1',
  ports: ['22/tcp'],
}
const delegation = {
  resource: 'arn:aws:ecr:us-east-2:000000000000:repository/example/image',
}
const keys = { keys: ['ssh-ed25519 AAAA me'] }
const volume = { name: 'mine', size: 10, dataCenter: 'EU-RO-1' }

/** A body that fits the operation, for refusals that come later than its shape. */
export const bodies: Readonly<Record<string, unknown>> = {
  'POST /v2/pods': { ...pod, templateId: 'none' },
  'PATCH /v2/pods/{id}': { name: 'x' },
  'POST /v2/pods/{id}/action': { action: 'stop' },
  'POST /v2/serverless': { ...endpoint, templateId: 'none' },
  'PATCH /v2/serverless/{id}': { name: 'x' },
  'POST /v2/templates': { name: 'mine', image: 'x' },
  'PATCH /v2/templates/{id}': { name: 'x' },
  'POST /v2/network-volumes': volume,
  'PATCH /v2/network-volumes/{id}': { name: 'x' },
  'POST /v2/registries': { name: 'mine', username: 'x', password: 'x' },
  'POST /v2/registries/delegations': delegation,
  'PUT /v2/account/ssh-keys': keys,
  'POST /v2/clusters': cluster,
  'PATCH /v2/clusters/{id}': { name: 'x' },
}

/** Documented replies that nothing brings about, and why. */
export const unreached: Readonly<Record<string, string>> = {
  'PATCH /v2/clusters/{id} 400': 'a body that fits is a name, and no rule forbids a name',
}

type Provoke = (cloud: Cloud) => Promise<Answer>

const get =
  (path: string): Provoke =>
  (cloud) =>
    cloud.get(path)
const post =
  (path: string, body: unknown): Provoke =>
  (cloud) =>
    cloud.post(path, body)
const patch =
  (path: string, body: unknown): Provoke =>
  (cloud) =>
    cloud.patch(path, body)
const remove =
  (path: string): Provoke =>
  (cloud) =>
    cloud.delete(path)

const stopDemo = (cloud: Cloud) => cloud.post('/v2/pods/demopod/action', { action: 'stop' })
const lockDemo = (cloud: Cloud) => cloud.patch('/v2/pods/demopod', { locked: true })

/** The demo endpoint with a worker that has run a job; its log's address. */
async function workerLog(cloud: Cloud): Promise<string> {
  await cloud.post('/v2/demo/run', { input: 1 })
  await cloud.advance('1s')
  const { body } = await cloud.get('/v2/serverless/demo/workers')
  return `/v2/serverless/demo/workers/${body.workers[0].id}/logs`
}

const podReplies: Readonly<Record<string, Provoke>> = {
  'GET /v2/pods 200': async (cloud) => {
    await cloud.advance('5s')
    await cloud.post('/v2/pods', { ...pod, gpu: undefined, cpu: { id: 'cpu3c', vcpuCount: 2 } })
    return cloud.get('/v2/pods')
  },
  'POST /v2/pods 201': post('/v2/pods', { ...pod, cmd: ['a'], globalNetworking: true }),
  'POST /v2/pods 400': post('/v2/pods', { ...pod, gpu: undefined }),
  'GET /v2/pods/{id} 200': async (cloud) => {
    await cloud.advance('5s')
    return cloud.get('/v2/pods/demopod')
  },
  'PATCH /v2/pods/{id} 200': patch('/v2/pods/demopod', { image: 'example/image:2' }),
  'PATCH /v2/pods/{id} 400': patch('/v2/pods/demopod', { mounts: { network: [] } }),
  'PATCH /v2/pods/{id} 409': async (cloud) => {
    await lockDemo(cloud)
    return cloud.patch('/v2/pods/demopod', { image: 'example/image:2' })
  },
  'DELETE /v2/pods/{id} 204': remove('/v2/pods/demopod'),
  'DELETE /v2/pods/{id} 409': async (cloud) => {
    await lockDemo(cloud)
    return cloud.delete('/v2/pods/demopod')
  },
  'GET /v2/pods/{id}/logs 200': get('/v2/pods/demopod/logs'),
  'POST /v2/pods/{id}/action 200': stopDemo,
  'POST /v2/pods/{id}/action 204': post('/v2/pods/demopod/action', { action: 'terminate' }),
  'POST /v2/pods/{id}/action 409': post('/v2/pods/demopod/action', { action: 'start' }),
  'POST /v2/pods/{id}/action 400': async (cloud) => {
    const { body } = await stopDemo(cloud)
    cloud.world().stock.set(body.dataCenterId, gpu.id, 'SECURE', 0)
    return cloud.post('/v2/pods/demopod/action', { action: 'start' })
  },
}

const endpointReplies: Readonly<Record<string, Provoke>> = {
  'GET /v2/serverless 200': async (cloud) => {
    const cpu = [{ id: 'cpu3c', vcpuCount: 2 }]
    await cloud.post('/v2/serverless', { ...endpoint, gpu: undefined, cpu })
    return cloud.get('/v2/serverless')
  },
  'POST /v2/serverless 201': post('/v2/serverless', endpoint),
  'POST /v2/serverless 400': post('/v2/serverless', { ...endpoint, gpu: undefined }),
  'GET /v2/serverless/{id} 200': get('/v2/serverless/demolb'),
  'PATCH /v2/serverless/{id} 200': patch('/v2/serverless/demo', { image: 'example/handler:2' }),
  'PATCH /v2/serverless/{id} 400': patch('/v2/serverless/demo', { workers: { min: 9 } }),
  'DELETE /v2/serverless/{id} 204': remove('/v2/serverless/demo'),
  'GET /v2/serverless/{id}/workers 200': async (cloud) => {
    await workerLog(cloud)
    return cloud.get('/v2/serverless/demo/workers')
  },
  'GET /v2/serverless/{id}/releases 200': async (cloud) => {
    await cloud.patch('/v2/serverless/demo', { env: { A: '1' } })
    return cloud.get('/v2/serverless/demo/releases')
  },
  'GET /v2/serverless/{id}/workers/{workerId}/logs 200': async (cloud) =>
    cloud.get(await workerLog(cloud)),
}

const billedFor =
  (path: string): Provoke =>
  async (cloud) => {
    await cloud.post('/v2/demo/run', { input: { mock_delay: 60 } })
    await cloud.advance('3h')
    return cloud.get(`/v2/billing${path}?bucketSize=hour`)
  }

const marketReplies: Readonly<Record<string, Provoke>> = {
  'GET /v2/catalog/gpus 200': get('/v2/catalog/gpus?include=AVAILABILITY&product=POD'),
  'GET /v2/catalog/gpus/{id} 200': get(`/v2/catalog/gpus/${encodeURIComponent(gpu.id)}`),
  'GET /v2/catalog/cpus 200': get('/v2/catalog/cpus?include=AVAILABILITY&product=SERVERLESS'),
  'GET /v2/catalog/cpus/{id} 200': get('/v2/catalog/cpus/cpu3c'),
  'GET /v2/catalog/datacenters 200': get('/v2/catalog/datacenters?include=GPU_AVAILABILITY'),
  'GET /v2/catalog/datacenters/{id} 200': get('/v2/catalog/datacenters/EU-RO-1'),
  'GET /v2/catalog/templates 200': get('/v2/catalog/templates'),
  'GET /v2/billing 200': billedFor(''),
  'GET /v2/billing/pods 200': billedFor('/pods'),
  'GET /v2/billing/serverless 200': billedFor('/serverless'),
  'GET /v2/billing/endpoints 200': billedFor('/endpoints'),
  'GET /v2/billing/network-volumes 200': billedFor('/network-volumes'),
  'GET /v2/billing/clusters 200': async (cloud) => {
    await cloud.post('/v2/clusters', cluster)
    return billedFor('/clusters')(cloud)
  },
}

const otherReplies: Readonly<Record<string, Provoke>> = {
  'GET /v2/templates 200': get('/v2/templates'),
  'POST /v2/templates 201': post('/v2/templates', { name: 'mine', image: 'x' }),
  'POST /v2/templates 400': post('/v2/templates', {
    name: 'mine',
    image: 'x',
    serverless: true,
    mounts: { persistent: { size: 10, path: '/w' } },
  }),
  'GET /v2/templates/{id} 200': get('/v2/templates/podtemplate'),
  'PATCH /v2/templates/{id} 200': patch('/v2/templates/podtemplate', { disk: 10 }),
  'PATCH /v2/templates/{id} 400': patch('/v2/templates/demotemplate', {
    mounts: { persistent: { size: 10, path: '/w' } },
  }),
  'DELETE /v2/templates/{id} 204': remove('/v2/templates/podtemplate'),
  'DELETE /v2/templates/{id} 400': async (cloud) => {
    const template = { name: 'linked', imageName: 'x', isServerless: true }
    const { body } = await cloud.post('/v1/templates', template)
    await cloud.post('/v1/endpoints', { templateId: body.id, gpuTypeIds: [gpu.id] })
    return cloud.delete(`/v2/templates/${body.id}`)
  },
  'GET /v2/network-volumes 200': get('/v2/network-volumes'),
  'POST /v2/network-volumes 201': post('/v2/network-volumes', volume),
  'POST /v2/network-volumes 400': post('/v2/network-volumes', { ...volume, dataCenter: 'XX-1' }),
  'GET /v2/network-volumes/{id} 200': get('/v2/network-volumes/demovolume'),
  'PATCH /v2/network-volumes/{id} 200': patch('/v2/network-volumes/demovolume', { size: 20 }),
  'PATCH /v2/network-volumes/{id} 400': async (cloud) => {
    await cloud.patch('/v2/network-volumes/demovolume', { size: 20 })
    return cloud.patch('/v2/network-volumes/demovolume', { size: 10 })
  },
  'DELETE /v2/network-volumes/{id} 204': remove('/v2/network-volumes/demovolume'),
  'GET /v2/registries 200': async (cloud) => {
    await makeRegistry(cloud)
    return cloud.get('/v2/registries')
  },
  'POST /v2/registries 201': makeRegistry,
  'POST /v2/registries 400': async (cloud) => {
    await makeRegistry(cloud)
    return makeRegistry(cloud)
  },
  'GET /v2/registries/{id} 200': async (cloud) => {
    const { body } = await makeRegistry(cloud)
    return cloud.get(`/v2/registries/${body.id}`)
  },
  'DELETE /v2/registries/{id} 204': async (cloud) => {
    const { body } = await makeRegistry(cloud)
    return cloud.delete(`/v2/registries/${body.id}`)
  },
  'DELETE /v2/registries/{id} 400': async (cloud) => {
    const { body } = await makeRegistry(cloud)
    await cloud.post('/v2/pods', { ...pod, registry: body.id })
    return cloud.delete(`/v2/registries/${body.id}`)
  },
}

/** One that is connected; its address. */
async function makeCluster(cloud: Cloud): Promise<string> {
  const { body } = await cloud.post('/v2/clusters', cluster)
  await cloud.advance('1m')
  return `/v2/clusters/${body.id}`
}

const ofCluster =
  (ask: (cloud: Cloud, path: string) => Promise<Answer>): Provoke =>
  async (cloud) =>
    ask(cloud, await makeCluster(cloud))

const clusterReplies: Readonly<Record<string, Provoke>> = {
  'GET /v2/clusters 200': ofCluster((cloud) => cloud.get('/v2/clusters')),
  'POST /v2/clusters 201': post('/v2/clusters', cluster),
  'POST /v2/clusters 400': post('/v2/clusters', { ...cluster, image: undefined }),
  'GET /v2/clusters/{id} 200': ofCluster((cloud, path) => cloud.get(path)),
  'PATCH /v2/clusters/{id} 200': ofCluster((cloud, path) => cloud.patch(path, { name: 'x' })),
  'DELETE /v2/clusters/{id} 204': ofCluster((cloud, path) => cloud.delete(path)),
  'GET /v2/clusters/{id}/pods 200': ofCluster((cloud, path) => cloud.get(`${path}/pods`)),
}

const delegate = post('/v2/registries/delegations', delegation)
const savedReplies: Readonly<Record<string, Provoke>> = {
  'GET /v2/account/ssh-keys 200': get('/v2/account/ssh-keys'),
  'PUT /v2/account/ssh-keys 200': (cloud) => cloud.put('/v2/account/ssh-keys', keys),
  'GET /v2/registries/delegations 200': async (cloud) => {
    await delegate(cloud)
    return cloud.get('/v2/registries/delegations')
  },
  'POST /v2/registries/delegations 201': delegate,
  'DELETE /v2/registries/delegations/{id} 204': async (cloud) => {
    const { body } = await delegate(cloud)
    return cloud.delete(`/v2/registries/delegations/${body.id}`)
  },
}

function makeRegistry(cloud: Cloud): Promise<Answer> {
  return cloud.post('/v2/registries', { name: 'mine', username: 'x', password: 'x' })
}

/** By `POST /v2/pods 201`. */
export const special: Readonly<Record<string, Provoke>> = {
  ...podReplies,
  ...endpointReplies,
  ...marketReplies,
  ...otherReplies,
  ...clusterReplies,
  ...savedReplies,
}
