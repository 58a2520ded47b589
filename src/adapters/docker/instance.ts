/** Which emulator a container belongs to, as its labels tell: so that what is left behind is known. */
import { readFileSync } from 'node:fs'
import { hostname } from 'node:os'

export const ownerLabel = 'compute-emulator.of'
const hostLabel = 'compute-emulator.host'
/** Whose it is: a process's number, and when that began. */
export const processLabel = 'compute-emulator.process'

export type Labels = Readonly<Record<string, string>>

/** Of a container that this emulator starts for a worker or a pod. */
export function labelsFor(ownerId: string): Labels {
  const { pid } = process
  return {
    [ownerLabel]: ownerId,
    [hostLabel]: hostname(),
    [processLabel]: `${pid} ${startOf(pid)}`,
  }
}

/** Its emulator ran on this machine, and does not any more. Of another machine's nothing is known. */
export function isOrphan(labels: Labels): boolean {
  if (labels[hostLabel] !== hostname()) return false
  const [pid = '', started = ''] = (labels[processLabel] ?? '').split(' ')
  return !isAlive(Number(pid)) || startOf(Number(pid)) !== started
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** When a process began, in ticks since this machine did; empty where that cannot be read. */
function startOf(pid: number): string {
  try {
    // The name, in brackets, may have spaces in it.
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1)?.split(' ') ?? []
    return fields[19] ?? ''
  } catch {
    return ''
  }
}
