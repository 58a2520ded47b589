/** Root file systems made on the spot: programs of this machine, with the libraries that they need. */
import { cpSync, mkdirSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { run } from './programs.js'

/**
 * Puts a program into a root, under its path here or another, and its libraries under theirs.
 *
 * @param {string} root
 * @param {string} program its path here
 * @param {string} [path] its path there
 */
export function addProgram(root, program, path = program) {
  addFile(root, program, path)
  for (const library of librariesOf(program)) addFile(root, library, library)
}

/** Without symbolic links on the way. @param {string} root @param {string} from @param {string} path */
export function addFile(root, from, path) {
  mkdirSync(dirname(join(root, path)), { recursive: true })
  cpSync(realpathSync(from), join(root, path), { recursive: true, dereference: true })
}

/** As the loader finds them, itself included. @param {string} program */
export function librariesOf(program) {
  const paths = run('ldd', [program]).matchAll(/(\/\S+) \(0x/g)
  return [...paths].map(([, path]) => path ?? '')
}
