/** Folders for what a test writes down. They are gone when the tests of a file are through. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const made: string[] = []
const closing: (() => unknown)[] = []

afterAll(async () => {
  for (const close of closing.splice(0)) await close()
  for (const path of made.splice(0)) rmSync(path, { recursive: true, force: true, maxRetries: 3 })
})

/** Its path. The name tells what it was for, if it should be left after all. */
export function temporaryFolder(name: string): string {
  const path = mkdtempSync(join(tmpdir(), `${name}-`))
  made.push(path)
  return path
}

/** Ends what may write into its folder until then, before the folder goes. */
export function closeFirst(close: () => unknown): void {
  closing.push(close)
}
