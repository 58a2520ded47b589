/** A directory belongs to one process at a time: a file in it says which. */
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Throws a `DataError` when a running process has it. A lock that its process left behind is taken over. */
export function lockDirectory(directory: string): () => void {
  const file = join(directory, 'lock')
  const holder = readHolder(file)
  if (holder !== undefined && isRunning(holder)) {
    throw new DataError(
      `${directory} is in use by the emulator with process id ${holder}; stop that one, or name another directory`,
    )
  }
  if (holder !== undefined) rmSync(file, { force: true })
  try {
    writeFileSync(file, `${process.pid}\n`, { flag: 'wx', mode: 0o600 })
  } catch (cause) {
    throw new DataError(`${directory} cannot be locked: ${(cause as Error).message}`)
  }
  return () => rmSync(file, { force: true })
}

/** Something about the data directory that only a person can mend. */
export class DataError extends Error {
  override readonly name = 'DataError'
}

function readHolder(file: string): number | undefined {
  try {
    const pid = Number(readFileSync(file, 'utf8').trim())
    return Number.isInteger(pid) && pid > 0 ? pid : undefined
  } catch {
    return undefined
  }
}

function isRunning(pid: number): boolean {
  if (pid === process.pid) return true
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is one too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
