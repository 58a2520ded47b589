/** Calls by the cloud's own names, answered in this process: what a library's test suite relies on. */
import { get, request } from 'node:http'
import { request as secureRequest } from 'node:https'
import { connect } from 'node:net'
import OpenAI from 'openai'
import runpodSdk from 'runpod-sdk'
import { CloudCallError, createEmulator, type EmbeddedEmulator, guardHosts } from '../src/index.ts'

const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }

let cloud: EmbeddedEmulator
beforeEach(async () => {
  cloud = await createEmulator({ listen: false, clock: 'auto' })
})
afterEach(() => cloud.close())

describe('while it is intercepted', () => {
  beforeEach(() => {
    cloud.intercept()
  })

  test('fetch reaches each of the cloud’s surfaces by the cloud’s own names', async () => {
    const query = { query: '{ myself { pods { id } } }' }
    const graphql = await fetch('https://api.runpod.io/graphql?api_key=test-key', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(query),
    })
    expect(await graphql.json()).toEqual({ data: { myself: { pods: [{ id: 'demopod' }] } } })
    const addresses = [
      'https://rest.runpod.io/v1/pods/demopod',
      'https://api.runpod.io/v2/pods/demopod',
    ]
    for (const address of addresses) {
      const pod = await fetch(address, { headers })
      expect([address, pod.status]).toEqual([address, 200])
      expect(await pod.json()).toMatchObject({ id: 'demopod' })
      expect(pod.url).toBe(address)
    }
  })

  test('npm runpod-sdk runs jobs and reads streams as it comes, with no address given', async () => {
    const endpoint = runpodSdk('test-key').endpoint('demo')
    const done = await endpoint?.runSync({ input: { prompt: 'hello' } })
    expect(done).toMatchObject({ status: 'COMPLETED', output: { prompt: 'hello' } })
    const streaming = runpodSdk('test-key').endpoint('demostream')
    const { id } = (await streaming?.run({ input: { prompt: 'hello' } })) ?? { id: '' }
    const outputs: string[] = []
    for await (const { output } of streaming?.stream(id) ?? []) outputs.push(output)
    expect(outputs.join('')).toBe('The quick brown fox jumps over the lazy dog.')
  })

  test('npm openai reads an answer part by part', async () => {
    const baseURL = 'https://api.runpod.ai/v2/demollm/openai/v1'
    const openai = new OpenAI({ apiKey: 'test-key', baseURL })
    const stream = await openai.chat.completions.create({
      model: 'demo-llm',
      messages: [{ role: 'user', content: 'hello' }],
      stream: true,
    })
    const parts: string[] = []
    for await (const part of stream) parts.push(part.choices[0]?.delta.content ?? '')
    expect(parts.length).toBeGreaterThan(2)
    expect(parts.join('')).not.toBe('')
  })

  test('a load balancer answers by its own name, and one that is not there does not', async () => {
    const answer = await fetch('https://demolb.api.runpod.ai/ping', { headers })
    expect(answer.status).toBe(200)
    const nobody = await fetch('https://nobody.api.runpod.ai/ping', { headers })
    expect(nobody.status).toBe(404)
  })

  test('addresses in replies are the cloud’s', async () => {
    const answer = await fetch('https://api.runpod.io/v2/serverless/demo', { headers })
    expect(await answer.json()).toMatchObject({
      requestUrls: { run: 'https://api.runpod.ai/v2/demo/run' },
    })
  })

  test('a bulky body arrives whole, from bytes and from a stream', async () => {
    const input = { prompt: 'ü'.repeat(300_000) }
    const body = JSON.stringify({ input })
    const url = 'https://api.runpod.ai/v2/demo/runsync'
    const whole = await fetch(url, { method: 'POST', headers, body })
    expect(((await whole.json()) as { output: unknown }).output).toEqual(input)
    const stream = new Blob([body]).stream()
    const parts = await fetch(url, {
      method: 'POST',
      headers,
      body: stream,
      duplex: 'half',
    } as RequestInit)
    expect(((await parts.json()) as { output: unknown }).output).toEqual(input)
  })

  test.each([
    ['http', request],
    ['https', secureRequest],
  ] as const)('node:%s reaches it, too', async (scheme, send) => {
    const answer = await new Promise<string>((resolve, reject) => {
      const call = send(`${scheme}://api.runpod.ai/v2/demo/runsync`, { method: 'POST', headers })
      call.on('error', reject)
      call.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (part: string) => {
          text += part
        })
        response.on('end', () => resolve(text))
      })
      call.end(JSON.stringify({ input: { prompt: 'hello' } }))
    })
    expect(JSON.parse(answer)).toMatchObject({ status: 'COMPLETED', output: { prompt: 'hello' } })
  })

  test('a log is read as it is written', async () => {
    const logs = await fetch('https://api.runpod.io/v2/pods/demopod/logs', { headers })
    expect(logs.headers.get('content-type')).toContain('text/event-stream')
    const reader = (logs.body as ReadableStream<Uint8Array>).getReader()
    const first = await reader.read()
    expect(Buffer.from(first.value ?? []).toString()).toContain('data:')
    await reader.cancel()
  })

  test('a caller that gives up is forgotten', async () => {
    const slow = await createEmulator({ clock: 'manual' })
    slow.intercept()
    const giveUp = new AbortController()
    const url = 'https://api.runpod.ai/v2/demo/runsync'
    const body = JSON.stringify({ input: { prompt: 'hello' } })
    const waiting = fetch(url, { method: 'POST', headers, body, signal: giveUp.signal })
    const failed = expect(waiting).rejects.toThrow(/abort/)
    await until(() => slow.clock.status().waitingCallers === 1)
    giveUp.abort()
    await failed
    await until(() => slow.clock.status().waitingCallers === 0)
    await slow.close()
  })

  test('a connection that a fault resets is reset', async () => {
    const fault = { operation: 'v2.*', effect: { kind: 'reset' } }
    await cloud.fetch('/_emulator/faults', { method: 'POST', headers, body: JSON.stringify(fault) })
    const failed = fetch('https://api.runpod.io/v2/pods', { headers })
    await expect(failed).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } })
  })

  test.each([
    ['https://console.runpod.io/serverless?key=secret', 'GET https://console.runpod.io/serverless'],
    ['https://www.runpod.io./pricing', 'GET https://www.runpod.io./pricing'],
    ['https://s3api-eu-ro-1.runpod.io/bucket', 'GET https://s3api-eu-ro-1.runpod.io/bucket'],
  ])('a call to a name that is not emulated fails: %s', async (address, call) => {
    const error = String(await fetch(address).catch(({ cause }: { cause: unknown }) => cause))
    expect(error).toContain(`CloudCallError: ${call} would have left this machine`)
    expect(error).not.toContain('secret')
    expect(error).toContain('api.runpod.io')
  })

  test('what the emulator has besides the cloud is not at the cloud’s names', async () => {
    expect((await fetch('https://api.runpod.io/_emulator/state')).status).toBe(404)
    expect((await fetch('https://api.runpod.io/console')).status).toBe(404)
    expect((await cloud.fetch('/_emulator/ready')).status).toBe(200)
  })

  test('the port of a simulated pod says that nothing is behind it, and logs are where they are', async () => {
    const pod = await fetch('https://demopod-8888.proxy.runpod.net/', { headers })
    expect([404, 502]).toContain(pod.status)
    expect(await pod.text()).toMatch(/^pod demopod is /)
    const logs = await fetch('https://hapi.runpod.net/v1/pod/demopod/logs', { headers })
    expect(logs.status).toBe(200)
  })

  test('a connection that is opened in some other way does not leave the machine', async () => {
    const socket = connect({ host: 'api.runpod.ai', port: 443 })
    const error = await new Promise((resolve) => socket.once('error', resolve))
    expect(error).toBeInstanceOf(CloudCallError)
    expect(String(error)).toContain('HTTPS_PROXY')
  })
})

test('calls to anywhere else go where they would', async () => {
  const server = (await import('node:http')).createServer((_request, response) =>
    response.end('here'),
  )
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as { port: number }
  const begun = cloud.intercept()
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('here')
  const plain = await new Promise((resolve) =>
    get(`http://127.0.0.1:${port}/`, ({ statusCode }) => resolve(statusCode)),
  )
  expect(plain).toBe(200)
  begun.close()
  server.closeAllConnections()
  server.close()
})

test('a guard alone refuses every call to the cloud, and says which', async () => {
  const guard = guardHosts()
  const url = 'https://api.runpod.ai/v2/demo/run?api_key=secret'
  const error = await fetch(url, { method: 'POST' }).catch(({ cause }: Error) => String(cause))
  expect(error).toContain('POST https://api.runpod.ai/v2/demo/run would have left this machine')
  const sent = secureRequest('https://rest.runpod.io/v1/pods')
  const refusal = await new Promise((resolve) => sent.once('error', resolve))
  expect(refusal).toMatchObject({
    code: 'ERR_CLOUD_CALL',
    call: 'GET https://rest.runpod.io/v1/pods',
  })
  guard.close()
})

test('everything is as it was when the last interception is closed, in whatever order', async () => {
  const before = [fetch, (await import('node:dns')).default.lookup]
  const first = cloud.intercept()
  const second = guardHosts()
  expect(fetch).not.toBe(before[0])
  first.close()
  expect(fetch).not.toBe(before[0])
  second.close()
  second.close()
  expect([fetch, (await import('node:dns')).default.lookup]).toEqual(before)
})

test('an emulator answers its own fetch without interception, by path', async () => {
  const pods = await cloud.fetch('/v2/pods', { headers })
  expect(((await pods.json()) as { pods: unknown[] }).pods).toHaveLength(1)
  const foreign = await cloud.fetch('https://example.com/v2/pods', { headers })
  expect(foreign.status).toBe(403)
})

/** Lets the lines have their turn until it is so. */
async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve))
}
