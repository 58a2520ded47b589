/** Templates, network volumes and registries through REST v2: what they keep, and who may not go. */
import { type Cloud, startCloud } from '../support/cloud.ts'
import { beginWith } from '../support/start-state.ts'

const template = { name: 't', image: 'example/image:1' }
const gpu = { id: 'NVIDIA GeForce RTX 4090' }

const digest = ({ world }: Cloud) => {
  const { templates, networkVolumes, registries, timeline } = world()
  return JSON.stringify([templates.all(), networkVolumes.all(), registries.all(), timeline.past])
}

describe('a template', () => {
  test('keeps every setting, references to secrets among them, and gives back what changed', async () => {
    const { post, patch, get } = await startCloud()
    const { body: registry } = await post('/v2/registries', {
      name: 'r',
      username: 'u',
      password: 'p',
    })
    const whole = {
      ...template,
      args: 'python main.py',
      disk: 30,
      ports: ['8888/http'],
      env: { TOKEN: '{{ RUNPOD_SECRET_token }}' },
      registry: registry.id,
      mounts: { persistent: { size: 20, path: '/data' } },
      serverless: false,
      public: true,
      category: 'AMD',
      startSsh: false,
      startJupyter: false,
      allowedCudaVersions: ['12.8', '12.6'],
    }
    const made = await post('/v2/templates', whole)
    expect(made).toMatchObject({ status: 201, body: whole })
    const path = `/v2/templates/${made.body.id}`
    const changes = { name: 'u', registry: null, category: 'CPU', startSsh: true, disk: 40 }
    expect((await patch(path, changes)).body).toEqual({ ...made.body, ...changes })
    // Spec: mounts that say nothing leave the disk as it is.
    expect((await patch(path, { mounts: {} })).body.mounts).toEqual(whole.mounts)
    expect((await get(path)).body).toMatchObject(changes)
  })

  test.each([
    ['a network volume', { mounts: { network: [{ volumeId: 'demovolume', path: '/v' }] } }, 422],
    [
      'a disk of its own for endpoints',
      {
        serverless: true,
        mounts: { persistent: { size: 20, path: '/v' } },
      },
      400,
    ],
    ['a disk below 10 GB', { mounts: { persistent: { size: 9, path: '/v' } } }, 422],
    ['an unknown category', { category: 'TPU' }, 422],
    ['a readme', { readme: 'x' }, 422],
    ['a registry that is not there', { registry: 'none' }, 400],
    ['a CUDA version without its minor part', { allowedCudaVersions: ['12'] }, 422],
    ['no image', { image: undefined }, 422],
  ])('with %s is refused, and so is the same as a change', async (_what, changes, status) => {
    const cloud = await startCloud()
    const { body } = await cloud.post('/v2/templates', template)
    const before = digest(cloud)
    expect((await cloud.post('/v2/templates', { ...template, name: 'o', ...changes })).status).toBe(
      status,
    )
    if (!('image' in changes)) {
      expect((await cloud.patch(`/v2/templates/${body.id}`, changes)).status).toBe(status)
    }
    expect(digest(cloud)).toBe(before)
  })

  test('changes nothing that was made from it', async () => {
    const { post, patch, get, advance } = await startCloud()
    const { body } = await post('/v2/templates', template)
    const pod = (await post('/v2/pods', { name: 'p', gpu, templateId: body.id })).body
    await advance('1s')
    const before = (await get(`/v2/pods/${pod.id}`)).body
    await patch(`/v2/templates/${body.id}`, { image: 'example/image:2' })
    expect((await get(`/v2/pods/${pod.id}`)).body).toEqual(before)
  })

  test('of the platform can be read and used, not changed, and is in nobody’s list', async () => {
    const publicTemplates = [
      { id: 'torch', name: 'Torch', container: { image: 'example/torch:1' }, category: 'NVIDIA' },
      { id: 'serve', name: 'Serve', container: { image: 'example/serve:1' }, serverless: true },
    ]
    const { get, post, patch, delete: remove } = await startCloud(beginWith({ publicTemplates }))
    expect((await get('/v2/templates/torch')).body).toMatchObject({
      name: 'Torch',
      public: true,
      registry: null,
    })
    expect((await get('/v2/templates')).body.templates).toEqual([])
    expect((await patch('/v2/templates/torch', { name: 'x' })).status).toBe(404)
    expect((await remove('/v2/templates/torch')).status).toBe(404)
    const made = await post('/v2/pods', { name: 'p', gpu, templateId: 'torch' })
    expect(made).toMatchObject({ status: 201, body: { image: 'example/torch:1', template: null } })
    const endpoint = await post('/v2/serverless', {
      name: 'e',
      type: 'QUEUE',
      gpu: { pools: ['ADA_24'] },
      scaling: { type: 'QUEUE_DELAY', queueDelay: 4 },
      templateId: 'serve',
    })
    expect(endpoint).toMatchObject({ status: 201, body: { image: 'example/serve:1' } })
    expect((await post('/v2/pods', { name: 'p', gpu, templateId: 'serve' })).status).toBe(422)
  })

  test('of the platform is the same through REST v1 and GraphQL', async () => {
    const { get, post } = await startCloud()
    expect((await get('/v1/templates/officialtorch')).body).toMatchObject({
      imageName: 'example/torch:2.8',
      isPublic: true,
      isRunpod: true,
    })
    const v1 = { name: 'p', templateId: 'officialtorch', gpuTypeIds: [gpu.id] }
    expect((await post('/v1/pods', v1)).body.imageName).toBe('example/torch:2.8')
    const linked =
      'mutation { saveEndpoint(input: { name: "e", templateId: "officialhandler", gpuIds: "ADA_24" }) { templateId template { imageName } } }'
    expect((await post('/graphql', { query: linked })).body.data.saveEndpoint).toEqual({
      templateId: 'officialhandler',
      template: { imageName: 'example/official-handler:1.0' },
    })
    const query =
      '{ podTemplates(input: { isRunpod: true }) { id } myself { podTemplates { id } } }'
    const { data } = (await post('/graphql', { query })).body
    expect(data.podTemplates).toEqual([{ id: 'officialtorch' }, { id: 'officialhandler' }])
    expect(data.myself.podTemplates).toEqual([{ id: 'demotemplate' }, { id: 'podtemplate' }])
  })

  test('cannot be deleted while something is linked to it', async () => {
    const { post, delete: remove } = await startCloud()
    const query =
      'mutation { saveEndpoint(input: { name: "e", templateId: "demotemplate", gpuIds: "AMPERE_16" }) { id } }'
    const { id } = (await post('/graphql', { query })).body.data.saveEndpoint
    expect((await remove('/v2/templates/demotemplate')).status).toBe(400)
    await remove(`/v2/serverless/${id}`)
    expect((await remove('/v2/templates/demotemplate')).status).toBe(204)
  })
})

describe('a network volume', () => {
  const volume = { name: 'v', size: 10, dataCenter: 'EU-RO-1' }

  test('is of the first tier of its data center, or of the one that is asked for', async () => {
    const { post } = await startCloud()
    const typeOf = async (more: object) =>
      (await post('/v2/network-volumes', { ...volume, ...more })).body.type
    expect(await typeOf({})).toBe('STANDARD')
    expect(await typeOf({ type: 'HIGH_PERFORMANCE' })).toBe('HIGH_PERFORMANCE')
  })

  test.each([
    ['9 GB', { size: 9 }, 422],
    ['4097 GB', { size: 4_097 }, 422],
    ['half a GB more', { size: 10.5 }, 422],
    ['no name', { name: '' }, 422],
    ['a data center that is not there', { dataCenter: 'MARS-1' }, 400],
    ['a tier that is not there', { type: 'TAPE' }, 422],
    [
      'a tier that its data center does not have',
      {
        dataCenter: 'US-IL-1',
        type: 'HIGH_PERFORMANCE',
      },
      400,
    ],
    ['a field of v1', { dataCenterId: 'EU-RO-1' }, 422],
  ])('of %s is refused', async (_what, changes, status) => {
    const cloud = await startCloud()
    const before = digest(cloud)
    expect((await cloud.post('/v2/network-volumes', { ...volume, ...changes })).status).toBe(status)
    expect(digest(cloud)).toBe(before)
  })

  test('grows to 4096 GB, and keeps its place and its tier', async () => {
    const cloud = await startCloud()
    const { body } = await cloud.post('/v2/network-volumes', volume)
    const path = `/v2/network-volumes/${body.id}`
    expect((await cloud.patch(path, { name: 'w', size: 4_096 })).body).toEqual({
      ...body,
      name: 'w',
      size: 4_096,
    })
    expect((await cloud.patch(path, { size: 4_096 })).status).toBe(200)
    const before = digest(cloud)
    const wrong = [{ size: 4_097 }, { dataCenter: 'US-IL-1' }, { type: 'STANDARD' }]
    for (const change of wrong) expect((await cloud.patch(path, change)).status).toBe(422)
    expect((await cloud.patch(path, { size: 4_095 })).status).toBe(400)
    expect(digest(cloud)).toBe(before)
  })

  test('stays while an endpoint or a cluster has it', async () => {
    const { post, patch, delete: remove } = await startCloud()
    const { body } = await post('/v2/network-volumes', volume)
    const path = `/v2/network-volumes/${body.id}`
    await patch('/v2/serverless/demo', { networkVolumes: [body.id] })
    expect((await remove(path)).status).toBe(409)
    await patch('/v2/serverless/demo', { networkVolumes: [] })
    const cluster = await post('/v2/clusters', {
      ...{ name: 'c', type: 'TRAINING', image: 'i' },
      compute: { gpuTypeId: gpu.id, gpuCountPerPod: 1, podCount: 2 },
      mounts: { network: [{ volumeId: body.id, path: '/v' }] },
    })
    expect((await remove(path)).status).toBe(409)
    await remove(`/v2/clusters/${cluster.body.id}`)
    expect((await remove(path)).status).toBe(204)
    expect((await remove(path)).status).toBe(404)
  })
})

describe('a registry', () => {
  const registry = { name: 'r', username: 'u', password: 'hunter2' }

  test.each([
    ['an empty name', { name: '' }, 422],
    ['an empty password', { password: '' }, 422],
    ['no username', { username: undefined }, 422],
    ['a name that is taken', {}, 400],
  ])('with %s is refused, and its password is not said', async (_what, changes, status) => {
    const cloud = await startCloud()
    await cloud.post('/v2/registries', registry)
    const before = digest(cloud)
    const reply = await cloud.post('/v2/registries', { ...registry, ...changes })
    expect([reply.status, reply.text.includes('hunter2')]).toEqual([status, false])
    expect(digest(cloud)).toBe(before)
  })

  test('stays while a pod or an endpoint pulls with it; templates silently lose it', async () => {
    const { post, get, patch, delete: remove } = await startCloud()
    const { body } = await post('/v2/registries', registry)
    const made = await post('/v2/templates', { ...template, registry: body.id })
    const pod = await post('/v2/pods', { name: 'p', image: 'i', gpu, registry: body.id })
    const path = `/v2/registries/${body.id}`
    expect((await remove(path)).status).toBe(400)
    await remove(`/v2/pods/${pod.body.id}`)
    await patch('/v2/serverless/demo', { registry: body.id })
    expect((await remove(path)).status).toBe(400)
    await patch('/v2/serverless/demo', { registry: null })
    expect((await remove(path)).status).toBe(204)
    expect((await get(`/v2/templates/${made.body.id}`)).body.registry).toBeNull()
    expect((await get('/v2/registries')).body).toEqual({ registries: [] })
    expect((await get(path)).status).toBe(404)
  })
})
