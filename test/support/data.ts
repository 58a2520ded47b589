/** A directory that an emulator keeps everything in, and what a kill would leave of it. */
import { cpSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { EmulatorOptions } from '../../src/emulator/options.ts'
import { type Cloud, startCloud } from './cloud.ts'
import { closeFirst, temporaryFolder } from './folder.ts'

export interface DataDirectory {
  readonly path: string
  /** An emulator that keeps everything here. */
  readonly start: (options?: EmulatorOptions) => Promise<Cloud>
  /** As it would be found if the process was killed now. */
  readonly killed: () => DataDirectory
  /** Full paths of the default world's files with such names. */
  readonly files: (names: RegExp) => string[]
}

export function makeData(from?: string): DataDirectory {
  const path = join(temporaryFolder('data'), 'data')
  if (from !== undefined) {
    cpSync(from, path, { recursive: true })
    // This process holds the original, and lives.
    rmSync(join(path, 'lock'), { force: true })
  }
  const world = join(path, 'worlds', 'default')
  return {
    path,
    start: async (options) => {
      const cloud = await startCloud({ data: path, ...options })
      closeFirst(() => cloud.emulator.close())
      return cloud
    },
    killed: () => makeData(path),
    files: (names) =>
      readdirSync(world)
        .filter((name) => names.test(name))
        .map((name) => join(world, name)),
  }
}
