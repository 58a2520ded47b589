/** What holds for every request to REST v2, made from the very document that it serves. */
import fc from 'fast-check'
import { Collection } from '../../src/world/collection.ts'
import type { World } from '../../src/world/world.ts'
import { readReference } from '../contract/reference.ts'
import { createReplyChecker } from '../contract/reply-checker.ts'
import { arbitraryOf, type Hints, placesIn, replaced } from '../support/arbitrary.ts'
import { type Answer, type Cloud, startCloud } from '../support/cloud.ts'

const runs = { numRuns: 200 }
const { get } = await startCloud()
// biome-ignore lint/suspicious/noExplicitAny: a document is walked, not known.
const document: any = (await get('/v2/openapi.json')).body
const reference = readReference('rest-v2.openapi.json')
const check = reference && createReplyChecker(reference)

interface Row {
  readonly operation: string
  readonly method: string
  readonly path: string
  // biome-ignore lint/suspicious/noExplicitAny: a document is walked, not known.
  readonly described: any
}

const rows: readonly Row[] = Object.entries<Record<string, Row['described']>>(
  document.paths,
).flatMap(([path, methods]) =>
  Object.entries(methods)
    .filter(([, described]) => described['x-not-emulated'] === undefined)
    .map(([method, described]) => {
      const upper = method.toUpperCase()
      return { operation: `${upper} ${path}`, method: upper, path, described }
    }),
)
const bodyOf = ({ described }: Row) => described.requestBody?.content['application/json'].schema
const writing = rows.filter((row) => bodyOf(row) !== undefined)
const reading = rows.filter(({ method }) => method === 'GET')

/** Ids of the start state by the noun of their address, and what its catalog has. */
const ids: Readonly<Record<string, readonly string[]>> = {
  pods: ['demopod'],
  serverless: ['demo', 'demolb'],
  templates: ['demotemplate', 'podtemplate'],
  'network-volumes': ['demovolume'],
}
const hints: Hints = {
  gpu: [],
  image: [],
  id: ['NVIDIA GeForce RTX 4090', 'NVIDIA L4', 'NVIDIA RTX A5000', 'cpu3c'],
  gpuTypeId: ['NVIDIA GeForce RTX 4090'],
  gpuCountPerPod: [1, 2],
  podCount: [2, 3],
  resource: ['arn:aws:ecr:us-east-2:000000000000:repository/example/image'],
  count: [1, 2],
  vcpuCount: [2, 4, 8],
  minRamPerGpu: [1, 8],
  minVcpuCountPerGpu: [1, 2],
  size: [10, 20],
  max: [3, 5],
  min: [0, 1],
  pools: ['ADA_24', 'AMPERE_24', 'AMPERE_16'],
  excludedTypes: ['NVIDIA L4', 'NVIDIA RTX A4000'],
  templateId: ['podtemplate', 'demotemplate'],
  volumeId: ['demovolume'],
  dataCenterIds: ['EU-RO-1', 'US-IL-1', 'CA-MTL-1'],
  dataCenter: ['EU-RO-1', 'CA-MTL-1'],
  ports: ['22/tcp', '8888/http', '70000/tcp'],
  minCudaVersion: ['12.1', '12.8'],
  allowedCudaVersions: ['12.4', '13.0'],
}

/** Of some things the start state has none. */
const hasKnownTarget = ({ path }: Row) =>
  !path.includes('{') || ids[path.split('/')[2] ?? ''] !== undefined

const targetOf = ({ path }: Row) =>
  fc
    .constantFrom(...(ids[path.split('/')[2] ?? ''] ?? []), 'none')
    .map((id) => path.replaceAll(/\{\w+\}/g, id))

test.each(writing)(
  '$operation answers every well-formed body with yes or no',
  async (row) => {
    const cloud = await startCloud()
    let taken = 0
    const target = targetOf(row)
    await fc.assert(
      fc.asyncProperty(target, arbitraryOf(bodyOf(row), hints), async (path, body) => {
        cloud.emulator.reset()
        const before = digest(cloud.world())
        const reply = await cloud.send(row.method, path, body)
        expectSound(cloud, row, reply)
        if (reply.status < 300) taken += 1
        else expect(digest(cloud.world())).toBe(before)
      }),
      runs,
    )
    if (hasKnownTarget(row)) expect(taken).toBeGreaterThan(0)
  },
  60_000,
)

test.each(writing)(
  '$operation refuses a body with a fault, and the world stays',
  async (row) => {
    const cloud = await startCloud()
    const before = digest(cloud.world())
    const schema = bodyOf(row)
    const broken = fc
      .tuple(arbitraryOf(schema, hints), fc.nat(), fc.constantFrom('strange', 'cut', 'missing'))
      .map(([body, where, fault]) => breakBody(body, schema.required ?? [], where, fault))
    await fc.assert(
      fc.asyncProperty(targetOf(row), broken, async (path, text) => {
        const reply = await cloud.send(row.method, path, text)
        expectSound(cloud, row, reply)
        expect(reply.status).toBe(422)
        expect(reply.body.errors.length).toBeGreaterThan(0)
        expect(digest(cloud.world())).toBe(before)
      }),
      runs,
    )
  },
  60_000,
)

test.each(reading)('$operation takes any query, and changes nothing', async (row) => {
  const cloud = await startCloud()
  const before = digest(cloud.world())
  const names: string[] = (row.described.parameters ?? [])
    .filter(({ in: place }: { in: string }) => place === 'query')
    .map(({ name }: { name: string }) => name)
  const value = fc.oneof(
    fc.string(),
    fc.integer().map(String),
    fc.constantFrom('true', 'container', '2026-01-01T00:00:00Z', 'bm9uZQ'),
  )
  const query = fc.array(fc.tuple(fc.constantFrom(...names, 'other'), value), { maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(targetOf(row), query, async (path, entries) => {
      const search = new URLSearchParams(entries).toString()
      const reply = await cloud.get(search === '' ? path : `${path}?${search}`)
      expectSound(cloud, row, reply)
      expect(digest(cloud.world())).toBe(before)
    }),
    runs,
  )
})

/** Neither a bug nor a reply that the published document does not have. */
function expectSound(cloud: Cloud, { operation }: Row, reply: Answer): void {
  expect(cloud.bugs).toEqual([])
  expect(reply.status).toBeLessThan(500)
  if (check === undefined || !hasOperation(operation)) return
  expect([operation, reply.status, check(operation, reply)]).toEqual([operation, reply.status, []])
}

function hasOperation(operation: string): boolean {
  const [method = '', path = ''] = operation.split(' ')
  return reference?.paths[path]?.[method.toLowerCase()] !== undefined
}

/** Everything that a world has and will do. */
function digest(world: World): string {
  const collections = Object.entries(world).filter(([, value]) => value instanceof Collection)
  return JSON.stringify([
    collections.map(([name, value]) => [name, value.all()]),
    world.account,
    world.timeline.pending,
  ])
}

/** No schema of v2 takes an object with a nameless object in it. */
const strange = { '': {} }

function breakBody(
  body: unknown,
  required: readonly string[],
  where: number,
  fault: 'strange' | 'cut' | 'missing',
): string {
  const places = placesIn(body)
  const place = places[where % places.length] ?? []
  const text = JSON.stringify(body)
  if (fault === 'cut') return text.slice(0, 1 + (where % (text.length - 1)))
  const name = required[where % Math.max(1, required.length)]
  if (fault === 'strange' || name === undefined) {
    return JSON.stringify(replaced(body, place, strange))
  }
  const { [name]: _gone, ...rest } = body as Record<string, unknown>
  return JSON.stringify(rest)
}
