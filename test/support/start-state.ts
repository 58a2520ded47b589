/** Options for a cloud that begins with what a test writes down. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { EmulatorOptions } from '../../src/emulator/options.ts'
import { temporaryFolder } from './folder.ts'

const account = { id: 'user_test', email: 'test@example.com', balanceUsd: 1_000 }

export function beginWith(state: object): EmulatorOptions {
  const directory = temporaryFolder('start-state')
  mkdirSync(join(directory, 'worlds'))
  writeFileSync(join(directory, 'worlds', 'own.json'), JSON.stringify({ account, ...state }))
  return { fixtures: [directory], world: 'own' }
}
