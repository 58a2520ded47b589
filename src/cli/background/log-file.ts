/** The log of an emulator in the background: it does not grow for ever, and can be followed. */
import {
  closeSync,
  fstatSync,
  ftruncateSync,
  openSync,
  readSync,
  type Stats,
  watch,
  writeSync,
} from 'node:fs'

/** Bytes at which a log is cut, and how many of its last ones stay. */
const limit = 32 * 1_048_576
const kept = 1_048_576
/** Real time between two looks at its size. */
const lookMs = 5_000

/** Keeps a file short that is open for reading and appending. Other kinds of output are left alone. */
export function keepShort(file: number): void {
  if (!fstatSync(file).isFile()) return
  setInterval(() => cut(file, limit, kept), lookMs).unref()
}

export function cut(file: number, limitBytes: number, keptBytes: number): void {
  const { size } = fstatSync(file)
  if (size <= limitBytes) return
  const tail = readFrom(file, size - keptBytes, { size })
  ftruncateSync(file, 0)
  writeSync(file, tail.subarray(tail.indexOf('\n') + 1))
}

/** The last so many lines of a text. */
export function lastLines(text: string, count: number): string {
  const lines = text.split('\n')
  const isEnded = lines.at(-1) === ''
  return lines.slice(-count - (isEnded ? 1 : 0)).join('\n')
}

/**
 * Tells what is written after so many bytes, until it is stopped, and then what is left. A log that was
 * cut goes on from its end.
 */
export function followFile(path: string, from: number, tell: (text: string) => void): () => void {
  const file = openSync(path, 'r')
  let position = from
  const look = () => {
    const stats = fstatSync(file)
    if (stats.size < position) position = stats.size
    if (stats.size === position) return
    const part = readFrom(file, position, stats)
    position += part.length
    tell(part.toString('utf8'))
  }
  const watcher = watch(path, look)
  look()
  return () => {
    watcher.close()
    look()
    closeSync(file)
  }
}

function readFrom(file: number, position: number, { size }: Pick<Stats, 'size'>): Buffer {
  const part = Buffer.alloc(Math.max(0, size - position))
  return part.subarray(0, readSync(file, part, 0, part.length, position))
}
