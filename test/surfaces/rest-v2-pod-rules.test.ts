/** Rules of pods that REST v2 spells: commands, ports, places, templates, what a change may do. */
import { type Answer, type Cloud, startCloud } from '../support/cloud.ts'

const gpu = { id: 'NVIDIA GeForce RTX 4090', count: 1 }
const request = { name: 'mine', image: 'example/image:1', gpu }

async function create(cloud: Cloud, extra: object = {}): Promise<Answer> {
  return cloud.post('/v2/pods', { ...request, ...extra })
}

/** Makes a pod, and answers with what it is after a change. */
async function change(cloud: Cloud, extra: object, changes: object): Promise<Answer> {
  const { body } = await create(cloud, extra)
  await cloud.advance('5s')
  return cloud.patch(`/v2/pods/${body.id}`, changes)
}

describe('a command', () => {
  const json = '{"entrypoint":["tini","--"],"cmd":["serve"]}'
  const words = { entrypoint: ['tini', '--'], cmd: ['serve'] }

  test.each([
    ['a line', { args: "sh -c 'a b'" }, { entrypoint: [], cmd: ['sh', '-c', 'a b'] }],
    ['a line of JSON', { args: json }, words],
    ['words', words, { args: '', ...words }],
    ['a line and the same words', { args: json, ...words }, { args: json, ...words }],
    ['words beside an empty line', { args: '', cmd: ['a'] }, { args: '', cmd: ['a'] }],
    ['nothing', {}, { args: '', entrypoint: [], cmd: [] }],
  ])('that is %s is shown as it is and in words', async (_what, said, shown) => {
    const { status, body } = await create(await startCloud(), said)
    expect([status, body]).toMatchObject([201, shown])
  })

  test('that is a line and other words is refused', async () => {
    const cloud = await startCloud()
    const before = cloud.world().pods.size
    expect((await create(cloud, { args: 'a b', cmd: ['a', 'c'] })).status).toBe(400)
    expect((await create(cloud, { args: 'a b', entrypoint: ['x'] })).status).toBe(400)
    expect(cloud.world().pods.size).toBe(before)
  })

  test.each([
    [
      'one list leaves the other',
      { cmd: ['b'] },
      { args: '', entrypoint: ['tini', '--'], cmd: ['b'] },
    ],
    ['an empty list clears one', { entrypoint: [] }, { args: '', entrypoint: [], cmd: ['serve'] }],
    ['a line stands for both', { args: 'b' }, { args: 'b', entrypoint: [], cmd: ['b'] }],
    ['an empty line clears both', { args: '' }, { args: '', entrypoint: [], cmd: [] }],
    ['a name leaves it alone', { name: 'b' }, { args: json, ...words }],
  ])('is changed: %s', async (_what, changes, shown) => {
    const { body } = await change(await startCloud(), { args: json }, changes)
    expect(body).toMatchObject(shown)
  })

  test('survives a reply that is sent back as a request', async () => {
    const cloud = await startCloud()
    const { body } = await create(cloud, words)
    const { args, entrypoint, cmd } = body
    expect(await create(cloud, { args, entrypoint, cmd })).toMatchObject({
      status: 201,
      body: words,
    })
  })
})

describe('ports and variables', () => {
  const httpPorts = (count: number) =>
    Array.from({ length: count }, (_, index) => `${index + 1}/http`)
  const variables = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, '']))

  test.each([
    ['the last port', { ports: ['65535/http', '1/tcp'] }, 201],
    ['a port beyond it', { ports: ['65536/tcp'] }, 400],
    ['a symmetrical port for HTTP', { ports: ['70000/http'] }, 400],
    ['ten HTTP ports', { ports: httpPorts(10) }, 201],
    ['eleven HTTP ports', { ports: httpPorts(11) }, 400],
    ['a port for UDP', { ports: ['53/udp'] }, 422],
    ['50 variables', { env: variables(50) }, 201],
    ['51 variables', { env: variables(51) }, 400],
  ])('%s: %j', async (_what, extra, status) => {
    const cloud = await startCloud()
    const before = cloud.world().pods.size
    expect((await create(cloud, extra)).status).toBe(status)
    expect(cloud.world().pods.size).toBe(before + (status === 201 ? 1 : 0))
  })

  test('a symmetrical port is the same inside and outside', async () => {
    const cloud = await startCloud()
    const { body } = await create(cloud, { ports: ['70000/tcp', '22/tcp'] })
    await cloud.advance('5s')
    const [both, ssh] = (await cloud.get(`/v2/pods/${body.id}`)).body.runtime.ports
    expect(both).toMatchObject({ private: both.public, type: 'tcp' })
    expect(ssh.private).toBe(22)
  })

  test('a change is held to them, too', async () => {
    const cloud = await startCloud()
    expect((await cloud.patch('/v2/pods/demopod', { ports: ['65536/tcp'] })).status).toBe(400)
    expect((await cloud.get('/v2/pods/demopod')).body.ports).toEqual(['8888/http', '22/tcp'])
  })
})

describe('a place', () => {
  const others = { gpu: undefined }

  test.each([
    ['as many vCPUs as a flavor has', { ...others, cpu: { id: 'cpu3c', vcpuCount: 32 } }, 201],
    ['more', { ...others, cpu: { id: 'cpu3c', vcpuCount: 64 } }, 400],
    ['no power of two', { ...others, cpu: { id: 'cpu3c', vcpuCount: 6 } }, 422],
    ['one vCPU', { ...others, cpu: { id: 'cpu3c', vcpuCount: 1 } }, 422],
    ['an unknown flavor', { ...others, cpu: { id: 'cpu9z', vcpuCount: 2 } }, 400],
    ['as much memory as comes with a GPU', { gpu: { ...gpu, minRamPerGpu: 20 } }, 201],
    ['more memory than any', { gpu: { ...gpu, minRamPerGpu: 4_000 } }, 400],
    ['more vCPUs than any', { gpu: { ...gpu, minVcpuCountPerGpu: 512 } }, 400],
    ['a minimum of nothing', { gpu: { ...gpu, minRamPerGpu: 0 } }, 422],
    ['a CUDA version that is there', { gpu: { ...gpu, allowedCudaVersions: ['12.4'] } }, 201],
    ['a CUDA version that is not', { gpu: { ...gpu, allowedCudaVersions: ['9.9'] } }, 400],
    ['a CUDA floor above all', { gpu: { ...gpu, minCudaVersion: '13.11' } }, 400],
    [
      'an empty list beside a floor',
      {
        gpu: { ...gpu, allowedCudaVersions: [], minCudaVersion: '12.1' },
      },
      201,
    ],
    ['a CUDA version without its minor', { gpu: { ...gpu, minCudaVersion: '12' } }, 422],
    ['more GPUs than a machine has', { gpu: { ...gpu, count: 99 } }, 400],
    ['a data center that is not there', { dataCenterIds: ['XX-1'] }, 400],
    [
      'a disk of its own for a CPU pod',
      {
        ...others,
        cpu: { id: 'cpu3c', vcpuCount: 2 },
        mounts: { persistent: { size: 10, path: '/w' } },
      },
      400,
    ],
    ['a disk below 10 GB', { mounts: { persistent: { size: 9, path: '/w' } } }, 422],
    ['a disk without a path', { mounts: { persistent: { size: 10 } } }, 422],
    [
      'a network volume in the community cloud',
      {
        cloud: 'COMMUNITY',
        mounts: { network: [{ volumeId: 'demovolume', path: '/v' }] },
      },
      400,
    ],
    ['CUDA beside the GPU', { minCudaVersion: '12.1' }, 422],
    ['a registry that is not there', { registry: 'none' }, 404],
  ])('with %s', async (_what, extra, status) => {
    const cloud = await startCloud()
    const before = cloud.world().pods.size
    expect((await create(cloud, extra)).status).toBe(status)
    expect(cloud.world().pods.size).toBe(before + (status === 201 ? 1 : 0))
  })

  test('CUDA versions are compared by their numbers, not as texts', async () => {
    const { body } = await create(await startCloud(), { gpu: { ...gpu, minCudaVersion: '12.10' } })
    expect(body.cudaVersion).toBe('13.0')
  })

  test('a count that is left out is one, or no capacity where the switch says so', async () => {
    const one = { gpu: { id: gpu.id } }
    expect((await create(await startCloud(), one)).body.gpu.count).toBe(1)
    const strict = await startCloud({ fidelity: { omittedGpuCount: 'no-capacity' } })
    expect((await create(strict, one)).status).toBe(400)
    expect((await create(strict)).status).toBe(201)
  })
})

describe('global networking', () => {
  test('is an address from the next start on, in a data center that has it', async () => {
    const cloud = await startCloud()
    const { body } = await create(cloud, { globalNetworking: true })
    expect(body.globalNetworking).toEqual({ enabled: true })
    const place = cloud.world().stock.dataCenters.find(({ id }) => id === body.dataCenterId)
    expect(place?.globalNetwork).toBe(true)
    await cloud.advance('5s')
    const path = `/v2/pods/${body.id}`
    const joined = (await cloud.get(path)).body.globalNetworking
    expect(joined).toEqual({
      enabled: true,
      ip: expect.stringMatching(/^10\.65\.\d+\.\d+$/),
      internalDns: `${body.id}.runpod.internal`,
    })
    await cloud.post(`${path}/action`, { action: 'restart' })
    await cloud.advance('5s')
    expect((await cloud.get(path)).body.globalNetworking).toEqual(joined)
  })

  test('that is turned on for a pod that runs waits for its restart', async () => {
    const cloud = await startCloud()
    const on = await change(cloud, { dataCenterIds: ['EU-RO-1'] }, { globalNetworking: true })
    expect(on.body).toMatchObject({ status: 'RUNNING', globalNetworking: { enabled: true } })
    expect(on.body.globalNetworking.ip).toBeUndefined()
    await cloud.post(`/v2/pods/${on.body.id}/action`, { action: 'restart' })
    await cloud.advance('5s')
    expect((await cloud.get(`/v2/pods/${on.body.id}`)).body.globalNetworking.ip).toBeDefined()
  })

  const amd = { id: 'AMD Instinct MI300X OAM', count: 1 }
  test.each([
    ['a CPU pod', { gpu: undefined, cpu: { id: 'cpu3c', vcpuCount: 2 } }],
    ['a GPU of another maker', { gpu: amd }],
    ['a data center without it', { dataCenterIds: ['CA-MTL-1'], cloud: 'COMMUNITY' }],
  ])('is refused for %s', async (_what, extra) => {
    const cloud = await startCloud()
    const before = cloud.world().pods.size
    expect((await create(cloud, { ...extra, globalNetworking: true })).status).toBe(400)
    expect(cloud.world().pods.size).toBe(before)
    expect((await change(cloud, extra, { globalNetworking: true })).status).toBe(400)
  })
})

describe('a template', () => {
  const template = {
    name: 't',
    image: 'example/of-template:1',
    args: 'of template',
    env: { A: 'template', B: 'template' },
    ports: ['80/http'],
    disk: 7,
    mounts: { persistent: { size: 30, path: '/t' } },
    allowedCudaVersions: ['12.4'],
  }
  const made = async (cloud: Cloud, extra: object = {}): Promise<string> =>
    (await cloud.post('/v2/templates', { ...template, ...extra })).body.id

  test('fills in all that the body leaves out', async () => {
    const cloud = await startCloud()
    const templateId = await made(cloud)
    expect((await create(cloud, { image: undefined, templateId })).body).toMatchObject({
      image: template.image,
      args: 'of template',
      disk: 7,
      mounts: template.mounts,
      cudaVersion: '12.4',
    })
    const own = { cmd: ['own'], disk: 9, gpu: { ...gpu, minCudaVersion: '12.1' } }
    const mounts = { persistent: { size: 10, path: '/own' } }
    const { body } = await create(cloud, { ...own, mounts, templateId })
    expect(body).toMatchObject({ image: request.image, cmd: ['own'], disk: 9, mounts })
    expect(body.cudaVersion).not.toBe('12.4')
  })

  test('starts SSH and Jupyter as it says, unless the body says otherwise', async () => {
    const cloud = await startCloud()
    cloud.world().account = { ...cloud.world().account, publicKeys: 'ssh-ed25519 AAAA me' }
    const templateId = await made(cloud)
    const env = async (extra: object) => Object.keys((await create(cloud, extra)).body.env).sort()
    expect(await env({ templateId })).toEqual(['A', 'B', 'JUPYTER_PASSWORD', 'PUBLIC_KEY'])
    expect(await env({ templateId, startSsh: false, startJupyter: false })).toEqual(['A', 'B'])
    expect(await env({})).toEqual([])
    expect(await env({ startSsh: true })).toEqual(['PUBLIC_KEY'])
    const { body } = await create(cloud, { startSsh: true, env: { PUBLIC_KEY: 'own' } })
    expect(body.env).toEqual({ PUBLIC_KEY: 'own' })
  })

  test('gives a CPU pod neither its disk nor its CUDA versions', async () => {
    const cloud = await startCloud()
    const cpu = { gpu: undefined, cpu: { id: 'cpu3c', vcpuCount: 2 } }
    const { body } = await create(cloud, { ...cpu, templateId: await made(cloud) })
    expect(body).toMatchObject({ mounts: {}, cudaVersion: null })
  })

  test('that is named in a change replaces the container, and merges its variables with the body', async () => {
    const cloud = await startCloud()
    const templateId = await made(cloud)
    const before = { env: { OLD: '1' }, disk: 20 }
    const { body } = await change(cloud, before, { templateId, env: { B: 'body' }, disk: 9 })
    expect(body).toMatchObject({ image: template.image, args: 'of template', disk: 9, mounts: {} })
    expect(body.env).toEqual({ A: 'template', B: 'body' })
  })

  test.each([
    ['none', 404],
    ['demotemplate', 422],
    ['', 404],
  ])('named %p is refused in a change with %i', async (templateId, status) => {
    const cloud = await startCloud()
    const before = cloud.world().pods.require('demopod')
    expect((await cloud.patch('/v2/pods/demopod', { templateId })).status).toBe(status)
    expect(cloud.world().pods.require('demopod')).toBe(before)
  })

  test('and a body that are too large together are refused as one body would be', async () => {
    const cloud = await startCloud()
    const half = 'x'.repeat(60_000)
    const templateId = await made(cloud, { env: { A: half } })
    const before = cloud.world().pods.size
    expect((await create(cloud, { templateId, env: { B: half } })).status).toBe(413)
    expect((await create(cloud, { templateId })).status).toBe(201)
    expect(cloud.world().pods.size).toBe(before + 1)
  })
})

describe('mounts of a pod', () => {
  const network = [{ volumeId: 'demovolume', path: '/v' }]
  const persistent = { size: 20, path: '/w' }

  test.each([
    ['nothing said', { persistent }, {}, 200],
    ['a larger disk', { persistent }, { persistent: { size: 30, path: '/w' } }, 200],
    ['another path', { persistent }, { persistent: { size: 20, path: '/x' } }, 200],
    ['another path of the volume', { network }, { network: [{ ...network[0], path: '/x' }] }, 200],
    ['a smaller disk', { persistent }, { persistent: { size: 19, path: '/w' } }, 400],
    ['half a disk', { persistent }, { persistent: { path: '/x' } }, 422],
    ['no volume', { network }, { network: [] }, 400],
    ['another volume', { network }, { network: [{ volumeId: 'other', path: '/v' }] }, 400],
    ['a disk in addition', { network }, { persistent }, 400],
    ['a volume in addition', { persistent }, { network }, 400],
    ['two volumes', { network }, { network: [...network, ...network] }, 422],
  ])('with a change to %s', async (_what, mounts, changes, status) => {
    const cloud = await startCloud()
    const { status: got, body } = await change(cloud, { mounts }, { mounts: changes })
    expect(got).toBe(status)
    if (status === 200) expect(body.mounts).toEqual({ ...mounts, ...changes })
  })
})

test('a field that is null is cleared only where that means something', async () => {
  const cloud = await startCloud()
  const registry = { name: 'r', username: 'u', password: 'p' }
  const { body } = await cloud.post('/v2/registries', registry)
  const cleared = await change(cloud, { registry: body.id }, { registry: null })
  expect([cleared.status, cleared.body.registry]).toEqual([200, null])
  expect((await change(cloud, {}, { image: null })).status).toBe(422)
})
