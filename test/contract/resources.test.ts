/** Saved things and clusters from creation to deletion: each reply on the way is as REST v2 describes it. */
import { type Answer, type Cloud, startCloud } from '../support/cloud.ts'
import { operationsOf, readReference } from './reference.ts'
import { createReplyChecker } from './reply-checker.ts'

const reference = readReference('rest-v2.openapi.json')
const operations = reference === undefined ? [] : [...operationsOf(reference).keys()]
const wrongIn = reference && createReplyChecker(reference)

/** The operation that the document has for a path: of several the one that says most of it. */
function operationAt(method: string, path: string): string {
  const [found] = operations
    .filter((each) =>
      new RegExp(`^${each.replaceAll(/\{\w+\}/g, '[^/]+')}$`).test(`${method} ${path}`),
    )
    .sort((one, other) => one.split('{').length - other.split('{').length)
  if (found === undefined) throw new Error(`${method} ${path} is not in the document`)
  return found
}

function check(method: string, path: string, answer: Answer): void {
  const operation = operationAt(method, path)
  expect([operation, answer.status, wrongIn?.(operation, answer)]).toEqual([
    ...[operation, answer.status, []],
  ])
}

/** Like the cloud itself, and every answer is checked on its way. */
function checked(cloud: Cloud) {
  const send = async (method: string, path: string, body?: unknown, headers = {}) => {
    const answer = await cloud.send(method, path, body, headers)
    check(method, path.split('?')[0] ?? '', answer)
    return answer
  }
  return {
    get: (path: string, headers?: object) => send('GET', path, undefined, headers),
    post: (path: string, body: unknown) => send('POST', path, body),
    put: (path: string, body: unknown) => send('PUT', path, body),
    patch: (path: string, body: unknown) => send('PATCH', path, body),
    remove: (path: string) => send('DELETE', path),
  }
}

const compute = { gpuTypeId: 'NVIDIA H100 80GB HBM3', gpuCountPerPod: 8, podCount: 2 }
const cluster = { name: 'c', type: 'SLURM', compute, image: 'i', ports: ['22/tcp'] }

/** A life of one resource: made, read, changed, refused, deleted. */
const lives: Readonly<Record<string, (cloud: Cloud) => Promise<void>>> = {
  templates: async (cloud) => {
    const { get, post, patch, remove } = checked(cloud)
    const { body } = await post('/v2/templates', { name: 't', image: 'i' })
    const path = `/v2/templates/${body.id}`
    await patch(path, { mounts: { persistent: { size: 20, path: '/p' } }, env: { A: '1' } })
    await get(path)
    await get('/v2/templates')
    expect((await patch(path, { serverless: true })).status).toBe(400)
    expect((await patch(path, { category: 'X' })).status).toBe(422)
    expect((await post('/v2/templates', { name: 'u' })).status).toBe(422)
    expect((await post('/v2/templates', { name: 'u', image: 'i', registry: 'x' })).status).toBe(400)
    const linked = { name: 'c', type: 'TRAINING', compute, templateId: body.id }
    const { body: user } = await post('/v2/clusters', linked)
    expect((await remove(path)).status).toBe(400)
    await remove(`/v2/clusters/${user.id}`)
    expect((await remove(path)).status).toBe(204)
    for (const gone of [get(path), remove(path), patch(path, { name: 'x' })]) {
      expect((await gone).status).toBe(404)
    }
  },
  volumes: async (cloud) => {
    const { get, post, patch, remove } = checked(cloud)
    const volume = { name: 'v', size: 10, dataCenter: 'EU-RO-1', type: 'HIGH_PERFORMANCE' }
    const { body } = await post('/v2/network-volumes', volume)
    const path = `/v2/network-volumes/${body.id}`
    await get('/v2/network-volumes')
    await get(path)
    await patch(path, { size: 11 })
    expect((await patch(path, { size: 10 })).status).toBe(400)
    expect((await patch(path, {})).status).toBe(422)
    expect((await post('/v2/network-volumes', {})).status).toBe(422)
    const elsewhere = { ...volume, dataCenter: 'MARS-1' }
    expect((await post('/v2/network-volumes', elsewhere)).status).toBe(400)
    expect((await remove(path)).status).toBe(204)
    for (const gone of [get(path), remove(path), patch(path, { name: 'x' })]) {
      expect((await gone).status).toBe(404)
    }
  },
  registries: async (cloud) => {
    const { get, post, remove } = checked(cloud)
    const { body } = await post('/v2/registries', { name: 'r', username: 'u', password: 'p' })
    const path = `/v2/registries/${body.id}`
    await get('/v2/registries')
    await get(path)
    expect((await post('/v2/registries', {})).status).toBe(422)
    await cloud.patch('/v2/serverless/demo', { registry: body.id })
    expect((await remove(path)).status).toBe(400)
    await cloud.patch('/v2/serverless/demo', { registry: null })
    expect((await remove(path)).status).toBe(204)
    for (const gone of [get(path), remove(path)]) expect((await gone).status).toBe(404)
  },
  delegations: async (cloud) => {
    const { get, post, remove } = checked(cloud)
    const resource = 'arn:aws:ecr:us-east-2:418399314813:repository/runpod/deployment'
    const { body } = await post('/v2/registries/delegations', { resource })
    await get('/v2/registries/delegations')
    expect((await post('/v2/registries/delegations', {})).status).toBe(422)
    const path = `/v2/registries/delegations/${body.id}`
    expect((await remove(path)).status).toBe(204)
    expect((await remove(path)).status).toBe(404)
  },
  keys: async (cloud) => {
    const { get, put } = checked(cloud)
    await put('/v2/account/ssh-keys', { keys: ['ssh-ed25519 AAAA me'] })
    expect((await put('/v2/account/ssh-keys', { keys: ['none'] })).status).toBe(422)
    await get('/v2/account/ssh-keys')
    expect((await get('/v2/account/ssh-keys', { authorization: undefined })).status).toBe(401)
  },
  clusters: async (cloud) => {
    const { get, post, patch, remove } = checked(cloud)
    const { body } = await post('/v2/clusters', cluster)
    const path = `/v2/clusters/${body.id}`
    for (let step = 0; step < 12; step++) {
      await get(path)
      await get(`${path}/pods`)
      await cloud.advance(50)
    }
    await get('/v2/clusters')
    await get('/v2/pods?includeClusterPods=true')
    await patch(path, { name: 'd' })
    expect((await patch(path, {})).status).toBe(422)
    expect((await post('/v2/clusters', {})).status).toBe(422)
    expect((await post('/v2/clusters', { ...cluster, image: undefined })).status).toBe(400)
    expect((await remove(path)).status).toBe(204)
    for (const gone of [get(path), get(`${path}/pods`), remove(path), patch(path, { name: 'x' })]) {
      expect((await gone).status).toBe(404)
    }
  },
}

if (reference === undefined) test.skip('the published document is not at hand', () => {})
else {
  test.each(Object.entries(lives))('every reply about %s is as published', async (_what, live) => {
    const cloud = await startCloud()
    await live(cloud)
    expect(cloud.bugs).toEqual([])
  })
}
