/** The published OpenAPI documents that the emulator is held against, where they are at hand. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

// biome-ignore lint/suspicious/noExplicitAny: a document is walked, not known.
export type Json = any

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Json>>>>
  readonly components: Readonly<Record<string, Readonly<Record<string, Json>>>>
}

const methods = ['get', 'put', 'post', 'patch', 'delete']
const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const folder = process.env.COMPUTE_EMULATOR_CONTRACT ?? join(root, '..', 'shared', 'contract')

/** Undefined, with a word about it, when the contract is not there. */
export function readReference(name: string): Document | undefined {
  const file = join(folder, name)
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'))
  console.warn(`${file} is not there: nothing is held against it`)
  return undefined
}

/** Operations by `GET /v2/pods`. */
export function operationsOf({ paths }: Document): Map<string, Json> {
  const operations = new Map<string, Json>()
  for (const [path, item] of Object.entries(paths)) {
    for (const method of methods) {
      const operation = item[method]
      if (operation === undefined) continue
      // Parameters of a path are those of each of its operations.
      const parameters = [...(item.parameters ?? []), ...(operation.parameters ?? [])]
      operations.set(`${method.toUpperCase()} ${path}`, { ...operation, parameters })
    }
  }
  return operations
}

/** What a `$ref` stands for; anything else as it is. */
export function resolve(document: Document, value: Json): Json {
  if (typeof value?.$ref !== 'string') return value
  const parts = value.$ref.split('/').slice(1)
  return resolve(
    document,
    parts.reduce((at: Json, part: string) => at[part], document as Json),
  )
}
