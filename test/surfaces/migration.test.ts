/** What a run still uses of REST v1 and GraphQL, and what each becomes in v2. */
import { sdlFor } from '../../src/surfaces/graphql/schema.graphql.ts'
import { successors } from '../../src/surfaces/graphql/successors.ts'
import { restV2 } from '../../src/surfaces/rest-v2/surface.ts'
import { type Cloud, startCloud } from '../support/cloud.ts'
import { graphqlOf } from '../support/graphql.ts'

const agent = (name: string) => ({ 'user-agent': name })

async function migration(cloud: Cloud) {
  const { status, body } = await cloud.get('/_emulator/migration')
  expect(status).toBe(200)
  return body.operations
}

test('a run that speaks v2 and the request address has nothing to migrate', async () => {
  const cloud = await startCloud()
  await cloud.get('/v2/pods')
  await cloud.post('/v2/demo/run', { input: { a: 1 } })
  await cloud.get('/v1/nothing')
  expect(await migration(cloud)).toEqual([])
})

test('an operation of v1 is counted by caller, with what it becomes', async () => {
  const cloud = await startCloud()
  await cloud.get('/v1/pods', agent('tool/1'))
  await cloud.get('/v1/pods')
  await cloud.advance('1h')
  await cloud.get('/v1/pods?name=x', agent('tool/1'))
  await cloud.post('/v1/pods/demopod/reset', undefined, agent('tool/1'))
  expect(await migration(cloud)).toEqual([
    {
      operation: 'v1.ListPods',
      count: 3,
      lastUsedAt: '2026-01-01T01:00:00.000Z',
      callers: [
        { userAgent: 'tool/1', count: 2, lastUsedAt: '2026-01-01T01:00:00.000Z' },
        { userAgent: null, count: 1, lastUsedAt: '2026-01-01T00:00:00.000Z' },
      ],
      otherCallersCount: 0,
      becomes: [{ operation: 'v2.listPods', method: 'GET', path: '/v2/pods' }],
      note: 'wrapped in {pods}; status, not desiredStatus',
    },
    {
      operation: 'v1.ResetPod',
      count: 1,
      lastUsedAt: '2026-01-01T01:00:00.000Z',
      callers: [{ userAgent: 'tool/1', count: 1, lastUsedAt: '2026-01-01T01:00:00.000Z' }],
      otherCallersCount: 0,
      becomes: [],
      note: 'v2 has no reset; stop and start the pod',
    },
  ])
})

test('a refused call is a use: it is still in the program', async () => {
  const cloud = await startCloud({ restV1: 'retired' })
  await cloud.post('/v1/pods', {})
  expect(await migration(cloud)).toMatchObject([{ operation: 'v1.CreatePod', count: 1 }])
})

test('root fields of GraphQL are counted, and the lists of the account one by one', async () => {
  const cloud = await startCloud()
  const { ask, data } = graphqlOf(cloud)
  await data(
    `query Both($id: String!) {
    again: myself { id clientBalance pods { id } ...More }
    myself { pods { name } }
    pod(input: { podId: $id }) { __typename }
    __schema { types { name } }
  }
  fragment More on User { ... on User { endpoints { id } } }`,
    { id: 'demopod' },
  )
  await ask('mutation { podReset(input: { podId: "none" }) { id } }', {}, agent('old/2'))
  const used = await migration(cloud)
  expect(used.map(({ operation }: { operation: string }) => operation)).toEqual([
    'graphql.myself',
    'graphql.myself.pods',
    'graphql.myself.endpoints',
    'graphql.pod',
    'graphql.podReset',
  ])
  expect(used[1]).toMatchObject({ count: 1, becomes: [{ operation: 'v2.listPods' }] })
  expect(used[4]).toMatchObject({ becomes: [], callers: [{ userAgent: 'old/2' }] })
})

test('a document that several requests send counts each time', async () => {
  const cloud = await startCloud()
  const { data } = graphqlOf(cloud)
  for (let times = 0; times < 3; times++) await data('{ gpuTypes { id } }')
  expect(await migration(cloud)).toMatchObject([{ operation: 'graphql.gpuTypes', count: 3 }])
})

test('the request log names the root fields, and other requests have none', async () => {
  const cloud = await startCloud()
  await graphqlOf(cloud).data('{ myself { pods { id } } countryCodes }')
  await cloud.get('/v1/pods')
  const { body } = await cloud.get('/_emulator/requests')
  expect(body.requests).toMatchObject([
    { operation: 'graphql.graphql', rootFields: ['myself.pods', 'countryCodes'] },
    { operation: 'v1.ListPods', rootFields: [] },
  ])
})

test('counts outlive the request log, a reset and any number of callers', async () => {
  const cloud = await startCloud({ keep: { requests: 5 } })
  for (let caller = 0; caller < 60; caller++) await cloud.get('/v1/pods', agent(`caller-${caller}`))
  await cloud.get('/v1/pods', agent('caller-1'))
  await cloud.post('/_emulator/reset')
  const [used] = await migration(cloud)
  expect(used).toMatchObject({ operation: 'v1.ListPods', count: 61, otherCallersCount: 10 })
  expect(used.callers).toHaveLength(50)
  expect(used.callers[0]).toMatchObject({ userAgent: 'caller-1', count: 2 })
})

test('every root field of the schema names its successor, and v2 has each of them', () => {
  const roots = [
    ...sdlFor({ resumeCuda: true }).matchAll(/^type (?:Query|Mutation) \{\n([\s\S]*?)\n\}/gm),
  ]
    .flatMap(([, fields = '']) => [...fields.matchAll(/^ {2}(\w+)[(:]/gm)])
    .map(([, name]) => name)
  expect(roots).toContain('podFindAndDeployOnDemand')
  const named = [...successors.keys()].filter((name) => !name.includes('.'))
  expect(named.sort()).toEqual(roots.sort())
  const inV2 = restV2.operations.map(({ name, method, path }) => `v2.${name} ${method} ${path}`)
  for (const { operations, note } of successors.values()) {
    expect(operations.length > 0 || note !== undefined).toBe(true)
    for (const { operation, method, path } of operations) {
      expect(inV2).toContain(`${operation} ${method} ${path}`)
    }
  }
})
