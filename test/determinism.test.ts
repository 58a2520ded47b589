/** Same seed, same fixtures, same requests at the same virtual times: the same story. */
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const script = join(dirname(fileURLToPath(import.meta.url)), 'support', 'story.js')

/** A story told in a process of its own, as NDJSON. */
const tell = (seed: string) => execFileSync(process.execPath, [script, seed], { encoding: 'utf8' })

test('two processes tell the same story, byte for byte', () => {
  const first = tell('7')
  expect(first.split('\n').length).toBeGreaterThan(100)
  expect(tell('7')).toBe(first)
})

test('another seed tells another story', () => {
  expect(tell('8')).not.toBe(tell('7'))
})
