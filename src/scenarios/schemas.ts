/** The JSON Schemas of everything that fixtures can be, under the names of their folders; and of a fault. */
import type { TSchema } from '@sinclair/typebox'
import type { Folder } from '../adapters/fixtures/directory.ts'
import { folderSchemas } from '../adapters/fixtures/layer.ts'
import { FaultRule } from '../model/fault.ts'
import { Scenario } from '../model/scenario.ts'

export type SchemaName = Folder | 'scenarios' | 'fault'

export const fixtureSchemas: Readonly<Record<SchemaName, TSchema>> = {
  ...folderSchemas,
  scenarios: Scenario,
  fault: FaultRule,
}

export function schemaDocument(name: SchemaName): object {
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: name === 'fault' ? 'The body of POST /_emulator/faults' : `A file in ${name}/`,
    ...fixtureSchemas[name],
  }
}
