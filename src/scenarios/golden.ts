/** Transcripts that were looked at and found right, kept to be compared with, byte for byte. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The first line that is not as it was; undefined where one of the two has no such line. */
export interface Difference {
  /** From 1. */
  readonly line: number
  readonly expected: string | undefined
  readonly found: string | undefined
  readonly file: string
}

export function goldenFile(folder: string, name: string): string {
  return join(folder, `${name}.ndjson`)
}

/** Null where the transcript is what it was. */
export function compareGolden(folder: string, name: string, transcript: string): Difference | null {
  const file = goldenFile(folder, name)
  const golden = existsSync(file) ? readFileSync(file, 'utf8') : ''
  if (golden === transcript) return null
  const expected = golden.split('\n')
  const found = transcript.split('\n')
  const index = found.findIndex((line, at) => line !== expected[at])
  const at = index === -1 ? found.length : index
  return { line: at + 1, expected: expected[at], found: found[at], file }
}

/** Returns whether anything changed. */
export function updateGolden(folder: string, name: string, transcript: string): boolean {
  if (compareGolden(folder, name, transcript) === null) return false
  mkdirSync(folder, { recursive: true })
  writeFileSync(goldenFile(folder, name), transcript)
  return true
}
