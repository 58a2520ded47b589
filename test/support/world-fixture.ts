/** A directory of fixtures with one start state, `one`, and the handlers it names. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmulatorOptions } from '../../src/emulator/options.ts'
import { temporaryFolder } from './folder.ts'

/** Options that bring such a world. */
export function worldFixture(world: object, handlers: readonly object[] = []): EmulatorOptions {
  const directory = temporaryFolder('world')
  for (const folder of ['worlds', 'handlers']) mkdirSync(join(directory, folder))
  const account = { id: 'user_test', email: 'test@example.com', balanceUsd: 1_000 }
  writeFileSync(join(directory, 'worlds', 'one.json'), JSON.stringify({ account, ...world }))
  writeFileSync(join(directory, 'handlers', 'own.json'), JSON.stringify({ handlers }))
  return { fixtures: [directory], world: 'one' }
}
