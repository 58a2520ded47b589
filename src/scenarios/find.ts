/** Which files are scenarios: those that are named, those of a folder, and the built-in ones. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, extname, join } from 'node:path'
import { FixtureError, fileProblem } from '../adapters/fixtures/problem.ts'
import { shippedFiles } from '../adapters/shipped.ts'
import { didYouMean } from '../model/nearest.ts'

const endings = ['.yaml', '.yml', '.json']

/** Every scenario of the built-in fixtures and of the folders laid over them, by name. */
export function allScenarios(overlays: readonly string[] = []): string[] {
  const folders = overlays.map((folder) => join(folder, 'scenarios')).filter(existsSync)
  const shipped = shippedFiles('fixtures/scenarios').map(({ path }) => path)
  const paths = [...shipped, ...folders.flatMap(filesIn)]
  const byName = new Map(paths.map((path) => [nameOf(path), path]))
  return [...byName.keys()].sort().flatMap((name) => byName.get(name) ?? [])
}

/** A file, a folder of files, or the name of one that is there. Throws a FixtureError. */
export function findScenarios(words: readonly string[], overlays: readonly string[]): string[] {
  return words.flatMap((word) => {
    if (existsSync(word)) return statSync(word).isDirectory() ? filesIn(word) : [word]
    const known = allScenarios(overlays)
    const found = known.find((path) => nameOf(path) === word)
    if (found !== undefined) return [found]
    const hint = didYouMean(word, known.map(nameOf))
    throw new FixtureError([fileProblem(word, `no such file and no such scenario${hint}`)])
  })
}

function filesIn(folder: string): string[] {
  const names = readdirSync(folder).filter((name) => endings.includes(extname(name)))
  return names.sort().map((name) => join(folder, name))
}

const nameOf = (path: string): string => basename(path, extname(path))
