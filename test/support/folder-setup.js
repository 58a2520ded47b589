/** A run of tests has a folder of its own for temporary files: processes that tests start, too. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export default function prepare() {
  process.env.TMPDIR = mkdtempSync(join(tmpdir(), 'compute-emulator-tests-'))
}
