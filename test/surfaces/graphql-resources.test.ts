/** Secrets, clusters and builds through GraphQL, and what REST v2 shows of the same. */
import { startBuild } from '../../src/domain/serverless/builds.ts'
import { type Cloud, startCloud } from '../support/cloud.ts'
import { type Asking, graphqlOf } from '../support/graphql.ts'

let cloud: Cloud
let graphql: Asking

beforeEach(async () => {
  cloud = await startCloud()
  graphql = graphqlOf(cloud)
})

afterEach(() => expect(cloud.bugs).toEqual([]))

describe('a secret', () => {
  const create = (name: string, value = 'hush') =>
    `mutation { secretCreate(input: { name: "${name}", value: "${value}", description: "d" }) { id name description createdAt } }`

  test('is written, listed without its value, and deleted', async () => {
    const { secretCreate } = await graphql.data(create('token'))
    expect(secretCreate).toMatchObject({ name: 'token', description: 'd' })
    const query = '{ myself { secrets { id name description createdAt lastUpdatedAt } } }'
    const { text } = await graphql.ask(query)
    expect(text).not.toContain('hush')
    expect(JSON.parse(text).data.myself.secrets).toEqual([{ ...secretCreate, lastUpdatedAt: null }])
    const listed = (await cloud.get('/v2/secrets')).body.secrets
    expect(listed).toMatchObject([{ id: secretCreate.id, name: 'token' }])
    const drop = `mutation { secretDelete(id: "${secretCreate.id}") }`
    expect(await graphql.data(drop)).toEqual({ secretDelete: null })
    expect(await graphql.refusal(drop)).toBe('secret not found')
  })

  test('has a name of its own, in the form of a variable', async () => {
    await graphql.data(create('token'))
    expect(await graphql.refusal(create('token'))).toMatch(/exists already/)
    expect(await graphql.refusal(create('RUNPOD_X'))).toMatch(/must match/)
    expect(cloud.world().secrets.size).toBe(1)
  })
})

describe('a cluster', () => {
  const gpuTypeId = 'NVIDIA H100 80GB HBM3'
  const create = `mutation ($input: CreateClusterInput!) { createCluster(input: $input) {
    id name type podCount gpuCountPerPod
    pods { id clusterId clusterIp clusterIdx imageName machine { podHostId } } } }`
  const wish = (changes: object = {}) => ({
    input: {
      ...{ clusterName: 'c', gpuTypeId, podCount: 2, gpuCountPerPod: 8, type: 'TRAINING' },
      ...{ imageName: 'i', deployCost: 1_000, ...changes },
    },
  })
  /** An hour of sixteen of those is more than the account begins with. */
  const getRich = () => {
    const world = cloud.world()
    world.account = { ...world.account, balanceUsd: 100_000 }
  }

  test('is made, read and deleted with its pods, as in REST v2', async () => {
    getRich()
    const { createCluster: made } = await graphql.data(create, wish())
    expect(made).toMatchObject({ name: 'c', type: 'TRAINING', podCount: 2, gpuCountPerPod: 8 })
    expect(made.pods).toMatchObject([
      { clusterId: made.id, clusterIdx: 0, imageName: 'i' },
      { clusterId: made.id, clusterIdx: 1, imageName: 'i' },
    ])
    const { myself } = await graphql.data(
      `{ myself { cluster(input: { id: "${made.id}" }) { id pods { id } } } }`,
    )
    expect(myself.cluster.pods).toHaveLength(2)
    expect((await cloud.get(`/v2/clusters/${made.id}`)).body).toMatchObject({
      name: 'c',
      compute: { gpuTypeId, gpuCountPerPod: 8, podCount: 2 },
    })
    const drop = `mutation { deleteCluster(input: { id: "${made.id}" }) }`
    expect(await graphql.data(drop)).toEqual({ deleteCluster: true })
    expect(cloud.world().pods.where(({ cluster }) => cluster !== null)).toEqual([])
  })

  test('that is not there is told by a code that clients look for', async () => {
    const { status, body } = await graphql.ask('mutation { deleteCluster(input: { id: "x" }) }')
    expect(status).toBe(200)
    expect(body.data).toEqual({ deleteCluster: null })
    expect(body.errors[0].extensions.code).toBe('Cluster not found')
    expect(await graphql.data('{ myself { cluster(input: { id: "x" }) { id } } }')).toEqual({
      myself: { cluster: null },
    })
  })

  test.each([
    ['without a price', { deployCost: null }, /Insufficient resources/],
    ['for too little', { deployCost: 1 }, /Insufficient resources/],
    ['of one pod', { podCount: 1 }, /podCount/],
    ['without an image', { imageName: '' }, /imageName or templateId is required/],
    ['with a rate of its network', { throughput: 5 }, /does not emulate/],
  ])('%s is refused', async (_why, changes, message) => {
    getRich()
    expect(await graphql.refusal(create, wish(changes))).toMatch(message)
    expect(cloud.world().clusters.size).toBe(0)
  })

  test('is offered for types of the secure cloud, where there are any', async () => {
    const { gpuTypes } = await graphql.data(
      `{ gpuTypes(input: { cluster: true, id: "${gpuTypeId}" }) { clusterPrice securePrice nodeGroupDatacenters { id } nodeGroupGpuSizes } }`,
    )
    expect(gpuTypes[0].clusterPrice).toBe(gpuTypes[0].securePrice)
    expect(gpuTypes[0].nodeGroupDatacenters.length).toBeGreaterThan(0)
    expect(gpuTypes[0].nodeGroupGpuSizes).toContain(8)
  })
})

test('an endpoint shows its builds, and which of them it runs', async () => {
  const commit = { hash: 'abc', message: 'm', branch: 'main', atMs: null }
  startBuild(cloud.world(), 'demo', { commit, outcome: 'COMPLETED', tested: false })
  await cloud.advance('1h')
  const { myself } = await graphql.data(
    '{ myself { endpoint(id: "demo") { activeBuildid builds { id state commitHash branch imageName completedAt } } } }',
  )
  const [build] = myself.endpoint.builds
  expect(build).toMatchObject({ state: 'COMPLETED', commitHash: 'abc', branch: 'main' })
  expect(build.completedAt).not.toBeNull()
  expect(myself.endpoint.activeBuildid).toBe(build.id)
})
