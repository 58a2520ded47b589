/**
 * What somebody waits for, as a text: `jobs.<id>.status == COMPLETED and counts.workers <= 2`.
 *
 * A comparison is a path into the world, an operator and a value; several are joined by `and`. A path
 * that leads nowhere is `null`, so `jobs.<id> == null` waits until a job is forgotten.
 */
import { balanceOf } from '../../domain/billing.ts'
import { invalidField } from '../../model/errors.ts'
import type { World } from '../../world/world.ts'

type Value = string | number | boolean | null
type Compare = (left: Value, right: Value) => boolean

const operators: Readonly<Record<string, Compare>> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '<=': (left, right) => areNumbers(left, right) && Number(left) <= Number(right),
  '>=': (left, right) => areNumbers(left, right) && Number(left) >= Number(right),
  '<': (left, right) => areNumbers(left, right) && Number(left) < Number(right),
  '>': (left, right) => areNumbers(left, right) && Number(left) > Number(right),
}

/** What a path may begin with, and what is found there. */
const roots: Readonly<Record<string, (world: World, id: string) => unknown>> = {
  pods: (world, id) => world.pods.find(id),
  workers: (world, id) => world.workers.find(id),
  jobs: (world, id) => world.jobs.find(id),
  endpoints: (world, id) => {
    const endpoint = world.endpoints.find(id)
    if (endpoint === undefined) return undefined
    const { jobs, workers, workerCount } = world.queues.of(id)
    const { completed, failed, retried } = world.usage.require(id)
    return { ...endpoint, jobs, workers, workerCount, completed, failed, retried }
  },
  counts: (world, kind) => countOf(world, kind),
  account: (world, field) => {
    const account = { ...world.account, balanceUsd: balanceOf(world) }
    return (account as Readonly<Record<string, unknown>>)[field]
  },
}

const counted = ['pods', 'endpoints', 'workers', 'jobs', 'templates', 'deliveries'] as const

function countOf(world: World, kind: string): number | undefined {
  const known = counted.find((name) => name === kind)
  return known === undefined ? undefined : world[known].size
}

/** Refuses a text that is not a condition, with what would be one. */
export function readCondition(text: string): (world: World) => boolean {
  const comparisons = text.split(/\s+and\s+/).map(readComparison)
  return (world) => comparisons.every((holds) => holds(world))
}

function readComparison(text: string): (world: World) => boolean {
  const [, path = '', operator = '', literal = ''] =
    /^\s*([^\s<>=!]+)\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*$/.exec(text) ?? []
  const compare = operators[operator]
  const [root = '', id = '', ...fields] = path.split('.')
  const find = Object.hasOwn(roots, root) ? roots[root] : undefined
  if (compare === undefined || find === undefined || id === '') {
    throw invalidField(
      ['condition'],
      `'${text.trim()}' is not a condition; write such as 'jobs.<id>.status == COMPLETED' or 'counts.workers <= 2'. A path begins with ${Object.keys(roots).join(', ')}`,
    )
  }
  const value = readLiteral(literal)
  return (world) => compare(follow(find(world, id), fields), value)
}

function follow(start: unknown, fields: readonly string[]): Value {
  let found = start
  for (const field of fields) {
    const isObject = typeof found === 'object' && found !== null
    found = isObject && Object.hasOwn(found as object, field) ? (found as never)[field] : undefined
  }
  if (found === undefined || found === null) return null
  if (typeof found === 'string' || typeof found === 'number' || typeof found === 'boolean')
    return found
  return JSON.stringify(found)
}

function readLiteral(text: string): Value {
  if (text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  const bare = /^(["'])(.*)\1$/.exec(text)?.[2]
  if (bare !== undefined) return bare
  return text !== '' && Number.isFinite(Number(text)) ? Number(text) : text
}

function areNumbers(left: Value, right: Value): boolean {
  return typeof left === 'number' && typeof right === 'number'
}
