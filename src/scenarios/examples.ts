/** A folder of fixtures to begin with: one commented file of each kind. */
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readFile, shippedFiles } from '../adapters/shipped.ts'
import { fixtureSchemas, type SchemaName, schemaDocument } from './schemas.ts'

/** Returns the files that were written; null, and nothing is, where the folder has something in it. */
export function writeExamples(folder: string): string[] | null {
  if (existsSync(folder) && readdirSync(folder).length > 0) return null
  const examples = shippedFiles('examples/fixtures')
  for (const { name, path } of examples) writeInto(folder, name, readFile(path))
  for (const name of Object.keys(fixtureSchemas) as SchemaName[]) {
    const text = JSON.stringify(schemaDocument(name), null, 2)
    writeInto(folder, join('.schemas', `${name}.json`), `${text}\n`)
  }
  return examples.map(({ name }) => name).sort()
}

function writeInto(folder: string, path: string, text: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
