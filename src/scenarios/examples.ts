/** A folder of fixtures to begin with: one commented file of each kind. */
import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { builtInFolder } from '../adapters/fixtures/load.ts'
import { fixtureSchemas, type SchemaName, schemaDocument } from './schemas.ts'

/** Returns the files that were written; null, and nothing is, where the folder has something in it. */
export function writeExamples(folder: string): string[] | null {
  if (existsSync(folder) && readdirSync(folder).length > 0) return null
  cpSync(join(dirname(builtInFolder()), 'examples', 'fixtures'), folder, { recursive: true })
  const schemas = join(folder, '.schemas')
  mkdirSync(schemas)
  for (const name of Object.keys(fixtureSchemas) as SchemaName[]) {
    const text = JSON.stringify(schemaDocument(name), null, 2)
    writeFileSync(join(schemas, `${name}.json`), `${text}\n`)
  }
  const written = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return written.filter((path) => /\.\w+$/.test(path) && !path.startsWith('.schemas')).sort()
}
