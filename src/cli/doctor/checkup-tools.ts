/** What `doctor` says of tools that some clients and workers need: Python and a container engine. */
import { execFile } from 'node:child_process'
import { connectEngine, type Engine, engineAddress } from '../../adapters/docker/engine.ts'
import { listLeftovers } from '../../adapters/docker/leftovers.ts'
import { listOrphanVolumes } from '../../adapters/docker/volumes.ts'
import type { Finding } from './checkup.ts'

const patienceMs = 5_000

/** Its version, and that of the worker SDK where it is installed: a line each. */
const question = [
  'import platform, importlib.metadata as m',
  'print(platform.python_version())',
  'try: print(m.version("runpod"))',
  'except m.PackageNotFoundError: pass',
].join('\n')

export async function findPython(): Promise<Finding> {
  const about = 'python'
  const answer = await run('python3', ['-c', question])
  if (answer === undefined) {
    return { about, state: 'note', says: 'there is no python3: worker programs need another way' }
  }
  const [version = '', sdk] = answer.trim().split('\n')
  if (sdk === undefined) {
    return { about, state: 'note', says: `${version}, without the package runpod` }
  }
  return { about, state: 'ok', says: `${version} with runpod ${sdk}` }
}

export async function findEngine(): Promise<Finding> {
  const about = 'containers'
  try {
    const engine = await connectEngine()
    const { Version: version } = await engine.version()
    const remedies = await remediesFor(engine)
    if (remedies.length > 0) {
      const says = `emulators that are gone left something; remove with: ${remedies.join('; ')}`
      return { about, state: 'wrong', says }
    }
    return { about, state: 'ok', says: `engine ${version} answers at ${engineAddress()}` }
  } catch (error) {
    return { about, state: 'note', says: (error as Error).message }
  }
}

/** Commands for people; none where nothing is left. One that only half answers has nothing of ours. */
async function remediesFor(engine: Engine): Promise<string[]> {
  const containers = await listLeftovers(engine).catch(() => [])
  const volumes = await listOrphanVolumes(engine).catch(() => [])
  return [
    ['docker rm --force', ...containers.map(({ name }) => name)],
    ['docker volume rm', ...volumes],
  ].flatMap((words) => (words.length > 1 ? [words.join(' ')] : []))
}

/** What it prints; undefined where it is not there or fails. */
function run(program: string, args: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, args, { timeout: patienceMs }, (error, stdout) => {
      resolve(error === null ? stdout : undefined)
    })
  })
}
