/** A cloud whose start state a test writes down itself. */
import type { EmulatorOptions } from '../../src/emulator/options.ts'
import { type Cloud, startCloud } from './cloud.ts'
import { beginWith } from './start-state.ts'

/** `state`: what the account, its pods, endpoints and so on are in the fixture. */
export function startCloudWith(
  { account = {}, ...state }: { readonly account?: object; readonly [part: string]: unknown },
  options: EmulatorOptions = {},
): Promise<Cloud> {
  const whole = { id: 'user_test', email: 'test@example.com', balanceUsd: 1_000, ...account }
  return startCloud({ ...beginWith({ account: whole, ...state }), ...options })
}
