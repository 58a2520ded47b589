/** Webhooks: what a receiver gets, how often, and what can be seen of it. */
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startCloud } from '../support/cloud.ts'
import { graphqlOf } from '../support/graphql.ts'

interface Post {
  readonly headers: IncomingHttpHeaders
  readonly body: { readonly status: string; readonly id: string }
}

/** A receiver that answers with these statuses, one after the other, and then with the last. */
async function startReceiver(...statuses: number[]) {
  const posts: Post[] = []
  const server = createServer(async (request, response) => {
    let text = ''
    for await (const part of request) text += part
    posts.push({ headers: request.headers, body: JSON.parse(text) })
    response.statusCode = statuses[Math.min(posts.length, statuses.length) - 1] ?? 200
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  receivers.push(server)
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`, posts }
}

const receivers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of receivers.splice(0)) server.close()
})

/** Seconds from each attempt to the next. */
async function gapsOf(options: object): Promise<number[]> {
  const { url } = await startReceiver(500)
  const cloud = await startCloud({ profile: 'realistic', ...options })
  await cloud.post('/v2/demo/run', { input: 1, webhook: url })
  await cloud.advance('1h')
  const [delivery] = cloud.world().deliveries.all()
  const times = delivery?.attempts.map(({ atMs }) => atMs) ?? []
  return times.slice(1).map((atMs, index) => (atMs - (times[index] ?? 0)) / 1_000)
}

test('a receiver gets the job once, with the headers of the platform', async () => {
  const { url, posts } = await startReceiver(204)
  const { post, advance } = await startCloud()
  const { body } = await post('/v2/demo/run', { input: { n: 1 }, webhook: url })
  await advance('1h')
  expect(posts).toHaveLength(1)
  expect(posts[0]?.headers).toMatchObject({
    'content-type': 'application/json',
    'user-agent': 'Go-http-client/2.0',
    traceparent: expect.stringMatching(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/),
  })
  expect(posts[0]?.body).toMatchObject({ id: body.id, status: 'COMPLETED', webhook: url })
})

test('a webhook that is not taken comes again after 5 and 15 seconds, or 10 as documented', async () => {
  expect(await gapsOf({})).toEqual([5, 15])
  expect(await gapsOf({ fidelity: { webhookSpacing: 'even' } })).toEqual([10, 10])
})

test('any 2xx is taken as received, or 200 alone where the documents are followed', async () => {
  const seen = await startReceiver(202)
  const observed = await startCloud()
  await observed.post('/v2/demo/run', { input: 1, webhook: seen.url })
  await observed.advance('1h')
  expect(seen.posts).toHaveLength(1)
  const strict = await startReceiver(202, 200)
  const documented = await startCloud({ fidelity: { webhookSuccess: '200' } })
  await documented.post('/v2/demo/run', { input: 1, webhook: strict.url })
  await documented.advance('1h')
  expect(strict.posts).toHaveLength(2)
})

test('webhookV2 is left alone until it is switched on', async () => {
  const first = await startReceiver(200)
  const second = await startReceiver(200)
  const hooks = { input: 1, webhook: first.url, webhookV2: second.url }
  const off = await startCloud()
  await off.post('/v2/demo/run', hooks)
  await off.advance('1h')
  expect([first.posts.length, second.posts.length]).toEqual([1, 0])
  const on = await startCloud({ fidelity: { webhookV2: 'delivered' } })
  await on.post('/v2/demo/run', hooks)
  await on.advance('1h')
  expect([first.posts.length, second.posts.length]).toEqual([2, 1])
})

test('GraphQL tells what receivers of an endpoint answered, by moments and by slices of time', async () => {
  const { url } = await startReceiver(500, 200)
  const cloud = await startCloud({ profile: 'realistic' })
  await cloud.post('/v2/demo/run', { input: 1, webhook: url })
  await cloud.advance('1h')
  const { data } = graphqlOf(cloud)
  const rows = async (granularity = '') => {
    const input = granularity === '' ? '' : `(input: { granularity: ${granularity} })`
    const fields = `webhookRequests${input} { time responses }`
    return (await data(`{ myself { endpoint(id: "demo") { ${fields} } } }`)).myself.endpoint
      .webhookRequests
  }
  const moments = await rows()
  expect(moments).toMatchObject([{ responses: [500] }, { responses: [200] }])
  expect(await rows('LIVE')).toEqual(moments)
  expect(await rows('DAILY')).toEqual([
    { time: `${moments[0].time.slice(0, 10)}T00:00:00.000Z`, responses: [500, 200] },
  ])
})

test('every delivery can be listed, with its attempts and when the next is due', async () => {
  const { url } = await startReceiver(500, 200)
  const { post, get, advance } = await startCloud({ profile: 'realistic' })
  const { body } = await post('/v2/demo/run', { input: { mock_delay: 0 }, webhook: url })
  const other = await post('/v2/demo/run', { input: 1, webhook: url })
  const list = async (query = '') => (await get(`/_emulator/webhooks${query}`)).body.webhooks
  expect(await list()).toEqual([])
  const mine = `?jobId=${body.id}`
  for (let second = 0; (await list(mine)).length === 0 && second < 600; second++)
    await advance('1s')
  expect(await list(mine)).toMatchObject([
    {
      jobId: body.id,
      url,
      status: 'PENDING',
      attempts: [{ answered: 500 }],
      body: { id: body.id },
    },
  ])
  expect((await list(mine))[0].nextAttemptAt).toMatch(/^2026-/)
  await advance('1h')
  expect(await list(mine)).toMatchObject([
    { status: 'DELIVERED', attempts: [{ answered: 500 }, { answered: 200 }], nextAttemptAt: null },
  ])
  expect(await list(`?jobId=${other.body.id}`)).toHaveLength(1)
  expect(await list('?limit=1')).toHaveLength(1)
})
