/** The document that REST v2 serves, held against the published one. */
import { startCloud } from '../support/cloud.ts'
import { type Document, type Json, operationsOf, readReference, resolve } from './reference.ts'
import { differences, shapeOf } from './shape.ts'

const reference = readReference('rest-v2.openapi.json')
const { get } = await startCloud()
const served: Document = (await get('/v2/openapi.json')).body

/** Where the two may differ, and why. Each has to be seen at least once. */
const intended: readonly (readonly [what: RegExp, why: string])[] = [
  [/ query (cursor|limit): only here$/, 'a later version of the contract pages its lists'],
  [/\.pagination: only here$/, 'a later version of the contract tells where a page ends'],
  [/\.(entrypoint|cmd): only here$/, 'a later version of the contract has commands in words'],
  [/\.gpu\.(vcpuCount|memory): only here$/, 'a later version tells what comes with the GPUs'],
  [/\.gpu\.min(RamPerGpu|VcpuCountPerGpu): only here$/, 'a later version takes minima per GPU'],
  [
    /^POST \/v2\/clusters body\.templateId: only here$/,
    'a later version makes clusters from templates',
  ],
  [/ body\.(image|mounts.*\.path|gpu\.id): minLength is 1 here/, 'nothing can come of nothing'],
  [/ body\.name: maxLength is 191 here/, 'v1 says how long a name may be, and there is one world'],
  [/ body\.ports\[\]: pattern is /, 'the documents say what a port is'],
  [/ body\.timeout: minimum is 0 here/, 'time does not go back'],
  [/query\.bucketSize: default is absent here/, 'a reply always says which size its buckets have'],
  [/^PATCH .*\.gpu\.count: default is absent here/, 'what a change leaves out stays as it is'],
]

if (reference === undefined) test.skip('the published document is not at hand', () => {})
else {
  const theirs = operationsOf(reference)
  const ours = operationsOf(served)

  test('every operation of the published document is in ours', () => {
    expect([...theirs.keys()].filter((operation) => !ours.has(operation))).toEqual([])
  })

  const found = [...theirs].flatMap(([operation, there]) =>
    compare(reference, operation, there, ours.get(operation)),
  )

  test('what it says of each operation is the same, but for what is meant to differ', () => {
    const stray = found.filter((line) => !intended.some(([what]) => what.test(line)))
    expect(stray).toEqual([])
  })

  test.each(intended.map(([what, why]) => [why, what] as const))(
    'a difference is meant, and is there: %s',
    (_why, what) => {
      expect(found.filter((line) => what.test(line))).not.toEqual([])
    },
  )
}

function compare(document: Document, operation: string, there: Json, here: Json): string[] {
  const name = there.operationId === here.operationId ? [] : [`${operation}: another operationId`]
  return [
    ...name,
    ...compareParameters(document, operation, there, here),
    ...compareBodies(document, operation, there, here),
    ...compareReplies(document, operation, there, here),
  ]
}

function compareParameters(document: Document, operation: string, there: Json, here: Json) {
  const listed = (from: Document, { parameters = [] }: Json) =>
    new Map<string, Json>(
      parameters
        .map((parameter: Json) => resolve(from, parameter))
        .map((parameter: Json) => [`${parameter.in} ${parameter.name}`, parameter]),
    )
  const [all, own] = [listed(document, there), listed(served, here)]
  return [...new Set([...all.keys(), ...own.keys()])].flatMap((key) => {
    const [theirs, ours] = [all.get(key), own.get(key)]
    const at = `${operation} ${key}`
    if (theirs === undefined || ours === undefined) {
      return [`${at}: only ${theirs === undefined ? 'here' : 'there'}`]
    }
    const required = Boolean(theirs.required) === Boolean(ours.required) ? [] : [`${at}: required`]
    const shapes = [shapeOf(document, theirs.schema), shapeOf(served, ours.schema)] as const
    return [...required, ...differences(at, ...shapes)]
  })
}

function compareBodies(document: Document, operation: string, there: Json, here: Json): string[] {
  const theirs = there.requestBody?.content['application/json'].schema
  const ours = here.requestBody?.content['application/json'].schema
  if (theirs === undefined && ours === undefined) return []
  return differences(`${operation} body`, shapeOf(document, theirs), shapeOf(served, ours))
}

function compareReplies(document: Document, operation: string, there: Json, here: Json): string[] {
  const statuses = Object.keys(there.responses).filter((status) => status !== 'default')
  return statuses.flatMap((status) => {
    const theirs = resolve(document, there.responses[status])
    const ours = here.responses[status]
    const at = `${operation} ${status}`
    if (ours === undefined) return [`${at}: only there`]
    const [kind = ''] = Object.keys(theirs.content ?? {})
    const [own = ''] = Object.keys(ours.content ?? {})
    if (kind !== own) return [`${at}: ${own} here, ${kind} there`]
    const schema = theirs.content?.[kind].schema
    const shapes = [
      shapeOf(document, schema),
      shapeOf(served, ours.content?.[kind].schema),
    ] as const
    return differences(at, ...shapes, true)
  })
}
