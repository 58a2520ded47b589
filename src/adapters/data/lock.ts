/**
 * A directory belongs to one process at a time: a file in it says which.
 *
 * Process ids come again, in a container all the time, so a holder is known by when it began as well.
 * Of another machine or container nobody can tell whether it runs, but for the time of its file,
 * which a holder renews as long as it lives.
 */
import { readFileSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { DataError } from './data-error.ts'

interface Holder {
  readonly pid: number
  readonly host: string
  /** When the process began, in words of its system; empty where that says nothing. */
  readonly began: string
}

const renewMs = 5_000
/** A holder elsewhere that has not renewed its file for so long is gone. */
const goneMs = 3 * renewMs
/** Whoever takes over a lock looks again after this: another one may have had the same idea. */
const secondLookMs = 25

/**
 * Resolves to what gives it back. Rejects with a DataError when somebody else has it. A lock that a
 * process left behind is taken over.
 */
export async function lockDirectory(directory: string): Promise<() => void> {
  const file = join(directory, 'lock')
  const own = JSON.stringify(self())
  if (!create(file, own)) {
    const holder = await readHolder(file)
    if (holder !== undefined && isThere(holder, file)) throw inUse(directory, holder)
    takeOver(file, own)
    await sleep(secondLookMs)
    if (read(file) !== own) throw inUse(directory, await readHolder(file))
  }
  const renewal = setInterval(() => renew(file), renewMs).unref()
  return () => {
    clearInterval(renewal)
    if (read(file) === own) rmSync(file, { force: true })
  }
}

function inUse(directory: string, holder: Holder | undefined): DataError {
  const where = holder === undefined || holder.host === hostname() ? '' : ` on ${holder.host}`
  const who = holder === undefined ? 'another emulator' : `process ${holder.pid}${where}`
  return new DataError(
    `${directory} is in use by ${who}; end that one, or name another --data. If that is no emulator, remove ${join(directory, 'lock')}`,
  )
}

function create(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx', mode: 0o600 })
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

function takeOver(file: string, content: string): void {
  const draft = `${file}.${process.pid}`
  writeFileSync(draft, content, { mode: 0o600 })
  renameSync(draft, file)
}

function renew(file: string): void {
  try {
    const now = new Date()
    utimesSync(file, now, now)
  } catch {
    // Somebody removed it, which is theirs to do.
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return undefined
  }
}

/** A file that says nothing is being written, or was torn. */
async function readHolder(file: string): Promise<Holder | undefined> {
  for (let look = 0; look < 2; look++) {
    try {
      return JSON.parse(read(file) ?? '') as Holder
    } catch {
      await sleep(secondLookMs)
    }
  }
  return undefined
}

function isThere({ pid, host, began }: Holder, file: string): boolean {
  if (host !== hostname()) {
    const renewed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
    return Date.now() - renewed < goneMs
  }
  return isRunning(pid) && beginningOf(pid) === began
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Somebody else's process is one too.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

function self(): Holder {
  return { pid: process.pid, host: hostname(), began: beginningOf(process.pid) }
}

/** The boot of the machine, and ticks since then; empty where there is no /proc. */
function beginningOf(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // The name in brackets may contain anything; behind it come fields 3 and up.
    const ticks = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()
    return `${boot} ${ticks}`
  } catch {
    return ''
  }
}
