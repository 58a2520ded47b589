/** `/openai/...`: calls in OpenAI's form as jobs, by hand on a still clock and by the public client. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import OpenAI from 'openai'
import { startEmulator } from '../../src/emulator/start.ts'
import { type Cloud, startCloud, testKey } from '../support/cloud.ts'
import { temporaryFolder } from '../support/folder.ts'

const chat = '/v2/demollm/openai/v1/chat/completions'
const hello = { model: 'demo-llm', messages: [{ role: 'user', content: 'hello there' }] }

interface Heard {
  readonly status: number
  readonly contentType: string | undefined
  readonly parts: readonly string[]
  readonly ended: () => boolean
  readonly hangUp: () => void
}

/** A call whose answer is listened to while time goes on. */
async function listen({ emulator }: Cloud, path: string, body: unknown): Promise<Heard> {
  const reply = await emulator.handle(emulator.route('POST', path), {
    method: 'POST',
    path,
    search: '',
    headers: testKey,
    origin: 'http://127.0.0.1:4300',
    text: JSON.stringify(body),
    onHangUp: () => {},
  })
  const parts: string[] = []
  let ended = false
  const hangUp = reply.stream?.({
    write: (text) => void parts.push(String(text)),
    end: () => {
      ended = true
    },
  })
  return {
    status: reply.status,
    contentType: reply.headers?.['content-type'],
    parts,
    ended: () => ended,
    hangUp: hangUp ?? (() => {}),
  }
}

/** A worker that is up: what follows does not wait for its start. */
async function warm(cloud: Cloud): Promise<void> {
  await cloud.patch('/v2/serverless/demollm', { workers: { min: 1, max: 1 } })
  await cloud.advance('5s')
}

/** Handlers in place of the built-in ones. */
function withHandler(yaml: string): { fixtures: string[] } {
  const directory = temporaryFolder('openai')
  mkdirSync(join(directory, 'handlers'))
  writeFileSync(join(directory, 'handlers', 'mine.yaml'), `handlers:\n  - ${yaml}\n`)
  return { fixtures: [directory] }
}

test('the worker finds the route and the body in its input, and a GET has a route only', async () => {
  const { post, get, patch, advance } = await startCloud()
  await patch('/v2/serverless/demo', { workers: { min: 1 } })
  const posted = post('/v2/demo/openai/v1/embeddings', { input: 'text' })
  const gotten = get('/v2/demo/openai/v1/models')
  await advance('5s')
  expect(await posted).toMatchObject({
    status: 200,
    body: { openai_route: '/v1/embeddings', openai_input: { input: 'text' } },
  })
  expect((await gotten).body).toEqual({ openai_route: '/v1/models' })
})

test('a chat completion is one object, with the prompt in its text and its tokens counted', async () => {
  const { post, advance, world } = await startCloud()
  const answer = post(chat, hello)
  await advance('5s')
  const { body } = await answer
  expect(body).toEqual({
    id: expect.stringMatching(/^chatcmpl-sync-/),
    object: 'chat.completion',
    created: expect.any(Number),
    model: 'demo-llm',
    choices: [
      {
        index: 0,
        logprobs: null,
        message: { role: 'assistant', content: 'You said: hello there', refusal: null },
        finish_reason: 'stop',
      },
    ],
    usage: { prompt_tokens: 3, completion_tokens: 4, total_tokens: 7 },
  })
  expect(body.created).toBeGreaterThanOrEqual(Math.floor(world().nowMs / 1_000) - 5)
})

test('a whole answer takes as long as its tokens would have', async () => {
  const cloud = await startCloud()
  await warm(cloud)
  const words = Array.from({ length: 48 }, () => 'w').join(' ')
  let answered = false
  const answer = cloud
    .post(chat, { messages: [{ role: 'user', content: words }] })
    .then(({ body }) => {
      answered = true
      return body
    })
  // 50 ms of the profile to the first token, then 50 tokens of 20 ms.
  await cloud.advance(1_049)
  await new Promise((resolve) => setImmediate(resolve))
  expect(answered).toBe(false)
  await cloud.advance(1)
  expect((await answer).usage.completion_tokens).toBe(50)
})

test('a stream comes token by token on the clock, and ends with [DONE] and the job', async () => {
  const cloud = await startCloud()
  await warm(cloud)
  const opening = listen(cloud, chat, { ...hello, stream: true })
  await cloud.advance(50)
  const heard = await opening
  expect(heard.status).toBe(200)
  expect(heard.contentType).toMatch(/^text\/event-stream/)
  expect(heard.parts).toHaveLength(1)
  for (const [said, token] of ['You', ' said:', ' hello', ' there'].entries()) {
    await cloud.advance(19)
    expect(heard.parts).toHaveLength(said + 1)
    await cloud.advance(1)
    const event = heard.parts.at(-1) ?? ''
    expect(event).toMatch(/^data: \{.*\}\n\n$/)
    expect(JSON.parse(event.slice('data: '.length))).toMatchObject({
      object: 'chat.completion.chunk',
      choices: [{ delta: { content: token }, finish_reason: null }],
    })
  }
  expect(heard.ended()).toBe(false)
  await cloud.advance(20)
  expect(heard.parts.slice(-2)).toEqual([
    expect.stringContaining('"finish_reason":"stop"'),
    'data: [DONE]\n\n',
  ])
  expect(heard.ended()).toBe(true)
  expect(cloud.emulator.main.watchers.size).toBe(0)
})

test('text of the worker is passed on as it is, wherever it is cut', async () => {
  const cloud = await startCloud(
    withHandler('{ name: llm, stream: ["da", "ta: {}\\n", "\\ndata: [D"] }'),
  )
  const opening = listen(cloud, chat, { ...hello, stream: true })
  await cloud.advance('10m')
  const heard = await opening
  expect(heard.parts.join('')).toBe('data: {}\n\ndata: [D')
  expect(heard.ended()).toBe(true)
})

test('a caller that hangs up does not end its job', async () => {
  const cloud = await startCloud()
  await warm(cloud)
  const opening = listen(cloud, chat, { ...hello, stream: true })
  await cloud.advance(70)
  const heard = await opening
  heard.hangUp()
  expect(cloud.emulator.main.watchers.size).toBe(0)
  await cloud.advance('5s')
  expect(heard.parts).toHaveLength(2)
  expect(cloud.world().jobs.all()).toMatchObject([{ status: 'COMPLETED' }])
})

test('a cold worker that takes too long is the edge’s own 524, and the job goes on', async () => {
  const { post, patch, advance, world } = await startCloud()
  await patch('/v2/serverless/demollm', { workers: { min: 0, max: 0 } })
  const whole = post(chat, hello)
  const streamed = post(chat, { ...hello, stream: true })
  await advance(99_999)
  expect(world().queues.of('demollm').jobs.IN_QUEUE).toBe(2)
  await advance(1)
  expect(await whole).toMatchObject({ status: 524, text: 'error code: 524' })
  expect((await streamed).status).toBe(524)
  await patch('/v2/serverless/demollm', { workers: { min: 0, max: 1 } })
  await advance('10s')
  expect(world().queues.of('demollm').jobs.COMPLETED).toBe(2)
})

test.each([
  ['no messages', { model: 'x' }, 'messages: field required'],
  ['no messages for a stream', { stream: true }, 'messages: field required'],
])('what the worker refuses (%s) is an error of OpenAI’s form', async (_what, body, message) => {
  const { post, advance } = await startCloud()
  const answer = post(chat, body)
  await advance('5s')
  expect(await answer).toMatchObject({
    status: 500,
    body: { error: { message: expect.stringContaining(message), type: 'worker_error' } },
  })
})

test('a worker that fails half way ends the stream without [DONE]', async () => {
  const cloud = await startCloud(
    withHandler('{ name: llm, error: out of memory, openai: { model: m, text: one two } }'),
  )
  const opening = listen(cloud, chat, { ...hello, stream: true })
  const whole = cloud.post(chat, hello)
  await cloud.advance('5s')
  const heard = await opening
  expect(heard.parts.join('')).toContain(' two')
  expect(heard.parts.join('')).not.toContain('[DONE]')
  expect(heard.ended()).toBe(true)
  expect(await whole).toMatchObject({ status: 500, body: { error: { message: 'out of memory' } } })
})

test('a call can ask for its own failure, and a lost worker’s words are followed by the next one’s', async () => {
  const cloud = await startCloud()
  await warm(cloud)
  const failed = cloud.post(chat, { ...hello, mock_error: 'boom' })
  const body = { stream: true, mock_stream: ['a', 'b'], mock_crash: true, mock_delay: 1 }
  const opening = listen(cloud, chat, body)
  await cloud.advance('1s')
  const heard = await opening
  expect(heard.parts).toEqual(['a', 'b'])
  await cloud.advance('1h')
  expect(heard.parts).toEqual(['a', 'b', 'a', 'b'])
  expect(heard.ended()).toBe(true)
  expect((await failed).body.error.message).toContain('boom')
})

test('an answer is cut where max_tokens says, and at 4 096 tokens in any case', async () => {
  const { post, advance } = await startCloud()
  const short = post(chat, { ...hello, max_tokens: 2 })
  await advance('5s')
  expect((await short).body.choices[0]).toMatchObject({
    message: { content: 'You said:' },
    finish_reason: 'length',
  })
  const long = post(chat, { messages: [{ role: 'user', content: 'word '.repeat(9_000) }] })
  await advance('90s')
  expect((await long).body.usage.completion_tokens).toBe(4_096)
})

test('a load balancer has no such address, and a body that is not JSON is refused', async () => {
  const { post, send, world } = await startCloud()
  expect((await post('/v2/demolb/openai/v1/chat/completions', hello)).status).toBe(400)
  expect((await send('POST', chat, '{')).status).toBe(400)
  expect(world().jobs.size).toBe(0)
})

test('only 400 calls may wait at once where limits are on', async () => {
  const cloud = await startCloud({ limits: 'on' })
  await warm(cloud)
  const waiting = Array.from({ length: 400 }, () => cloud.post(chat, hello))
  expect((await cloud.post(chat, hello)).status).toBe(429)
  await cloud.advance('100s')
  for (const answer of waiting) expect((await answer).status).toBe(200)
  const room = cloud.post(chat, hello)
  await cloud.advance('5s')
  expect((await room).status).toBe(200)
})

test('resetting the world ends a stream', async () => {
  const cloud = await startCloud()
  await warm(cloud)
  const opening = listen(cloud, chat, { ...hello, stream: true })
  await cloud.advance(60)
  const heard = await opening
  cloud.emulator.reset()
  expect(heard.ended()).toBe(true)
})

describe('the public client, unmodified', () => {
  let close: () => Promise<void>
  let client: OpenAI

  beforeAll(async () => {
    const running = await startEmulator({ clock: 'auto' })
    close = running.close
    const baseURL = `${running.url}/v2/demollm/openai/v1`
    client = new OpenAI({ apiKey: 'test-key', baseURL, maxRetries: 0 })
  })
  afterAll(() => close())

  const messages = [
    { role: 'system' as const, content: 'be brief' },
    { role: 'user' as const, content: [{ type: 'text' as const, text: 'what is new?' }] },
  ]

  test('gets a chat completion', async () => {
    const { choices, usage } = await client.chat.completions.create({ model: 'any', messages })
    expect(choices[0]?.message.content).toBe('You said: what is new?')
    expect(usage?.completion_tokens).toBe(5)
  })

  test('gets a streamed one, with usage at the end', async () => {
    const stream = await client.chat.completions.create({
      model: 'any',
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = []
    for await (const chunk of stream) chunks.push(chunk)
    const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
    expect(text).toBe('You said: what is new?')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 5 } })
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
  })

  test('gets completions, streamed or not', async () => {
    const whole = await client.completions.create({ model: 'any', prompt: 'once' })
    expect(whole.choices[0]).toMatchObject({ text: 'You said: once', finish_reason: 'stop' })
    const stream = await client.completions.create({ model: 'any', prompt: 'once', stream: true })
    const texts: string[] = []
    for await (const { choices } of stream) texts.push(choices[0]?.text ?? '')
    expect(texts.join('')).toBe('You said: once')
    expect(texts.length).toBeGreaterThan(2)
  })

  test('lists models', async () => {
    const ids: string[] = []
    for await (const { id } of client.models.list()) ids.push(id)
    expect(ids).toEqual(['demo-llm'])
  })

  test('understands an error', async () => {
    const refused = client.chat.completions.create({ model: 'any' } as never)
    await expect(refused).rejects.toMatchObject({ status: 500, type: 'worker_error' })
  })
})
