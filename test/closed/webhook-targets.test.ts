/** Where webhooks may go, once somebody has said so: nowhere else, and what was withheld is told. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { startCloud } from '../support/cloud.ts'

let posts = 0
const receiver = createServer((request, response) => {
  posts += 1
  request.resume()
  response.end()
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  port = (receiver.address() as AddressInfo).port
})
beforeEach(() => {
  posts = 0
})
afterAll(() => receiver.close())

/** The deliveries of one job whose webhook goes there. */
async function deliver(webhook: string, webhookTargets?: string[]) {
  const cloud = await startCloud(webhookTargets === undefined ? {} : { webhookTargets })
  await cloud.post('/v2/demo/run', { input: 1, webhook })
  await cloud.advance('1h')
  const { body } = await cloud.get('/_emulator/webhooks')
  const { text } = await cloud.get('/_emulator/timeline')
  return { delivery: body.webhooks[0], timeline: text }
}

const here = () => `http://127.0.0.1:${port}/hook`

test.each([
  ['nothing is said', () => undefined],
  ['loopback is', () => ['loopback']],
  ['its host is', () => ['127.0.0.1']],
  ['its host and port are', () => ['hooks.example.com', `127.0.0.1:${port}`]],
])('a webhook is posted where %s', async (_why, targets) => {
  const { delivery } = await deliver(here(), targets())
  expect(delivery).toMatchObject({ status: 'DELIVERED', attempts: [{ answered: 200 }] })
  expect(posts).toBe(1)
})

test.each([
  ['another host', () => ['hooks.example.com']],
  ['another port', () => ['127.0.0.1:1']],
  ['hosts below its name', () => ['*.127.0.0.1']],
])(
  'a webhook is withheld where only %s may be called, and not tried again',
  async (_what, targets) => {
    const { delivery, timeline } = await deliver(here(), targets())
    expect(delivery).toMatchObject({ status: 'WITHHELD', attempts: [], nextAttemptAt: null })
    expect(timeline).toContain('webhook.withheld')
    expect(timeline).not.toContain('webhook.answered')
    expect(posts).toBe(0)
  },
)

test.each([
  ['http://hooks.example.com', ['loopback']],
  ['http://127.0.0.1.example.com/', ['loopback']],
  ['http://localhost.example.com/', ['loopback']],
  ['http://evilexample.com/', ['*.example.com', 'example.com']],
  ['http://169.254.169.254/latest', ['loopback', '*.example.com']],
])('%s is not %j', async (webhook, targets) => {
  expect((await deliver(webhook, targets)).delivery).toMatchObject({ status: 'WITHHELD' })
})

test('a target that is none is no start', async () => {
  await expect(startCloud({ webhookTargets: ['http://x/'] })).rejects.toThrow(
    'no target of webhooks',
  )
})
