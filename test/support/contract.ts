/** The contract that lies beside the project; tests that need it say so and do nothing without it. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..', '..')
const folder = process.env.COMPUTE_EMULATOR_CONTRACT ?? join(root, '..', 'shared', 'contract')

/** The text of one file of the contract; undefined, and a word about it, when it is not there. */
export function readContract(name: string): string | undefined {
  const file = join(folder, name)
  if (existsSync(file)) return readFileSync(file, 'utf8')
  console.warn(`${file} is not there: it is not held against the emulator`)
  return undefined
}
