/** Every built-in scenario holds, and its transcript is, byte for byte, the one that was kept. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Fixtures, loadFixtures } from '../src/adapters/fixtures/load.ts'
import { allScenarios } from '../src/scenarios/find.ts'
import { compareGolden } from '../src/scenarios/golden.ts'
import { readScenario } from '../src/scenarios/read.ts'
import { describeFailure } from '../src/scenarios/report.ts'
import { runScenario } from '../src/scenarios/run.ts'

const root = fileURLToPath(new URL('..', import.meta.url))
const golden = join(root, 'test', 'golden')
const paths = allScenarios().map((path) => [basename(path, '.yaml'), path] as const)

let fixtures: Fixtures
beforeAll(async () => {
  fixtures = await loadFixtures()
})

test.each(paths)('%s', async (name, path) => {
  const run = () => runScenario(readScenario(path), fixtures, { transcript: true })
  const { result, transcript = '' } = await run()
  const { failure, startMs } = result
  expect(failure === null ? [] : describeFailure(failure, startMs)).toEqual([])
  expect((await run()).transcript).toBe(transcript)
  // To keep it as it is now: compute-emulator scenario run --all --golden test/golden --update
  expect(compareGolden(golden, name, transcript)).toBeNull()
})

test('docs/scenarios.md has a section for each, and for no other', () => {
  const page = readFileSync(join(root, 'docs', 'scenarios.md'), 'utf8')
  const sections = [...page.matchAll(/^### (.+)$/gm)].map(([, name]) => name)
  expect(sections.toSorted()).toEqual(paths.map(([name]) => name).toSorted())
})
