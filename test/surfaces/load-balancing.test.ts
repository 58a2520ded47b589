/** Load-balancing endpoints: any path, answered by a worker that is up and healthy. */
import { hostedEndpointId } from '../../src/adapters/http/host-guard.ts'
import { hasCome, startBalancer, workersOf } from '../support/balancer.ts'
import { type Cloud, startCloud, testKey } from '../support/cloud.ts'

const route = (path: string, rest: object = {}) => ({ path, body: { at: path }, ...rest })
const oneWorker = { workersMin: 1, workersMax: 1 }

test('/ping answers once a worker is up, and says which worker it was', async () => {
  const { get, advance, world } = await startCloud()
  const answer = get('/v2/demolb/ping')
  await advance('2s')
  const [worker] = world().workers.where(({ endpointId }) => endpointId === 'demolb')
  expect(await answer).toMatchObject({
    status: 200,
    headers: { 'x-runpod-worker-id': worker?.id },
  })
})

test('custom paths are the handler fixture’s, and one it does not know is the worker’s own 404', async () => {
  const { get, post, advance } = await startCloud()
  await advance('2s')
  const generate = post('/v2/demolb/generate', { prompt: 'x' })
  const unknown = get('/v2/demolb/no/such/path')
  await advance('1m')
  expect((await generate).status).toBe(200)
  expect(await unknown).toMatchObject({ status: 404, body: { detail: 'Not Found' } })
})

test.each([['GET'], ['POST'], ['DELETE'], ['OPTIONS'], ['PROPFIND']])(
  '%s reaches the worker, at its root as well',
  async (method) => {
    const { send, advance } = await startBalancer({
      handler: { routes: [{ method, path: '/*', body: { method } }] },
      endpoint: oneWorker,
    })
    await advance('2s')
    for (const path of ['/v2/e', '/v2/e/', '/v2/e/a/b/?q=1']) {
      const answer = send(method, path)
      await advance('1s')
      expect(await answer).toMatchObject({ status: 200, body: { method } })
    }
  },
)

test('a route answers with its own status, headers, text and delay', async () => {
  const teapot = { status: 418, headers: { 'x-own': 'yes' }, body: 'short', delayMs: 3_000 }
  const cloud = await startBalancer({
    handler: { routes: [route('/tea', teapot)] },
    endpoint: oneWorker,
  })
  await cloud.advance('2s')
  const answer = cloud.get('/v2/e/tea')
  await cloud.advance(2_999)
  expect(await hasCome(answer)).toBe(false)
  await cloud.advance(1)
  expect(await answer).toMatchObject({ status: 418, text: 'short', headers: { 'x-own': 'yes' } })
})

test('a body comes back from an echo route as it was sent, with its type', async () => {
  const { post, advance } = await startCloud()
  await advance('2s')
  const answer = post('/v2/demolb/echo', '{ not json', { 'content-type': 'text/x-own' })
  await advance('1s')
  expect(await answer).toMatchObject({
    status: 200,
    text: '{ not json',
    headers: { 'content-type': 'text/x-own' },
  })
})

test('a request waits two minutes for a worker and is then refused', async () => {
  const { get, patch, advance } = await startCloud()
  await patch('/v2/serverless/demolb', { workers: { min: 0, max: 0 } })
  const answer = get('/v2/demolb/ping')
  await advance(119_999)
  expect(await hasCome(answer)).toBe(false)
  await advance(1)
  expect(await answer).toMatchObject({
    status: 400,
    body: { error: 'timed out waiting for worker' },
  })
})

test('the refusal can be a 503, for those who were told so', async () => {
  const { get, patch, advance } = await startCloud({ fidelity: { lbNoWorkerStatus: '503' } })
  await patch('/v2/serverless/demolb', { workers: { min: 0, max: 0 } })
  const answer = get('/v2/demolb/ping')
  await advance('2m')
  expect((await answer).status).toBe(503)
})

test.each([
  [329_999, 200],
  [330_000, 524],
])('an answer that takes %s ms ends with %s', async (delayMs, status) => {
  const cloud = await startBalancer({
    handler: { routes: [route('/long', { delayMs })] },
    endpoint: oneWorker,
  })
  await cloud.advance('2s')
  const [worker] = workersOf(cloud)
  const answer = cloud.get('/v2/e/long')
  await cloud.advance(330_000)
  expect(await answer).toMatchObject({
    status,
    headers: { 'x-runpod-worker-id': worker?.id },
  })
  expect(workersOf(cloud)[0]).toMatchObject({ status: 'IDLE', requestsInFlight: 0 })
})

test('queue operations are refused on a load balancer, and its paths on a queue', async () => {
  const { post, get } = await startCloud()
  const refusal = { status: 400, body: { error: 'not allowed for QB API' } }
  expect(await post('/v2/demolb/run', { input: 1 })).toMatchObject(refusal)
  expect(await get('/v2/demolb/status/x')).toMatchObject(refusal)
  expect(await get('/v2/demo/generate')).toMatchObject(refusal)
})

test.each([
  ['POST', '/run'],
  ['GET', '/status/x'],
  ['GET', '/health'],
  ['GET', '/openai/v1/models'],
  ['GET', '/v2/pods'],
  ['PROPFIND', '/'],
])('at an endpoint’s own address %s %s is the worker’s', async (method, path) => {
  const cloud = await startBalancer({
    handler: { routes: [route('/*')] },
    endpoint: oneWorker,
  })
  await cloud.advance('2s')
  const answer = askHosted(cloud, method, path, 'e.localhost:4300')
  await cloud.advance('1s')
  const [worker] = workersOf(cloud)
  expect(await answer).toMatchObject({
    status: 200,
    body: { at: '/*' },
    headers: { 'x-runpod-worker-id': worker?.id },
  })
})

test('a queue’s own address has no workers behind it', async () => {
  const answer = askHosted(await startCloud(), 'POST', '/run', 'demo.localhost')
  expect(await answer).toMatchObject({ status: 400, body: { error: 'not allowed for QB API' } })
})

test('/health counts the workers of a load balancer', async () => {
  const { get, advance } = await startCloud()
  expect((await get('/v2/demolb/health')).body.workers).toMatchObject({ initializing: 1, ready: 0 })
  await advance('2s')
  expect((await get('/v2/demolb/health')).body).toMatchObject({
    jobs: { inQueue: 0 },
    workers: { initializing: 0, ready: 1, idle: 1 },
  })
})

test('many requests at once bring more workers, and those go again', async () => {
  const { post, patch, advance, world } = await startCloud()
  await patch('/v2/serverless/demolb', { workers: { min: 0, max: 3, idleTimeout: 5 } })
  const answers = Array.from({ length: 9 }, () => post('/v2/demolb/generate', {}))
  await advance('1m')
  for (const answer of answers) expect((await answer).status).toBe(200)
  const created = world().timeline.past.filter(
    ({ kind, detail }) => kind === 'worker.created' && detail?.endpointId === 'demolb',
  )
  expect(created.length).toBeGreaterThanOrEqual(3)
  expect(world().queues.of('demolb').workerCount).toBe(0)
})

test('a worker that is full lets the next request wait, and takes it when it has room', async () => {
  const cloud = await startBalancer({
    handler: { capacity: 2, routes: [route('/work', { delayMs: 10_000 })] },
    endpoint: oneWorker,
  })
  await cloud.advance('2s')
  const answers = [1, 2, 3].map(() => cloud.get('/v2/e/work'))
  await cloud.advance('10s')
  expect(await Promise.all(answers.map(hasCome))).toEqual([true, true, false])
  expect(cloud.world().requests.all()).toMatchObject([{ status: 'AT_WORKER' }])
  await cloud.advance('10s')
  expect((await Promise.all(answers)).map(({ status }) => status)).toEqual([200, 200, 200])
})

test('a worker of an older version finishes what it has, and is replaced', async () => {
  const cloud = await startBalancer({
    handler: { routes: [route('/work', { delayMs: 10_000 })] },
    endpoint: oneWorker,
  })
  await cloud.advance('2s')
  const [old] = workersOf(cloud)
  const answer = cloud.get('/v2/e/work')
  await cloud.patch('/v2/serverless/e', { image: 'example/web:2' })
  await cloud.advance('11s')
  expect(await answer).toMatchObject({ status: 200, headers: { 'x-runpod-worker-id': old?.id } })
  expect(workersOf(cloud)).toMatchObject([{ version: 2, image: 'example/web:2' }])
})

test('nothing is retried: a request whose endpoint is deleted gets an answer all the same', async () => {
  const cloud = await startBalancer({
    handler: { routes: [route('/work', { delayMs: 10_000 })] },
    endpoint: oneWorker,
  })
  const waiting = cloud.get('/v2/e/work')
  await cloud.advance('2s')
  const late = cloud.get('/v2/other/work')
  await cloud.delete('/v2/serverless/e')
  expect(await waiting).toMatchObject({ status: 502, body: { error: 'worker gone' } })
  await cloud.patch('/v2/serverless/other', { workers: { min: 0, max: 0 } })
  await cloud.advance('10s')
  expect((await late).status).toBe(200)
  expect(cloud.world().requests.size).toBe(0)
  expect(cloud.bugs).toEqual([])
})

test('a request that waits when its endpoint is deleted is refused', async () => {
  const { get, delete: remove } = await startCloud()
  const answer = get('/v2/demolb/ping')
  await remove('/v2/serverless/demolb')
  expect((await answer).status).toBe(400)
})

describe('an answer in parts', () => {
  const story = { routes: [route('/story', { stream: ['a', 'b', { c: 1 }], delayMs: 4_000 })] }

  test('comes one part after the other', async () => {
    const cloud = await startBalancer({ handler: story, endpoint: oneWorker })
    await cloud.advance('2s')
    const all = cloud.get('/v2/e/story')
    await cloud.advance(3_000)
    expect(await all).toMatchObject({ status: 200, text: 'ab{"c":1}' })
    const some = cloud.get('/v2/e/story')
    await cloud.advance(2_000)
    expect((await some).text).toBe('ab')
  })

  test('is no load once its reader hung up', async () => {
    const cloud = await startBalancer({ handler: story, endpoint: oneWorker })
    await cloud.advance('2s')
    const answer = cloud.get('/v2/e/story')
    await cloud.advance(1_000)
    // In process, a stream is hung up on when what there is was read.
    expect((await answer).text).toBe('a')
    expect(workersOf(cloud)[0]).toMatchObject({ status: 'IDLE', requestsInFlight: 0 })
    expect(cloud.world().requests.size).toBe(0)
  })
})

test('a caller that hangs up before its answer is forgotten', async () => {
  const { emulator, advance, world } = await startCloud()
  await advance('2s')
  let hangUp = () => {}
  void emulator.handle(emulator.route('GET', '/v2/demolb/slow'), {
    method: 'GET',
    path: '/v2/demolb/slow',
    search: '',
    headers: { authorization: 'Bearer test-key' },
    origin: 'http://127.0.0.1:4300',
    text: undefined,
    onHangUp: (listener) => {
      hangUp = listener
    },
  })
  expect(world().requests.size).toBe(1)
  hangUp()
  expect(world().requests.size).toBe(0)
  expect(world().workers.where(({ requestsInFlight }) => requestsInFlight > 0)).toEqual([])
})

/** What a request is answered that names its endpoint in the Host header. */
async function askHosted({ emulator }: Cloud, method: string, path: string, host: string) {
  const worlds = () => [emulator.main.world]
  const match = emulator.route(method, path, hostedEndpointId(host, worlds))
  return emulator.handle(match, {
    method,
    path,
    search: '',
    headers: testKey,
    origin: `http://${host}`,
    text: undefined,
    onHangUp: () => {},
  })
}
