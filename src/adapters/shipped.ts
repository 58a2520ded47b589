/**
 * Files that come with the emulator: fixtures, scenarios, examples. They lie beside it, or inside of it
 * where it is a single executable. There they have paths as though the executable were a folder.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import { getAsset, isSea } from 'node:sea'
import { fileURLToPath } from 'node:url'

/** The name of the list that the single executable has of what is in it. */
const listName = 'files.json'

const home = dirname(fileURLToPath(import.meta.url))
const inside = isSea() ? `${process.execPath}${sep}` : undefined

/** The text of a file that the build made of the sources; null when run from source. */
export function readBuilt(name: string): string | null {
  if (inside !== undefined) return getAsset(name, 'utf8')
  if (import.meta.url.endsWith('.ts')) return null
  // Beside the bundle, or above its chunks.
  const places = [join(home, name), join(dirname(home), name)]
  const file = places.find((place) => existsSync(place))
  return file === undefined ? null : readFileSync(file, 'utf8')
}

/** Where a folder of the project is: `fixtures`, `examples/fixtures`. */
export function shippedFolder(name: string): string {
  return join(inside ?? findRoot(), name)
}

/** The text of a file, which may be one that is shipped or one of the user's. */
export function readFile(path: string): string {
  return isInside(path) ? getAsset(assetOf(path), 'utf8') : readFileSync(path, 'utf8')
}

export interface ShippedFile {
  /** From the folder that was asked for on. */
  readonly name: string
  readonly path: string
}

/** All files in a shipped folder and in the folders within. */
export function shippedFiles(name: string): ShippedFile[] {
  const folder = shippedFolder(name)
  return namesIn(folder, name).map((found) => ({ name: found, path: join(folder, found) }))
}

function namesIn(folder: string, name: string): string[] {
  if (isInside(folder)) {
    const all: string[] = JSON.parse(getAsset(listName, 'utf8'))
    const own = all.filter((asset) => asset.startsWith(`${name}/`))
    return own.map((asset) => asset.slice(name.length + 1))
  }
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile())
  return files.map((file) => relative(folder, join(file.parentPath, file.name))).sort()
}

const isInside = (path: string): boolean => inside !== undefined && path.startsWith(inside)

/** Assets are called by their paths in the project. */
function assetOf(path: string): string {
  return path.slice(inside?.length).replaceAll(sep, '/')
}

/** The nearest folder above with fixtures in it: sources and bundles lie at different depths. */
function findRoot(): string {
  let directory = home
  while (!existsSync(join(directory, 'fixtures', 'catalog'))) {
    const parent = dirname(directory)
    if (parent === directory) throw new Error(`no folder 'fixtures' above ${home}`)
    directory = parent
  }
  return directory
}
