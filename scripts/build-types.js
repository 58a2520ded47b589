/**
 * Makes `dist/types`: what the library looks like to the compilers of others. That takes a fraction of
 * the files that our own compiler writes; the rest is not kept.
 */
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from './bundle-options.js'

const types = join(root, 'dist', 'types')
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const entries = Object.values(exports).flatMap((target) => target.types ?? [])

rmSync(types, { recursive: true, force: true })
const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
const { status } = spawnSync(process.execPath, [compiler, '-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
if (status !== 0) process.exit(1)

const needed = new Set()
for (const entry of entries) follow(join(root, entry))
for (const file of readdirSync(types, { recursive: true, withFileTypes: true })) {
  const path = join(file.parentPath, file.name)
  if (file.isFile() && !needed.has(path)) rmSync(path)
}
console.log(`dist/types: ${needed.size} files`)

/** Importers name what is there when the program runs. @param {string} path */
function follow(path) {
  if (needed.has(path)) return
  needed.add(path)
  const text = readFileSync(path, 'utf8')
  const imported = /((?:from|import\()\s*['"])(\.[^'"]+)\.ts(?=['"])/g
  writeFileSync(path, text.replaceAll(imported, '$1$2.js'))
  for (const [, , target] of text.matchAll(imported)) follow(join(dirname(path), `${target}.d.ts`))
}
