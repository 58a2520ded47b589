/** Requests that nobody should send, each of them wrong for a reason that is known. */
import fc from 'fast-check'
import type { Operation } from '../../src/surfaces/http/operation.ts'

/** A request that HTTP can carry. */
export interface BadCall {
  readonly kind: 'call'
  readonly why: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array | undefined
}

/** Bytes that are no request, or not all of one. */
export interface BadBytes {
  readonly kind: 'bytes'
  readonly why: string
  readonly bytes: Uint8Array
}

export type BadRequest = BadCall | BadBytes

const key = { authorization: 'Bearer any-key' }
const json = { 'content-type': 'application/json' }
const bytesOf = (text: string): Uint8Array => Buffer.from(text)
const upTo = (maxLength: number) => ({ maxLength })

/** As a part of a path: encoded rightly, wrongly, or as somebody who looks for files would. */
const pathPart = fc.oneof(
  fc
    .string({ ...upTo(40), unit: 'binary' })
    .map((text) => `x${encodeURIComponent(toWellFormed(text))}`),
  fc.constantFrom(
    '%zz',
    '%',
    '%ff%fe',
    '%00',
    '..%2f..%2fetc%2fpasswd',
    '__proto__',
    'constructor',
  ),
  fc
    .string({
      unit: fc.constantFrom('a', 'Z', '9', '.', '-', '_', '~', '%'),
      minLength: 1,
      maxLength: 80,
    })
    .map((text) => `x${text}`),
)

/** A lone half of a character cannot be encoded. */
const toWellFormed = (text: string) => text.replace(/[\ud800-\udfff]/g, '')

const query = fc.oneof(
  fc.constant(''),
  fc
    .string({ ...upTo(60), unit: 'grapheme-ascii' })
    .map((text) => `?${encodeURI(text).replaceAll('#', '')}`),
)

const brokenJson = fc.oneof(
  fc.json().map((text) => `${text}}`),
  fc.json().map((text) => `{${text}`),
  fc.string({ ...upTo(200), unit: 'binary' }).map((text) => `{"${text}`),
  fc.constantFrom(
    '{"a":',
    '{"a":1,}',
    "{'a':1}",
    '{"a":NaN}',
    '{"a":1}{"a":1}',
    '\u0000',
    '{"a":"\n"}',
  ),
)
const notAnObject = fc.oneof(
  fc.array(fc.integer(), { minLength: 1, maxLength: 5 }),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.string(),
)
const nested = fc.integer({ min: 1_100, max: 5_000 }).map((depth) => '{"a":['.repeat(depth))
/** No byte of it can be a part of UTF-8. */
const notText = fc.uint8Array({ minLength: 1, maxLength: 64, min: 0xf8 })

const wrongBody = fc.oneof(
  brokenJson.map(bytesOf),
  notAnObject.map((value) => bytesOf(JSON.stringify(value))),
  nested.map(bytesOf),
  notText,
)
const anyBody = fc.oneof(fc.json().map(bytesOf), wrongBody)

/** Requests to these operations. Those that answer late on purpose, or by design never end, stay out. */
export function badRequests(operations: readonly Operation[]): fc.Arbitrary<BadRequest> {
  const known = operations
    .filter(({ handle, path }) => handle !== undefined && !path.includes('job-take'))
    .map((operation) => ({ ...operation, method: methodOf(operation) }))
  // What is asked of an OpenAI server behind an endpoint is that server's to judge.
  const reading = known.filter(({ body, path }) => body !== undefined && !path.includes('openai'))
  const closed = known.filter(({ needs }) => needs !== 'nothing')
  const named = known.filter(({ path }) => path.includes('{'))
  return fc.oneof(
    { weight: 5, arbitrary: withWrongBody(reading) },
    { weight: 5, arbitrary: withoutKey(closed) },
    { weight: 5, arbitrary: toUnknownIds(named) },
    { weight: 2, arbitrary: fromStrangers(known) },
    { weight: 2, arbitrary: toNowhere },
    { weight: 5, arbitrary: badBytes },
  )
}

/** Some take every method. */
const methodOf = ({ method }: Operation) => (method === '*' ? 'POST' : method)

const oneOf = (operations: readonly Operation[]) => fc.constantFrom(...operations)
const fillIn = (path: string, parts: readonly string[]) => {
  let index = 0
  return path.replace(/\{[^}]+\}/g, () => parts[index++ % parts.length] ?? 'x')
}
const parts = fc.array(pathPart, { minLength: 1, maxLength: 3 })
const call = (why: string, rest: Omit<BadCall, 'kind' | 'why'>): BadCall => ({
  kind: 'call',
  why,
  ...rest,
})

/** The ids are right where they can be: what is wrong is the body. */
const rightIds = ['demo', 'demopod']
const withWrongBody = (operations: readonly Operation[]) =>
  fc.record({ operation: oneOf(operations), body: wrongBody }).map(({ operation, body }) =>
    call('a body that cannot be right', {
      method: operation.method,
      path: fillIn(operation.path, rightIds),
      headers: { ...key, ...json },
      body,
    }),
  )

const noKeys = fc.constantFrom<Record<string, string>>(
  {},
  { authorization: '' },
  { authorization: 'Bearer' },
  { authorization: 'Bearer ' },
)
const withoutKey = (operations: readonly Operation[]) =>
  fc
    .record({ operation: oneOf(operations), headers: noKeys, parts, query, body: anyBody })
    .map(({ operation: { method, path }, headers, ...given }) =>
      call('no key', {
        method,
        path: fillIn(path, given.parts) + given.query,
        headers: { ...headers, ...json },
        body: method === 'GET' ? undefined : given.body,
      }),
    )

const toUnknownIds = (operations: readonly Operation[]) =>
  fc
    .record({ operation: oneOf(operations), parts, query, body: anyBody })
    .map(({ operation: { method, path }, ...given }) =>
      call('ids that nothing has', {
        method,
        path: fillIn(path, given.parts) + given.query,
        headers: { ...key, ...json },
        body: method === 'GET' ? undefined : given.body,
      }),
    )

const strangers = fc.constantFrom<Record<string, string>>(
  { host: 'evil.example' },
  { host: 'localhost.evil.example' },
  { origin: 'http://evil.example' },
  { origin: 'null' },
  { 'sec-fetch-site': 'cross-site' },
)
const fromStrangers = (operations: readonly Operation[]) =>
  fc.record({ operation: oneOf(operations), stranger: strangers }).map(({ operation, stranger }) =>
    call('a caller who is not let in', {
      method: operation.method,
      path: fillIn(operation.path, rightIds),
      headers: { ...key, ...json, ...stranger },
      body: operation.method === 'GET' ? undefined : bytesOf('{}'),
    }),
  )

const methods = fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND')
const toNowhere = fc
  .record({ method: methods, parts: fc.array(pathPart, upTo(6)), body: anyBody })
  .map(({ method, parts: path, body }) =>
    call('an address that nothing has', {
      method,
      path: `/x/${path.join('/')}`,
      headers: { ...key, ...json },
      body: method === 'GET' ? undefined : body,
    }),
  )

const host = 'host: localhost\r\nauthorization: Bearer k\r\n'
/** Each ends where its line does, or never. */
const brokenRequests = [
  'GET\r\n\r\n',
  'GET /v2/pods\r\n\r\n',
  'GET /v2/pods HTTP/9.9\r\n\r\n',
  'GET /v2/pods HTTP/1.1\r\n\r\n',
  'FOO /v2/pods HTTP/1.1\r\nhost: localhost\r\n\r\n',
  'get /v2/pods http/1.1\r\n\r\n',
  'CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443\r\n\r\n',
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  '\u0016\u0003\u0001\u0002\u0000\u0001\u0000\u0001\u00fc\u0003\u0003',
  `DELETE /v2/pods/demopod HTTP/1.1\r\n${host}`,
  `POST /v2/demo/run HTTP/1.1\r\n${host}content-length: 50\r\n\r\n{"input":`,
  `POST /v2/demo/run HTTP/1.1\r\n${host}content-length: -1\r\n\r\n{"input":1}`,
  `POST /v2/demo/run HTTP/1.1\r\n${host}content-length: 11\r\ncontent-length: 12\r\n\r\n{"input":1}`,
  `POST /v2/demo/run HTTP/1.1\r\n${host}content-length: 11\r\ntransfer-encoding: chunked\r\n\r\n{"input":1}`,
  `POST /v2/demo/run HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\nzz\r\n{"input":1}`,
  `POST /v2/demo/run HTTP/1.1\r\n${host}transfer-encoding: chunked\r\n\r\nb\r\n{"input":1}`,
  `POST /v2/demo/run HTTP/1.1\r\n${host}transfer-encoding: gzip\r\n\r\n{"input":1}`,
  `DELETE /v2/pods/demopod HTTP/1.1\r\n${host}bad header: x\r\n\r\n`,
  `DELETE /v2/pods/demopod HTTP/1.1\r\n${host}x: a\u0000b\r\n\r\n`,
  `DELETE /v2/pods/demopod HTTP/1.1\r\n${host}: x\r\n\r\n`,
  `DELETE /v2/pods/demo pod HTTP/1.1\r\n${host}\r\n`,
  `GET /v2/demolb/socket HTTP/1.1\r\nhost: evil\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n`,
  `GET /v2/none/socket HTTP/1.1\r\n${host}connection: upgrade\r\nupgrade: websocket\r\n\r\n`,
]
const badBytes: fc.Arbitrary<BadBytes> = fc
  .oneof(
    fc.constantFrom(...brokenRequests).map((text) => Buffer.from(text, 'latin1')),
    fc.uint8Array({ minLength: 1, maxLength: 400 }),
    fc.record({ text: fc.constantFrom(...brokenRequests), noise: fc.uint8Array(upTo(60)) }).map(
      // What comes after the first mistake is not looked at.
      ({ text, noise }) =>
        Buffer.concat([noise, Buffer.from('\u0000'), Buffer.from(text, 'latin1')]),
    ),
    fc
      .integer({ min: 8_200, max: 40_000 })
      .map((size) => Buffer.from(`GET /${'x'.repeat(size)} HTTP/1.1\r\n${host}\r\n`)),
    fc
      .integer({ min: 17_000, max: 40_000 })
      .map((size) => Buffer.from(`GET /v2/pods HTTP/1.1\r\n${host}x: ${'x'.repeat(size)}\r\n\r\n`)),
  )
  .map((bytes) => ({ kind: 'bytes', why: 'bytes that are no request', bytes }))
