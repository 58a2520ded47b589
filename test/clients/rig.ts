/** An emulator with real worker programs: what a test of them needs to start it, ask it, and look. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Started, start } from '../support/command.ts'
import { temporaryFolder } from '../support/folder.ts'

/** Interpreters by the name of their environment, as `run.js` has prepared them. */
export const pythons: Readonly<Record<string, string>> = JSON.parse(
  process.env.TEST_CLIENTS_PYTHONS ?? '{}',
)

const programs = fileURLToPath(new URL('./workers', import.meta.url))

// biome-ignore lint/suspicious/noExplicitAny: tests read bodies of every shape.
type Body = any

export interface Rig {
  readonly url: string
  /** A directory of this rig alone: its name tells its processes from all others. */
  readonly directory: string
  readonly get: (path: string) => Promise<Body>
  readonly post: (path: string, body?: unknown) => Promise<Body>
  readonly run: (endpointId: string, input: unknown, more?: object) => Promise<string>
  /** The job once it has ended. */
  readonly ended: (endpointId: string, jobId: string) => Promise<Body>
  readonly timeline: () => Promise<Entry[]>
  /** Everything that runs in the name of this rig. */
  readonly processes: () => string[]
  readonly stop: Started['stop']
}

export interface Entry {
  readonly kind: string
  readonly id: string
  readonly detail?: Readonly<Record<string, unknown>>
}

/** `endpoints`: fields of the start state, by id; each runs the program of its name unless it says. */
export async function startRig(
  python: string,
  endpoints: Readonly<
    Record<string, { readonly program?: string; readonly [field: string]: unknown }>
  >,
  args: readonly string[] = [],
): Promise<Rig> {
  const directory = temporaryFolder('rig')
  const notes = join(directory, 'notes')
  const world = {
    account: { id: 'user_test', email: 'test@example.com', balanceUsd: 1_000 },
    endpoints: Object.entries(endpoints).map(([id, { program = id, ...fields }]) => {
      mkdirSync(join(directory, id))
      const file = join(programs, `${program}.py`)
      const line = `${python} -u ${file} --rp_log_level INFO ${directory}`
      // Up to 1.10 the SDK keeps what it is at in a file, which a container that starts anew has not.
      const command = `rm -f .runpod_jobs.pkl && exec ${line}`
      return {
        id,
        name: id,
        container: { image: `local/${id}:1`, env: { NOTES: notes } },
        gpuTypeIds: ['NVIDIA GeForce RTX 4090'],
        workersMax: 1,
        idleTimeoutMs: 60_000,
        backend: { type: 'process', command, directory: join(directory, id) },
        ...fields,
      }
    }),
  }
  mkdirSync(join(directory, 'fixtures', 'worlds'), { recursive: true })
  writeFileSync(notes, '')
  writeFileSync(join(directory, 'fixtures', 'worlds', 'rig.json'), JSON.stringify(world))
  const { PATH = '' } = process.env
  const all = [
    '--fixtures',
    join(directory, 'fixtures'),
    '--world',
    'rig',
    '--log-level',
    'silent',
    ...args,
  ]
  const { url, stop } = await start(all, { PATH })
  const ask = async (path: string, init: RequestInit = {}) => {
    const headers = { authorization: 'Bearer test-key', 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(55_000)
    return (await fetch(url + path, { ...init, headers, signal })).text()
  }
  const get = async (path: string) => JSON.parse(await ask(path))
  const post = async (path: string, body: unknown = {}) =>
    JSON.parse(await ask(path, { method: 'POST', body: JSON.stringify(body) }))
  return {
    url,
    directory,
    get,
    post,
    run: async (endpointId, input, more = {}) =>
      (await post(`/v2/${endpointId}/run`, { input, ...more })).id,
    ended: (endpointId, jobId) => get(`/v2/${endpointId}/status-sync/${jobId}?wait=50000`),
    timeline: async () =>
      (await ask('/_emulator/timeline'))
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line)),
    processes: () => processesOf(directory),
    stop,
  }
}

export const notesOf = ({ directory }: Rig): string[] =>
  readFileSync(join(directory, 'notes'), 'utf8').trim().split('\n')

/** Looks again until it holds, for so long in ms. */
export async function until(
  holds: () => Promise<boolean> | boolean,
  limitMs = 30_000,
): Promise<void> {
  const limitAt = performance.now() + limitMs
  while (!(await holds())) {
    if (performance.now() > limitAt) throw new Error('it did not come to pass in time')
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}

function processesOf(directory: string): string[] {
  const all = execFileSync('ps', ['-A', '-o', 'pid=,stat=,args='], { encoding: 'utf8' })
  return all
    .split('\n')
    .filter((line) => line.includes(`INFO ${directory}`) && !/^\s*\d+ Z/.test(line))
}
