/** Clusters through REST v2: placed together, connected, one network, ended together. */
import { type Cloud, startCloud } from '../support/cloud.ts'
import { beginWith } from '../support/start-state.ts'

const h100 = 'NVIDIA H100 80GB HBM3'
const cluster = {
  name: 'train',
  type: 'TRAINING',
  compute: { gpuTypeId: h100, gpuCountPerPod: 8, podCount: 2 },
  image: 'example/train:1',
  ports: ['22/tcp'],
}

const membersOf = async ({ get }: Cloud, id: string) => (await get(`/v2/clusters/${id}/pods`)).body

/** Everything a refused request could have touched. */
const digest = ({ world }: Cloud) => {
  const { clusters, pods, account, timeline } = world()
  return [clusters.size, pods.size, account.balanceUsd, timeline.entryCount, timeline.pendingCount]
}

test('a cluster is created, placed, connected, and deleted with its pods', async () => {
  const cloud = await startCloud()
  const { post, get, delete: remove, advance, world } = cloud
  const pods = world().pods.size
  const pending = world().timeline.pendingCount
  const { status, body } = await post('/v2/clusters', cluster)
  expect([status, body]).toEqual([
    201,
    {
      id: expect.any(String),
      name: 'train',
      type: 'TRAINING',
      compute: cluster.compute,
      pods: { total: 2, byStatus: { PROVISIONING: 2 } },
      createdAt: '2026-01-01T00:00:00.000Z',
    },
  ])
  const path = `/v2/clusters/${body.id}`
  await advance(150)
  const placed = (await get(path)).body
  expect(placed).toMatchObject({
    pods: { total: 2, byStatus: { STARTING: 2 } },
    dataCenterId: expect.any(String),
    primary: { podId: expect.any(String), status: 'STARTING' },
  })
  expect(placed.network).toBeUndefined()
  await advance(50)
  const network = { cidr: '10.65.0.0/16', vxlanId: expect.any(Number), vxlanPort: 4789 }
  expect((await get(path)).body.network).toEqual(network)
  await advance('1s')
  const { pods: members } = await membersOf(cloud, body.id)
  expect((await get(path)).body).toMatchObject({
    pods: { total: 2, byStatus: { RUNNING: 2 } },
    primary: {
      podId: members[0].id,
      status: 'RUNNING',
      sshEndpoint: `${members[0].ssh.direct.host}:${members[0].ssh.direct.port}`,
    },
  })
  expect((await get('/v2/clusters')).body.clusters).toHaveLength(1)
  expect((await remove(path)).status).toBe(204)
  expect((await get(path)).status).toBe(404)
  expect((await remove(path)).status).toBe(404)
  expect((await get(`${path}/pods`)).status).toBe(404)
  expect([world().pods.size, world().timeline.pendingCount]).toEqual([pods, pending - 1])
})

test('a cluster that is deleted while it forms leaves no timer', async () => {
  const { post, delete: remove, world, advance, bugs } = await startCloud()
  await advance('5s')
  const pending = world().timeline.pendingCount
  const { body } = await post('/v2/clusters', cluster)
  await remove(`/v2/clusters/${body.id}`)
  expect(world().timeline.pendingCount).toBe(pending)
  await advance('5s')
  expect(bugs).toEqual([])
})

test('its pods have ranks, addresses and one data center', async () => {
  const cloud = await startCloud()
  const { body } = await cloud.post('/v2/clusters', cluster)
  const { pods } = await membersOf(cloud, body.id)
  expect(pods).toMatchObject([
    { name: 'train-0', cluster: { id: body.id, rank: 0, ip: '10.65.0.2' } },
    { name: 'train-1', cluster: { id: body.id, rank: 1, ip: '10.65.0.3' } },
  ])
  expect(pods[0].cluster.role).toBeUndefined()
  expect(new Set(pods.map(({ dataCenterId }: { dataCenterId: string }) => dataCenterId)).size).toBe(
    1,
  )
})

test.each([
  ['SLURM', ['SLURM_CONTROLLER', 'SLURM_COMPUTE', 'SLURM_COMPUTE']],
  ['RAY', ['RAY_HEAD', 'RAY_WORKER', 'RAY_WORKER']],
])('in a cluster of type %s each pod has a role', async (type, roles) => {
  const cloud = await startCloud()
  const compute = { ...cluster.compute, gpuCountPerPod: 1, podCount: 3 }
  const { body } = await cloud.post('/v2/clusters', { ...cluster, type, compute })
  const { pods } = await membersOf(cloud, body.id)
  expect(pods.map((pod: { cluster: { role: string } }) => pod.cluster.role)).toEqual(roles)
})

test('each pod is told who it is and where the first one is', async () => {
  const cloud = await startCloud()
  const { body } = await cloud.post('/v2/clusters', cluster)
  const [, second] = (await membersOf(cloud, body.id)).pods
  const { environment } = (await cloud.get(`/_emulator/pods/${second.id}/environment`)).body
  expect(environment).toMatchObject({
    PRIMARY_ADDR: '10.65.0.2',
    MASTER_ADDR: '10.65.0.2',
    HOST_NODE_ADDR: `10.65.0.2:${environment.MASTER_PORT}`,
    PRIMARY_PORT: environment.MASTER_PORT,
    NODE_ADDR: '10.65.0.3',
    NODE_RANK: '1',
    NUM_NODES: '2',
    NUM_TRAINERS: '8',
    WORLD_SIZE: '16',
    RUNPOD_POD_ID: second.id,
  })
  // What was not asked for is not in its settings.
  expect(second.env).toEqual({})
})

test('pods of clusters are in the list of pods only for those who ask', async () => {
  const { post, get } = await startCloud()
  await post('/v2/clusters', cluster)
  const idsOf = async (path: string) => (await get(path)).body.pods.length
  expect(await idsOf('/v2/pods')).toBe(1)
  expect(await idsOf('/v2/pods?includeClusterPods=true')).toBe(3)
  expect(await idsOf('/v2/pods?includeClusterPods=false')).toBe(1)
  // Spec: they are left out after the page is cut.
  const page = (await get('/v2/pods?limit=2')).body
  expect([page.pods.length, page.pagination.hasNextPage]).toEqual([0, true])
})

test('a pod of a cluster can be stopped and started, and neither changed nor ended', async () => {
  const cloud = await startCloud()
  const { post, patch, delete: remove, get, advance } = cloud
  const { body } = await post('/v2/clusters', cluster)
  await advance('1s')
  const [pod] = (await membersOf(cloud, body.id)).pods
  const path = `/v2/pods/${pod.id}`
  expect((await patch(path, { name: 'x' })).status).toBe(409)
  expect((await remove(path)).status).toBe(409)
  expect((await post(`${path}/action`, { action: 'terminate' })).status).toBe(409)
  expect((await get(path)).body).toEqual(pod)
  expect((await post(`${path}/action`, { action: 'stop' })).body.status).toBe('EXITED')
  expect((await get(`/v2/clusters/${body.id}`)).body).toMatchObject({
    pods: { total: 2, byStatus: { EXITED: 1, RUNNING: 1 } },
    primary: { status: 'EXITED' },
  })
  await post(`${path}/action`, { action: 'start' })
  await advance('1s')
  expect((await get(`/v2/clusters/${body.id}`)).body.pods.byStatus).toEqual({ RUNNING: 2 })
})

test('a cluster is placed whole or not at all', async () => {
  const cloud = await startCloud()
  const { world, post } = cloud
  const places = world().stock.dataCenters.filter(({ gpus }) => gpus[h100] !== undefined)
  for (const { id } of places) world().stock.set(id, h100, 'SECURE', 31)
  const before = digest(cloud)
  const compute = { ...cluster.compute, podCount: 4 }
  expect(await post('/v2/clusters', { ...cluster, compute })).toMatchObject({
    status: 400,
    body: { detail: expect.stringContaining('no longer any instances available') },
  })
  expect(digest(cloud)).toEqual(before)
  expect(
    (await post('/v2/clusters', { ...cluster, compute: { ...compute, podCount: 3 } })).status,
  ).toBe(201)
})

test('a cluster goes where its caller says, or nowhere', async () => {
  const { world, post, advance, get } = await startCloud()
  const places = world().stock.dataCenters.filter(({ gpus }) => (gpus[h100]?.secure ?? 0) >= 16)
  const last = places.at(-1)?.id
  const { body } = await post('/v2/clusters', { ...cluster, dataCenterIds: [last] })
  await advance('1s')
  expect((await get(`/v2/clusters/${body.id}`)).body.dataCenterId).toBe(last)
  const without = world().stock.dataCenters.find(({ gpus }) => gpus[h100] === undefined)?.id
  expect((await post('/v2/clusters', { ...cluster, dataCenterIds: [without] })).status).toBe(400)
})

const compute = cluster.compute
test.each([
  ['one pod', { compute: { ...compute, podCount: 1 } }, 422],
  ['251 pods', { compute: { ...compute, podCount: 251 } }, 422],
  ['no GPUs', { compute: { ...compute, gpuCountPerPod: 0 } }, 422],
  ['more GPUs than a machine has', { compute: { ...compute, gpuCountPerPod: 16 } }, 400],
  ['an unknown GPU type', { compute: { ...compute, gpuTypeId: 'ENIAC' } }, 400],
  ['an unknown type', { type: 'SWARM' }, 422],
  ['no name', { name: undefined }, 422],
  ['a registry', { registry: 'x' }, 422],
  ['no image', { image: undefined }, 400],
  [
    'both kinds of disk',
    {
      mounts: {
        persistent: { size: 10, path: '/a' },
        network: [{ volumeId: 'demovolume', path: '/b' }],
      },
    },
    400,
  ],
  ['a volume that is not there', { mounts: { network: [{ volumeId: 'none', path: '/b' }] } }, 404],
  ['a template and an image', { templateId: 'podtemplate' }, 400],
  ['a template that is not there', { templateId: 'none', image: undefined }, 404],
  [
    'a template for endpoints',
    { templateId: 'demotemplate', image: undefined, ports: undefined },
    422,
  ],
])('a cluster with %s is refused, and nothing has changed', async (_what, changes, status) => {
  const cloud = await startCloud()
  const before = digest(cloud)
  expect((await cloud.post('/v2/clusters', { ...cluster, ...changes })).status).toBe(status)
  expect(digest(cloud)).toEqual(before)
})

test('a cluster costs the first hour of all its pods at least', async () => {
  const cloud = await startCloud({
    ...beginWith({ account: { id: 'a', email: 'a@b.c', balanceUsd: 30 } }),
  })
  const before = digest(cloud)
  // One such pod is 8 GPUs at 2.69 USD.
  expect((await cloud.post('/v2/clusters', cluster)).status).toBe(402)
  expect(digest(cloud)).toEqual(before)
})

test('a template gives a cluster its container, and cannot be deleted before it', async () => {
  const cloud = await startCloud()
  const { post, delete: remove } = cloud
  const { body: registry } = await post('/v2/registries', {
    name: 'r',
    username: 'u',
    password: 'p',
  })
  const { body: template } = await post('/v2/templates', {
    name: 't',
    image: 'example/private:1',
    registry: registry.id,
    env: { A: '1' },
    mounts: { persistent: { size: 20, path: '/data' } },
  })
  const { body } = await post('/v2/clusters', {
    ...{ name: 'c', type: 'APPLICATION', compute },
    templateId: template.id,
  })
  expect(body.template).toBe(template.id)
  expect((await membersOf(cloud, body.id)).pods[0]).toMatchObject({
    image: 'example/private:1',
    registry: registry.id,
    env: { A: '1' },
    mounts: { persistent: { size: 20, path: '/data' } },
  })
  expect((await remove(`/v2/templates/${template.id}`)).status).toBe(400)
  await remove(`/v2/clusters/${body.id}`)
  expect((await remove(`/v2/templates/${template.id}`)).status).toBe(204)
})

test('nothing but its name can be changed', async () => {
  const { post, patch } = await startCloud()
  const { body } = await post('/v2/clusters', cluster)
  const path = `/v2/clusters/${body.id}`
  expect(await patch(path, { name: 'other' })).toMatchObject({
    status: 200,
    body: { name: 'other' },
  })
  for (const wrong of [{}, { name: '' }, { type: 'RAY' }, { compute }]) {
    expect((await patch(path, wrong)).status).toBe(422)
  }
  expect((await patch('/v2/clusters/none', { name: 'x' })).status).toBe(404)
})

test('a world that is saved while a cluster forms and a build runs goes on from there', async () => {
  const { post, get, advance } = await startCloud()
  const { id } = (await post('/v2/clusters', cluster)).body
  const { buildId } = (await post('/_emulator/pushes', { endpointId: 'demo' })).body
  await advance(60)
  await post('/_emulator/snapshots', { name: 'half' })
  const read = async () => [
    (await get(`/v2/clusters/${id}`)).body,
    (await get(`/v2/clusters/${id}/pods`)).body,
    (await get(`/v2/serverless/demo/builds/${buildId}`)).body,
  ]
  await advance('5s')
  const first = await read()
  await post('/_emulator/snapshots/half/load')
  expect((await read())[2].status).toBe('BUILDING')
  await advance('5s')
  expect(await read()).toEqual(first)
  expect(first).toMatchObject([{ pods: { byStatus: { RUNNING: 2 } } }, {}, { status: 'COMPLETED' }])
})

test('a world may begin with a cluster', async () => {
  const { image, ports, ...rest } = { ...cluster, ...cluster.compute, id: 'mine' }
  const { compute: _nested, ...shape } = rest
  const clusters = [{ ...shape, container: { image, ports } }]
  const { get, advance } = await startCloud(beginWith({ clusters }))
  await advance('1s')
  expect((await get('/v2/clusters/mine')).body.pods).toEqual({ total: 2, byStatus: { RUNNING: 2 } })
})
