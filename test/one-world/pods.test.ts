/** One world, many spellings: what one surface makes or refuses, the others show or refuse too. */
import { type Cloud, startCloud } from '../support/cloud.ts'

const gpuType = 'NVIDIA GeForce RTX 4090'

const graphql = async ({ post }: Cloud, query: string) => (await post('/graphql', { query })).body

interface Way {
  readonly name: string
  readonly create: (cloud: Cloud) => Promise<string>
}

const ways: readonly Way[] = [
  {
    name: 'REST v2',
    create: async ({ post }) => {
      const mounts = { persistent: { size: 20, path: '/workspace' } }
      const gpu = { id: gpuType, count: 2 }
      const body = {
        name: 'same',
        image: 'example/image:1',
        gpu,
        mounts,
        env: { A: '1' },
        ports: ['22/tcp'],
        disk: 30,
      }
      return (await post('/v2/pods', body)).body.id
    },
  },
  {
    name: 'REST v1',
    create: async ({ post }) => {
      const body = {
        name: 'same',
        imageName: 'example/image:1',
        gpuTypeIds: [gpuType],
        gpuCount: 2,
        volumeInGb: 20,
        volumeMountPath: '/workspace',
        containerDiskInGb: 30,
        env: { A: '1' },
        ports: ['22/tcp'],
      }
      return (await post('/v1/pods', body)).body.id
    },
  },
  {
    name: 'GraphQL',
    create: async (cloud) => {
      const input = `{ name: "same", imageName: "example/image:1", gpuTypeId: "${gpuType}", gpuCount: 2,
        cloudType: SECURE, volumeInGb: 20, volumeMountPath: "/workspace", containerDiskInGb: 30,
        env: [{ key: "A", value: "1" }], ports: "22/tcp", dockerArgs: "" }`
      const made = await graphql(
        cloud,
        `mutation { podFindAndDeployOnDemand(input: ${input}) { id } }`,
      )
      return made.data.podFindAndDeployOnDemand.id
    },
  },
]

/** The same facts, as each surface tells them. */
async function readThroughAll(cloud: Cloud, id: string) {
  const v2 = (await cloud.get(`/v2/pods/${id}`)).body
  const v1 = (await cloud.get(`/v1/pods/${id}`)).body
  const fields = `id name imageName desiredStatus gpuCount volumeInGb volumeMountPath containerDiskInGb
    env ports costPerHr machineId runtime { uptimeInSeconds ports { privatePort publicPort ip } }`
  const read = await graphql(cloud, `{ pod(input: { podId: "${id}" }) { ${fields} } }`)
  return { v2, v1, ql: read.data.pod }
}

describe.each(ways)('a pod made through $name', ({ create }) => {
  test('is the same pod through the other two', async () => {
    const cloud = await startCloud()
    const id = await create(cloud)
    await cloud.advance('5s')
    const { v2, v1, ql } = await readThroughAll(cloud, id)

    expect([v2.name, v1.name, ql.name]).toEqual(['same', 'same', 'same'])
    expect([v2.image, v1.imageName, ql.imageName]).toEqual(Array(3).fill('example/image:1'))
    expect([v2.status, v1.desiredStatus, ql.desiredStatus]).toEqual(Array(3).fill('RUNNING'))
    expect([v2.gpu.count, v1.gpuCount, ql.gpuCount]).toEqual([2, 2, 2])
    expect([v2.disk, v1.containerDiskInGb, ql.containerDiskInGb]).toEqual([30, 30, 30])
    expect([v2.mounts.persistent.size, v1.volumeInGb, ql.volumeInGb]).toEqual([20, 20, 20])
    expect([v2.env, v1.env, ql.env]).toEqual([{ A: '1' }, { A: '1' }, ['A=1']])
    expect([v2.ports, v1.ports, ql.ports]).toEqual([['22/tcp'], ['22/tcp'], '22/tcp'])
    expect(v1.costPerHr).toBe(v2.cost)
    expect(ql.costPerHr).toBe(v2.cost)
    const port = v2.runtime.ports[0].public
    expect(v1.portMappings).toEqual({ 22: port })
    expect(ql.runtime.ports).toMatchObject([{ privatePort: 22, publicPort: port, ip: v1.publicIp }])
    expect(ql.machineId).toBe(v1.machineId)
  })

  test('stops through one and is seen stopped through all', async () => {
    const cloud = await startCloud()
    const id = await create(cloud)
    await cloud.advance('5s')
    await cloud.post(`/v1/pods/${id}/stop`)
    const { v2, v1, ql } = await readThroughAll(cloud, id)
    expect([v2.status, v1.desiredStatus, ql.desiredStatus]).toEqual(Array(3).fill('EXITED'))
    expect([v2.runtime, v1.portMappings, ql.runtime]).toEqual([null, null, null])
  })

  test('is gone through all once it is ended through one', async () => {
    const cloud = await startCloud()
    const id = await create(cloud)
    await graphql(cloud, `mutation { podTerminate(input: { podId: "${id}" }) }`)
    expect((await cloud.get(`/v2/pods/${id}`)).status).toBe(404)
    expect((await cloud.get(`/v1/pods/${id}`)).status).toBe(404)
    const { data } = await graphql(cloud, `{ pod(input: { podId: "${id}" }) { id } }`)
    expect(data.pod).toBeNull()
  })
})

test('an endpoint made through GraphQL has the same workers, scaling and pools through REST', async () => {
  const cloud = await startCloud()
  const input = `{ name: "e", templateId: "demotemplate", gpuIds: "AMPERE_16,-NVIDIA RTX A4500,ADA_24", workersMin: 1,
    workersMax: 4, idleTimeout: 7, scalerType: "REQUEST_COUNT", scalerValue: 2 }`
  const made = await graphql(
    cloud,
    `mutation { saveEndpoint(input: ${input}) { id gpuIds workersMax } }`,
  )
  const { id } = made.data.saveEndpoint
  const v2 = (await cloud.get(`/v2/serverless/${id}`)).body
  const v1 = (await cloud.get(`/v1/endpoints/${id}`)).body
  expect(v2).toMatchObject({
    name: 'e',
    type: 'QUEUE',
    gpu: { pools: ['AMPERE_16', 'ADA_24'], excludedTypes: ['NVIDIA RTX A4500'] },
    workers: { min: 1, max: 4 },
    scaling: { type: 'REQUEST_COUNT', requestCount: 2 },
  })
  expect(v1).toMatchObject({
    name: 'e',
    workersMin: 1,
    workersMax: 4,
    idleTimeout: 7,
    scalerType: 'REQUEST_COUNT',
    scalerValue: 2,
  })
  expect(v1.gpuTypeIds).not.toContain('NVIDIA RTX A4500')
  expect(v1.gpuTypeIds).toContain('NVIDIA GeForce RTX 4090')
})
