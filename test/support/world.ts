/** A cloud whose start state a test writes down itself. */
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EmulatorOptions } from '../../src/emulator/options.ts'
import { type Cloud, startCloud } from './cloud.ts'

/** `state`: what the account, its pods, endpoints and so on are in the fixture. */
export function startCloudWith(
  { account = {}, ...state }: { readonly account?: object; readonly [part: string]: unknown },
  options: EmulatorOptions = {},
): Promise<Cloud> {
  const directory = mkdtempSync(join(tmpdir(), 'fixtures-'))
  mkdirSync(join(directory, 'worlds'))
  const whole = { id: 'user_test', email: 'test@example.com', balanceUsd: 1_000, ...account }
  writeFileSync(join(directory, 'worlds', 'own.json'), JSON.stringify({ account: whole, ...state }))
  return startCloud({ fixtures: [directory], world: 'own', ...options })
}
