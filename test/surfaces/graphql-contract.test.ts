/** Every operation that real clients are known to send, against the start state. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { notEmulatedRoots } from '../../src/surfaces/graphql/roots.ts'
import { startCloud } from '../support/cloud.ts'
import { graphqlOf } from '../support/graphql.ts'

interface ClientOperation {
  readonly client: string
  readonly name: string
  readonly auth: string
  readonly query: string
  readonly variables: unknown
  readonly expect: 'valid' | 'invalid'
}

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const folder = process.env.COMPUTE_EMULATOR_CONTRACT ?? join(root, '..', 'shared', 'contract')
const file = join(folder, 'graphql-operations.json')
const operations: readonly ClientOperation[] = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : []
if (operations.length === 0) console.warn(`${file} is not there: its operations are not tried`)

/** Ids of the examples, and what the start state has in their place. */
const seeded: readonly (readonly [example: RegExp, id: string])[] = [
  [/50qynxzilsxoey|YOUR_POD_ID/g, 'demopod'],
  [/xkhgg72fuo|YOUR_TEMPLATE_ID|<template-id>|wphkv67a0p/g, 'demotemplate'],
  [/i02xupws21hp6i|<endpoint-id>/g, 'demo'],
  [/\bvol1\b/g, 'demovolume'],
]

/** The specification lists this field, which wins over the refusal that was observed. */
const specified = (query: string) => /podResume[\s\S]*allowedCudaVersions/.test(query)

const isTried = ({ query }: ClientOperation) =>
  !notEmulatedRoots.some((name) => new RegExp(`[{\\s]${name}\\b`).test(query))

const tried = operations.filter(isTried)
let succeeded = 0

for (const operation of tried) {
  const isValid = operation.expect === 'valid' || specified(operation.query)
  const what = isValid ? 'fits the schema' : 'is refused with 400'

  test(`${operation.client} ${operation.name} ${what}`, async () => {
    const cloud = await startCloud()
    const headers = operation.auth === 'none' ? { authorization: undefined } : {}
    const { query, variables } = seed(operation)
    const { status, body, text } = await graphqlOf(cloud).ask(query, variables, headers)
    expect(cloud.bugs).toEqual([])
    if (!isValid) {
      expect([status, body.errors[0].extensions.code]).toEqual([400, 'GRAPHQL_VALIDATION_FAILED'])
      return
    }
    expect([status, text]).toEqual([200, expect.stringContaining('"data":')])
    if (!('errors' in body)) succeeded += 1
  })
}

test('most of these operations succeed in the start state', () => {
  expect(succeeded).toBeGreaterThanOrEqual(Math.floor(tried.length * 0.75))
})

function seed({ query, variables }: ClientOperation): { query: string; variables: unknown } {
  let text = JSON.stringify({ query, variables })
  for (const [example, id] of seeded) text = text.replaceAll(example, id)
  return JSON.parse(text)
}
