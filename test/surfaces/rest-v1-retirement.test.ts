/** REST v1 on its way out: what announces the end, and what answers after it. */
import { restV1 } from '../../src/surfaces/rest-v1/surface.ts'
import { restV2 } from '../../src/surfaces/rest-v2/surface.ts'
import { startCloud } from '../support/cloud.ts'

const announced = { deprecation: '@1787184000', sunset: 'Sun, 15 Nov 2026 00:00:00 GMT' }
const over = 'REST v1 was retired on 15 November 2026'

test('every reply of v1 says that v1 ends, when, and what comes after it', async () => {
  const cloud = await startCloud()
  expect((await cloud.get('/v1/pods')).headers).toMatchObject({
    ...announced,
    link: '</v2/pods>; rel="successor-version"',
  })
  const started = await cloud.post('/v1/pods/demopod/start')
  expect(started.headers.link).toBe('</v2/pods/demopod/action>; rel="successor-version"')
  const missing = await cloud.get('/v1/endpoints/no%20such')
  expect(missing.status).toBe(404)
  expect(missing.headers.link).toBe('</v2/serverless/no%20such>; rel="successor-version"')
})

test('what v2 has no operation for is announced without a link', async () => {
  const cloud = await startCloud()
  const { headers } = await cloud.post('/v1/pods/demopod/reset')
  expect(headers).toMatchObject(announced)
  expect(headers).not.toHaveProperty('link')
  const unknown = await cloud.get('/v1/nothing')
  expect(unknown).toMatchObject({ status: 404, headers: announced })
})

test('other surfaces announce nothing', async () => {
  const cloud = await startCloud()
  for (const path of ['/v2/pods', '/v2/demo/health', '/_emulator/state']) {
    expect((await cloud.get(path)).headers).not.toHaveProperty('deprecation')
  }
})

test('an active v1 announces nothing', async () => {
  const cloud = await startCloud({ restV1: 'active' })
  const { status, headers } = await cloud.get('/v1/pods')
  expect(status).toBe(200)
  for (const name of ['deprecation', 'sunset', 'link']) expect(headers).not.toHaveProperty(name)
})

test('a retired v1 answers 410 everywhere, and changes nothing', async () => {
  const cloud = await startCloud({ restV1: 'retired' })
  const before = await cloud.get('/_emulator/timeline')
  for (const { name, method, path } of restV1.operations) {
    if (name === 'GetOpenAPI') continue
    const { status, body, headers } = await cloud.send(method, path.replace(/\{\w+\}/, 'demopod'))
    expect([name, status, body.message]).toEqual([name, 410, expect.stringContaining(over)])
    expect(headers).toMatchObject(announced)
  }
  expect(await cloud.get('/v1/nothing')).toMatchObject({ status: 410 })
  expect(await cloud.get('/v1/pods', { authorization: undefined })).toMatchObject({ status: 410 })
  expect((await cloud.get('/_emulator/timeline')).text).toBe(before.text)
})

test('the refusal of a retired operation names what to call', async () => {
  const cloud = await startCloud({ restV1: 'retired' })
  const refusal = async (path: string) => (await cloud.post(path, {})).body.message
  expect(await refusal('/v1/pods')).toBe(`${over}; use POST /v2/pods`)
  expect(await refusal('/v1/pods/demopod/reset')).toBe(
    `${over}; v2 has no reset; stop and start the pod`,
  )
  expect(await refusal('/v1/nothing')).toBe(`${over}; use REST v2`)
})

test('the document of a retired v1 can still be read', async () => {
  const cloud = await startCloud({ restV1: 'retired' })
  const { status, body } = await cloud.get('/v1/openapi.json', { authorization: undefined })
  expect([status, body.openapi]).toEqual([200, '3.0.3'])
  expect(body.paths['/pods'].get.deprecated).toBe(true)
})

test('by date, v1 ends when the clock of the world passes the day', async () => {
  const cloud = await startCloud({ restV1: 'by-date', startMs: Date.UTC(2026, 10, 14, 23, 59) })
  await cloud.advance('59s')
  expect(await cloud.get('/v1/pods')).toMatchObject({ status: 200, headers: announced })
  await cloud.advance('1s')
  expect(await cloud.get('/v1/pods')).toMatchObject({ status: 410, headers: announced })
  expect(await cloud.get('/v2/pods')).toMatchObject({ status: 200 })
})

test('by date, it is the clock of the caller that counts', async () => {
  const startMs = Date.UTC(2026, 10, 14)
  const cloud = await startCloud({ restV1: 'by-date', startMs, isolate: true })
  const asOther = { authorization: 'Bearer other' }
  await cloud.post('/_emulator/clock/advance', { by: '24h' }, asOther)
  expect(await cloud.get('/v1/pods', asOther)).toMatchObject({ status: 410 })
  expect(await cloud.get('/v1/pods')).toMatchObject({ status: 200 })
})

test('in real time, a request that comes after the day is the first to be refused', async () => {
  const startMs = Date.UTC(2026, 10, 15) - 1
  const cloud = await startCloud({ clock: 'real', speed: 1e6, restV1: 'by-date', startMs })
  expect(await cloud.get('/v1/pods')).toMatchObject({ status: 410 })
  cloud.emulator.close()
})

test('every operation of v1 names its successor, and v2 has each of them', () => {
  const inV2 = restV2.operations.map(({ name, method, path }) => `v2.${name} ${method} ${path}`)
  for (const { name, path, successor } of restV1.operations) {
    expect([name, successor]).toEqual([name, expect.anything()])
    const { operations, note } = successor ?? { operations: [] }
    expect([name, operations.length > 0 || note !== undefined]).toEqual([name, true])
    for (const { operation, method, path: newPath } of operations) {
      expect(inV2).toContain(`${operation} ${method} ${newPath}`)
      if (newPath.includes('{')) expect(path).toContain('{')
    }
  }
})

test('the page of documents lists every operation and needs no key and no other site', async () => {
  const cloud = await startCloud()
  const { status, headers, text } = await cloud.get('/v1/docs', { authorization: undefined })
  expect([status, headers['content-type']]).toEqual([200, 'text/html; charset=utf-8'])
  for (const { method, path } of restV1.operations) {
    expect(text).toContain(`<code>${method} ${path}</code>`)
  }
  expect(text).toContain('<code>POST /v2/pods</code>')
  expect(text).not.toMatch(/https?:|<script/)
})
