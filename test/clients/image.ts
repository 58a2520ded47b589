/** An image made on the spot, of what this machine has: Node, the libraries it needs, and programs. */
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdirSync, realpathSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { temporaryFolder } from '../support/folder.ts'

const programs = ['worker.mjs', 'server.mjs'].map((name) =>
  fileURLToPath(new URL(`../support/workers/${name}`, import.meta.url)),
)

/** The engine that `run.js` has found, or none. */
export const hasEngine = process.env.TEST_CLIENTS_ENGINE === 'there'

export const docker = (...args: string[]): string =>
  execFileSync('docker', args, { encoding: 'utf8' }).trim()

/** Its root has `/bin/node`, `/worker.mjs` and `/server.mjs`; its command is the first of the two. */
export function importImage(name: string): void {
  const folder = temporaryFolder('image')
  const root = join(folder, 'root')
  const put = (from: string, to: string) => {
    mkdirSync(join(root, dirname(to)), { recursive: true })
    copyFileSync(realpathSync(from), join(root, to))
  }
  const node = process.execPath
  put(node, '/bin/node')
  for (const library of librariesOf(node)) put(library, library)
  for (const program of programs) put(program, `/${basename(program)}`)
  const archive = join(folder, 'image.tar')
  execFileSync('tar', ['-C', root, '-cf', archive, '.'])
  docker('import', '--change', 'CMD ["/bin/node", "/worker.mjs"]', archive, name)
}

/** With the loader, where the program is linked at run time. */
function librariesOf(program: string): string[] {
  const text = execFileSync('ldd', [program], { encoding: 'utf8' })
  return [...text.matchAll(/(\/\S+) \(0x/g)].map(([, path = '']) => path)
}
