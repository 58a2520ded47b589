/**
 * What clients of the cloud send, operation by operation: the valid ones are executed without errors
 * in a world that has what they ask about, and have every field that the client reads; the invalid
 * ones are refused.
 */
import { type Cloud, startCloud } from '../support/cloud.ts'
import { readContract } from '../support/contract.ts'
import { graphqlOf } from '../support/graphql.ts'
import { type Client, prepare, translate } from '../support/graphql-seed.ts'

const operations: readonly Client[] = JSON.parse(readContract('graphql-operations.json') ?? '[]')

let cloud: Cloud

beforeAll(async () => {
  // The reference counts a field among the invalid that the specification has.
  cloud = await startCloud({ fidelity: { graphqlResumeCuda: 'unknown' } })
})
beforeEach(() => cloud.emulator.reset())
afterEach(() => expect(cloud.bugs).toEqual([]))

const numbered = operations.map((operation, index) => ({ ...operation, number: index + 1 }))
const valid = numbered.filter(({ expect: outcome }) => outcome === 'valid')
const invalid = numbered.filter(({ expect: outcome }) => outcome === 'invalid')

// A file without tests is a failure.
test('the operations are there, or their absence was said', () => {
  expect(valid.length + invalid.length).toBe(operations.length)
})

for (const operation of valid) {
  test(`${operation.number} ${operation.client} ${operation.name} is answered`, async () => {
    const { query, variables } = await prepare(cloud, operation)
    const headers = operation.auth === 'none' ? { authorization: undefined } : {}
    const { status, body } = await graphqlOf(cloud).ask(query, variables, headers)
    expect({ status, ...body }).toEqual({ status: 200, data: expect.anything() })
    expect(missingFields(operation, body.data)).toEqual([])
  })
}

for (const operation of invalid) {
  test(`${operation.number} ${operation.client} ${operation.name} is refused`, async () => {
    const { query, variables } = translate(operation, new Map())
    const { status, body } = await graphqlOf(cloud).ask(query, variables)
    expect([status, body.errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED'])
  })
}

/** Fields that the client reads and the reply does not have. Words about replies are left out. */
function missingFields({ fieldsRead, query }: Client, data: Data): string[] {
  // What was just made may have nothing in its lists yet.
  const isNew = query.trimStart().startsWith('mutation')
  const paths = fieldsRead.filter((field) => /^[\w.[\]]+$/.test(field) && field !== 'errors.length')
  const [root] = Object.values(data)
  // Some paths begin at the data, some at its only field, some at the items of a list in it.
  const starts = [data, root, ...lists(root)]
  return paths.filter((field) => {
    const parts = field.replaceAll(/\[\d*\]/g, '').split('.')
    const path = parts[0] === 'data' ? parts.slice(1) : parts
    return !starts.some((start) => leads(start, path, isNew)) && !mayBeNull.test(field)
  })
}

/** The documents themselves show null: a discount is agreed on elsewhere. */
const mayBeNull = /^myself\.serverlessDiscount\./

type Data = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Data => typeof value === 'object' && value !== null

const lists = (value: unknown): unknown[] =>
  isObject(value) ? Object.values(value).filter((member) => Array.isArray(member)) : []

/** True when the path is there, in one item of every list on its way; its last value may be null. */
function leads(value: unknown, [part, ...rest]: readonly string[], isNew: boolean): boolean {
  if (part === undefined) return true
  if (Array.isArray(value)) {
    if (isNew && value.length === 0) return true
    return value.some((item) => leads(item, [part, ...rest], isNew))
  }
  return isObject(value) && part in value && leads(value[part], rest, isNew)
}
