/** One refusal, three spellings: what the world says no to, each surface refuses in its own words. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmulatorOptions } from '../../src/emulator/options.ts'
import { type Answer, type Cloud, type Headers, startCloud } from '../support/cloud.ts'
import { temporaryFolder } from '../support/folder.ts'
import { graphqlOf } from '../support/graphql.ts'

const gpuType = 'NVIDIA GeForce RTX 4090'
const problem = (status: number, detail: unknown) => ({
  status,
  headers: { 'content-type': 'application/problem+json' },
  body: { title: expect.any(String), status, detail },
})
const message = (status: number, text: unknown) => ({ status, body: { message: text } })
const errors = (root: string, text: unknown, code: string, status = 200) => ({
  status,
  body: {
    data: { [root]: null },
    errors: [{ message: text, path: [root], extensions: { code } }],
  },
})

interface Refusal {
  readonly what: string
  readonly options?: EmulatorOptions
  /** Brings the world into the state in which it refuses. */
  readonly before?: (cloud: Cloud) => unknown
  /** Whose request it is; the account's own when absent. */
  readonly headers?: Headers
  readonly ask: {
    readonly 'REST v2': (cloud: Cloud, headers?: Headers) => Promise<Answer>
    readonly 'REST v1': (cloud: Cloud, headers?: Headers) => Promise<Answer>
    readonly GraphQL: (cloud: Cloud, headers?: Headers) => Promise<Answer>
  }
  readonly spellings: {
    readonly 'REST v2': object
    readonly 'REST v1': object
    readonly GraphQL: object
  }
}

const mutate =
  (mutation: string) =>
  (cloud: Cloud, headers: Headers = {}) =>
    graphqlOf(cloud).ask(`mutation { ${mutation} }`, undefined, headers)

/** A pod, rented through each. */
const rent: Refusal['ask'] = {
  'REST v2': ({ post }, headers) =>
    post('/v2/pods', { name: 'x', image: 'x', gpu: { id: gpuType } }, headers),
  'REST v1': ({ post }, headers) =>
    post('/v1/pods', { imageName: 'x', gpuTypeIds: [gpuType] }, headers),
  GraphQL: mutate(
    `podFindAndDeployOnDemand(input: { imageName: "x", gpuTypeId: "${gpuType}" }) { id }`,
  ),
}
const rentRoot = 'podFindAndDeployOnDemand'

/** The pod of the start state, started through each. */
const start: Refusal['ask'] = {
  'REST v2': ({ post }) => post('/v2/pods/demopod/action', { action: 'start' }),
  'REST v1': ({ post }) => post('/v1/pods/demopod/start'),
  GraphQL: mutate('podResume(input: { podId: "demopod" }) { id }'),
}

const stockOut =
  'There are no longer any instances available with the requested specifications. Please refresh and try again.'
const noFreeGpus = 'There are not enough free GPUs on the host machine to start this pod.'
const noMoney = 'Your account balance is too low to rent a pod. Please add funds to your account.'

function emptyStock({ world }: Cloud): void {
  const { stock } = world()
  for (const { id } of stock.dataCenters) {
    for (const cloud of ['SECURE', 'COMMUNITY'] as const) stock.set(id, gpuType, cloud, 0)
  }
}

/** A world whose keys may do less. */
function keyFixtures(): string {
  const directory = temporaryFolder('one-world')
  mkdirSync(join(directory, 'worlds'))
  writeFileSync(
    join(directory, 'worlds', 'keys.yaml'),
    `account: { id: user_keys, email: keys@example.com, balanceUsd: 100 }
keys:
  - { key: reader, access: read-only }
  - { key: narrow, access: restricted }
  - { key: gone, access: revoked }`,
  )
  return directory
}
const keys: EmulatorOptions = { fixtures: [keyFixtures()], world: 'keys' }
const as = (key: string) => ({ authorization: `Bearer ${key}` })

const refusals: readonly Refusal[] = [
  {
    what: 'a stock-out',
    before: emptyStock,
    ask: rent,
    spellings: {
      'REST v2': problem(400, stockOut),
      'REST v1': message(500, 'create pod: There are no instances currently available.'),
      GraphQL: errors(rentRoot, stockOut, 'INTERNAL_SERVER_ERROR'),
    },
  },
  {
    what: 'a balance that is too low',
    before: ({ world }) => {
      world().account = { ...world().account, balanceUsd: 0.01 }
    },
    ask: rent,
    spellings: {
      'REST v2': problem(402, noMoney),
      'REST v1': message(500, `create pod: ${noMoney}`),
      GraphQL: errors(rentRoot, noMoney, 'INTERNAL_SERVER_ERROR'),
    },
  },
  {
    what: 'a machine whose GPUs went to others while the pod was stopped',
    before: async (cloud) => {
      await cloud.advance('5s')
      await cloud.post('/v2/pods/demopod/action', { action: 'stop' })
      emptyStock(cloud)
    },
    ask: start,
    spellings: {
      'REST v2': problem(400, noFreeGpus),
      'REST v1': message(500, `start pod: ${noFreeGpus}`),
      GraphQL: errors('podResume', noFreeGpus, 'INTERNAL_SERVER_ERROR'),
    },
  },
  {
    what: 'a pod that is in the wrong state',
    before: ({ advance }) => advance('5s'),
    ask: start,
    spellings: {
      'REST v2': problem(409, 'cannot start a pod that is RUNNING'),
      'REST v1': message(400, 'cannot start a pod that is RUNNING'),
      GraphQL: errors('podResume', 'cannot start a pod that is RUNNING', 'BAD_USER_INPUT'),
    },
  },
  {
    what: 'an unknown pod',
    ask: {
      'REST v2': ({ post }) => post('/v2/pods/nope/action', { action: 'stop' }),
      'REST v1': ({ post }) => post('/v1/pods/nope/stop'),
      GraphQL: mutate('podStop(input: { podId: "nope" }) { id }'),
    },
    spellings: {
      'REST v2': problem(404, 'pod not found'),
      'REST v1': message(404, 'pod not found'),
      GraphQL: errors('podStop', 'pod not found', 'INTERNAL_SERVER_ERROR'),
    },
  },
  {
    what: 'an unknown pod that is to be ended',
    ask: {
      'REST v2': (cloud) => cloud.delete('/v2/pods/nope'),
      'REST v1': (cloud) => cloud.delete('/v1/pods/nope'),
      GraphQL: mutate('podTerminate(input: { podId: "nope" })'),
    },
    spellings: {
      'REST v2': problem(404, 'pod not found'),
      'REST v1': message(404, 'pod not found'),
      GraphQL: errors('podTerminate', 'pod not found to terminate', 'INTERNAL_SERVER_ERROR'),
    },
  },
  {
    what: 'an unknown volume',
    ask: {
      'REST v2': (cloud) => cloud.delete('/v2/network-volumes/nope'),
      'REST v1': (cloud) => cloud.delete('/v1/networkvolumes/nope'),
      GraphQL: mutate('deleteNetworkVolume(input: { id: "nope" })'),
    },
    spellings: {
      'REST v2': problem(404, 'network volume not found'),
      'REST v1': message(404, 'network volume not found'),
      GraphQL: errors(
        'deleteNetworkVolume',
        'Tried to delete nonexistent network volume nope',
        'INTERNAL_SERVER_ERROR',
      ),
    },
  },
  {
    what: 'an unknown endpoint',
    ask: {
      'REST v2': (cloud) => cloud.delete('/v2/serverless/nope'),
      'REST v1': (cloud) => cloud.delete('/v1/endpoints/nope'),
      GraphQL: mutate('deleteEndpoint(id: "nope")'),
    },
    spellings: {
      'REST v2': problem(404, 'endpoint not found'),
      'REST v1': message(404, 'endpoint not found'),
      GraphQL: errors('deleteEndpoint', 'endpoint not found', 'INTERNAL_SERVER_ERROR'),
    },
  },
  {
    what: 'a template whose name is taken',
    ask: {
      'REST v2': ({ post }) => post('/v2/templates', { name: 'demo handler', image: 'x' }),
      'REST v1': ({ post }) => post('/v1/templates', { name: 'demo handler', imageName: 'x' }),
      GraphQL:
        mutate(`saveTemplate(input: { name: "demo handler", imageName: "x", containerDiskInGb: 5,
        volumeInGb: 0, dockerArgs: "", env: [] }) { id }`),
    },
    spellings: {
      'REST v2': problem(400, expect.stringContaining("'demo handler' exists already")),
      'REST v1': message(400, expect.stringContaining("'demo handler' exists already")),
      GraphQL: errors(
        'saveTemplate',
        expect.stringContaining("'demo handler' exists already"),
        'BAD_USER_INPUT',
      ),
    },
  },
  {
    what: 'a registry whose name is taken',
    before: ({ post }) => post('/v2/registries', { name: 'hub', username: 'u', password: 'p' }),
    ask: {
      'REST v2': ({ post }) =>
        post('/v2/registries', { name: 'hub', username: 'u', password: 'p' }),
      'REST v1': ({ post }) =>
        post('/v1/containerregistryauth', { name: 'hub', username: 'u', password: 'p' }),
      GraphQL: mutate(
        'saveRegistryAuth(input: { name: "hub", username: "u", password: "p" }) { id }',
      ),
    },
    spellings: {
      'REST v2': problem(400, expect.stringContaining("'hub' exists already")),
      'REST v1': message(400, expect.stringContaining("'hub' exists already")),
      GraphQL: errors(
        'saveRegistryAuth',
        expect.stringContaining("'hub' exists already"),
        'BAD_USER_INPUT',
      ),
    },
  },
  {
    what: 'a key that opens nothing',
    options: { ...keys, auth: 'strict' },
    headers: as('nobody'),
    ask: rent,
    spellings: {
      'REST v2': problem(401, 'invalid api key'),
      'REST v1': message(401, 'invalid api key'),
      GraphQL: {
        status: 401,
        body: { errors: [{ message: 'invalid api key', extensions: { code: 'UNAUTHENTICATED' } }] },
      },
    },
  },
  {
    what: 'a key that was revoked',
    options: keys,
    headers: as('gone'),
    ask: rent,
    spellings: {
      'REST v2': problem(401, 'invalid api key'),
      'REST v1': message(401, 'invalid api key'),
      GraphQL: { status: 401, body: { errors: [{ message: 'invalid api key' }] } },
    },
  },
  {
    what: 'no key',
    headers: { authorization: undefined },
    ask: rent,
    spellings: {
      'REST v2': problem(401, 'missing bearer token'),
      'REST v1': message(401, 'no token provided'),
      GraphQL: errors(rentRoot, 'no token provided', 'UNAUTHENTICATED'),
    },
  },
  ...['reader', 'narrow'].map((key) => ({
    what: `a key that may not do that (${key})`,
    options: keys,
    headers: as(key),
    ask: rent,
    spellings: {
      'REST v2': problem(403, 'access denied'),
      'REST v1': message(403, 'access denied'),
      GraphQL: errors(rentRoot, 'access denied', 'FORBIDDEN', 403),
    },
  })),
]

const surfaces = ['REST v2', 'REST v1', 'GraphQL'] as const

test.each(refusals)('$what is refused by all, and nothing changes', async (refusal) => {
  const cloud = await startCloud(refusal.options)
  await refusal.before?.(cloud)
  const { timeline } = cloud.world()
  const before = timeline.entryCount
  for (const surface of surfaces) {
    const { status, headers, body } = await refusal.ask[surface](cloud, refusal.headers)
    expect({ surface, status, headers, body }).toMatchObject({
      surface,
      ...refusal.spellings[surface],
    })
    expect([surface, timeline.entryCount]).toEqual([surface, before])
  }
  expect(cloud.bugs).toEqual([])
})
