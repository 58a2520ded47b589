/** Faults that a world begins with. */
import { startCloud } from './support/cloud.ts'
import { faultsPath } from './support/faults.ts'
import { worldFixture } from './support/world-fixture.ts'

test('a world can begin with faults, and has them again after a reset', async () => {
  const faults = [
    { id: 'down', operation: 'graphql.*', times: 1, effect: { kind: 'refuse', code: 'forbidden' } },
    { id: 'poor', afterMs: 60_000, effect: { kind: 'set-balance' } },
  ]
  const cloud = await startCloud(worldFixture({ faults }))
  const graphql = () => cloud.post('/graphql', { query: '{ myself { id } }' })
  expect((await graphql()).status).toBe(403)
  expect((await graphql()).status).toBe(200)
  await cloud.advance('1m')
  expect(cloud.world().account.balanceUsd).toBe(0)
  await cloud.post('/_emulator/reset')
  expect((await cloud.get(faultsPath)).body.faults).toMatchObject([
    { id: 'down', status: 'ACTIVE', hits: 0 },
    { id: 'poor', status: 'ACTIVE', hits: 0 },
  ])
  expect((await graphql()).status).toBe(403)
})

const effect = { kind: 'reply', status: 500 }
// prettier-ignore
test.each([
  [
    'an effect there is not',
    { effect: { kind: 'hang-jobs' } },
    /faults\[0\]\.effect\.kind: must be one of .* did you mean 'hang-job'\?/,
  ],
  [
    'a field that its effect lacks',
    { effect: { kind: 'truncate', byte: 1 } },
    /faults\[0\]\.effect\.byte: unknown field; did you mean 'bytes'\?/,
  ],
  [
    'an operation there is not',
    { operation: 'jobs.rum', effect },
    /faults\[0\]\.operation: no operation 'jobs.rum'; did you mean 'jobs.run'\?/,
  ],
  [
    'a contradiction',
    { nth: 1, every: 1, effect },
    /faults\[0\]\.every: says something else than nth/,
  ],
  [
    'a data center there is not',
    { effect: { kind: 'change-stock', dataCenterId: 'EU-RO-9', typeId: 'NVIDIA L4', total: 0 } },
    /effect\.dataCenterId: no data center 'EU-RO-9'; did you mean/,
  ],
])(
  'a world that begins with %s is refused, with file, line and field',
  async (_what, fault, message) => {
    await expect(startCloud(worldFixture({ faults: [fault] }))).rejects.toThrow(message)
    await expect(startCloud(worldFixture({ faults: [fault] }))).rejects.toThrow(/one\.json:1:\d+ /)
  },
)
