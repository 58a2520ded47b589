/** The request log: looked through, exported, and held against what somebody expected. */
import type { Static } from '@sinclair/typebox'
import * as Type from '@sinclair/typebox'
import { invalidField } from '../../model/errors.ts'
import { OneOf } from '../../model/schema.ts'
import { defineOperation, type Operation } from '../http/operation.ts'
import { ok, type Reply } from '../http/reply.ts'
import type { Controls, RequestReport } from './controls.ts'

const tag = 'requests'
const strict = { additionalProperties: false }

const filters = {
  operation: Type.Optional(
    Type.String({ minLength: 1, description: '`jobs.run`; `v2.*` for all of a surface.' }),
  ),
  method: Type.Optional(Type.String({ pattern: '^[A-Za-z]+$' })),
  path: Type.Optional(Type.String({ minLength: 1, description: '`*` stands for anything.' })),
  status: Type.Optional(
    Type.String({ pattern: '^[1-5]([0-9]{2}|xx)$', description: '`404`, `5xx`.' }),
  ),
  userAgent: Type.Optional(Type.String({ minLength: 1, description: 'A part of it.' })),
  /** Only those after this number. */
  after: Type.Optional(Type.Integer({ minimum: 0 })),
}
const ListQuery = Type.Object({
  ...filters,
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 100_000 })),
  format: Type.Optional(OneOf(['json', 'ndjson', 'har'])),
})
const count = Type.Optional(Type.Integer({ minimum: 0 }))
const VerifyBody = Type.Object({ ...filters, times: count, atLeast: count, atMost: count }, strict)
type Filter = Partial<Static<typeof VerifyBody>>

const defaultLimit = 100
/** Of those that are shown because they came near. */
const nearLimit = 10

export function requestOperations(controls: Controls): Operation[] {
  return [list(controls), verify(controls)]
}

function list(controls: Controls): Operation {
  return defineOperation({
    name: 'listRequests',
    method: 'GET',
    path: '/_emulator/requests',
    summary: 'The last requests, oldest first; as lines or as an HTTP archive where asked for.',
    tag,
    needs: 'nothing',
    query: ListQuery,
    replies: { 200: { description: 'Requests.' } },
    handle: ({ query: { limit = defaultLimit, format = 'json', ...filter }, origin }) => {
      const found = controls.requests().filter(matcherOf(filter)).slice(-limit)
      if (format === 'ndjson') return toLines(found)
      return format === 'har'
        ? ok(toArchive(found, origin, controls.version))
        : ok({ requests: found })
    },
  })
}

function verify(controls: Controls): Operation {
  return defineOperation({
    name: 'verifyRequests',
    method: 'POST',
    path: '/_emulator/verify',
    summary: 'Says whether so many requests came that are like this.',
    tag,
    needs: 'nothing',
    body: VerifyBody,
    replies: { 200: { description: 'Whether it holds, and the requests that it was judged by.' } },
    handle: ({ body }) => {
      const { times, atLeast, atMost, ...filter } = body
      const least = times ?? atLeast ?? (atMost === undefined ? 1 : 0)
      const most = times ?? atMost ?? Number.POSITIVE_INFINITY
      if (least > most) throw invalidField(['atLeast'], 'must not be more than atMost')
      const kept = controls.requests()
      const found = kept.filter(matcherOf(filter))
      const holds = found.length >= least && found.length <= most
      return ok({
        holds,
        count: found.length,
        expected: sayExpected(least, most),
        /** Requests came that are no longer kept: the count may be too low. */
        incomplete: kept.length < controls.requestCount(),
        requests: holds ? found.slice(-nearLimit) : near(kept, filter, found),
      })
    },
  })
}

/** The last few of those that match, or else of those that match in all but one respect. */
function near(
  kept: readonly RequestReport[],
  filter: Filter,
  found: readonly RequestReport[],
): readonly RequestReport[] {
  if (found.length > 0) return found.slice(-nearLimit)
  for (const name of leastTellingFirst) {
    if (filter[name] === undefined) continue
    const like = kept.filter(matcherOf({ ...filter, [name]: undefined }))
    const others = like.filter(({ operation }) => !operation.startsWith('control.'))
    if (others.length > 0) return others.slice(-nearLimit)
  }
  return []
}

const leastTellingFirst = ['after', 'userAgent', 'status', 'method', 'path', 'operation'] as const

function sayExpected(least: number, most: number): string {
  if (least === most) return `exactly ${least}`
  if (most === Number.POSITIVE_INFINITY) return `at least ${least}`
  return least === 0 ? `at most ${most}` : `${least} to ${most}`
}

function matcherOf(filter: Filter): (request: RequestReport) => boolean {
  const { method, status, userAgent, after = 0 } = filter
  const operation = filter.operation === undefined ? undefined : wildcard(filter.operation)
  const path = filter.path === undefined ? undefined : wildcard(filter.path)
  return (request) =>
    request.seq > after &&
    (operation?.test(request.operation) ?? true) &&
    (path?.test(request.path) ?? true) &&
    (method === undefined || method.toUpperCase() === request.method) &&
    (status === undefined || isStatus(request.status, status)) &&
    (userAgent === undefined || (request.userAgent ?? '').includes(userAgent))
}

function wildcard(pattern: string): RegExp {
  const parts = pattern.split('*').map((part) => part.replace(/[\\^$.|?+()[\]{}]/g, '\\$&'))
  return new RegExp(`^${parts.join('.*')}$`)
}

function isStatus(status: number, wanted: string): boolean {
  return wanted.endsWith('xx')
    ? Math.floor(status / 100) === Number(wanted[0])
    : status === Number(wanted)
}

function toLines(requests: readonly RequestReport[]): Reply {
  const text = requests.map((request) => `${JSON.stringify(request)}\n`).join('')
  return { status: 200, headers: { 'content-type': 'application/x-ndjson' }, text }
}

/** HTTP Archive 1.2. Headers and bodies are not kept: their sizes say so with -1. */
function toArchive(requests: readonly RequestReport[], origin: string, version: string) {
  const unknown = {
    httpVersion: 'HTTP/1.1',
    cookies: [],
    headers: [],
    headersSize: -1,
    bodySize: -1,
  }
  const entries = requests.map(({ at, tookMs, method, path, status, operation }) => ({
    startedDateTime: at,
    time: tookMs,
    request: { method, url: `${origin}${path}`, queryString: [], ...unknown },
    response: {
      status,
      statusText: '',
      content: { size: 0, mimeType: '' },
      redirectURL: '',
      ...unknown,
    },
    cache: {},
    timings: { send: 0, wait: tookMs, receive: 0 },
    comment: operation,
  }))
  return { log: { version: '1.2', creator: { name: 'compute-emulator', version }, entries } }
}
