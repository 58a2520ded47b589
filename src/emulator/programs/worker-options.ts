/** Endpoints whose workers are named when an emulator is started: `demo='python -u handler.py'`. */

import type { Catalog } from '../../model/catalog.ts'
import type { EndpointType } from '../../model/endpoint.ts'
import { type Backend, backendMismatch, serverAddress } from '../../model/program.ts'
import type { StartState } from '../../model/start-state.ts'
import { reservedNouns } from '../../surfaces/all.ts'
import { OptionError } from '../option-error.ts'

export interface WorkerOptions {
  /**
   * By endpoint: a command line, or `docker` for containers of its image, or `docker:IMAGE`, or the
   * address of a web server, or `attached`, or `simulated`. An endpoint that the start state does not have is a queue, or a load balancer when `:lb` follows its
   * name or its worker is an address.
   */
  readonly workers?: Readonly<Record<string, string>>
  /** Lets the SDK of those workers look for memory, disk, network and GPU as it starts. */
  readonly workerChecks?: boolean
  /**
   * What containers are connected to: `host`, `bridge`, or a network that somebody made. Default:
   * `host` on Linux, where it is the machine's own, and `bridge` elsewhere.
   */
  readonly dockerNetwork?: string
  /** Told of each line that a worker's program writes. */
  readonly onWorkerLine?: (line: WorkerLine) => void
}

export interface WorkerLine {
  readonly workerId: string
  readonly text: string
}

/** The start state with those workers; an endpoint that it does not have is added to it. */
export function withWorkers(
  start: StartState,
  catalog: Catalog,
  { workers = {}, workerChecks = false }: WorkerOptions,
): StartState {
  let endpoints = start.endpoints
  for (const [name, word] of Object.entries(workers)) {
    const backend = toBackend(word, workerChecks)
    const id = name.replace(/:lb$/, '')
    const known = endpoints.find((endpoint) => endpoint.id === id)
    const isBalancer = id !== name || backend.type === 'http'
    const made = known ?? newEndpoint(id, isBalancer ? 'LOAD_BALANCER' : 'QUEUE', catalog)
    requireMatch(made, backend, id !== name)
    const { handler: _, ...rest } = made
    const [, image] = /^docker:(.+)$/.exec(word) ?? []
    const container = image === undefined ? made.container : { ...made.container, image }
    const changed = { ...rest, backend, container }
    endpoints =
      known === undefined
        ? [...endpoints, changed]
        : endpoints.map((endpoint) => (endpoint === known ? changed : endpoint))
  }
  return { ...start, endpoints }
}

type StartEndpoint = StartState['endpoints'][number]

function toBackend(word: string, systemChecks: boolean): Backend {
  if (word === 'attached' || word === 'simulated') return { type: word }
  if (/^docker(:|$)/.test(word)) return { type: 'docker', systemChecks }
  if (/^https?:\/\//.test(word)) return toServer(word)
  if (word.trim() === '')
    throw new OptionError('a worker needs a command: --worker demo="python -u handler.py"')
  return { type: 'process', command: word, systemChecks }
}

function toServer(url: string): Backend {
  if (serverAddress.test(url)) return { type: 'http', url }
  throw new OptionError(`'${url}' is no address of a worker; write http://127.0.0.1:8000`)
}

function requireMatch({ id, type }: StartEndpoint, backend: Backend, asBalancer: boolean): void {
  if (asBalancer && type === 'QUEUE') {
    throw new OptionError(`endpoint '${id}' is a queue, and its type is fixed: leave ':lb' out`)
  }
  const mismatch = backendMismatch(type, backend.type)
  if (mismatch !== undefined) throw new OptionError(`endpoint '${id}': ${mismatch}`)
}

function newEndpoint(id: string, type: EndpointType, { gpus }: Catalog): StartEndpoint {
  if (!/^[a-z0-9][a-z0-9-]*$/.test(id) || reservedNouns.has(id)) {
    throw new OptionError(
      `'${id}' cannot be the id of an endpoint; choose letters, digits and dashes`,
    )
  }
  return {
    id,
    name: id,
    type,
    container: { image: `local/${id}:latest` },
    gpuTypeIds: [(gpus.find(({ id }) => id === usualGpu) ?? gpus[0])?.id ?? usualGpu],
    gpuCount: 1,
    workersMin: 0,
    workersMax: 3,
    idleTimeoutMs: 5_000,
    executionTimeoutMs: 600_000,
    flashBoot: 'OFF',
    public: false,
    builds: [],
  }
}

const usualGpu = 'NVIDIA GeForce RTX 4090'
