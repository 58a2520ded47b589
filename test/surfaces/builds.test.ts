/** Builds: from a push to an endpoint's repository to its next version. */
import { type Cloud, startCloud, testKey } from '../support/cloud.ts'
import { beginWith } from '../support/start-state.ts'

const push = async ({ post }: Cloud, more: object = {}): Promise<string> => {
  const commit = { commitHash: 'abc123', commitMessage: 'Faster', branch: 'main' }
  const { body } = await post('/_emulator/pushes', { endpointId: 'demo', ...commit, ...more })
  return body.buildId
}
const statusOf = async ({ get }: Cloud, id: string) =>
  (await get(`/v2/serverless/demo/builds/${id}`)).body.status

test('a push is built, uploaded and rolled out as a release of its own', async () => {
  const cloud = await startCloud()
  const { get, post, advance } = cloud
  await post('/v2/demo/run', { input: 1 })
  await advance('3s')
  const id = await push(cloud)
  const path = `/v2/serverless/demo/builds/${id}`
  expect((await get(path)).body).toEqual({
    id,
    status: 'PENDING',
    commitHash: 'abc123',
    commitMessage: 'Faster',
    branch: 'main',
    commitDate: '2026-01-01T00:00:03.000Z',
  })
  await advance(50)
  expect((await get(path)).body).toMatchObject({
    status: 'BUILDING',
    startedAt: '2026-01-01T00:00:03.050Z',
  })
  await advance(300)
  expect(await statusOf(cloud, id)).toBe('UPLOADING')
  expect((await get('/v2/serverless/demo')).body.image).toBe('example/handler:1.0')
  await advance(100)
  const built = (await get(path)).body
  expect(built).toMatchObject({ status: 'COMPLETED', completedAt: '2026-01-01T00:00:03.450Z' })
  expect(built.error).toBeUndefined()
  expect((await get('/v2/serverless/demo')).body.image).toBe(built.imageName)
  const [release] = (await get('/v2/serverless/demo/releases')).body.releases
  expect(release).toMatchObject({
    version: 2,
    source: 'GIT_BUILD',
    buildId: id,
    diff: [{ field: 'template.imageName', old: 'example/handler:1.0', new: built.imageName }],
  })
  await advance('1s')
  const job = await post('/v2/demo/run', { input: 'again' })
  await advance('5s')
  expect((await get(`/v2/demo/status/${job.body.id}`)).body.output).toBe('again')
})

test.each([
  ['FAILED', {}, ['PENDING', 'BUILDING', 'FAILED'], 'the image could not be built'],
  ['CANCELLED', {}, ['PENDING', 'BUILDING', 'CANCELLED'], undefined],
  [
    'TEST_FAILED',
    {},
    ['PENDING', 'BUILDING', 'UPLOADING', 'TESTING', 'TEST_FAILED'],
    'the tests of the repository failed',
  ],
  [
    'COMPLETED',
    { tested: true },
    ['PENDING', 'BUILDING', 'UPLOADING', 'TESTING', 'COMPLETED'],
    undefined,
  ],
])('a build that ends as %s goes its way', async (outcome, more, way, error) => {
  const cloud = await startCloud()
  const id = await push(cloud, { outcome, ...more })
  const seen: string[] = []
  for (let step = 0; step < 40; step++) {
    const status = await statusOf(cloud, id)
    if (seen.at(-1) !== status) seen.push(status)
    await cloud.advance(25)
  }
  expect(seen).toEqual(way)
  expect((await cloud.get(`/v2/serverless/demo/builds/${id}`)).body.error).toBe(error)
  const versions = (await cloud.get('/v2/serverless/demo/releases')).body.endpointVersion
  expect(versions).toBe(outcome === 'COMPLETED' ? 2 : 1)
})

test('builds are listed newest first, in pages of at most a hundred', async () => {
  const cloud = await startCloud()
  const ids = [await push(cloud), await push(cloud), await push(cloud)].reverse()
  const path = '/v2/serverless/demo/builds'
  const idsOf = ({ builds }: { builds: { id: string }[] }) => builds.map(({ id }) => id)
  const { body: all } = await cloud.get(path)
  expect(idsOf(all)).toEqual(ids)
  const { body: first } = await cloud.get(`${path}?limit=2`)
  const { body: second } = await cloud.get(`${path}?limit=2&cursor=${first.pagination.nextCursor}`)
  expect([...idsOf(first), ...idsOf(second)]).toEqual(ids)
  expect(second.pagination).toEqual({ nextCursor: null, hasNextPage: false })
  expect((await cloud.get(`${path}?limit=101`)).status).toBe(422)
  expect((await cloud.get(`${path}?cursor=x`)).status).toBe(422)
})

test('a build belongs to its endpoint', async () => {
  const cloud = await startCloud()
  const id = await push(cloud)
  expect((await cloud.get(`/v2/serverless/demollm/builds/${id}`)).status).toBe(404)
  expect((await cloud.get(`/v2/serverless/demollm/builds/${id}/logs`)).status).toBe(404)
  expect((await cloud.get('/v2/serverless/none/builds')).status).toBe(404)
  expect((await cloud.get('/v2/serverless/demollm/builds')).body.builds).toEqual([])
})

test("a build's log says how it goes, and can be read when it is over", async () => {
  const cloud = await startCloud()
  const id = await push(cloud, { outcome: 'FAILED' })
  await cloud.advance('1s')
  const { status, headers, text } = await cloud.get(`/v2/serverless/demo/builds/${id}/logs`)
  expect([status, headers['content-type']]).toEqual([200, 'text/event-stream'])
  expect(text).toContain('build of abc123 is queued')
  expect(text).toContain('build failed')
  const { text: since } = await cloud.get(
    `/v2/serverless/demo/builds/${id}/logs?since=2026-01-01T00:00:00.100Z`,
  )
  expect(since).not.toContain('queued')
})

test('whoever follows the log of a build hears each line, and when it is over', async () => {
  const cloud = await startCloud()
  const id = await push(cloud)
  const path = `/v2/serverless/demo/builds/${id}/logs`
  const heard: string[] = []
  await listen(cloud, path, heard)
  expect(heard.join('')).toContain('is queued')
  await cloud.advance('1s')
  expect(heard.join('')).toContain('build is complete')
  expect(heard.at(-1)).toBe('end')
  const late: string[] = []
  await listen(cloud, path, late)
  expect(late.at(-1)).toBe('end')
})

test('a clock that skips idle time takes a build to its end', async () => {
  const cloud = await startCloud()
  expect(cloud.world().work.underWay).toBe(true)
  await cloud.advance('5s')
  expect(cloud.world().work.underWay).toBe(false)
  await push(cloud, { outcome: 'FAILED' })
  expect(cloud.world().work.underWay).toBe(true)
  await cloud.advance('1s')
  expect(cloud.world().work.underWay).toBe(false)
})

test('an endpoint that is deleted takes its builds with it', async () => {
  const cloud = await startCloud()
  const id = await push(cloud)
  await cloud.delete('/v2/serverless/demo')
  expect(cloud.world().builds.size).toBe(0)
  await cloud.advance('5s')
  expect(cloud.bugs).toEqual([])
  expect((await cloud.get(`/v2/serverless/demo/builds/${id}`)).status).toBe(404)
})

test('a template that is linked to the endpoint has the new image as well', async () => {
  const cloud = await startCloud()
  const query = `mutation { saveEndpoint(input: { name: "e", templateId: "demotemplate", gpuIds: "AMPERE_16" }) { id } }`
  const { body } = await cloud.post('/graphql', { query })
  const endpointId = body.data.saveEndpoint.id
  await push(cloud, { endpointId })
  await cloud.advance('1s')
  const { image } = (await cloud.get(`/v2/serverless/${endpointId}`)).body
  expect(image).toContain('registry.runpod.net/')
  expect((await cloud.get('/v2/templates/demotemplate')).body.image).toBe(image)
  expect((await cloud.get(`/v2/serverless/${endpointId}/releases`)).body.endpointVersion).toBe(2)
})

test.each([
  ['to no endpoint', { endpointId: 'none' }, 404],
  ['with an end that no build has', { outcome: 'LOST' }, 422],
])('a push %s is refused', async (_what, more, status) => {
  const { post, world } = await startCloud()
  expect((await post('/_emulator/pushes', { endpointId: 'demo', ...more })).status).toBe(status)
  expect(world().builds.size).toBe(0)
})

test('a world may begin with builds, over or about to begin', async () => {
  const endpoint = {
    id: 'demo',
    name: 'demo',
    container: { image: 'old' },
    gpuTypeIds: ['NVIDIA GeForce RTX 4090'],
    builds: [
      { id: 'one', status: 'COMPLETED', image: 'old', commitHash: 'a', branch: 'main' },
      { id: 'two', status: 'TEST_FAILED', error: 'no' },
      { id: 'three', status: 'PENDING' },
    ],
  }
  const { get, advance } = await startCloud(beginWith({ endpoints: [endpoint] }))
  expect((await get('/v2/serverless/demo/builds')).body.builds).toMatchObject([
    { id: 'three', status: 'PENDING' },
    { id: 'two', status: 'TEST_FAILED', error: 'no' },
    { id: 'one', status: 'COMPLETED', imageName: 'old', commitHash: 'a', branch: 'main' },
  ])
  await advance('1s')
  expect((await get('/v2/serverless/demo')).body.image).toContain('three')
})

/** Opens a stream and writes down what it says, and `end` at its end. */
async function listen({ emulator }: Cloud, path: string, heard: string[]): Promise<void> {
  const request = { method: 'GET', path, search: '', headers: testKey, text: undefined }
  const rest = { origin: 'http://127.0.0.1:4300', onHangUp: () => {} }
  const reply = await emulator.handle(emulator.route('GET', path), { ...request, ...rest })
  reply.stream?.({
    write: (part) => void heard.push(String(part)),
    end: () => void heard.push('end'),
  })
}
